#include "tessera/linop/leaf/leaf.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {
namespace {

class leaf_node final : public node {
 public:
  leaf_node(std::shared_ptr<const leaf> kind, bool is_adjoint)
      : node(is_adjoint ? kind->dimensions().reversed() : kind->dimensions()),
        kind_(std::move(kind)),
        is_adjoint_(is_adjoint) {}

  [[nodiscard]] std::string text() const override { return cat(kind_->text(), is_adjoint_ ? ".H" : ""); }

  void fit(known_shape& x, known_shape& y) const override {
    const std::size_t batch = x.size() - dimensions().in.size();
    for (std::size_t k = 0; k < batch; ++k) unify(x[k], y[k], cat("axis ", k, " of the batch of ", text()));
    named_extents sizes;
    const auto take = [&](const dims& names, known_shape& shape) {
      for (std::size_t k = 0; k < names.size(); ++k) unify(sizes.of(names[k]), shape[batch + k], to_string(names[k]));
    };
    take(dimensions().in, x);
    take(dimensions().out, y);
    kind_->relate(sizes);
    take(dimensions().in, x);
    take(dimensions().out, y);
  }

  [[nodiscard]] scalar_kind result_kind(scalar_kind from) const override {
    return kind_->result_kind(from, is_adjoint_);
  }

  void run(const application& call) const override {
    const leaf_call named{call, dimensions().in, dimensions().out, index(call.x.rank()) - dimensions().in.size()};
    kind_->run(named, is_adjoint_);
  }

  [[nodiscard]] bool run_part(const application& call, const restriction& part) const override {
    if (!kind_->is_step()) return false;
    const leaf_call named{call, dimensions().in, dimensions().out, index(call.x.rank()) - dimensions().in.size(),
                          &part};
    kind_->run(named, is_adjoint_);
    return true;
  }

  [[nodiscard]] op restricted(const restriction& part) const override {
    bool differs = false;
    std::vector<std::pair<dim, axis_range>> ranges;
    const auto add = [&](const dims& names) {
      for (const dim& d : names)
        if (const auto r = part.of(d, dimensions(), differs))
          if (std::none_of(ranges.begin(), ranges.end(), [&](const auto& entry) { return entry.first == d; }))
            ranges.emplace_back(d, *r);
    };
    add(dimensions().in);
    add(dimensions().out);
    if (!differs)
      if (std::shared_ptr<const leaf> own = kind_->narrowed(ranges)) return make_op(own, is_adjoint_);
    return node::restricted(part);
  }

  [[nodiscard]] op adjoint() const override { return kind_->is_self_adjoint() ? self() : make_op(kind_, !is_adjoint_); }
  [[nodiscard]] op normal() const override {
    if (std::optional<op> own = kind_->normal(is_adjoint_)) return *own;
    return node::normal();
  }
  [[nodiscard]] op normal_of(const op& inner) const override { return is_identity() ? inner : node::normal_of(inner); }
  [[nodiscard]] bool is_complex_linear() const override { return kind_->is_complex_linear(); }
  [[nodiscard]] bool is_identity() const override { return kind_->is_identity(); }

 private:
  std::shared_ptr<const leaf> kind_;
  bool is_adjoint_;
};

}  // namespace

known_extent& named_extents::of(const dim& d) {
  for (auto& [name, extent] : known_)
    if (name == d) return extent;
  return known_.emplace_back(d, known_extent{}).second;
}

void named_extents::set(const dim& d, std::int64_t size, const std::string& said_by) {
  known_extent made{size, said_by};
  unify(of(d), made, to_string(d));
}

axis_range leaf_call::x_range(const dim& d) const {
  const int place = place_of(d, x);
  if (part != nullptr && part->in[index(place)]) return *part->in[index(place)];
  const std::int64_t n = of.x.shape()[static_cast<int>(batch) + place];
  return {0, n, n};
}
std::int64_t leaf_call::x_size(const dim& d) const { return x_range(d).whole; }
std::int64_t leaf_call::y_size(const dim& d) const {
  const int place = place_of(d, y);
  if (part != nullptr && part->out[index(place)]) return part->out[index(place)]->whole;
  return of.y.shape()[static_cast<int>(batch) + place];
}

/// Of the whole, y has elements from `lo` on, and x those of its own: outside they count as zero.
void leaf_call::run(step s) const {
  for (std::size_t k = 0; part != nullptr && k < part->out.size(); ++k) {
    if (!part->out[k]) continue;
    const std::int64_t lo = part->out[k]->lo;
    const auto shift = [&](affine& a) { a.offset += a.factor(batch + k) * lo; };
    for (quotient& q : s.quotients) shift(q.of);
    for (guard& g : s.guards) shift(g.of);
    for (factor& f : s.factors)
      for (affine& a : f.at) shift(a);
  }
  for (factor& f : s.factors)
    for (std::size_t k = 0; part != nullptr && f.is_input && k < part->in.size(); ++k)
      if (part->in[k] && !planted("part_not_shifted")) f.at[batch + k].offset -= part->in[k]->lo;
  run_step(std::move(s), of.here);
}

std::size_t leaf_call::y_axis(const dim& d) const { return batch + index(place_of(d, y)); }

step leaf_call::make_step() const {
  step s;
  s.result = of.y;
  s.shape = of.y.shape();
  s.alpha = of.alpha;
  s.beta = of.beta;
  return s;
}

factor leaf_call::batch_of_x() const {
  factor f{of.x};
  f.is_input = true;
  for (std::size_t k = 0; k < batch; ++k) f.at.push_back(affine::of(k));
  return f;
}

void leaf_call::finish(const array_base& computed) const { run_axpby(of.alpha, computed, of.beta, of.y, of.here); }

bool leaf_call::is_plain(scalar_kind kind) const {
  return of.alpha == 1.0 && of.beta == 0.0 && of.y.type().kind == kind;
}

std::string leaf::text() const {
  if (dimensions_.in == dimensions_.out)
    return cat(name_, "(", dimensions_.in.empty() ? "" : to_string(dimensions_.in), ")");
  return cat(name_, "(", to_string(dimensions_), ")");
}

void leaf::relate(named_extents& sizes) const {
  for (const auto& [d, size] : known_) sizes.set(d, size, text());
}

void leaf::know_all(const named_sizes& sizes) {
  dims all = dimensions_.in;
  all.insert(all.end(), dimensions_.out.begin(), dimensions_.out.end());
  for (const auto& [text, size] : sizes) {
    const dim d = parse_dim(text);
    if (place_of(d, all) < 0) throw argument_error(cat(this->text(), " has no dimension ", text, suggestion(d, all)));
    if (size < 0) throw argument_error(cat(this->text(), ": the size of ", text, " is negative: ", size));
    know(d, size);
  }
}

std::optional<std::int64_t> leaf::known(const dim& d) const {
  for (const auto& [name, size] : known_)
    if (name == d) return size;
  return std::nullopt;
}

scalar_kind leaf::result_kind(scalar_kind from, bool) const { return from; }
std::optional<op> leaf::normal(bool) const { return std::nullopt; }

op make_op(std::shared_ptr<const leaf> kind, bool is_adjoint) {
  op made(std::make_shared<leaf_node>(std::move(kind), is_adjoint));
  require_consistent(*made);
  return made;
}

}  // namespace tessera::linop
