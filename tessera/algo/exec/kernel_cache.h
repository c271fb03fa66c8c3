#pragma once

#include <functional>
#include <string>

#include "tessera/array/context.h"
#include "tessera/array/kernel.h"

namespace tessera::algo {

/// A kernel as text for each kind of device.
struct kernel_text {
  std::string name;
  std::string annotation;
  std::string text;      ///< CUDA.
  std::string cpu_text;  ///< A row of thread blocks per call (rule H22).
};

/// The kernel of `key` in `ctx`; `make` gives its text the first time. The kernels used last are kept.
[[nodiscard]] kernel cached_kernel(const context& ctx, const std::string& key,
                                   const std::function<kernel_text()>& make);

}  // namespace tessera::algo
