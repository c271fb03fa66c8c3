#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/kernel/build/compile_service.h"
#include "tessera/kernel/source/signature.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/annotation/binding_cache.h"
#include "tessera/plan/task.h"
#include "tessera/runtime/native_call.h"

namespace tessera::runtime {

/// A kernel as the runtime knows it. Immutable but for its compiled variants, which are guarded.
struct kernel_entry {
  std::uint64_t id = 0;
  std::string name;
  std::vector<kernels::parameter> parameters;
  bool has_structures = false;  ///< Among them, whose sizes only the compiled kernel knows. Set by `add`.
  std::optional<plan::annotation> annotation;
  std::shared_ptr<plan::binding_cache> bindings = std::make_shared<plan::binding_cache>();
  std::optional<kernels::kernel_text> text;      ///< Source kernels.
  std::map<std::string, native_kernel> natives;  ///< Native kernels, by backend name.
};

/// The symbol under which modules for `language` keep the sizes of their kernel's parameters.
[[nodiscard]] const char* parameters_symbol(device::kernel_language language);

/// All kernels of a context and their compiled variants. Thread-safe.
class kernel_library {
 public:
  /// One compile service per backend, whose results come after delays that `disturbance` says. `tier`: "loop", "split",
  /// "fiber" or empty.
  kernel_library(const std::vector<device::backend*>& backends, const std::string& cache_dir, std::string tier,
                 const device::chaos& disturbance = {});

  /// Equal source kernels are one; every native kernel is one of its own, even under an equal name.
  std::shared_ptr<const kernel_entry> add(kernel_entry entry);
  [[nodiscard]] std::shared_ptr<const kernel_entry> find(std::uint64_t id) const;

  /// The kernel compiled for a device and for what `launch` asks of it; begins compiling on first demand and never
  /// waits.
  std::shared_ptr<kernels::module_request> compiled(const kernel_entry& entry, device::backend& backend, int device,
                                                    const plan::launch_task& launch);

  /// True the first time it is asked about a kernel: what should be said once per kernel.
  bool first_warning(std::uint64_t id);

  [[nodiscard]] kernels::compile_counters counters() const;

 private:
  struct variant {
    std::uint64_t kernel;
    device::backend* backend;
    int device;
    std::array<std::int64_t, 3> block;  ///< Zeros where one text serves all blocks.
    bool private_results;
    std::vector<int> loaded;  ///< Parameters.
    auto operator<=>(const variant&) const = default;
  };

  [[nodiscard]] device::source_desc source_of(const kernel_entry& entry, device::kernel_language language,
                                              const variant& wanted) const;

  std::vector<std::pair<device::backend*, std::unique_ptr<kernels::compile_service>>> services_;
  std::string tier_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const kernel_entry>> entries_;
  std::map<variant, std::shared_ptr<kernels::module_request>> variants_;
  std::set<std::uint64_t> warned_;
  std::uint64_t natives_ = 0;
};

}  // namespace tessera::runtime
