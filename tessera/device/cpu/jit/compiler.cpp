#include "tessera/device/cpu/jit/compiler.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/error.h"
#include "tessera/base/file_descriptor.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/abi.h"
#include "tessera/device/cpu/jit/child_process.h"
#include "tessera/device/cpu/jit/contraction.h"
#include "tessera/device/cpu/jit/private_directory.h"

namespace tessera::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "install g++ or set TESSERA_CXX to the path of a C++ compiler";

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// Absolute path of the program `name`, which may be a path; empty if there is none. Relative entries of PATH are
/// skipped: they would let the working directory choose the compiler.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    const fs::path path = fs::absolute(name);
    return is_program(path) ? path.string() : "";
  }
  const char* variable = std::getenv("PATH");
  std::istringstream folders(variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path path = fs::path(folder) / name;
    if (path.is_absolute() && is_program(path)) return path.string();
  }
  return {};
}

std::string find_default_compiler() {
  if (const char* chosen = std::getenv("TESSERA_CXX"); chosen != nullptr && *chosen != '\0') {
    std::string path = find_program(chosen);
    if (path.empty()) throw missing_compiler(cat("TESSERA_CXX names no program: '", chosen, "'; ", remedy));
    return path;
  }
  for (const char* name : {"g++", "c++", "clang++"})
    if (std::string path = find_program(name); !path.empty()) return path;
  throw missing_compiler(cat("there is no C++ compiler (g++, c++ or clang++) on PATH; ", remedy));
}

std::string compiler_path(const compiler_settings& settings) {
  if (settings.executable.empty()) {
    // A lock instead of the language's own: some run-time libraries never wake a thread that waits for a static that
    // throws.
    static std::mutex mutex;
    static auto& found = *new std::string;  // used by threads that outlive static objects
    const std::lock_guard lock(mutex);
    if (found.empty()) found = find_default_compiler();  // tried again after it threw
    return found;
  }
  std::string path = find_program(settings.executable);
  if (path.empty()) throw missing_compiler(cat("there is no compiler '", settings.executable, "'; ", remedy));
  return path;
}

[[noreturn]] void throw_failure(const std::string& compiler, const child_result& result,
                                const compiler_settings& settings, const std::string& subject) {
  const std::string printed = result.output.empty() ? "" : cat(":\n", result.output);
  switch (result.ending) {
    case child_result::end::not_started:
      throw missing_compiler(
          cat("cannot start the compiler ", compiler, ": ", std::strerror(result.code), "; ", remedy));
    case child_result::end::timed_out:
      throw compile_error(cat("the compiler ", compiler, " did not end within ", settings.timeout.count(),
                              " ms and was stopped; simplify ", subject, ", or check the compiler by hand", printed));
    case child_result::end::killed:
      throw compile_error(cat("the compiler ", compiler, " was killed by signal ", result.code, " (",
                              ::strsignal(result.code), "); if memory ran short (limit ", settings.max_memory >> 20,
                              " MiB), simplify ", subject, printed));
    case child_result::end::exited:
      break;
  }
  if (result.output.empty())
    throw compile_error(cat("the compiler ", compiler, " failed with status ", result.code, " and no message"));
  throw compile_error(cat(subject, " does not compile:\n", result.output));
}

child_result run_compiler(const compiler_settings& settings, std::vector<std::string> arguments, std::string_view input,
                          const private_directory& directory, const std::string& subject) {
  const std::string compiler = compiler_path(settings);
  child_result result = run({.executable = compiler,
                             .arguments = std::move(arguments),
                             .input = input,
                             .directory = directory.path(),
                             .timeout = settings.timeout,
                             .max_memory = settings.max_memory,
                             .max_file = settings.max_file,
                             .max_output = settings.max_messages});
  if (result.ending != child_result::end::exited || result.code != 0)
    throw_failure(compiler, result, settings, subject);
  return result;
}

/// `printed` explains a failure whose exit status got lost, as when the program ignores SIGCHLD.
std::vector<std::byte> read_library(const std::string& path, const std::string& compiler, const std::string& printed) {
  const file_descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found {};
  const bool usable = file && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0;
  if (!usable)
    throw compile_error(cat("the compiler ", compiler, " made no library; if the kernel is right, ", remedy,
                            printed.empty() ? "" : ":\n", printed));
  std::vector<std::byte> bytes(static_cast<std::size_t>(found.st_size));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw compile_error(cat("cannot read the library that the compiler made: ", std::strerror(errno)));
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

/// Digest of what the system says of the first processor, as far as `-march=native` may depend on it.
std::string processor_features() {
  constexpr std::array<std::string_view, 9> relevant{"vendor_id", "cpu family", "model",           "stepping", "flags",
                                                     "Features",  "CPU part",   "CPU implementer", "isa"};
  std::ifstream file("/proc/cpuinfo");
  sha256 hash;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::string_view name = std::string_view(line).substr(0, line.find_first_of("\t:"));
    for (const std::string_view wanted : relevant)
      if (name == wanted) hash.add_field(line);
  }
  return to_string(hash.finish());
}

/// Besides those of the kernel. At -O2 GCC leaves most loops alone where a little more code would make them fast.
std::vector<std::string> own_flags(std::string_view version) {
  if (version.find("clang version") != std::string_view::npos) return {};
  return {"-fvect-cost-model=dynamic"};
}

/// Besides those of a kernel that is instrumented. Clang instruments last: what it would make of several accesses is
/// kept apart, and it tells of a read although the same element is written next.
std::vector<std::string> instrumenting_flags(std::string_view version) {
  if (version.find("clang version") == std::string_view::npos) return {};
  return {"-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-tsan-instrument-read-before-write=1"};
}

std::vector<std::byte> compile_once(const std::string& text, const source_desc& source,
                                    const compiler_settings& settings, const std::vector<std::string>& more = {}) {
  const private_directory directory;
  const std::string library = directory.path() + "/module.so";
  std::vector<std::string> arguments = source.flags;
  const std::string identity = compiler_identity(settings);
  for (const std::string& flag : own_flags(identity)) arguments.push_back(flag);
  if (std::find(arguments.begin(), arguments.end(), instrument_flag) != arguments.end())
    for (const std::string& flag : instrumenting_flags(identity)) arguments.push_back(flag);
  arguments.insert(arguments.end(), more.begin(), more.end());
  for (const std::string& path : source.include_paths) arguments.push_back("-I" + fs::absolute(path).string());
  arguments.insert(arguments.end(), {"-o", library, "-x", "c++", "-"});
  const child_result result = run_compiler(settings, std::move(arguments), text, directory, source.subject);
  return read_library(library, compiler_path(settings), result.output);
}

/// Where products may not be fused into sums and GCC does it all the same: once more without instructions to do it
/// with, and if the text itself asks for them, without the vectoriser, which is what fuses.
std::vector<std::byte> compile_text(const std::string& text, const source_desc& source,
                                    const compiler_settings& settings) {
  std::vector<std::byte> library = compile_once(text, source, settings);
  const bool apart = std::find(source.flags.begin(), source.flags.end(), "-ffp-contract=off") != source.flags.end();
  if (!apart || !fuses_in_turns(library)) return library;
  library = compile_once(text, source, settings, {"-mno-fma", "-mno-fma4", "-mno-avx512f"});
  return calls_fma(library) ? compile_once(text, source, settings, {"-fno-tree-vectorize"}) : library;
}

}  // namespace

std::vector<std::byte> compile_shared_object(const source_desc& source, const compiler_settings& settings) {
  if (source.otherwise.empty()) return compile_text(source.text, source, settings);
  try {
    return compile_text(source.text, source, settings);
  } catch (const compile_error&) {
    return compile_text(source.otherwise, source, settings);  // if that fails, it says why in the user's words
  }
}

std::string compiler_identity(const compiler_settings& settings) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::string, std::string>;  // used by threads that outlive static objects
  const std::string compiler = compiler_path(settings);
  const std::lock_guard lock(mutex);
  std::string& identity = known[compiler];
  if (identity.empty()) {
    const child_result result = run_compiler(settings, {"--version"}, {}, private_directory(), "the kernel");
    identity = cat(compiler, "\n", result.output.substr(0, result.output.find('\n')), "\nprocessor ",
                   processor_features(), "\nabi ", TESSERA_CPU_ABI, "\nproducts apart");
    for (const std::string& flag : own_flags(result.output)) identity += cat("\nflag ", flag);
  }
  return identity;
}

}  // namespace tessera::device
