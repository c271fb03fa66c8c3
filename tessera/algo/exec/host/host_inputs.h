#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/function/host.h"
#include "tessera/runtime/native_call.h"

namespace tessera::algo {

/// Where a row of elements begins, as kernels count them (exec/call_text.h).
struct host_position {
  int axes = 0;  ///< 0: all elements are counted through.
  std::int64_t at[4] = {};
  std::int64_t extents[4] = {};
  std::int64_t segment = 0, first = 0;  ///< Of a reduction of segments: which one, and its first element.
};

/// The arguments of a call as a native kernel finds them among its parameters, which are those of `call_text`. Copies
/// what it needs of the call: launches run later.
class host_inputs {
 public:
  /// `first` is the number of the kernel's parameter for the first of them.
  host_inputs(const call& bound, int axes, int first);

  /// `count` results of the call for the row that begins at `position`.
  void compute(const native_call& native, const host_position& position, std::int64_t count,
               std::byte* const* results) const;
  /// The number behind the last parameter.
  [[nodiscard]] int end() const { return end_; }

 private:
  struct input {
    bound_argument::kind as{};
    int parameter = 0;
    int axes = 0;
    std::int64_t bytes = 1;
  };
  [[nodiscard]] host_argument argument_at(const native_call& native, const input& in, const host_position& p) const;

  host_code function_;
  std::vector<input> inputs_;
  int end_ = 0;
};

/// result[k] = combine(a[k], b[k]) for `count` values of `bytes` bytes; the result may be one of both.
void combine_rows(const host_code& combine, std::int64_t bytes, const std::byte* a, const std::byte* b,
                  std::int64_t count, std::byte* result);

}  // namespace tessera::algo
