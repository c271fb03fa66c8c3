#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/algo/container/operand.h"
#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/placement/device_choice.h"
#include "tessera/algo/exec/skeleton_options.h"

namespace tessera::algo {

/// Where the launches of the call run that writes `outputs`: `wanted`, else what the thread's `placement_scope` says,
/// else the kind of devices that should be fastest. Notes where the containers are from then on. Choices that are
/// resolved stay as they are, so that the launches of one call stay together. Throws `argument_error` for devices that
/// the context does not have.
[[nodiscard]] device_choice resolved(const device_choice& wanted, const call& bound,
                                     const std::vector<operand>& outputs);

[[nodiscard]] inline skeleton_options resolved(const skeleton_options& options, const call& bound,
                                               const std::vector<operand>& outputs) {
  return {options.name, resolved(options.on, bound, outputs), options.told};
}

/// While one lives, it notes the first call that this thread resolves: what tables know of it.
class call_probe {
 public:
  call_probe();
  ~call_probe();
  call_probe(const call_probe&) = delete;
  call_probe& operator=(const call_probe&) = delete;

  std::string skeleton{};  ///< Empty if there was no call.
  std::uint64_t function = 0;
  std::int64_t bytes = 0;
};

}  // namespace tessera::algo
