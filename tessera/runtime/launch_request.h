#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera/base/call_site.h"
#include "tessera/base/geometry/box.h"
#include "tessera/plan/access/bound_accesses.h"
#include "tessera/plan/launch_arguments.h"
#include "tessera/plan/split/spec.h"

namespace tessera::runtime {

struct array_record;
struct kernel_entry;

/// A launch as every front end submits it (rule H17): a kernel, the space of its indices, which elements of which
/// arrays each part of that space touches, and how it is cut. A plain value. `array/` makes one from a call of
/// `kernel::launch` and an annotation; a front end that knows its accesses fills it in directly:
///
///     request.accesses = plan::bind_accesses({{name of x}, {read parameter 1 at [x], write parameter 0 at [x]}});
///
/// An array may be passed for several parameters. Parameters for which neither an array nor a scalar is given are null
/// pointers.
struct launch_request {
  /// A box of an array for one parameter of the kernel.
  struct array_use {
    int parameter = 0;
    std::shared_ptr<const array_record> array;
    box bounds;             ///< In the coordinates of `array_record::plan_shape`.
    bool by_value = false;  ///< The parameter is no pointer: the kernel gets the one element of `bounds`.
  };

  std::shared_ptr<const kernel_entry> kernel;
  plan::domain space;
  std::shared_ptr<const plan::bound_accesses> accesses;
  std::vector<array_use> arrays{};
  std::vector<plan::launch_scalar> scalars{};
  plan::split_spec split{};
  std::int64_t shared_bytes = 0;  ///< Of `extern __shared__` memory per thread block.
  std::string name{};             ///< For traces and messages; empty: the kernel's.
  call_site site{};
};

/// "main.cpp:12: launch of 'stencil'": what messages about the launch begin with.
[[nodiscard]] std::string label_of(const launch_request& request);
/// `label_of(request)` and the name of a parameter of the kernel.
[[nodiscard]] std::string label_of(const launch_request& request, int parameter);

}  // namespace tessera::runtime
