#include "tessera/linop/node/compound.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/leaf/identity.h"
#include "tessera/linop/node/carry.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {
namespace {

std::size_t known_in(const known_shape& shape) {
  return static_cast<std::size_t>(
      std::count_if(shape.begin(), shape.end(), [](const known_extent& e) { return e.is_known(); }));
}

extents extents_of(const known_shape& shape, const std::string& of) {
  std::vector<std::int64_t> made;
  for (const known_extent& e : shape) {
    if (!e.is_known())
      throw argument_error(cat("the size of an axis between the members of ", of,
                               " does not follow from the given array; give it where they are made"));
    made.push_back(e.size);
  }
  return extents(std::span<const std::int64_t>(made));
}

std::string number_text(std::complex<double> z) {
  return z.imag() == 0 ? cat(z.real()) : cat("(", z.real(), " + ", z.imag(), "i)");
}

std::string in_brackets(const op& a) {
  return dynamic_cast<const sum*>(a.tree().get()) != nullptr ? cat("(", a.text(), ")") : a.text();
}

/// What lies between the members, from x to y, as far as it follows.
std::vector<known_shape> shapes_between(const std::vector<op>& members, const known_shape& x, const known_shape& y) {
  std::vector<known_shape> between(members.size() + 1);
  between.front() = x;
  std::size_t rank = x.size();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const signature& s = (*members[members.size() - 1 - k]).dimensions();
    rank = rank - s.in.size() + s.out.size();
    between[k + 1].resize(rank);
  }
  between.back() = y;
  std::size_t before = 0, now = 1;
  const auto count = [&] {
    std::size_t n = 1;
    for (const known_shape& s : between) n += known_in(s);
    return n;
  };
  while (before != now) {
    before = now;
    for (std::size_t k = 0; k < members.size(); ++k) (*members[members.size() - 1 - k]).fit(between[k], between[k + 1]);
    now = count();
  }
  return between;
}

}  // namespace

std::string chain::text() const {
  std::string made;
  for (const op& each : members_) made += cat(made.empty() ? "" : " * ", in_brackets(each));
  return made;
}

std::vector<known_shape> chain::shapes_of_members() const {
  return shapes_between(members_, known_shape(dimensions().in.size()), known_shape(dimensions().out.size()));
}

void chain::fit(known_shape& x, known_shape& y) const {
  const std::vector<known_shape> between = shapes_between(members_, x, y);
  x = between.front();
  y = between.back();
}

scalar_kind chain::result_kind(scalar_kind from) const {
  for (std::size_t k = members_.size(); k-- > 0;) from = (*members_[k]).result_kind(from);
  return from;
}

void chain::run(const application& call) const {
  known_shape x, y;
  for (const std::int64_t n : call.x.shape()) x.push_back({n, "the given array"});
  for (const std::int64_t n : call.y.shape()) y.push_back({n, "the given array"});
  const std::vector<known_shape> between = shapes_between(members_, x, y);
  array_base now = call.x;
  for (std::size_t k = 0; k + 1 < members_.size(); ++k) {
    const node& each = *members_[members_.size() - 1 - k];
    const array_base next =
        make_array(now, extents_of(between[k + 1], text()), each.result_kind(now.type().kind), call.here);
    each.run({1, now, 0, next, call.here});
    now = next;
  }
  (*members_.front()).run({call.alpha, now, call.beta, call.y, call.here});
}

op chain::adjoint() const {
  op made = (*members_.front()).adjoint();
  for (std::size_t k = 1; k < members_.size(); ++k) made = (*members_[k]).adjoint() * made;
  return made;
}

/// Takes a normal form from the first member through all others.
op chain::fold(op made) const {
  for (std::size_t k = 1; k < members_.size(); ++k)
    made = (*made).is_identity() ? members_[k].N() : members_[k].N(made);
  return made;
}

op chain::normal() const { return fold(members_.front().N()); }
op chain::normal_of(const op& inner) const { return fold(members_.front().N(inner)); }

bool chain::is_complex_linear() const {
  return std::all_of(members_.begin(), members_.end(), [](const op& a) { return a.is_complex_linear(); });
}

std::string sum::text() const {
  std::string made;
  for (const op& each : terms_) made += cat(made.empty() ? "" : " + ", each.text());
  return made;
}

void sum::fit(known_shape& x, known_shape& y) const {
  for (std::size_t before = 0, now = 1; before != now;) {
    before = now;
    for (const op& each : terms_) (*each).fit(x, y);
    now = known_in(x) + known_in(y) + 1;
  }
}

scalar_kind sum::result_kind(scalar_kind from) const {
  scalar_kind kind = (*terms_.front()).result_kind(from);
  for (const op& each : terms_) kind = common_kind(kind, (*each).result_kind(from));
  return kind;
}

void sum::run(const application& call) const {
  std::complex<double> beta = call.beta;
  for (const op& each : terms_) {
    (*each).run({call.alpha, call.x, beta, call.y, call.here});
    if (!planted("term_overwrites")) beta = 1;
  }
}

op sum::adjoint() const {
  op made = (*terms_.front()).adjoint();
  for (std::size_t k = 1; k < terms_.size(); ++k) made = made + (*terms_[k]).adjoint();
  return made;
}

bool sum::is_complex_linear() const {
  return std::all_of(terms_.begin(), terms_.end(), [](const op& a) { return a.is_complex_linear(); });
}

std::string scaled_node::text() const { return cat(number_text(factor_), " * ", in_brackets(inner_)); }

scalar_kind scaled_node::result_kind(scalar_kind from) const {
  const scalar_kind kind = (*inner_).result_kind(from);
  return factor_.imag() == 0 ? kind : complex_of(kind);
}

void scaled_node::run(const application& call) const {
  (*inner_).run({call.alpha * factor_, call.x, call.beta, call.y, call.here});
}

op scaled_node::adjoint() const {
  const op inner = (*inner_).adjoint();
  if (factor_.imag() == 0 || inner.is_complex_linear())
    return scaled(planted("factor_not_conjugated") ? factor_ : std::conj(factor_), inner);
  return inner * scaled(std::conj(factor_), identity());
}

op scaled_node::normal() const {
  if (factor_.imag() != 0 && !is_complex_linear()) return node::normal();
  return scaled(std::norm(factor_), inner_.N());
}

op scaled_node::normal_of(const op& inner) const {
  if (factor_.imag() != 0 && !(is_complex_linear() && inner.is_complex_linear())) return node::normal_of(inner);
  return scaled(std::norm(factor_), inner_.N(inner));
}

/// What no later member needs, and what is zero because no earlier one gives it, is left out between the members.
op chain::with_ranges(std::vector<axis_ranges> between) const {
  const std::size_t n = members_.size();
  const auto member = [&](std::size_t k) -> const node& { return *members_[n - 1 - k]; };
  for (std::size_t k = n; k-- > 1;)
    carry(member(k).dimensions().out, between[k + 1], member(k).dimensions().in, between[k]);
  for (std::size_t k = 0; k + 1 < n; ++k)
    carry(member(k).dimensions().in, between[k], member(k).dimensions().out, between[k + 1]);
  std::vector<op> parts(n);
  for (std::size_t k = 0; k < n; ++k) {
    const signature& s = member(k).dimensions();
    parts[n - 1 - k] = member(k).restricted({last_of(between[k], s.in.size()), last_of(between[k + 1], s.out.size())});
  }
  return op(std::make_shared<chain>(dimensions(), std::move(parts)));
}

op chain::restricted(const restriction& part) const {
  std::vector<axis_ranges> between;
  for (const std::size_t rank : ranks_between(members_, dimensions().in.size())) between.emplace_back(rank);
  between.front() = part.in;
  between.back() = part.out;
  return with_ranges(std::move(between));
}

std::optional<std::int64_t> chain::size_inside(const dim& d) const {
  for (std::size_t k = 1; k < members_.size(); ++k) {
    const dims& names = (*members_[members_.size() - k]).dimensions().out;
    if (place_of(d, names) < 0) continue;
    return shapes_of_members()[k][shapes_of_members()[k].size() - names.size() + index(place_of(d, names))].size;
  }
  return std::nullopt;
}

std::optional<op> chain::restricted_inside(const dim& d, axis_range range) const {
  for (std::size_t k = 1; k < members_.size(); ++k) {
    const dims& names = (*members_[members_.size() - k]).dimensions().out;
    if (place_of(d, names) < 0) continue;
    std::vector<axis_ranges> between;
    for (const std::size_t rank : ranks_between(members_, dimensions().in.size())) between.emplace_back(rank);
    range.whole = *size_inside(d);
    between[k][between[k].size() - names.size() + index(place_of(d, names))] = range;
    return with_ranges(std::move(between));
  }
  return std::nullopt;
}

op sum::restricted(const restriction& part) const {
  std::vector<op> parts;
  for (const op& each : terms_) {
    const signature& s = (*each).dimensions();
    parts.push_back((*each).restricted({last_of(part.in, s.in.size()), last_of(part.out, s.out.size())}));
  }
  return op(std::make_shared<sum>(dimensions(), std::move(parts)));
}

}  // namespace tessera::linop
