#pragma once

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/skeleton_options.h"
#include "tessera/algo/function/op.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// A reduction: what `bound` computes for each element is combined by `combine`, an associative and commutative
/// operator of two values of type `type`. The order depends on the number of elements alone (exec/fold_text.h), so
/// results have the same bits for any number of devices of one kind, ranks and bytes of memory.
struct reduction {
  const call& bound;
  const op& combine;
  std::string type;
  dtype element;
  const skeleton_options& options;
};

/// The split of a launch of `grid` thread blocks that the program wants; else the one that follows the first elements
/// that the call reads, so that they stay where they are.
[[nodiscard]] split split_for(const reduction& wanted, const extents& grid, const extents& block);

/// Elements of a new container that only the library knows.
[[nodiscard]] operand make_temporary(const context& ctx, const extents& shape, const dtype& type);

/// The operator that returns its argument, of type `type`.
[[nodiscard]] op identity_op(const std::string& type, const dtype& element);

/// The elements of a box as the one argument of a call of the identity.
class identity_call {
 public:
  identity_call(const operand& part, const std::string& type, call_site here);
  identity_call(const identity_call&) = delete;
  identity_call& operator=(const identity_call&) = delete;
  [[nodiscard]] const call& bound() const { return bound_; }

 private:
  op function_;
  std::vector<call_argument> given_;
  call bound_;
};
/// `given` with copies instead of boxes whose elements do not lie one behind the other; their launches are made, or
/// told to `told`.
[[nodiscard]] std::vector<call_argument> made_contiguous(std::vector<call_argument> given, call_site here,
                                                         std::string* told = nullptr);

/// All elements, at least one, combined into the one of the result.
[[nodiscard]] operand reduce_all(const reduction& wanted, const context& ctx);
/// Each run of `length` elements combined into one of `into`.
void reduce_segments(const reduction& wanted, std::int64_t length, const operand& into);
/// Each column of the matrix `x` combined into one element of `into`.
void reduce_columns(const reduction& wanted, const operand& x, const operand& into);

}  // namespace tessera::algo
