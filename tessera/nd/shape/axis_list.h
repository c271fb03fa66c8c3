#pragma once

#include <array>
#include <initializer_list>
#include <span>

#include "tessera/base/call_site.h"
#include "tessera/base/geometry/box.h"

namespace tessera::nd {

/// Axes of an array, as functions take them: one, `0`, several, `{0, -1}`, or not given. Negative ones count from the
/// end, until `resolved`. A value; throws `argument_error` for more axes than an array can have.
class axis_list {
 public:
  axis_list() = default;
  axis_list(int axis) : is_given_(true), count_(1), axes_{axis} {}                   // NOLINT: one axis is a list
  axis_list(std::initializer_list<int> axes, call_site here = call_site::current())  // NOLINT
      : axis_list(std::span<const int>(axes.begin(), axes.size()), here) {}
  axis_list(std::span<const int> axes, call_site here = call_site::current());  // NOLINT

  /// False for a list that the caller left out.
  [[nodiscard]] bool is_given() const { return is_given_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] int operator[](std::size_t k) const { return axes_[k]; }
  [[nodiscard]] const int* begin() const { return axes_.data(); }
  [[nodiscard]] const int* end() const { return axes_.data() + count_; }
  [[nodiscard]] bool contains(int axis) const;
  /// As axes of an array with `rank` of them. Throws `argument_error` for one that it has not, or that is named twice.
  [[nodiscard]] axis_list resolved(int rank, call_site here = {}) const;

 private:
  bool is_given_ = false;
  std::size_t count_ = 0;
  std::array<int, max_rank> axes_{};
};

}  // namespace tessera::nd
