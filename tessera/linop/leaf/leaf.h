#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/linop/node/node.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {

/// Sizes of named dimensions, as far as they are known.
class named_extents {
 public:
  [[nodiscard]] known_extent& of(const dim& d);
  /// The size, or -1.
  [[nodiscard]] std::int64_t operator[](const dim& d) { return of(d).size; }
  /// Throws `argument_error` if it is known and another one.
  void set(const dim& d, std::int64_t size, const std::string& said_by);

 private:
  std::vector<std::pair<dim, known_extent>> known_;
};

/// One application of a leaf: the arrays with names for their last axes.
struct leaf_call {
  const application& of;
  const dims &x, &y;
  std::size_t batch = 0;  ///< Axes in front of the named ones.
  const restriction* part =
      nullptr;  ///< What the arrays are of a whole application; null: all. Sizes are of the whole.

  [[nodiscard]] std::int64_t x_size(const dim& d) const;
  [[nodiscard]] std::int64_t y_size(const dim& d) const;
  /// The axis of y.
  [[nodiscard]] std::size_t y_axis(const dim& d) const;
  /// A step of this call without factors.
  [[nodiscard]] step make_step() const;
  /// x with indices for its batch alone: axis by axis those of y. The named axes follow.
  [[nodiscard]] factor batch_of_x() const;
  /// Launches a step that was made for the whole, for the part.
  void run(step s) const;
  /// The elements of x along a dimension that the call has.
  [[nodiscard]] axis_range x_range(const dim& d) const;
  /// y = alpha * computed + beta * y, for a result that was computed elsewhere.
  void finish(const array_base& computed) const;
  /// Whether what is computed can go to y itself.
  [[nodiscard]] bool is_plain(scalar_kind kind) const;
};

/// Sizes of dimensions that an operator is told where it is made.
using named_sizes = std::vector<std::pair<std::string, std::int64_t>>;

/// What an operator computes that is no expression of others; a node knows whether it or its adjoint is meant.
class leaf {
 public:
  leaf(std::string name, signature dimensions) : name_(std::move(name)), dimensions_(std::move(dimensions)) {}
  virtual ~leaf() = default;
  leaf(const leaf&) = delete;
  leaf& operator=(const leaf&) = delete;

  [[nodiscard]] const signature& dimensions() const { return dimensions_; }
  [[nodiscard]] virtual std::string text() const;
  /// Adds sizes that are known, or follow from others.
  virtual void relate(named_extents& sizes) const;
  [[nodiscard]] virtual scalar_kind result_kind(scalar_kind from, bool is_adjoint) const;
  virtual void run(const leaf_call& call, bool is_adjoint) const = 0;
  [[nodiscard]] virtual bool is_complex_linear() const { return true; }
  [[nodiscard]] virtual bool is_self_adjoint() const { return false; }
  [[nodiscard]] virtual bool is_identity() const { return false; }
  /// Whether all that it runs are steps made by `make_step`, `batch_of_x` and `leaf_call::run`, so that a part of it is
  /// parts of these.
  [[nodiscard]] virtual bool is_step() const { return false; }
  /// The operator for a part of each dimension, where that is one of its own kind; else null.
  [[nodiscard]] virtual std::shared_ptr<const leaf> narrowed(
      const std::vector<std::pair<dim, axis_range>>& /*ranges*/) const {
    return nullptr;
  }
  /// A form of A^H A (or of A A^H) of its own.
  [[nodiscard]] virtual std::optional<op> normal(bool is_adjoint) const;

 protected:
  /// Fixes a size.
  void know(const dim& d, std::int64_t size) { known_.emplace_back(d, size); }
  /// Fixes sizes. Throws `argument_error` for a dimension that the operator does not have, and for a negative size.
  void know_all(const named_sizes& sizes);
  [[nodiscard]] std::optional<std::int64_t> known(const dim& d) const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  signature dimensions_;
  std::vector<std::pair<dim, std::int64_t>> known_;
};

[[nodiscard]] op make_op(std::shared_ptr<const leaf> kind, bool is_adjoint = false);
template <class Leaf, class... Args>
[[nodiscard]] op make_leaf(Args&&... args) {
  return make_op(std::make_shared<const Leaf>(std::forward<Args>(args)...));
}

}  // namespace tessera::linop
