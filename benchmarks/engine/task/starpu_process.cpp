#include "benchmarks/engine/task/starpu_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "is libstarpu-dev installed? (tools/install_dependencies --with bench)";

/// The environment with StarPU's settings added; settings that the user made win.
std::vector<std::string> environment_for(const std::string& scheduler, int workers, const std::string& home) {
  std::vector<std::string> result{cat("STARPU_SCHED=", scheduler),
                                  cat("STARPU_NCPU=", workers),
                                  "STARPU_NCUDA=0",
                                  "STARPU_NOPENCL=0",
                                  "STARPU_SILENT=1",
                                  "STARPU_CALIBRATE=0",
                                  cat("STARPU_HOME=", home)};
  for (char** v = environ; *v != nullptr; ++v) result.emplace_back(*v);
  return result;
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw error("cannot make a pipe to StarPU");
  return ends;
}

}  // namespace

starpu_process::starpu_process(std::string scheduler, int workers) : scheduler_(std::move(scheduler)) {
  std::string home = (fs::temp_directory_path() / "tessera-bench-XXXXXX").string();
  if (mkdtemp(home.data()) == nullptr) throw error("cannot make a directory for StarPU");
  home_ = home;
  const std::string program = (fs::read_symlink("/proc/self/exe").parent_path() / "starpu_rival").string();
  std::vector<std::string> variables = environment_for(scheduler_, workers, home_);
  std::vector<char*> environment;
  for (std::string& v : variables) environment.push_back(v.data());
  environment.push_back(nullptr);

  const std::array<int, 2> in = make_pipe(), out = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  std::string name = program;
  std::array<char*, 2> arguments{name.data(), nullptr};
  const int failed = posix_spawn(&child_, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  to_ = fdopen(in[1], "w");
  from_ = fdopen(out[0], "r");
  char word[16] = {};
  if (failed != 0 || std::fscanf(from_, "%15s", word) != 1 || std::string(word) != "ready")
    throw error(cat("cannot start ", program, "; ", remedy));
}

starpu_process::~starpu_process() {
  std::fclose(to_);  // ends it
  std::fclose(from_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(home_, ignored);
}

task_timing starpu_process::run(const task_program& program) {
  std::fprintf(to_, "%d %" PRId64 " %" PRId64 " %" PRIu64 "\n", static_cast<int>(program.shape), program.tasks,
               program.width, program.rounds);
  std::fflush(to_);
  task_timing t;
  if (std::fscanf(from_, "%lf %lf %" SCNu32, &t.total, &t.submit, &t.checksum) != 3) throw error("StarPU ended early");
  return t;
}

}  // namespace tessera::bench
