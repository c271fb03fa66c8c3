#pragma once

#include <memory>
#include <string>

#include "tessera/plan/split/cache.h"
#include "tessera/plan/task.h"
#include "tessera/runtime/launch_request.h"

namespace tessera::runtime {

class engine;
class kernel_library;

/// Turns requests into tasks: checks what every front end must keep to and cuts the launch. Thread-safe.
class launch_task_maker {
 public:
  /// Arrays must belong to `owner`. What is given outlives the maker.
  launch_task_maker(const engine& owner, plan::split_cache& splits, kernel_library& kernels)
      : owner_(owner), splits_(splits), kernels_(kernels) {}

  /// The task keeps its kernel. Null for a launch without threads. Throws `argument_error`, and `out_of_memory` for
  /// what can never fit.
  [[nodiscard]] std::shared_ptr<const plan::launch_task> make(launch_request request) const;

 private:
  [[nodiscard]] std::shared_ptr<const plan::split_plan> plan_of(const plan::launch_task& task,
                                                                const launch_request& request) const;
  void check_arrays(const launch_request& request) const;
  void warn_of_narrow_indices(const launch_request& request) const;

  const engine& owner_;
  plan::split_cache& splits_;
  kernel_library& kernels_;
};

/// How the launch is cut and placed, as text.
[[nodiscard]] std::string describe_split(const plan::launch_task& task);

}  // namespace tessera::runtime
