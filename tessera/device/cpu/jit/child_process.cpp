#include "tessera/device/cpu/jit/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/base/file_descriptor.h"
#include "tessera/base/text.h"

namespace tessera::device {
namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void throw_system_error(const char* step) {
  throw compile_error(cat("cannot run the compiler: ", step, ": ", std::strerror(errno)));
}

/// The attributes and file actions of one posix_spawn call.
class spawn_plan {
 public:
  spawn_plan() {
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
  }
  spawn_plan(const spawn_plan&) = delete;
  spawn_plan& operator=(const spawn_plan&) = delete;
  ~spawn_plan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Only what a compiler needs: variables such as CPATH, COMPILER_PATH, GCC_EXEC_PREFIX or LD_PRELOAD would change
/// what it makes.
std::vector<std::string> clean_environment(const std::string& directory) {
  std::vector<std::string> variables{"LANG=C", "LC_ALL=C", cat("TMPDIR=", directory)};
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name)) variables.push_back(cat(name, "=", value));
  return variables;
}

/// The file under a number that the child's standard files do not use.
file_descriptor above_standard(int number) {
  const file_descriptor given(number);
  return file_descriptor(::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

file_descriptor input_file(std::string_view text) {
  file_descriptor file = above_standard(::memfd_create("tessera-source", MFD_CLOEXEC));
  if (!file) throw_system_error("no memory file for the source");
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_system_error("cannot write the source");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

int spawn(const child_program& program, int input, int output, pid_t& pid) {
  spawn_plan plan;
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setpgroup(&plan.attributes, 0);
  posix_spawnattr_setsigmask(&plan.attributes, &none);
  posix_spawnattr_setsigdefault(&plan.attributes, &all);
  posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_adddup2(&plan.actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, output, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&plan.actions, program.directory.c_str());
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&plan.actions, STDERR_FILENO + 1);
#endif
  std::vector<std::string> arguments{program.executable};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> environment = clean_environment(program.directory);
  return posix_spawn(&pid, program.executable.c_str(), &plan.actions, &plan.attributes, pointers(arguments).data(),
                     pointers(environment).data());
}

void limit(pid_t pid, decltype(RLIMIT_CPU) resource, std::int64_t most) {
  rlimit64 now{};
  if (::prlimit64(pid, resource, nullptr, &now) != 0) return;  // it has ended already
  const rlim64_t value = std::min<rlim64_t>(now.rlim_max, static_cast<rlim64_t>(most));
  const rlimit64 wanted{value, value};
  ::prlimit64(pid, resource, &wanted, nullptr);
}

/// Children started later inherit the limits; those already there are visited.
void limit_tree(pid_t pid, const child_program& program, int depth = 0) {
  constexpr int deepest = 8;
  limit(pid, RLIMIT_CORE, 0);
  limit(pid, RLIMIT_CPU, 1 + std::chrono::ceil<std::chrono::seconds>(program.timeout).count());
  limit(pid, RLIMIT_AS, program.max_memory);
  limit(pid, RLIMIT_FSIZE, program.max_file);
  std::ifstream children(cat("/proc/", pid, "/task/", pid, "/children"));
  for (pid_t child = 0; depth < deepest && children >> child;) limit_tree(child, program, depth + 1);
}

/// Takes what is there to read, a pipe's worth at most, and keeps what fits. False at the end of the stream.
bool drain(int stream, std::size_t most, std::string& kept) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(stream, buffer.data(), buffer.size());
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  kept.append(buffer.data(), std::min(static_cast<std::size_t>(n), most - kept.size()));
  return n > 0;
}

/// `ended` leaves a zombie whose number still names its process group; the status of `lost` was taken by other code of
/// this process.
enum class child_state : std::uint8_t { running, ended, lost };

child_state state_of(pid_t pid) {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return child_state::lost;
  return info.si_pid == pid ? child_state::ended : child_state::running;
}

/// Reads until the process ends. False if the deadline came first.
bool watch(pid_t pid, int stream, const child_program& program, clock::time_point deadline, std::string& output) {
  constexpr std::chrono::milliseconds slice{20};
  bool open = true;
  while (state_of(pid) == child_state::running) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
    if (left.count() <= 0) return false;
    if (open) {
      pollfd wanted{stream, POLLIN, 0};
      if (::poll(&wanted, 1, static_cast<int>(std::min(left, slice).count())) > 0)
        open = drain(stream, program.max_output, output);
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds{200});
    }
  }
  if (open) drain(stream, program.max_output, output);
  return true;
}

/// Kills what is left of the process group and takes the status.
void finish(pid_t pid, child_result& result) {
  if (state_of(pid) == child_state::lost) return;  // what it made tells how it went
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return;
  if (result.ending == child_result::end::timed_out) return;
  result.ending = WIFSIGNALED(status) ? child_result::end::killed : child_result::end::exited;
  result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

child_result run(const child_program& program) {
  const auto deadline = clock::now() + program.timeout;
  const file_descriptor input = input_file(program.input);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error("no pipe");
  const file_descriptor reader(ends[0]);
  file_descriptor writer = above_standard(ends[1]);
  if (!writer) throw_system_error("no pipe");
  ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);

  child_result result;
  pid_t pid = 0;
  if (const int reason = spawn(program, input.get(), writer.get(), pid); reason != 0)
    return {child_result::end::not_started, reason, {}};
  writer.close();
  limit_tree(pid, program);

  if (!watch(pid, reader.get(), program, deadline, result.output)) result.ending = child_result::end::timed_out;
  finish(pid, result);
  return result;
}

}  // namespace tessera::device
