#include "tessera/nd/linalg/einsum.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tessera/base/index.h"
#include "tessera/nd/linalg/products.h"
#include "tessera/nd/linalg/subscripts.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/promote.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

/// An array with a label for each axis, all different.
struct labelled {
  array elements;
  std::string labels;

  [[nodiscard]] bool has(char label) const { return labels.find(label) != std::string::npos; }
  [[nodiscard]] int axis(char label) const { return static_cast<int>(labels.find(label)); }
  [[nodiscard]] std::int64_t extent(char label) const { return elements.shape()[axis(label)]; }
};

std::string name_of(char label) { return label < 8 ? "..." : std::string(1, label); }

/// Booleans are combined by "and" and "or", integers in their own type.
array product_of(const array& a, const array& b, call_site here) {
  return a.type() == scalar_kind::boolean ? logical_and(a, b, here) : multiply(a, b, here);
}
array sum_of(const array& a, const axis_list& along, call_site here) {
  return a.type() == scalar_kind::boolean ? any(a, along, false, here)
                                          : as_type(sum(a, along, false, here), a.type(), here);
}

/// The axes in the order of `labels`, with one of one element for each that the array has not.
array arranged(const labelled& a, const std::string& labels, call_site here) {
  std::vector<int> order;
  extents shape;
  for (const char label : labels) {
    if (a.has(label)) order.push_back(a.axis(label));
    shape = with_extent(shape, shape.rank(), a.has(label) ? a.extent(label) : 1);
  }
  return permute_dims(a.elements, axis_list(order, here), here).reshape(shape, here);
}

labelled summed(const labelled& a, const std::string& kept, call_site here) {
  std::vector<int> axes;
  labelled made;
  for (const char label : a.labels) {
    if (kept.find(label) != std::string::npos)
      made.labels += label;
    else
      axes.push_back(a.axis(label));
  }
  made.elements = axes.empty() ? a.elements : sum_of(a.elements, axis_list(axes, here), here);
  return made;
}

/// Takes diagonals, so that every label stands once.
labelled with_diagonals(labelled a, call_site here) {
  for (std::size_t k = 0; k < a.labels.size(); ++k)
    for (std::size_t other = a.labels.find(a.labels[k], k + 1); other != std::string::npos;
         other = a.labels.find(a.labels[k], k + 1)) {
      const char label = a.labels[k];
      if (a.elements.shape()[static_cast<int>(k)] != a.elements.shape()[static_cast<int>(other)])
        refuse(here, "einsum: axes '", name_of(label), "' of one operand have ",
               a.elements.shape()[static_cast<int>(k)], " and ", a.elements.shape()[static_cast<int>(other)],
               " elements");
      a.elements = diagonal(a.elements, 0, static_cast<int>(k), static_cast<int>(other), here);
      a.labels.erase(other, 1);
      a.labels.erase(k, 1);
      a.labels += label;  // the diagonal is the last axis
    }
  return a;
}

/// How many elements each label has. An axis of one element is repeated where others have more: it is left out.
std::map<char, std::int64_t> meet(std::vector<labelled>& all, call_site here) {
  std::map<char, std::int64_t> extent;
  for (const labelled& each : all)
    for (const char label : each.labels) {
      const std::int64_t own = each.extent(label), met = extent.try_emplace(label, own).first->second;
      if (own != met && own != 1 && met != 1)
        refuse(here, "einsum: axes '", name_of(label), "' have ", met, " and ", own, " elements");
      if (met == 1) extent[label] = own;
    }
  for (labelled& each : all) {
    std::string kept;
    std::vector<int> repeated;
    for (const char label : each.labels)
      if (each.extent(label) == extent[label])
        kept += label;
      else
        repeated.push_back(each.axis(label));
    if (!repeated.empty()) each = {squeeze(each.elements, axis_list(repeated, here), here), kept};
  }
  return extent;
}

/// The product of two operands, summed over what is not in `kept`.
labelled combined(const labelled& first, const labelled& second, const std::string& kept, call_site here) {
  const auto needed = [&](const labelled& other) { return kept + other.labels; };
  const labelled a = summed(first, needed(second), here), b = summed(second, needed(first), here);
  std::string shared, inner, rows, columns;
  for (const char label : a.labels)
    (!b.has(label) ? rows : kept.find(label) != std::string::npos ? shared : inner) += label;
  for (const char label : b.labels)
    if (!a.has(label)) columns += label;
  if (inner.empty() || (!shared.empty() && (rows.empty() || columns.empty()))) {
    const std::string all = shared + rows + columns + inner;
    return summed({product_of(arranged(a, all, here), arranged(b, all, here), here), all}, kept, here);
  }
  extents stack, shape;
  std::int64_t height = 1, width = 1, depth = 1;
  for (const char label : shared) stack = with_extent(stack, stack.rank(), a.extent(label));
  shape = stack;
  for (const char label : rows) height *= a.extent(label), shape = with_extent(shape, shape.rank(), a.extent(label));
  for (const char label : columns) width *= b.extent(label), shape = with_extent(shape, shape.rank(), b.extent(label));
  for (const char label : inner) depth *= a.extent(label);
  const auto matrices = [&](const labelled& x, const std::string& order, std::int64_t m, std::int64_t n) {
    extents wanted = with_extent(stack, stack.rank(), m);
    return arranged(x, order, here).reshape(with_extent(wanted, wanted.rank(), n), here);
  };
  const array made = matmul(matrices(a, shared + rows + inner, height, depth),
                            matrices(b, shared + inner + columns, depth, width), here);
  return {made.reshape(shape, here), shared + rows + columns};
}

/// The two whose product has the least elements.
std::pair<std::size_t, std::size_t> next_two(const std::vector<labelled>& all, const std::string& result,
                                             const std::map<char, std::int64_t>& extent) {
  std::pair<std::size_t, std::size_t> best{0, 1};
  double least = -1;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      double size = 1;
      for (const auto& [label, n] : extent) {
        bool is_kept = result.find(label) != std::string::npos;
        for (std::size_t k = 0; k < all.size(); ++k) is_kept = is_kept || (k != i && k != j && all[k].has(label));
        if (is_kept && (all[i].has(label) || all[j].has(label))) size *= static_cast<double>(n);
      }
      if (least < 0 || size < least) least = size, best = {i, j};
    }
  return best;
}

}  // namespace

array einsum(std::string_view text, std::span<const array> operands, call_site here) {
  if (operands.empty()) refuse(here, "einsum without operands");
  std::vector<int> ranks;
  scalar_kind type = operands[0].type(here);
  for (const array& each : operands) {
    ranks.push_back(each.rank(here));
    type = promoted(type, each.type());
  }
  const subscripts read = parse_subscripts(text, ranks, here);
  std::vector<labelled> all;
  for (std::size_t k = 0; k < operands.size(); ++k)
    all.push_back(with_diagonals({as_type(operands[k], type, here), read.operands[k]}, here));
  const std::map<char, std::int64_t> extent = meet(all, here);
  while (all.size() > 1) {
    const auto [i, j] = next_two(all, read.result, extent);
    std::string kept = read.result;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (k != i && k != j) kept += all[k].labels;
    all[i] = combined(all[i], all[j], kept, here);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
  }
  return arranged(summed(all[0], read.result, here), read.result, here);
}

}  // namespace tessera::nd
