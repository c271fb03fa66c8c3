#include "tessera/device/cpu/jit/module.h"

#include <bit>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::device {
namespace {

struct place {
  std::size_t chunk;
  std::size_t offset;
};

place place_of(function_id function, std::size_t first_chunk) {
  const std::size_t scaled = function / first_chunk + 1;
  const auto chunk = static_cast<std::size_t>(std::bit_width(scaled) - 1);
  return {chunk, function - first_chunk * ((std::size_t{1} << chunk) - 1)};
}

}  // namespace

module_table::~module_table() {
  for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

module_id module_table::load(std::span<const std::byte> binary) {
  std::shared_ptr<const library> loaded = library::load(binary);
  const std::lock_guard lock(mutex_);
  if (free_modules_.empty()) {
    modules_.push_back({std::move(loaded), {}, {}});
    return static_cast<module_id>(modules_.size() - 1);
  }
  const module_id id = free_modules_.back();
  free_modules_.pop_back();
  modules_[id] = {std::move(loaded), {}, {}};
  return id;
}

void module_table::unload(module_id module) noexcept {
  entry_list gone;  // its library is unloaded when the lock is free
  const std::lock_guard lock(mutex_);
  if (module >= modules_.size() || modules_[module].from == nullptr) return;
  std::swap(gone, modules_[module]);
  for (const auto& [symbol, function] : gone.functions) free_functions_.push_back(function);
  free_modules_.push_back(module);
}

const module_table::entry_list& module_table::at(module_id module) const {
  if (module >= modules_.size() || modules_[module].from == nullptr)
    throw argument_error(cat("there is no module ", module));
  return modules_[module];
}

const void* module_table::symbol(module_id module, const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return at(module).from->find(name);
}

module_variable* module_table::variable(module_id module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto* table = static_cast<const tessera_symbol*>(at(module).from->find("tessera_symbols"));
  std::unique_ptr<module_variable>& found = modules_[module].variables[name];
  for (; !found && table != nullptr && table->name != nullptr; ++table)
    if (name == table->name)
      found = std::make_unique<module_variable>(
          module_variable{static_cast<std::byte*>(table->address), static_cast<std::int64_t>(table->bytes), 0});
  return found.get();
}

function_id module_table::find(module_id module, const std::string& symbol) {
  const std::lock_guard lock(mutex_);
  void* address = at(module).from->find(symbol);
  if (address == nullptr) throw compile_error(cat("the compiled module has no function '", symbol, "'"));
  const auto [found, added] = modules_[module].functions.try_emplace(symbol);
  if (added) found->second = add(std::bit_cast<tessera_cpu_entry>(address));
  return found->second;
}

function_id module_table::adopt(tessera_cpu_entry entry) {
  const std::lock_guard lock(mutex_);
  return add(entry);
}

function_id module_table::add(tessera_cpu_entry entry) {
  const bool again = !free_functions_.empty();
  const function_id id = again ? free_functions_.back() : functions_++;
  if (again) free_functions_.pop_back();
  const auto [chunk, offset] = place_of(id, first_chunk);
  tessera_cpu_entry* entries = chunks_[chunk].load(std::memory_order_relaxed);
  if (entries == nullptr) {
    entries = new tessera_cpu_entry[first_chunk << chunk]{};
    chunks_[chunk].store(entries, std::memory_order_release);
  }
  entries[offset] = entry;
  return id;
}

tessera_cpu_entry module_table::entry(function_id function) const noexcept {
  const auto [chunk, offset] = place_of(function, first_chunk);
  return chunks_[chunk].load(std::memory_order_acquire)[offset];
}

}  // namespace tessera::device
