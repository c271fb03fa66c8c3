#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "tessera/array/distribution.h"
#include "tessera/base/index.h"
#include "tessera/nd/shape/index_map.h"
#include "tessera/nd/shape/view.h"

namespace tessera::nd {

/// Where the elements of an array rest: nothing said (one part per device along the first axis that is long enough),
/// one part per device along an axis, tiles along several axes, a copy on every device, or any distribution. Never
/// changes results.
class layout {
 public:
  layout() = default;
  layout(int axis) : form_(form::axes), count_(1), axes_{axis} {}  // NOLINT: `.split = 0` is the notation
  layout(std::initializer_list<int> axes, call_site here = call_site::current())  // NOLINT
      : layout(std::span<const int>(axes.begin(), axes.size()), here) {}
  explicit layout(std::span<const int> axes, call_site here = call_site::current());
  layout(const distribution& given, const extents& shape, int devices);
  [[nodiscard]] static layout replicated();

  enum class form : std::uint8_t { automatic, axes, replicated, listed };
  [[nodiscard]] form kind() const { return form_; }
  /// True if parts are asked for: elements of such an array lie there, however few they are.
  [[nodiscard]] bool is_cut() const { return form_ == form::axes || form_ == form::listed; }
  /// The axes that are cut, for `form::axes`; they count from the end if negative, until `resolved`.
  [[nodiscard]] std::span<const int> axes() const { return {axes_.data(), index(count_)}; }

  /// With axes of an array of `rank` axes. Throws `argument_error` for one that it does not have, or has named twice.
  [[nodiscard]] layout resolved(int rank, call_site here = {}) const;
  /// Where an array of `shape` lies on `devices` devices.
  [[nodiscard]] simple_distribution distribution_of(const extents& shape, int devices) const;
  /// The layout of what `map` makes of an array that lies like this and has the shape `source`.
  [[nodiscard]] layout through(const index_map& map, const extents& source) const;
  /// Even parts along the axes of an array of `shape` that this layout cuts.
  [[nodiscard]] layout balanced(const extents& shape) const;
  bool operator==(const layout& other) const;

 private:
  form form_ = form::automatic;
  int count_ = 0;
  std::array<int, max_rank> axes_{};
  std::shared_ptr<const plan::layout> listed_;  // for arrays of one shape
};

}  // namespace tessera::nd
