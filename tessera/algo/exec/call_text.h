#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/algo/container/access.h"
#include "tessera/algo/exec/call.h"
#include "tessera/array/kernel.h"

namespace tessera::algo {

/// A box of a container that a kernel gets as a pointer, and how its text names it: `prefix`, and `prefix`s0,
/// `prefix`s1,
/// ... for the distances between neighbours on all axes but the last, unless the kernel counts elements through.
struct array_text {
  std::string prefix;
  std::string type;
  int rank = 1;  ///< Of the container.
  int axes = 0;  ///< That the kernel counts; 0: elements are counted through.
  bool is_const = true;
  bool tiled = false;  ///< Thread blocks have the tiles of exec/stencil/tile.h.
  std::string rows{};  ///< In annotations, where elements are counted through: what stands for "lo:hi".

  [[nodiscard]] std::string parameters() const;
  /// The element at the kernel's index: `i` if elements are counted through, else `i0`, `i1`, ...
  [[nodiscard]] std::string element() const;
  /// In an annotation, its elements one behind the other.
  [[nodiscard]] std::string flat() const;
  /// `name[...]` in an annotation: elements `lo` to `hi` of the last axis, at `y`, `z` of the others.
  [[nodiscard]] std::string range() const;
};
/// Appends the arguments for `array_text::parameters()` of a kernel that counts `axes` axes.
void add_array(int axes, const operand& part, access mode, call_site here, std::vector<argument>& arguments);

/// How kernels get the arguments of a call, what their annotation says about them, and what the operator is called
/// with. Kernels count `axes` axes with the variables `i0`, `i1`, ... (extents `n0`, `n1`, ...), or all elements with
/// `i` (axes is 0; `n` elements). Names in the text begin with `prefix`, so that a kernel may have several calls. With
/// `rows`, a table of the annotation ("elements(b)"), that tells which elements thread blocks take from their own
/// places; there are none from others then.
class call_text {
 public:
  call_text(const call& bound, int axes, std::string prefix, std::string rows = {});

  /// What distinguishes the text of this call from others with the same operator.
  [[nodiscard]] std::string key() const;
  /// What the kernel begins with: views and operators, and the neighbourhoods that its elements have.
  [[nodiscard]] const std::string& prelude() const;
  /// Behind the kernel's own parameters: ", const float* a0, ...".
  [[nodiscard]] std::string parameters() const;
  /// ", read a0[lo:hi], ...".
  [[nodiscard]] std::string rules() const;
  /// The call of the operator for the element at the index; `all_exist`: where `condition_that_all_exist` holds.
  [[nodiscard]] std::string expression(bool all_exist = false) const;
  /// That elements lo <= i < hi take none from beyond the ends of containers, so that loops over them need not ask;
  /// empty if they never do.
  [[nodiscard]] std::string condition_that_all_exist(const std::string& lo, const std::string& hi) const;
  /// Appends the arguments for `parameters()`, ready for a launch.
  void add_arguments(std::vector<argument>& arguments) const;

 private:
  [[nodiscard]] std::string name(std::size_t k) const { return prefix_ + std::to_string(k); }
  [[nodiscard]] array_text array_of(std::size_t k) const;
  [[nodiscard]] std::string parameter(std::size_t k) const;
  [[nodiscard]] std::string rule(std::size_t k) const;
  [[nodiscard]] std::string value(std::size_t k, bool all_exist) const;
  [[nodiscard]] std::string index_value(int wanted) const;
  /// The index on `axis` among all elements, also where the kernel counts a box of them.
  [[nodiscard]] std::string index_on(int axis) const;

  const call& bound_;
  int axes_;
  std::string prefix_, rows_;
};

/// An operator of one or two values as kernels get it: a parameter for its state, if it has one, and how it is called.
/// None is the identity.
struct operator_text {
  const op* function = nullptr;
  std::string name;  ///< Of the parameter.

  [[nodiscard]] std::string parameter() const;
  [[nodiscard]] std::string combine(const std::string& a, const std::string& b) const;
  [[nodiscard]] std::string apply(const std::string& a) const;
  void add_argument(std::vector<argument>& arguments) const;
};

[[nodiscard]] argument number_argument(std::int64_t n);

/// Elements from one to the next along `axis` of a container.
[[nodiscard]] std::int64_t stride(const extents& whole, int axis);

}  // namespace tessera::algo
