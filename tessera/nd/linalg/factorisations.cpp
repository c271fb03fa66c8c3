#include "tessera/nd/linalg/factorisations.h"

#include <algorithm>
#include <limits>

#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/linalg/stack.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd::linalg {
namespace {

using numeric::factorisation;
using kind = numeric::factorisation_kind;

constexpr const char* singular = "singular";
constexpr const char* no_convergence = "one whose eigenvalues or singular values were not found";

/// One function's matrices: what is factorised, and how results become those of the array's own type.
class matrices {
 public:
  matrices(const char* name, const array& a, bool square, call_site here) : here_(here) {
    if (square)
      require_square(name, a, here);
    else
      require_matrices(name, a, here);
    given_ = kernels::contains(kernels::type_sets::bits, a.type()) ? scalar_kind::float64 : a.type();
    elements_ = as_type(a, field_of(a.type()), here);
    stack_ = without_last(a.shape(), 2);
    form_.type = elements_.type();
    form_.rows = a.shape()[a.rank() - 2];
    form_.columns = a.shape()[a.rank() - 1];
  }
  [[nodiscard]] factorisation& form() { return form_; }
  [[nodiscard]] std::int64_t rows() const { return form_.rows; }
  [[nodiscard]] std::int64_t columns() const { return form_.columns; }
  [[nodiscard]] std::int64_t least() const { return std::min(rows(), columns()); }
  [[nodiscard]] const extents& stack() const { return stack_; }
  /// No matrices, or none with elements.
  [[nodiscard]] bool is_empty() const { return elements_.size() == 0; }

  [[nodiscard]] std::vector<array> run(kind what, std::initializer_list<extents> shapes, const char* fault) {
    form_.kind = what;
    const std::vector<extents> list(shapes);
    std::vector<array> made = factorise(form_, stack_, {&elements_, 1}, list, fault, here_);
    for (array& each : made) each = narrowed(each);
    return made;
  }
  /// In the type that the array had, if that has 16 bits.
  [[nodiscard]] array narrowed(const array& a) const {
    const bool is_half = given_ != form_.type;
    return is_half && kernels::contains(kernels::type_sets::floats, a.type()) ? as_type(a, given_, here_) : a;
  }
  /// A result of an empty stack, or of empty matrices: all elements `value`.
  [[nodiscard]] array filled(std::initializer_list<std::int64_t> shape, const number& value, scalar_kind type) const {
    return narrowed(full(with_last(stack_, shape), value, type, {layout(), elements_.owner()->ctx()}, here_));
  }
  [[nodiscard]] array identities(std::int64_t rows, std::int64_t columns) const {
    const array_options options{layout(), elements_.owner()->ctx()};
    const array one = eye(rows, columns, 0, form_.type, options, here_);
    return narrowed(copy(broadcast_to(one, with_last(stack_, {rows, columns}), here_), here_));
  }
  [[nodiscard]] scalar_kind type() const { return form_.type; }
  [[nodiscard]] scalar_kind real_type() const { return kernels::real_kind(form_.type); }
  [[nodiscard]] scalar_kind complex_type() const {
    return real_type() == scalar_kind::float32 ? scalar_kind::complex64 : scalar_kind::complex128;
  }

 private:
  array elements_;
  extents stack_;
  factorisation form_;
  scalar_kind given_{};
  call_site here_;
};

struct determinants {
  array sign, logarithm, value;
};
determinants determinants_of(const char* name, const array& a, call_site here) {
  matrices m(name, a, true, here);
  if (m.is_empty()) return {m.filled({}, 1, m.type()), m.filled({}, 0, m.real_type()), m.filled({}, 1, m.type())};
  std::vector<array> made = m.run(kind::determinant, {{}, {}, {}}, singular);
  return {made[0], made[1], made[2]};
}

}  // namespace

array cholesky(const array& a, bool upper, call_site here) {
  matrices m("cholesky", a, true, here);
  if (m.is_empty()) return m.filled({m.rows(), m.rows()}, 0, m.type());
  m.form().upper = upper;
  return m.run(kind::cholesky, {{m.rows(), m.rows()}}, "not positive definite")[0];
}

array det(const array& a, call_site here) { return determinants_of("det", a, here).value; }

slogdet_result slogdet(const array& a, call_site here) {
  const determinants found = determinants_of("slogdet", a, here);
  return {found.sign, found.logarithm};
}

array inv(const array& a, call_site here) {
  matrices m("inv", a, true, here);
  if (m.is_empty()) return m.filled({m.rows(), m.rows()}, 0, m.type());
  return m.run(kind::inverse, {{m.rows(), m.rows()}}, singular)[0];
}

array solve(const array& a, const array& b, call_site here) {
  require_square("solve", a, here);
  const bool is_vector = b.rank(here) == 1;
  if (b.rank() == 0) refuse(here, "solve: the right side has no axes");
  const array sides = is_vector ? b(all, new_axis) : b;
  const std::int64_t n = a.shape()[a.rank() - 1], count = sides.shape()[sides.rank() - 1];
  if (sides.shape()[sides.rank() - 2] != n)
    refuse(here, "solve: the matrices have ", n, " rows, the right sides ", sides.shape()[sides.rank() - 2]);
  const scalar_kind met = promoted(a.type(), b.type());
  const scalar_kind given = kernels::contains(kernels::type_sets::bits, met) ? scalar_kind::float64 : met;
  const scalar_kind type = field_of(met);
  const extents stack =
      broadcast_shape(without_last(a.shape(), 2), is_vector ? extents() : without_last(sides.shape(), 2), here);
  const std::array<array, 2> operands{broadcast_to(as_type(a, type, here), with_last(stack, {n, n}), here),
                                      broadcast_to(as_type(sides, type, here), with_last(stack, {n, count}), here)};
  array x;
  if (element_count(with_last(stack, {n, count})) == 0) {
    x = full(with_last(stack, {n, count}), 0, type, {layout(), a.owner()->ctx()}, here);
  } else {
    const factorisation form{.kind = kind::solve, .type = type, .rows = n, .columns = n, .right_sides = count};
    const std::array<extents, 1> shapes{extents{n, count}};
    x = factorise(form, stack, operands, shapes, singular, here)[0];
  }
  x = as_type(x, given, here);
  return is_vector ? x.seen_through(pick_map(x.shape(), x.rank() - 1, 0, here), here) : x;
}

qr_result qr(const array& a, qr_mode mode, call_site here) {
  matrices m("qr", a, false, here);
  const bool full = mode == qr_mode::complete;
  const std::int64_t wide = full ? m.rows() : m.least();
  if (m.is_empty()) return {m.identities(m.rows(), wide), m.filled({wide, m.columns()}, 0, m.type())};
  m.form().full = full;
  std::vector<array> made = m.run(kind::qr, {{m.rows(), wide}, {wide, m.columns()}}, no_convergence);
  return {made[0], made[1]};
}

eigen_result eigh(const array& a, call_site here) {
  matrices m("eigh", a, true, here);
  const std::int64_t n = m.rows();
  if (m.is_empty()) return {m.filled({n}, 0, m.real_type()), m.filled({n, n}, 0, m.type())};
  std::vector<array> made = m.run(kind::eigh, {{n}, {n, n}}, no_convergence);
  return {made[0], made[1]};
}

array eigvalsh(const array& a, call_site here) {
  matrices m("eigvalsh", a, true, here);
  if (m.is_empty()) return m.filled({m.rows()}, 0, m.real_type());
  m.form().vectors = false;
  return m.run(kind::eigh, {{m.rows()}}, no_convergence)[0];
}

eigen_result eig(const array& a, call_site here) {
  matrices m("eig", a, true, here);
  const std::int64_t n = m.rows();
  if (m.is_empty()) return {m.filled({n}, 0, m.complex_type()), m.filled({n, n}, 0, m.complex_type())};
  std::vector<array> made = m.run(kind::eig, {{n}, {n, n}}, no_convergence);
  return {made[0], made[1]};
}

array eigvals(const array& a, call_site here) {
  matrices m("eigvals", a, true, here);
  if (m.is_empty()) return m.filled({m.rows()}, 0, m.complex_type());
  m.form().vectors = false;
  return m.run(kind::eig, {{m.rows()}}, no_convergence)[0];
}

svd_result svd(const array& a, bool full_matrices, call_site here) {
  matrices m("svd", a, false, here);
  const std::int64_t left = full_matrices ? m.rows() : m.least(), right = full_matrices ? m.columns() : m.least();
  if (m.is_empty())
    return {m.identities(m.rows(), left), m.filled({m.least()}, 0, m.real_type()), m.identities(right, m.columns())};
  m.form().full = full_matrices;
  std::vector<array> made = m.run(kind::svd, {{m.rows(), left}, {m.least()}, {right, m.columns()}}, no_convergence);
  return {made[0], made[1], made[2]};
}

array svdvals(const array& a, call_site here) {
  matrices m("svdvals", a, false, here);
  if (m.is_empty()) return m.filled({m.least()}, 0, m.real_type());
  m.form().vectors = false;
  return m.run(kind::svd, {{m.least()}}, no_convergence)[0];
}

}  // namespace tessera::nd::linalg
