#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/algo/container/operand.h"
#include "tessera/algo/exec/region_frame.h"
#include "tessera/algo/function/op.h"
#include "tessera/array/kernel.h"
#include "tessera/base/call_site.h"

namespace tessera::algo {

/// One argument of a skeleton as the program gives it.
struct call_argument {
  enum class kind : std::uint8_t {
    elements,  ///< A container or a part of one.
    counting,  ///< first, first + 1, ...: nothing is read.
    uniform,   ///< A number or struct that is the same for all elements.
    value,     ///< A `ts::value`, which the kernel loads where it runs.
  };
  kind as{};
  std::string type{};  ///< Of the elements or of the value, as device text spells it.
  dtype element{};
  operand elements{};
  std::int64_t count = 0;  ///< Of a counting sequence, and of elements at other places.
  argument number{};       ///< Uniform and value; the first number of a counting sequence.
  /// Where elements are taken, and numbers of a counting sequence, that do not stand at their own index.
  enum class place : std::uint8_t {
    own,
    shifted,   ///< Element i is that at `offset` + i; where there is none, a value-initialised one.
    backward,  ///< Element i is that at `offset` - i; where there is none, a value-initialised one.
  };
  place at = place::own;
  std::int64_t offset = 0;
  bool is_previous = false;  ///< Element i is that for i - 1, the first one that for itself; never at its own place.
};

/// An argument bound to a parameter of the operator.
struct bound_argument {
  enum class kind : std::uint8_t {
    element,
    index,
    container,
    row,
    column,
    counting,
    uniform,
    region,          ///< The neighbourhood of the element.
    row_element,     ///< Of a vector: the one with the number of the element's row.
    column_element,  ///< Of a vector: the one with the number of the element's column.
    shifted,         ///< An element at another place, see `call_argument::place`.
    backward,        ///< Where all elements exist.
    backward_at_edge,
  };
  kind as{};
  const op_parameter* parameter = nullptr;
  const call_argument* given = nullptr;  ///< Null for an index.
  extents first{};                       ///< Of a region: where the box that is given begins among all elements.
};

/// A call of a skeleton: an operator, its arguments, and the space of indices that its elements fill. Throws
/// `argument_error` for what does not fit.
struct call {
  const op* function = nullptr;
  std::vector<bound_argument> arguments;
  call_site site{};
  const char* skeleton = "map";           ///< For messages.
  const region_frame* regions = nullptr;  ///< Of a stencil: the launch that the call is for.

  [[nodiscard]] const op_text& text() const { return *function->text; }
};

/// Binds `given` to the parameters of `function`, in their order. `skeleton` is for messages; `has_regions`: it knows
/// the neighbourhoods of elements.
[[nodiscard]] call bind_call(const char* skeleton, const op& function, const std::vector<call_argument>& given,
                             call_site here, bool has_regions = false);
/// Throws `argument_error` if containers of the call belong to different contexts, or if the program holds a guard that
/// excludes it. Called before anything is done for the launches of a call: one that is refused changes nothing.
void require_usable(const call& bound, const std::vector<operand>& outputs);
/// True if the argument gives elements of other places.
[[nodiscard]] bool is_elsewhere(const bound_argument& a);
/// How many elements the call computes.
[[nodiscard]] std::int64_t element_count(const char* skeleton, const call& bound);
/// The shape that all element arguments have; throws `argument_error` if they differ, with both shapes. Rank 0 if there
/// are none.
[[nodiscard]] extents common_shape(const char* skeleton, const call& bound);
/// "main.cpp:12: map": what messages begin with.
[[nodiscard]] std::string label_of(const char* skeleton, call_site here);
/// True if elements of shape `a` correspond to those of shape `b`: equal but for axes of one element.
[[nodiscard]] bool correspond(const extents& a, const extents& b);
/// True if the elements of `part` lie one behind the other.
[[nodiscard]] bool is_contiguous(const operand& part);

}  // namespace tessera::algo
