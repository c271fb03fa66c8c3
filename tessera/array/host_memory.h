#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace tessera::runtime {
class engine;
}

namespace tessera {

/// Host memory that copies from and to all devices of its context reach at the speed of their links: page-locked where
/// there are GPUs. To be had from `context::host_memory`; contents are undefined at first.
///
/// Copies of the handle share the memory, which is freed with the last of them; any of them may outlive the context.
/// Transfers that are under way must have ended by then, as with every other memory that a program gives to
/// `write_async` or `read_async`. Handles may be used from any thread.
class host_memory {
 public:
  /// No memory.
  host_memory() = default;
  host_memory(std::shared_ptr<runtime::engine> engine, std::int64_t bytes);

  [[nodiscard]] std::span<std::byte> bytes() const { return memory_ ? *memory_ : std::span<std::byte>(); }
  /// As many elements as it has whole room for.
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    static_assert(std::is_trivially_copyable_v<T>, "elements of host memory are bytes that can be copied");
    static_assert(alignof(T) <= 256, "host memory is aligned to 256 bytes");
    return {reinterpret_cast<T*>(bytes().data()), bytes().size() / sizeof(T)};
  }

 private:
  struct record;
  std::shared_ptr<const std::span<std::byte>> memory_;  // of a record; null if there are no bytes
};

}  // namespace tessera
