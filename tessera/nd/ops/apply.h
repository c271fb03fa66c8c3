#pragma once

#include <initializer_list>
#include <span>

#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/array.h"
#include "tessera/nd/number.h"

namespace tessera::nd {

/// The graph that carries an operation out: that of an array which is no host value, if there is one. Throws
/// `argument_error` if there are several.
[[nodiscard]] const std::shared_ptr<graph>& common_owner(std::span<const operand> operands, call_site here);
[[noreturn]] void refuse_different_contexts(call_site here);
/// The type in which operands meet.
[[nodiscard]] scalar_kind common_type(std::span<const operand> operands);

/// An operation, element by element, on operands that are repeated to a common shape and converted to `types`. The
/// result's type is that of the operation on the last of these.
[[nodiscard]] array apply(kernels::opcode operation, std::span<const operand> operands,
                          std::span<const scalar_kind> types, call_site here);
/// With all operands of one type.
[[nodiscard]] array apply(kernels::opcode operation, std::initializer_list<operand> operands, scalar_kind type,
                          call_site here);

/// Elements converted as C++ does, but numbers beyond an integer type become its nearest; the array itself if they have
/// that type.
[[nodiscard]] array as_type(const array& a, scalar_kind type, call_site here = call_site::current());
/// New elements, equal to these.
[[nodiscard]] array copy(const array& a, call_site here = call_site::current());
/// A view with axes of one element repeated.
[[nodiscard]] array broadcast_to(const array& a, const extents& shape, call_site here = call_site::current());

/// For `array`: the version that has the elements of `value` and nothing else names.
[[nodiscard]] std::shared_ptr<node> record_copy(graph& owner, const std::shared_ptr<node>& value, call_site here);
/// With a layout of its own.
[[nodiscard]] std::shared_ptr<node> record_copy(graph& owner, const std::shared_ptr<node>& value,
                                                const layout& placement, call_site here);
/// Writes elements of a host value at once, if what is written is one, too, or one element for all; false if not.
/// Without a part: all.
[[nodiscard]] bool write_host(cell& to, const cell_part* part, const std::shared_ptr<node>& value, call_site here);
[[nodiscard]] bool fill_host(cell& to, const cell_part* part, const std::byte* element, call_site here);
/// All elements, in the order of indices; waits for them.
[[nodiscard]] std::vector<std::byte> elements_of(const array& a, call_site here);

}  // namespace tessera::nd
