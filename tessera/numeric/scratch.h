#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace tessera::numeric {

/// Memory of the calling thread, kept between calls; at least `bytes`, aligned to 64 bytes, contents undefined. There
/// is one such piece per `Tag` and thread.
template <class Tag>
[[nodiscard]] std::byte* thread_scratch(std::size_t bytes) {
  struct release {
    void operator()(std::byte* p) const { std::free(p); }
  };
  thread_local std::unique_ptr<std::byte, release> memory;
  thread_local std::size_t size = 0;
  if (size < bytes) {
    const std::size_t whole = (bytes + 63) / 64 * 64;
    memory.reset();
    size = 0;
    memory.reset(static_cast<std::byte*>(std::aligned_alloc(64, whole)));
    if (!memory) throw std::bad_alloc();
    size = whole;
  }
  return memory.get();
}

}  // namespace tessera::numeric
