#include "tessera/linop/op.h"

#include <vector>

#include "tessera/array/context.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/node/compound.h"
#include "tessera/linop/step/step.h"
#include "tessera/runtime/array_record.h"

namespace tessera::linop {
namespace {

std::string place(call_site here) { return cat(here.file, ":", here.line, ": "); }

void require_array(const node& a, const array_base& x, const char* name, call_site here) {
  if (!x.record()) throw argument_error(cat(place(here), name, " of ", a.text(), " was not created"));
  if (x.type().lanes != 1 || !is_element_kind(x.type().kind))
    throw argument_error(cat(place(here), name, " of ", a.text(), " holds ", to_string(x.type()),
                             "; operators take float32, float64, complex64 and complex128"));
}

void require_apart(const node& a, const array_base& x, const array_base& y, call_site here) {
  if (x.record() != y.record()) return;
  bool meet = true;
  for (int k = 0; k < x.bounds().rank(); ++k)
    meet = meet && x.bounds().lo[k] < y.bounds().hi[k] && y.bounds().lo[k] < x.bounds().hi[k];
  if (meet) throw argument_error(cat(place(here), "x and y of ", a.text(), " overlap; write to another array"));
}

extents shape_for(const node& a, const array_base& x, call_site here) {
  try {
    return result_shape(a, x.shape());
  } catch (const argument_error& e) {
    throw argument_error(cat(place(here), e.what()));
  }
}

const node& tree_of(const op& a) {
  if (!a.tree()) throw argument_error("an operator that was not made is used");
  return *a.tree();
}

void append_members(std::vector<op>& to, const op& a) {
  if (const auto* inner = dynamic_cast<const chain*>(a.tree().get()))
    to.insert(to.end(), inner->members().begin(), inner->members().end());
  else
    to.push_back(a);
}

void append_terms(std::vector<op>& to, const op& a) {
  if (const auto* inner = dynamic_cast<const sum*>(a.tree().get()))
    to.insert(to.end(), inner->terms().begin(), inner->terms().end());
  else
    to.push_back(a);
}

/// A chain can lose its identities where what is left has the same dimensions.
bool can_drop(const op& kept, const op& dropped, const signature& whole) {
  return (*dropped).is_identity() && (*kept).dimensions() == whole;
}

}  // namespace

const node& op::operator*() const { return tree_of(*this); }

array_base op::operator()(const array_base& x, call_site here) const {
  const node& a = tree_of(*this);
  require_array(a, x, "x", here);
  const extents shape = shape_for(a, x, here);
  const array_base y = make_array(x, shape, a.result_kind(x.type().kind), here);
  if (y.size() > 0) a.run({1, x, 0, y, here});
  return y;
}

void op::apply(std::complex<double> alpha, const array_base& x, std::complex<double> beta, const array_base& y, mode m,
               call_site here) const {
  if (m != mode::forward) return (m == mode::adjoint ? H() : N()).apply(alpha, x, beta, y, mode::forward, here);
  const node& a = tree_of(*this);
  require_array(a, x, "x", here);
  require_array(a, y, "y", here);
  if (x.record()->owner != y.record()->owner)
    throw argument_error(cat(place(here), "x and y of ", a.text(), " belong to different contexts"));
  const extents shape = shape_for(a, x, here);
  if (!(shape == y.shape()))
    throw argument_error(cat(place(here), "the result of ", a.text(), " has the shape ", to_string(shape),
                             ", but y has ", to_string(y.shape())));
  scalar_kind kind = a.result_kind(x.type().kind);
  if (alpha.imag() != 0 || beta.imag() != 0) kind = complex_of(kind);
  if (y.type().kind != kind && y.type().kind != complex_of(kind))
    throw argument_error(cat(place(here), "the result of ", a.text(), " holds ", to_string(dtype::make(kind)),
                             ", but y holds ", to_string(y.type())));
  require_apart(a, x, y, here);
  if (y.size() > 0) a.run({alpha, x, beta, y, here});
}

op op::H() const { return tree_of(*this).adjoint(); }
op op::N() const { return tree_of(*this).normal(); }
op op::N(const op& inner) const {
  if (tree_of(inner).is_identity()) return N();
  return tree_of(*this).normal_of(inner);
}

const dims& op::ishape() const { return tree_of(*this).dimensions().in; }
const dims& op::oshape() const { return tree_of(*this).dimensions().out; }

std::optional<std::int64_t> op::size(std::string_view dimension) const {
  const signature& s = tree_of(*this).dimensions();
  const dim d = parse_dim(dimension);
  const auto [x, y] = own_shapes(**this);
  const int at_in = place_of(d, s.in), at_out = place_of(d, s.out);
  if (at_in < 0 && at_out < 0) {
    dims all = s.in;
    all.insert(all.end(), s.out.begin(), s.out.end());
    throw argument_error(cat(text(), " has no dimension ", dimension, suggestion(d, all)));
  }
  const known_extent& found = at_in >= 0 ? x[index(at_in)] : y[index(at_out)];
  return found.is_known() ? std::optional(found.size) : std::nullopt;
}

bool op::is_complex_linear() const { return tree_of(*this).is_complex_linear(); }
std::string op::text() const { return tree_of(*this).text(); }

op operator*(const op& left, const op& right) {
  const signature s = chained((*left).dimensions(), left.text(), (*right).dimensions(), right.text());
  if (can_drop(left, right, s)) return left;
  if (can_drop(right, left, s)) return right;
  std::vector<op> members;
  append_members(members, left);
  append_members(members, right);
  op made(std::make_shared<chain>(s, std::move(members)));
  require_consistent(*made);
  return made;
}

op operator+(const op& a, const op& b) {
  const signature s = added((*a).dimensions(), a.text(), (*b).dimensions(), b.text());
  std::vector<op> terms;
  append_terms(terms, a);
  append_terms(terms, b);
  op made(std::make_shared<sum>(s, std::move(terms)));
  require_consistent(*made);
  return made;
}

op operator-(const op& a) { return scaled(-1, a); }
op operator-(const op& a, const op& b) { return a + scaled(-1, b); }

op scaled(std::complex<double> factor, const op& a) {
  if (factor == 1.0) return a;
  if (const auto* inner = dynamic_cast<const scaled_node*>(a.tree().get()))
    return scaled(factor * inner->factor(), inner->inner());
  return op(std::make_shared<scaled_node>(factor, a));
}

}  // namespace tessera::linop
