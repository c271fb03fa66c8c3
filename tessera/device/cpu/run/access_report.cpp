#include "tessera/device/cpu/run/access_report.h"

#include <link.h>
#include <pthread.h>

#include <array>

#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/loaded_lines.h"

namespace tessera::device {
namespace {

/// Addresses [begin, end).
struct address_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

address_range stack_of_this_thread() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* bottom = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &bottom, &size) == 0;
  pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(bottom);
  return known ? address_range{begin, begin + size} : address_range{};
}

/// The part of a library or program, or of its variables for this thread, that holds an address.
address_range loaded_range(std::uintptr_t address) noexcept {
  struct search {
    std::uintptr_t address;
    address_range found;
  } looked{address, {}};
  const auto look = [](dl_phdr_info* info, std::size_t, void* data) {
    auto& s = *static_cast<search*>(data);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info->dlpi_phdr[i];
      std::uintptr_t begin = 0;
      if (part.p_type == PT_LOAD) begin = info->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_TLS) begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
      if (begin == 0 || s.address - begin >= part.p_memsz) continue;
      s.found = {begin, begin + part.p_memsz};
      return 1;
    }
    return 0;
  };
  dl_iterate_phdr(look, &looked);
  return looked.found;
}

/// What the calling OS thread is listened to with.
struct listening {
  access_recorder* recorder = nullptr;
  bool runs = false;  ///< A thread of the kernel runs, not its driver.
  address_range shared;
  address_range loaded;  ///< Found last.

  /// Stack, shared memory, constants and variables of a kernel.
  bool is_own(std::uintptr_t address) noexcept {
    static thread_local const address_range stack = stack_of_this_thread();
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    constexpr std::uintptr_t fiber_stack = 64 << 10;
    if (address - (here - fiber_stack) < 2 * fiber_stack || stack.contains(address) || shared.contains(address))
      return true;
    if (!loaded.contains(address)) loaded = loaded_range(address);
    return loaded.contains(address);
  }
};
thread_local listening here;

std::array<std::int64_t, 3> three(const unsigned* from) noexcept { return {from[0], from[1], from[2]}; }

void run(const unsigned block[3], const unsigned* thread, unsigned blocks) {
  if (here.recorder == nullptr) return;
  here.runs = true;
  running_thread who{three(block), blocks, {}};
  if (thread != nullptr) who.thread = three(thread);
  here.recorder->run(who);
}

void touch(const void* address, unsigned long bytes, tessera_touch action, const void* instruction) {
  if (!here.runs) return;
  constexpr std::array kinds{memory_access::kind::read, memory_access::kind::write, memory_access::kind::update};
  const memory_access access{reinterpret_cast<std::uintptr_t>(address), static_cast<std::int64_t>(bytes), kinds[action],
                             reinterpret_cast<std::uintptr_t>(instruction) - 1};
  if (!here.recorder->touch(access) && !here.is_own(access.address)) here.recorder->touch_outside(access);
}

void stop() { here.runs = false; }

}  // namespace

const tessera_access_services& access_services() noexcept {
  static constexpr tessera_access_services services{run, touch, stop};
  return services;
}

access_scope::access_scope(access_listener* listener, void* const* parameters, const void* shared,
                           std::int64_t shared_bytes) {
  if (listener == nullptr) return;
  recorder_ = listener->record(parameters);
  const auto begin = reinterpret_cast<std::uintptr_t>(shared);
  here = {recorder_.get(), false, {begin, begin + static_cast<std::uintptr_t>(shared_bytes)}, {}};
}

access_scope::~access_scope() {
  if (recorder_ != nullptr) here = {};
}

std::string source_line(std::uintptr_t instruction) {
  const line_table::place at = loaded_lines::find(instruction, "tessera/");
  return at.line > 0 ? cat(at.file, ":", at.line) : std::string();
}

}  // namespace tessera::device
