#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cpu/jit/abi.h"

namespace tessera::device {

/// The libraries of one backend and the functions found in them. Thread-safe. Libraries are never unloaded, since
/// worker threads may still be in them; equal libraries are loaded once per process, except those with variables of
/// their own: each `load` of such a library gives a fresh copy.
class module_table {
 public:
  module_table() = default;
  module_table(const module_table&) = delete;
  module_table& operator=(const module_table&) = delete;
  ~module_table();

  /// Loads a shared library from memory: no file that could be exchanged is involved. Throws `compile_error`.
  [[nodiscard]] module_id load(std::span<const std::byte> binary);

  /// The function `symbol` of `module`, the same id every time. Throws `compile_error` if there is none and
  /// `argument_error` if there is no such module.
  [[nodiscard]] function_id find(module_id module, const std::string& symbol);

  /// An id for a function that is already part of this process.
  [[nodiscard]] function_id adopt(tessera_cpu_entry entry);

  /// What `find` or `adopt` gave an id for. Takes no lock: it is on the path of every launch.
  [[nodiscard]] tessera_cpu_entry entry(function_id function) const noexcept;

  /// Address of an exported symbol, or null. Throws `argument_error` if there is no such module.
  [[nodiscard]] const void* symbol(module_id module, const std::string& name) const;

 private:
  // Chunk k holds first_chunk << k functions and never moves, so readers need no lock.
  static constexpr std::size_t first_chunk = 64;
  static constexpr std::size_t max_chunks = 26;

  [[nodiscard]] void* library(module_id module) const;
  void append(tessera_cpu_entry entry);  // mutex_ is held

  mutable std::mutex mutex_;
  std::vector<void*> libraries_;
  std::map<std::pair<module_id, std::string>, function_id> found_;
  std::array<std::atomic<tessera_cpu_entry*>, max_chunks> chunks_{};
  function_id functions_ = 0;
};

}  // namespace tessera::device
