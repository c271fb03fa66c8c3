#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tessera::device {

/// One access of a thread to memory.
struct memory_access {
  enum class kind : std::uint8_t { read, write, update };
  std::uintptr_t address = 0;
  std::int64_t bytes = 0;
  kind action = kind::read;
  std::uintptr_t instruction = 0;  ///< Of the kernel's code.
};

/// Who makes accesses: a thread of a block, or, in texts without threads, all threads of `blocks` blocks along x.
struct running_thread {
  std::array<std::int64_t, 3> block{};
  std::int64_t blocks = 1;
  std::optional<std::array<std::int64_t, 3>> thread;
};

/// Takes the accesses of some blocks of a launch, on the OS thread that runs them, before they happen.
class access_recorder {
 public:
  virtual ~access_recorder() = default;
  /// The accesses that follow are those of `who`; a thread may run several times in turn with others of its block.
  virtual void run(const running_thread& who) noexcept = 0;
  /// False if it concerns no memory that the recorder knows.
  virtual bool touch(const memory_access& access) noexcept = 0;
  /// An access for which `touch` gave false, and which concerns no memory of the kernel's own either: no stack, shared
  /// memory, constant or variable.
  virtual void touch_outside(const memory_access& access) noexcept = 0;
};

/// Listens to one launch of a kernel that was compiled with `instrument_flag`. Thread-safe.
class access_listener {
 public:
  virtual ~access_listener() = default;
  /// For some blocks, whose parameters have their values at `parameters`. The recorder is destroyed when these blocks
  /// have run; the listener outlives it.
  [[nodiscard]] virtual std::unique_ptr<access_recorder> record(void* const* parameters) = 0;
};

/// "file:line" of an instruction of a kernel's code that is loaded, as its text counts lines; empty if that is not
/// known. Instructions of the functions that the device offers to kernels count as part of the line that calls them.
[[nodiscard]] std::string source_line(std::uintptr_t instruction);

}  // namespace tessera::device
