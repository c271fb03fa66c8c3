#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tools/tessera/commands.h"

extern char** environ;

namespace tessera::tool {
namespace {

int number_of(const std::string& text) {
  int value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size() || value < 1)
    throw usage_error("-n takes the number of ranks, not '" + text + "'");
  return value;
}

/// What the launcher says about itself; empty if there is none.
std::string launcher_version() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("mpirun --version 2>/dev/null", "r"), pclose);
  std::array<char, 256> line{};
  return pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr ? line.data() : "";
}

/// Flags that a newcomer would have to know: ranks may outnumber the cores and share them out themselves, as any user,
/// with all settings.
std::vector<std::string> open_mpi_flags() {
  std::vector<std::string> flags{"--oversubscribe", "--bind-to", "none"};
  if (geteuid() == 0) flags.emplace_back("--allow-run-as-root");
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "TESSERA_", 8) == 0) {
      flags.emplace_back("-x");
      flags.emplace_back(*entry, std::strcspn(*entry, "="));
    }
  return flags;
}

}  // namespace

run_request parse_run(std::span<const std::string> arguments) {
  run_request request;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("-"); ++i) {
    const std::string& option = arguments[i];
    if (option != "-n" && option != "--devices") throw usage_error("run has no option '" + option + "'");
    if (++i == arguments.size()) throw usage_error("'" + option + "' needs a value");
    if (option == "-n")
      request.ranks = number_of(arguments[i]);
    else
      request.devices = arguments[i];
  }
  request.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  if (request.ranks == 0) throw usage_error("run needs -n and the number of ranks");
  if (request.command.empty()) throw usage_error("run needs a program");
  return request;
}

int run(const run_request& request) {
  if (!request.devices.empty()) setenv("TESSERA_DEVICES", request.devices.c_str(), 1);
  const std::string version = launcher_version();
  if (version.empty()) {
    std::fprintf(stderr, "tessera: there is no mpirun; install Open MPI (package openmpi-bin)\n");
    return 1;
  }
  std::vector<std::string> words{"mpirun", "-n", std::to_string(request.ranks)};
  if (version.find("Open MPI") != std::string::npos)
    for (const std::string& flag : open_mpi_flags()) words.push_back(flag);
  words.insert(words.end(), request.command.begin(), request.command.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  std::perror("tessera: mpirun");
  return 1;
}

}  // namespace tessera::tool
