#include "tessera/device/cpu/run/crash_report.h"

#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "tessera/base/bytes/fixed_text.h"
#include "tessera/device/cpu/jit/loaded_lines.h"

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

/// Where the thread was when the signal came; 0: not known for this processor.
std::uintptr_t faulting_instruction([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

/// Takes no memory and no lock that the faulting code may hold: a native kernel may crash inside `malloc`.
void write_line(const char* name, const siginfo_t& info, const void* context) noexcept {
  fixed_text line;
  line.append("tessera: error: ");
  if (running.watch != nullptr)
    running.watch->describe(line);
  else
    line.append("a kernel");
  line.append(": the kernel crashed");
  if (const line_table::place at = loaded_lines::find(faulting_instruction(context)); at.line > 0) {
    line.append(" at ").append(at.file).append(":");
    append_number(line, at.line);
  }
  line.append(": ").append(name);
  if (info.si_signo != SIGFPE && info.si_code != SI_KERNEL) {  // which does not tell the address
    line.append(" at address ");
    append_address(line, reinterpret_cast<std::uintptr_t>(info.si_addr));
  }
  line.append("\n");
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
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
    if (inside && info->si_code > 0) write_line(signal.name, *info, context);
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

kernel_scope::kernel_scope(const observer* watch) noexcept
    : outer_active_(running.active), outer_watch_(running.watch) {
  thread_local const alternate_stack stack;
  running = {true, watch};
}

kernel_scope::~kernel_scope() { running = {outer_active_, outer_watch_}; }

}  // namespace tessera::device
