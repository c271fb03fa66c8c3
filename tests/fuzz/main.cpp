#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tessera/device/host/launcher.h"
#include "tests/fuzz/run/campaign.h"

namespace {

constexpr const char* usage =
    "tessera_fuzz --programs N --seed S [--first K] [--ranks R] [--devices D] [--memory PERCENT] [--cuda] [--jobs J]\n"
    "             [--time SECONDS] [--hang SECONDS] [--no-sources] [--no-shrink] [--stop] [--show K]\n"
    "tessera_fuzz --soak SECONDS [--seed S]\n"
    "Runs random programs on Tessera and compares what they read with a sequential interpreter; with --soak at a "
    "tenth\n"
    "of the memory they use, and nothing that the process holds may grow.\n";

/// The number behind an option; ends the program if there is none.
std::uint64_t number(int argc, char** argv, int& i) {
  std::uint64_t value = 0;
  const char* text = i + 1 < argc ? argv[++i] : "";
  const auto [end, status] = std::from_chars(text, text + std::strlen(text), value);
  if (status == std::errc{} && *end == 0 && end != text) return value;
  std::fprintf(stderr, "%s takes a number\n%s", argv[i], usage);
  std::exit(2);
}

void soak_for(tessera::fuzz::campaign_options& how, int seconds) {
  how.soak = true;
  how.seconds = seconds;
  how.programs = std::uint64_t{1} << 40;
  how.limits.memory = 100;
  how.limits.share = 10;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tessera::fuzz;
  campaign_options how;
  std::optional<std::uint64_t> show;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--programs")
      how.programs = number(argc, argv, i);
    else if (option == "--seed")
      how.seed = number(argc, argv, i);
    else if (option == "--first")
      how.first = number(argc, argv, i);
    else if (option == "--show")
      show = number(argc, argv, i);
    else if (option == "--ranks")
      how.limits.ranks = static_cast<int>(number(argc, argv, i));
    else if (option == "--devices")
      how.limits.devices = static_cast<int>(number(argc, argv, i));
    else if (option == "--memory")
      how.limits.memory = static_cast<int>(number(argc, argv, i));
    else if (option == "--jobs")
      how.jobs = static_cast<int>(number(argc, argv, i));
    else if (option == "--time")
      how.seconds = static_cast<int>(number(argc, argv, i));
    else if (option == "--hang")
      how.hang_seconds = static_cast<int>(number(argc, argv, i));
    else if (option == "--soak")
      soak_for(how, static_cast<int>(number(argc, argv, i)));
    else if (option == "--cuda")
      how.limits.kind = "cuda:0";
    else if (option == "--no-sources")
      how.limits.sources = false;
    else if (option == "--no-shrink")
      how.shrink = false;
    else if (option == "--stop")
      how.stop = true;
    else {
      std::fputs(usage, stderr);
      return option == "--help" ? 0 : 2;
    }
  }
  if (show) {
    std::fputs(show_program(how, *show).c_str(), stdout);
    return 0;
  }
  const campaign_result result = run_campaign(how);
  // Work that hangs or was abandoned must not keep the process from ending.
  std::fflush(stdout);
  if (tessera::this_process().ranks > 1 && result.failed == 0) return 0;  // MPI is finalised
  std::_Exit(result.failed == 0 ? 0 : 1);
}
