#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera/linop/node/restriction.h"
#include "tessera/linop/op.h"

namespace tessera::linop {

/// The extent of an axis, as far as it is known, and who says so.
struct known_extent {
  std::int64_t size = -1;
  std::string said_by{};

  [[nodiscard]] bool is_known() const { return size >= 0; }
};
/// Extents of the axes of an array, batch and all.
using known_shape = std::vector<known_extent>;

/// Makes both the same. Throws `argument_error`, with those who said it, if they differ.
void unify(known_extent& a, known_extent& b, const std::string& axis);

/// One application: y = alpha A x + beta y. x and y have been checked.
struct application {
  std::complex<double> alpha = 1;
  array_base x{};
  std::complex<double> beta = 0;
  array_base y{};
  call_site here{};
};

/// An expression of operators. Immutable; may be used by several threads.
class node : public std::enable_shared_from_this<node> {
 public:
  explicit node(signature dimensions) : dimensions_(std::move(dimensions)) {}
  virtual ~node() = default;
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  [[nodiscard]] const signature& dimensions() const { return dimensions_; }
  /// What messages call it, and `op::text`.
  [[nodiscard]] virtual std::string text() const = 0;
  /// Adds to the extents of x and y what follows from each other and from the operator; their ranks are known.
  virtual void fit(known_shape& x, known_shape& y) const = 0;
  /// The type of results for elements of type `from`.
  [[nodiscard]] virtual scalar_kind result_kind(scalar_kind from) const = 0;
  virtual void run(const application& call) const = 0;
  [[nodiscard]] virtual op adjoint() const = 0;
  /// A^H A in a form of its own; by default both, one behind the other.
  [[nodiscard]] virtual op normal() const;
  /// A^H inner A.
  [[nodiscard]] virtual op normal_of(const op& inner) const;
  [[nodiscard]] virtual bool is_complex_linear() const { return true; }
  [[nodiscard]] virtual bool is_identity() const { return false; }

  /// A part of the operator.
  [[nodiscard]] virtual op restricted(const restriction& part) const;
  /// Runs a part of it, for arrays of the part's extents; false where only the whole can be run.
  [[nodiscard]] virtual bool run_part(const application&, const restriction&) const { return false; }

  [[nodiscard]] op self() const { return op(shared_from_this()); }

 private:
  signature dimensions_;
};

/// The shape of A x. Throws `argument_error` for an x that does not fit, or an extent that nobody knows.
[[nodiscard]] extents result_shape(const node& a, const extents& x);
/// Extents that follow from the operator alone: of an x without further axes, and its y.
[[nodiscard]] std::pair<known_shape, known_shape> own_shapes(const node& a);
/// Throws `argument_error` unless the sizes that the operator knows agree.
void require_consistent(const node& a);

/// Types of elements of operators: float32, float64 and complex numbers of these.
[[nodiscard]] bool is_element_kind(scalar_kind kind);
[[nodiscard]] bool is_complex_kind(scalar_kind kind);
[[nodiscard]] scalar_kind complex_of(scalar_kind kind);
[[nodiscard]] scalar_kind real_of(scalar_kind kind);
/// The type that holds both.
[[nodiscard]] scalar_kind common_kind(scalar_kind a, scalar_kind b);

/// The part of an array of the whole shape, whose last axes have these ranges.
[[nodiscard]] array_base part_of(const array_base& whole, const axis_ranges& ranges);
/// A new array in the context of `beside`.
[[nodiscard]] array_base make_array(const array_base& beside, const extents& shape, scalar_kind kind, call_site here);

}  // namespace tessera::linop
