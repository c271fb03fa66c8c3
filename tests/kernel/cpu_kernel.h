#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/device/cpu/fiber/fiber.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cpu/jit/module.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"

namespace tessera::support {

struct layout {
  unsigned long long size;
  unsigned long long alignment;
};
struct symbol_entry {
  const char* name;
  void* address;
  unsigned long long bytes;
};

/// The compilers of this machine.
inline std::vector<std::string> compilers() {
  std::vector<std::string> found;
  for (const char* name : {"g++", "clang++"}) {
    try {
      static_cast<void>(device::compiler_identity({.executable = name}));
      found.emplace_back(name);
    } catch (const error&) {
    }
  }
  return found;
}

/// Asks for the form of a kernel that tells its accesses.
struct instrumented {};

/// A kernel compiled and loaded for one tier, block and compiler. Equal texts are compiled once per process.
class cpu_kernel {
 public:
  cpu_kernel(const kernels::kernel_text& text, kernels::tier form, extents block, const std::string& compiler = "g++")
      : cpu_kernel({kernels::make_cpu_source(text, {form, block}), {text.include_directory}, kernels::cpu_flags(text)},
                   block, compiler) {}
  cpu_kernel(const kernels::kernel_text& text, extents block, const std::string& compiler, instrumented)
      : cpu_kernel(kernels::instrumented_cpu_source(text, block), block, compiler) {}
  cpu_kernel(const device::source_desc& desc, extents block, const std::string& compiler) : block_(block) {
    static device::module_table table;
    static std::map<std::pair<std::string, std::string>, device::module_id> known;
    const auto key = std::make_pair(compiler, desc.text);
    if (!known.contains(key)) known[key] = table.load(device::compile_shared_object(desc, {.executable = compiler}));
    const device::module_id module = known[key];
    entry_ = table.entry(table.find(module, kernels::cpu_entry_symbol));
    parameters = static_cast<const layout*>(table.symbol(module, kernels::cpu_parameters_symbol));
    symbols = static_cast<const symbol_entry*>(table.symbol(module, kernels::cpu_symbols_symbol));
  }

  /// Runs the blocks [begin, grid) with the addresses of the arguments.
  void run(extents grid, std::vector<void*> arguments, std::int64_t shared_bytes = 0, extents begin = {0, 0, 0},
           const tessera_access_services* accesses = nullptr) const {
    std::vector<unsigned char> shared(static_cast<std::size_t>(shared_bytes) + 64);
    tessera_cpu_launch l{};
    for (int a = 0; a < 3; ++a) {
      l.grid_dim[a] = static_cast<unsigned>(a < grid.rank() ? grid[a] : 1);
      l.block_dim[a] = static_cast<unsigned>(a < block_.rank() ? block_[a] : 1);
      l.block_begin[a] = static_cast<unsigned>(a < begin.rank() ? begin[a] : 0);
      l.block_end[a] = l.grid_dim[a];
    }
    l.params = arguments.data();
    l.shared = shared.data();
    l.shared_bytes = static_cast<unsigned long long>(shared_bytes);
    l.fibers = &device::fiber_services();
    l.accesses = accesses;
    l.own = own;
    l.in_order = in_order ? 1 : 0;
    entry_(&l);
  }

  const layout* parameters = nullptr;
  const symbol_entry* symbols = nullptr;
  unsigned long long own = 0;  ///< See tessera_cpu_launch.
  bool in_order = false;

 private:
  extents block_;
  tessera_cpu_entry entry_ = nullptr;
};

/// Blocks of `block` threads that cover `threads`.
inline extents cover(extents threads, extents block) {
  for (int a = 0; a < threads.rank(); ++a) threads[a] = (threads[a] + block[a] - 1) / block[a];
  return threads;
}

/// Numbers in [lo, hi), the same every time.
template <class T>
std::vector<T> numbers(std::size_t count, double lo, double hi, std::uint32_t seed = 1) {
  std::vector<T> result(count);
  for (T& value : result) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<T>(lo + (hi - lo) * (static_cast<double>(seed >> 8) / 16777216.0));
  }
  return result;
}

}  // namespace tessera::support
