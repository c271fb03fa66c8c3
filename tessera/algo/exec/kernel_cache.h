#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/array/kernel.h"

namespace tessera::algo {

/// A kernel as text for each kind of device, or as a function of the host.
struct kernel_text {
  std::string name;
  std::string annotation;
  std::string text;          ///< CUDA.
  std::string cpu_text;      ///< A row of thread blocks per call (rule H22).
  std::string parameters{};  ///< Of both.
  native_kernel host{};      ///< Instead of both, if there is one.
};

/// The texts that every kernel of skeletons begins with: views and operators. `at_edge`: neighbours of elements are
/// looked for.
[[nodiscard]] const std::string& kernel_prelude(bool at_edge = false);

/// Kernels of contexts by keys. The kernels used last are kept; contexts are not: one ends when the program drops it.
class kernel_cache {
 public:
  kernel_cache();
  ~kernel_cache();
  kernel_cache(const kernel_cache&) = delete;
  kernel_cache& operator=(const kernel_cache&) = delete;

  /// The kernel of `key` in `ctx`; `make` gives its text the first time.
  [[nodiscard]] kernel find(const context& ctx, const std::string& key, const std::function<kernel_text()>& make);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The kernel of `key` in `ctx` among all kernels that are text; `make` gives its text the first time.
[[nodiscard]] kernel cached_kernel(const context& ctx, const std::string& key,
                                   const std::function<kernel_text()>& make);

/// For tests: while one lives, kernels that this thread makes for the first time run their texts for GPUs on CPUs, too,
/// thread by thread; it keeps them. Not for several at a time.
class gpu_texts_on_cpus {
 public:
  gpu_texts_on_cpus();
  ~gpu_texts_on_cpus();
  gpu_texts_on_cpus(const gpu_texts_on_cpus&) = delete;
  gpu_texts_on_cpus& operator=(const gpu_texts_on_cpus&) = delete;

  std::vector<kernel_text> made;
};

}  // namespace tessera::algo
