#include "tessera/linop/node/restricted.h"

#include "tessera/array/context.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {
namespace {

std::string ranges_text(const dims& names, const axis_ranges& ranges) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (ranges[k]) text += cat(text.empty() ? "" : ", ", to_string(names[k]), " ", ranges[k]->lo, ":", ranges[k]->hi);
  return text;
}

/// The extents as the whole operator has them: ranges stand for their axes.
known_shape widened(const known_shape& shape, const axis_ranges& ranges, const std::string& said_by,
                    const dims& names) {
  known_shape made = shape;
  const std::size_t batch = shape.size() - ranges.size();
  for (std::size_t k = 0; k < ranges.size(); ++k)
    if (ranges[k]) {
      known_extent part{ranges[k]->count(), said_by};
      unify(made[batch + k], part, to_string(names[k]));
      made[batch + k] = {ranges[k]->whole, said_by};
    }
  return made;
}

void narrow(known_shape& shape, const known_shape& whole, const axis_ranges& ranges, const std::string& said_by) {
  const std::size_t batch = shape.size() - ranges.size();
  for (std::size_t k = 0; k < shape.size(); ++k)
    shape[k] = k >= batch && ranges[k - batch] ? known_extent{ranges[k - batch]->count(), said_by} : whole[k];
}

extents whole_shape(const extents& part, const axis_ranges& ranges) {
  extents made = part;
  const int batch = part.rank() - static_cast<int>(ranges.size());
  for (std::size_t k = 0; k < ranges.size(); ++k)
    if (ranges[k]) made[batch + static_cast<int>(k)] = ranges[k]->whole;
  return made;
}

bool is_any(const axis_ranges& ranges) {
  for (const auto& r : ranges)
    if (r) return true;
  return false;
}

}  // namespace

op node::restricted(const restriction& part) const {
  if (part.is_whole()) return self();
  return op(std::make_shared<restricted_node>(self(), part));
}

std::string restricted_node::text() const {
  std::string ranges = ranges_text(dimensions().out, part_.out);
  const std::string from = ranges_text(dimensions().in, part_.in);
  if (!from.empty() && from != ranges) ranges += cat(ranges.empty() ? "" : " ", "of ", from);
  return cat("(", whole_.text(), ")[", ranges, "]");
}

void restricted_node::fit(known_shape& x, known_shape& y) const {
  known_shape from = widened(x, part_.in, text(), dimensions().in),
              to = widened(y, part_.out, text(), dimensions().out);
  (*whole_).fit(from, to);
  narrow(x, from, part_.in, text());
  narrow(y, to, part_.out, text());
}

void restricted_node::run(const application& call) const {
  if ((*whole_).run_part(call, part_)) return;
  array_base x = call.x, y = call.y;
  if (is_any(part_.in)) {
    x = make_array(call.x, whole_shape(call.x.shape(), part_.in), call.x.type().kind, call.here);
    const std::vector<std::byte> zero(call.x.type().size);
    x.fill_bytes(zero, call.here);
    if (call.x.size() > 0) run_axpby(1, call.x, 0, part_of(x, part_.in), call.here);
  }
  if (!is_any(part_.out)) return (*whole_).run({call.alpha, x, call.beta, y, call.here});
  y = make_array(call.x, whole_shape(call.y.shape(), part_.out), (*whole_).result_kind(x.type().kind), call.here);
  (*whole_).run({1, x, 0, y, call.here});
  run_axpby(call.alpha, part_of(y, part_.out), call.beta, call.y, call.here);
}

op restricted_node::adjoint() const { return (*(*whole_).adjoint()).restricted(part_.reversed()); }

op restricted_node::restricted(const restriction& part) const {
  if (part.is_whole()) return self();
  return (*whole_).restricted(part.within(part_));
}

}  // namespace tessera::linop
