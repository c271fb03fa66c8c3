#include "tessera/runtime/execute/access/checked_array.h"

#include <atomic>
#include <new>

#include "tessera/base/index.h"

namespace tessera::runtime {

bool declared_part::contains(const extents& at) const {
  for (int a = 0; a < at.rank(); ++a) {
    if (at[a] < bounds.lo[a] || at[a] >= bounds.hi[a]) return false;
    if (steps[a] != 1 && (at[a] - bounds.lo[a]) % steps[a] != 0) return false;
  }
  return true;
}

mark_table::mark_table(std::int64_t elements)
    : bytes_(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(elements) + 1, 1))) {
  if (!bytes_) throw std::bad_alloc();
}

void mark_table::set(std::int64_t element, element_mark mark) noexcept {
  std::atomic_ref<std::uint8_t> byte(bytes_[index(element)]);
  const auto bit = static_cast<std::uint8_t>(mark);
  if ((byte.load(std::memory_order_relaxed) & bit) == 0) byte.fetch_or(bit, std::memory_order_relaxed);
}

bool mark_table::has(std::int64_t element, element_mark mark) const noexcept {
  const std::atomic_ref<std::uint8_t> byte(bytes_[index(element)]);
  return (byte.load(std::memory_order_relaxed) & static_cast<std::uint8_t>(mark)) != 0;
}

std::int64_t checked_array::elements() const { return box::whole(shape).volume(); }

extents checked_array::coordinates(std::int64_t element) const {
  extents at = shape;
  for (int a = shape.rank() - 1; a > 0; --a) {
    at[a] = element % shape[a];
    element /= shape[a];
  }
  if (shape.rank() > 0) at[0] = element;
  return at;
}

void checked_array::declare(std::span<const plan::interval> names, std::vector<declared_part>& out) const {
  static thread_local std::vector<box> boxes;
  for (std::size_t u = 0; u < uses.size(); ++u) {
    const extents space = uses[u].slice.shape();
    for (const plan::access_rule* rule : uses[u].rules) {
      boxes.clear();
      plan::evaluate(*rule, names, space, boxes);
      extents steps = extents::uniform(space.rank(), 1);
      for (std::size_t a = 0; a < rule->indices.size() && !rule->view; ++a) {
        const plan::index_range& range = rule->indices[a];
        const plan::interval first = range.first ? range.first->evaluate(names) : plan::interval{0, 0};
        if (first.lo == first.hi) steps[static_cast<int>(a)] = range.step;  // else a box around several slices
      }
      for (const box& b : boxes) out.push_back({is_private ? b : translate(b, uses[u].slice.lo), steps, u, rule->mode});
    }
  }
}

std::size_t checked_array::use_of(const extents& at) const {
  box element(at, at);
  for (int a = 0; a < at.rank(); ++a) ++element.hi[a];
  for (std::size_t u = 0; u < uses.size() && !is_private; ++u)
    if (uses[u].slice.contains(element)) return u;
  return 0;
}

const plan::storage_view* checked_array::view_of(std::size_t use) const {
  for (const plan::access_rule* rule : uses[use].rules)
    if (rule->view) return &*rule->view;
  return nullptr;
}

std::optional<extents> checked_array::in_rules_of(std::size_t use, const extents& at) const {
  extents x = at;
  const box& slice = uses[use].slice;
  for (int a = 0; a < x.rank() && !is_private; ++a) x[a] -= slice.lo[a];
  const plan::storage_view* view = view_of(use);
  if (view == nullptr) return x;
  std::int64_t element = 0;
  for (int a = 0; a < x.rank(); ++a) element = element * slice.extent(a) + x[a];
  element -= view->offset;
  extents seen = view->shape;
  if (element < 0 || element >= box::whole(seen).volume()) return std::nullopt;
  for (int a = seen.rank() - 1; a >= 0; --a) {
    const std::int64_t extent = seen[a];
    seen[a] = element % extent;
    element /= extent;
  }
  return seen;
}

}  // namespace tessera::runtime
