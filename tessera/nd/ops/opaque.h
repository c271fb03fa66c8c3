#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tessera/nd/array.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {

/// Operations that are no expressions but launches of their own: what they need of arrays is carried out first, what
/// they write is there at once. If all operands and results are small host values they are carried out on the calling
/// thread instead.
class opaque_operation {
 public:
  /// Throws `argument_error` if the operands belong to different contexts.
  opaque_operation(std::span<const array> operands, call_site here);

  [[nodiscard]] bool is_here(std::span<const std::pair<extents, scalar_kind>> results) const;
  [[nodiscard]] graph& owner() const { return *owner_; }

  /// The operands as engine arrays, whose storage has the elements row by row.
  [[nodiscard]] std::vector<array_base> stored() const;
  /// An engine array for a result, and the result that stands for it.
  [[nodiscard]] array_base make(const extents& shape, scalar_kind type) const;
  [[nodiscard]] array result(const array_base& elements) const;

  /// The elements of operands that are host values, row by row, and a result that is one.
  [[nodiscard]] std::vector<std::byte> elements(std::size_t operand) const;
  [[nodiscard]] array result(const extents& shape, scalar_kind type, std::shared_ptr<const host_value> elements) const;

 private:
  std::vector<array> operands_;
  std::shared_ptr<graph> owner_;
  call_site here_;
};

}  // namespace tessera::nd
