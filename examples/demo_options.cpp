#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "demo_parts.h"

namespace demo {
namespace {

constexpr const char* usage =
    "usage: tessera_demo [--size N] [--steps N] [--output FILE] [--no-progress]\n"
    "\n"
    "Simulates how a chip of N x N cells heats up (HotSpot), on all devices found.\n"
    "  --size N        cells along each side, 16 to 32768 (default 2048)\n"
    "  --steps N       steps in time, 1 to 10000000 (default 4000)\n"
    "  --output FILE   where to put the picture (default hotspot.png)\n"
    "  --no-progress   no progress bar\n";

[[noreturn]] void refuse(const std::string& reason) {
  std::fprintf(stderr, "tessera_demo: %s\n\n%s", reason.c_str(), usage);
  std::exit(2);
}

std::int64_t number(const std::string& option, const char* text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, status] = std::from_chars(text, end, value);
  if (status != std::errc{} || rest != end || value < least || value > most)
    refuse(option + " is '" + text + "'; a number from " + std::to_string(least) + " to " + std::to_string(most) +
           " is expected");
  return value;
}

}  // namespace

demo_options parse_options(int argc, char** argv) {
  demo_options result;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help" || option == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    if (option == "--no-progress") {
      result.progress = false;
      continue;
    }
    if (option != "--size" && option != "--steps" && option != "--output") refuse("unknown option '" + option + "'");
    if (++i == argc) refuse(option + " wants a value behind it");
    if (option == "--size") result.size = number(option, argv[i], 16, 32'768);
    if (option == "--steps") result.steps = number(option, argv[i], 1, 10'000'000);
    if (option == "--output") result.output = argv[i];
  }
  return result;
}

}  // namespace demo
