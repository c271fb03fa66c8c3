#pragma once

#include <memory>
#include <span>

#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/graph/node.h"

namespace tessera::nd {

/// Elements of a host value that an operation takes.
struct host_operand {
  const std::byte* data = nullptr;
  scalar_kind type{};
  view elements;  ///< With the shape of the result.
};

/// Carries out an operation on host values at once, with the bits that a kernel would give. `types` are those that the
/// operands are converted to.
[[nodiscard]] std::shared_ptr<host_value> evaluate_here(kernels::opcode operation, scalar_kind result,
                                                        std::span<const scalar_kind> types,
                                                        std::span<const host_operand> operands, const extents& shape);

/// Copies elements into one block, in the order of indices, or from there.
void gather_elements(std::byte* to, const std::byte* from, const view& elements, std::uint32_t size);
void scatter_elements(std::byte* to, const view& elements, const std::byte* from, std::uint32_t size);
/// Writes one element to all of a view.
void fill_elements(std::byte* to, const view& elements, const std::byte* element, std::uint32_t size);

/// Converts `count` elements that lie one behind the other, as kernels do.
void convert_elements(std::byte* to, scalar_kind to_type, const std::byte* from, scalar_kind from_type,
                      std::int64_t count);

}  // namespace tessera::nd
