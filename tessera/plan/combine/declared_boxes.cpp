#include "tessera/plan/combine/declared_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"

namespace tessera::plan {
namespace {

using op = expression::op;
using block_index = std::array<std::int64_t, block_boxes::block_axes>;

constexpr double most_exact = 0x1p60;  // Sums and products below it do not overflow.

std::uint32_t names_of(const index_range& range) {
  return (range.first ? range.first->names_used() : 0) | (range.last ? range.last->names_used() : 0);
}

/// True if both ends of the expression's interval are affine functions of the ends of its names' intervals, and no step
/// of their evaluation overflows while each name stays within its magnitude.
bool is_affine(const expression& e, std::span<const double> magnitudes) {
  struct term {
    double magnitude;
    bool is_constant;
  };
  std::array<term, expression::max_depth> stack{};
  std::size_t top = 0;
  for (const expression::step& s : e.code()) {
    if (s.code == op::constant) {
      stack[top++] = {std::abs(static_cast<double>(s.value)), true};
    } else if (s.code == op::name) {
      stack[top++] = {magnitudes[index(s.value)], false};
    } else {
      const term right = stack[--top], left = stack[--top];
      const bool constant = left.is_constant && right.is_constant;
      const bool product = s.code == op::multiply;
      if (product ? !left.is_constant && !right.is_constant : s.code != op::add && s.code != op::subtract) return false;
      stack[top++] = {product ? left.magnitude * right.magnitude : left.magnitude + right.magnitude, constant};
    }
    if (stack[top - 1].magnitude > most_exact) return false;
  }
  return true;
}

/// Makes the description of one rule.
class description {
 public:
  description(const access_rule& rule, std::span<const bound_name> names, const domain& space, const box& part,
              const extents& shape)
      : rule_(rule),
        names_(names),
        space_(space),
        part_(part),
        shape_(shape),
        rank_(space.size.rank()),
        through_view_(rule.view && !(rule.view->offset == 0 && rule.view->shape == shape)) {}

  block_boxes make() {
    if (through_view_) {
      list_all();
    } else {
      find_limits();
      for (int a = 0; a < shape_.rank(); ++a) result_.axes.push_back(axis_of(a));
    }
    if (planted("box_of_next_block") && rank_ > 1)
      for (block_boxes::axis& a : result_.axes) a.lo.constant += a.lo.factor[1], a.hi.constant += a.hi.factor[1];
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::span<const index_range> indices() const {
    const int space = rule_.view ? rule_.view->shape.rank() : shape_.rank();
    return std::span(rule_.indices).first(std::min(rule_.indices.size(), index(space)));
  }
  [[nodiscard]] std::int64_t granule(int axis) const { return axis < space_.granule.rank() ? space_.granule[axis] : 1; }
  /// True if the name's interval follows the block index.
  [[nodiscard]] bool moves(const bound_name& name) const {
    return name.axis < rank_ && name.from != bound_name::kind::local;
  }

  /// A name that ends at its limit is empty in all blocks behind the one in which it ends.
  void find_limits() {
    std::uint32_t used = 0;
    for (const index_range& range : indices()) used |= names_of(range);
    for (std::size_t n = 0; n < names_.size(); ++n) {
      if ((used >> n & 1) == 0 || !names_[n].below) continue;
      const std::int64_t below = std::max<std::int64_t>(*names_[n].below, 0);
      if (below == 0) {
        result_.limit[0] = 0;
      } else if (moves(names_[n])) {
        const std::int64_t step = names_[n].from == bound_name::kind::block ? 1 : granule(names_[n].axis);
        std::int64_t& limit = result_.limit[index(names_[n].axis)];
        limit = std::min(limit, ceil_div(below, step));
      }
    }
    const extents blocks = space_.granules();
    for (int k = 0; k < rank_; ++k) {
      std::int64_t& limit = result_.limit[index(k)];
      if (limit > blocks[k] || (limit == blocks[k] && !cuts_last_block(k, blocks[k]))) limit = block_boxes::no_limit;
    }
  }

  /// True if a name ends within the last block of the launch.
  [[nodiscard]] bool cuts_last_block(int axis, std::int64_t blocks) const {
    return std::any_of(names_.begin(), names_.end(), [&](const bound_name& name) {
      return name.axis == axis && name.from == bound_name::kind::global && name.below &&
             *name.below < blocks * granule(axis);
    });
  }

  /// The names' intervals in one block. Limits of names that follow the block index count on `limited` alone.
  [[nodiscard]] const std::vector<interval>& intervals(const block_index& block, int limited) {
    probe_names_.assign(names_.begin(), names_.end());
    for (bound_name& name : probe_names_)
      if (moves(name) && name.axis != limited) name.below.reset();
    name_intervals(probe_names_, space_, one_block(block), padding::include, intervals_);
    return intervals_;
  }
  [[nodiscard]] box one_block(const block_index& block) const {
    box b = box::whole(extents::uniform(rank_, 0));
    for (int k = 0; k < rank_; ++k) b.lo[k] = block[index(k)], b.hi[k] = block[index(k)] + 1;
    return b;
  }

  [[nodiscard]] bool is_affine_index(const std::optional<expression>& e) const {
    if (!e) return true;
    const extents blocks = space_.granules();
    std::vector<double> magnitudes(names_.size());
    for (std::size_t n = 0; n < names_.size(); ++n) {
      const int axis = names_[n].axis;
      const double threads = names_[n].from == bound_name::kind::block ? 1 : static_cast<double>(granule(axis));
      magnitudes[n] = threads * (moves(names_[n]) ? static_cast<double>(blocks[axis]) + 1 : 1);
    }
    return is_affine(*e, magnitudes);
  }

  /// One end of the interval of an expression that `is_affine`.
  block_boxes::bound bound_of(const expression& e, std::int64_t interval::*end) {
    block_boxes::bound result;
    const auto probe = [&](const block_index& block, int limited) {
      const interval i = e.evaluate(intervals(block, limited));
      return i.empty() ? 0 : i.*end;  // a fixed name that is empty has made `limit` 0
    };
    result.constant = probe({}, -1);
    for (int k = 0; k < rank_; ++k) {
      block_index next{};
      next[index(k)] = 1;
      result.factor[index(k)] = probe(next, -1) - result.constant;
    }
    for (int k = 0; k < rank_; ++k) {
      const std::int64_t limit = result_.limit[index(k)];
      if (limit == block_boxes::no_limit || limit == 0) continue;
      block_index last{};
      last[index(k)] = limit - 1;
      result.at_limit[index(k)] = probe(last, k) - (result.constant + (limit - 1) * result.factor[index(k)]);
    }
    return result;
  }

  /// Whether a step counts: the slice begins at one element in every block.
  enum class beginning : std::uint8_t { one, several, either };
  beginning beginning_of(const expression& first) {
    const interval i = first.evaluate(intervals({}, -1));
    if (i.empty() || i.lo == i.hi) return beginning::one;
    for (std::size_t n = 0; n < names_.size(); ++n)
      if ((first.names_used() >> n & 1) != 0 && names_[n].below) return beginning::either;
    return beginning::several;
  }

  block_boxes::axis axis_of(int a) {
    block_boxes::axis result;
    result.extent = shape_[a];
    result.hi.constant = shape_[a];
    if (index(a) >= rule_.indices.size()) return result;
    const index_range& range = rule_.indices[index(a)];
    if (range.table || !is_affine_index(range.first) || !is_affine_index(range.last)) return listed(a);
    if (range.step != 1) {
      const beginning b = range.first ? beginning_of(*range.first) : beginning::one;
      if (b == beginning::either) return listed(a);
      if (b == beginning::one) result.step = range.step;
    }
    if (range.first) result.lo = bound_of(*range.first, &interval::lo);
    if (range.last) result.hi = bound_of(*range.last, &interval::hi), ++result.hi.constant;
    return result;
  }

  /// A list over the blocks of the part, along the axes that the names in `used` follow, and its number of entries.
  [[nodiscard]] std::pair<block_boxes::listing, block_index> listing_over(std::uint32_t used) const {
    block_boxes::listing list;
    block_index count{1, 1, 1};
    for (std::size_t n = 0; n < names_.size(); ++n)
      if ((used >> n & 1) != 0 && moves(names_[n])) count[index(names_[n].axis)] = part_.extent(names_[n].axis);
    std::int64_t entries = 1;
    for (int k = 0; k < rank_; ++k) {
      list.first[index(k)] = part_.lo[k];
      list.stride[index(k)] = count[index(k)] > 1 ? entries : 0;
      entries = checked_multiply(entries, count[index(k)], "the number of blocks");
    }
    list.ranges.reserve(index(entries));
    return {std::move(list), count};
  }

  /// Calls visit(boxes) for the blocks that a listing over `count` of them has, in its order.
  template <class Visit>
  void for_each_entry(const access_rule& rule, const extents& shape, const block_index& count, Visit visit) {
    std::vector<box> boxes;
    block_index n{};
    for (n[2] = 0; n[2] < count[2]; ++n[2])
      for (n[1] = 0; n[1] < count[1]; ++n[1])
        for (n[0] = 0; n[0] < count[0]; ++n[0]) {
          block_index block{};
          for (int k = 0; k < rank_; ++k) block[index(k)] = part_.lo[k] + n[index(k)];
          name_intervals(names_, space_, one_block(block), padding::include, intervals_);
          boxes.clear();
          evaluate(rule, intervals_, shape, boxes);
          visit(boxes);
        }
  }

  /// One axis alone, evaluated as an array of that axis.
  block_boxes::axis listed(int a) {
    access_rule alone = rule_;
    alone.view.reset();
    alone.indices = {rule_.indices[index(a)]};
    auto [list, count] = listing_over(names_of(alone.indices.front()));
    for_each_entry(alone, {shape_[a]}, count, [&list = list](const std::vector<box>& boxes) {
      list.ranges.push_back(boxes.empty() ? block_boxes::range{}
                                          : block_boxes::range{boxes.front().lo[0], boxes.back().hi[0]});  // ascending
    });
    block_boxes::axis result;
    result.extent = shape_[a];
    result.listed = std::make_shared<const block_boxes::listing>(std::move(list));
    return result;
  }

  /// What is read through another shape has no bounds that follow from one index each.
  void list_all() {
    std::uint32_t used = 0;
    for (const index_range& range : indices()) used |= names_of(range);
    const auto [list, count] = listing_over(used);
    std::vector<block_boxes::listing> lists(index(shape_.rank()), list);
    for_each_entry(rule_, shape_, count, [&](const std::vector<box>& boxes) {
      box all(extents::uniform(shape_.rank(), 0), extents::uniform(shape_.rank(), 0));
      for (const box& b : boxes) all = hull(all, b);
      for (int a = 0; a < shape_.rank(); ++a) lists[index(a)].ranges.push_back({all.lo[a], all.hi[a]});
    });
    for (int a = 0; a < shape_.rank(); ++a) {
      block_boxes::axis& axis = result_.axes.emplace_back();
      axis.extent = shape_[a];
      axis.listed = std::make_shared<const block_boxes::listing>(std::move(lists[index(a)]));
    }
  }

  const access_rule& rule_;
  std::span<const bound_name> names_;
  const domain& space_;
  const box& part_;
  const extents& shape_;
  int rank_;
  bool through_view_;
  block_boxes result_;
  std::vector<bound_name> probe_names_;  // kept for their storage, as is what follows
  std::vector<interval> intervals_;
};

}  // namespace

block_boxes declared_boxes(const access_rule& rule, std::span<const bound_name> names, const domain& space,
                           const box& part, const extents& shape) {
  return description(rule, names, space, part, shape).make();
}

}  // namespace tessera::plan
