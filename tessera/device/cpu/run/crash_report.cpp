#include "tessera/device/cpu/run/crash_report.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "tessera/base/text.h"

namespace tessera::device {
namespace {

struct handled_signal {
  int number;
  const char* name;
  struct sigaction before {};
};
std::array<handled_signal, 3> handled{
    {{SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGFPE, "division error"}}};

struct running_kernel {
  bool active = false;
  const observer* watch = nullptr;
};
thread_local running_kernel running;

/// Room for the handler where a kernel has used up its own stack. A thread that has such room already keeps it.
class alternate_stack {
 public:
  alternate_stack() noexcept {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    room_.reset(new (std::nothrow) std::byte[size]);
    stack_t own{};
    own.ss_sp = room_.get();
    own.ss_size = size;
    if (room_ && sigaltstack(&own, nullptr) != 0) room_.reset();
  }
  ~alternate_stack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (room_) sigaltstack(&none, nullptr);
  }
  alternate_stack(const alternate_stack&) = delete;
  alternate_stack& operator=(const alternate_stack&) = delete;

 private:
  static constexpr std::size_t size = 64 << 10;
  std::unique_ptr<std::byte[]> room_;
};

void write_line(const char* name, const siginfo_t& info) noexcept {
  try {
    std::array<char, 64> address{};
    const bool has_address = info.si_signo != SIGFPE && info.si_code != SI_KERNEL;  // which does not tell it
    if (has_address) std::snprintf(address.data(), address.size(), " at address %p", info.si_addr);
    const std::string launch = running.watch != nullptr ? running.watch->describe() : std::string("a kernel");
    const std::string line = cat("tessera: error: ", launch, ": the kernel crashed: ", name, address.data(), "\n");
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  } catch (...) {
  }
}

/// What the program would have had without this handler.
void pass_on(const handled_signal& signal, siginfo_t* info, void* context) {
  const struct sigaction& before = signal.before;
  const bool sent = info->si_code <= 0;  // by a process; a fault comes again when the handler returns
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal.number, info, context);
  if (before.sa_handler == SIG_IGN && sent) return;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal.number);
  std::signal(signal.number, SIG_DFL);
  if (sent) std::raise(signal.number);
}

void handle(int number, siginfo_t* info, void* context) {
  const int error = errno;
  for (const handled_signal& signal : handled) {
    if (signal.number != number) continue;
    const bool inside = std::exchange(running.active, false);
    if (inside && info->si_code > 0) write_line(signal.name, *info);
    errno = error;
    return pass_on(signal, info, context);
  }
}

bool install() {
  for (handled_signal& signal : handled) {
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(signal.number, nullptr, &signal.before);  // known before the handler can be called
    sigaction(signal.number, &action, nullptr);
  }
  return true;
}

}  // namespace

void report_crashes() { [[maybe_unused]] static const bool once = install(); }

kernel_scope::kernel_scope(const observer* watch) noexcept {
  thread_local const alternate_stack stack;
  running = {true, watch};
}

kernel_scope::~kernel_scope() { running.active = false; }

}  // namespace tessera::device
