#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/kernel/scalar/evaluate.h"
#include "tessera/nd/emit/text/kernel_text.h"
#include "tessera/runtime/native_call.h"

namespace tessera::nd {

/// The function of a group, evaluated on rows of elements: what CPU devices do with a kernel of arrays while its text
/// is being compiled, with the same bits. Immutable; holds no arrays.
class group_function {
 public:
  group_function(const group& made, const launch_space& space);
  /// For results other than the group's outputs.
  group_function(const group& made, const launch_space& space, std::span<const kernels::expression::value> results);

  /// The numbers of one call's space.
  class call_space {
   public:
    call_space(const group_function& owner, const native_call& call);
    [[nodiscard]] std::int64_t operator[](std::size_t n) const { return numbers_[n]; }
    /// The address of an access at an index.
    [[nodiscard]] std::byte* address(int access, std::span<const std::int64_t> index) const;
    /// Bytes between neighbours along the last axis.
    [[nodiscard]] std::int64_t step(int access) const;
    [[nodiscard]] const native_call& call() const { return call_; }

   private:
    const group_function& owner_;
    const native_call& call_;
    std::vector<std::int64_t> numbers_;
  };

  [[nodiscard]] const space_layout& numbers() const { return layout_; }
  [[nodiscard]] int axes() const { return layout_.axes; }
  [[nodiscard]] const parameter_places& places() const { return places_; }
  /// What the elements of a sequence need besides arrays, as far as they need it.
  struct sequence_values {
    std::int64_t position = 0;                            ///< The number of the first element in the sequence.
    std::int64_t step = 1;                                ///< From the number of one element to that of the next.
    std::span<const kernels::evaluator::source> results;  ///< Of reductions.
    std::span<const kernels::evaluator::source> kept;     ///< Values of all elements of the sequence.
  };
  /// Computes `count` indices from `index` on, along the last axis, into `targets`.
  void run(const call_space& at, std::span<const std::int64_t> index, std::int64_t count,
           std::span<const kernels::evaluator::target> targets, const sequence_values& known = {0, 1, {}, {}}) const;

 private:
  friend class call_space;
  struct access {
    int parameter = 0;  // of the kernel
    std::uint32_t size = 1;
  };
  space_layout layout_;
  parameter_places places_;
  std::vector<group_parameter> parameters_;
  std::vector<access> accesses_;
  std::shared_ptr<const kernels::evaluator> body_;
};

/// Where number `wanted` of a function begins in its state.
[[nodiscard]] std::size_t number_offset(const kernels::expression& body, int wanted);

/// What `pointwise_text` does.
[[nodiscard]] native_kernel pointwise_function(const group& made, const launch_space& space);

}  // namespace tessera::nd
