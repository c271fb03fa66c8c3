#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cpu/jit/abi.h"
#include "tessera/device/cpu/jit/library.h"

namespace tessera::device {

/// The libraries of one backend and the functions found in them. Thread-safe. When it ends no work of the backend is
/// under way.
class module_table {
 public:
  module_table() = default;
  module_table(const module_table&) = delete;
  module_table& operator=(const module_table&) = delete;
  ~module_table();

  /// See `library::load`. Throws `compile_error`.
  [[nodiscard]] module_id load(std::span<const std::byte> binary);

  /// Gives up a module and its functions, whose ids will be those of others. None of them runs, or will be run.
  void unload(module_id module) noexcept;

  /// The function `symbol` of `module`, the same id every time. Throws `compile_error` if there is none and
  /// `argument_error` if there is no such module.
  [[nodiscard]] function_id find(module_id module, const std::string& symbol);

  /// An id for a function that is already part of this process.
  [[nodiscard]] function_id adopt(tessera_cpu_entry entry);

  /// What `find` or `adopt` gave an id for. Takes no lock: it is on the path of every launch.
  [[nodiscard]] tessera_cpu_entry entry(function_id function) const noexcept;

  /// Address of an exported symbol, or null. Throws `argument_error` if there is no such module.
  [[nodiscard]] const void* symbol(module_id module, const std::string& name) const;

  /// A variable that the table `tessera_symbols` of the module names, or null; the same object until it is unloaded.
  /// Throws `argument_error` if there is no such module.
  [[nodiscard]] module_variable* variable(module_id module, const std::string& name);

 private:
  // Chunk k holds first_chunk << k functions and never moves, so readers need no lock.
  static constexpr std::size_t first_chunk = 64;
  static constexpr std::size_t max_chunks = 26;

  struct entry_list {
    std::shared_ptr<const library> from;  // null: the place is free
    std::map<std::string, function_id> functions;
    std::map<std::string, std::unique_ptr<module_variable>> variables;  // those that were asked for
  };

  // mutex_ is held
  [[nodiscard]] const entry_list& at(module_id module) const;
  function_id add(tessera_cpu_entry entry);

  mutable std::mutex mutex_;
  std::vector<entry_list> modules_;
  std::vector<module_id> free_modules_;
  std::vector<function_id> free_functions_;
  std::array<std::atomic<tessera_cpu_entry*>, max_chunks> chunks_{};
  function_id functions_ = 0;
};

}  // namespace tessera::device
