#include <cstdio>
#include <exception>

#include "tools/tessera/commands.h"

namespace {

constexpr const char* usage = R"(usage: tessera COMMAND ...

  tessera compile FILE.cu [--kernel NAME] [--target cpu|sm_90|...] [--tier loop|split|fiber]
                          [--define NAME[=VALUE]]
      prints the parameters, annotation and tier of each kernel, and compiles it; errors carry the file's own lines
  tessera info
      prints the devices that a program would use, the compiler, the cache and the settings in effect
  tessera run -n RANKS [--devices LIST] PROGRAM ARGUMENT...
      runs a program on several ranks of this machine, each with these devices
  tessera tune [--most ELEMENTS]
      measures the skeletons on each kind of devices, for containers of 256 to ELEMENTS (16777216) elements, prints the
      times and keeps them: contexts with several kinds of devices choose between these by them
  tessera --help, tessera --version

Exit status: 0 all is well, 1 a kernel or a setting is wrong, 2 the command line is.
)";

int carry_out(const std::vector<std::string>& arguments) {
  using namespace tessera::tool;
  const std::string command = arguments.empty() ? "" : arguments.front();
  if (command == "--help" || command == "-h" || command == "help") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (command == "--version") {
    std::printf("%s\n", version_text().c_str());
    return 0;
  }
  const std::span<const std::string> rest(arguments.data() + 1, arguments.empty() ? 0 : arguments.size() - 1);
  if (command == "compile") return compile(parse_compile(rest));
  if (command == "run") return run(parse_run(rest));
  if (command == "tune") return tune(parse_tune(rest));
  if (command == "info") {
    if (!rest.empty()) throw usage_error("info takes no arguments, but '" + rest.front() + "' is given");
    return info();
  }
  throw usage_error(command.empty() ? "a command is expected" : "there is no command '" + command + "'");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return carry_out({argv + 1, argv + argc});
  } catch (const tessera::tool::usage_error& e) {
    std::fprintf(stderr, "tessera: %s\n\n%s", e.what(), usage);
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera: %s\n", e.what());
    return 1;
  }
}
