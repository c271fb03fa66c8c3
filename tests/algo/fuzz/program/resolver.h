#pragma once

#include <initializer_list>
#include <optional>

#include "tests/algo/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// A container of a step.
struct container_id {
  value_kind type{};
  int axes = 1, slot = 0;
  bool operator==(const container_id&) const = default;
};

/// Makes the step that an operation stands for. Each function fills in its part of the step; false if the operation has
/// no meaning for the containers as they are.
class resolver {
 public:
  resolver(reference& state, const operation& o);
  std::optional<step> make();

 private:
  // Numbers that the operation stands for.

  [[nodiscard]] std::int64_t pick(int which, std::int64_t count) const {
    const std::int64_t number = o_.numbers[static_cast<std::size_t>(3 + which % 5)];
    return count <= 0 ? 0 : number / (1 + which / 5) % count;
  }
  [[nodiscard]] extents drawn_shape() const {
    extents shape = extents::uniform(s_.axes, 0);
    for (int k = 0; k < s_.axes; ++k) shape[k] = o_.numbers[static_cast<std::size_t>(k)];
    return shape;
  }

  [[nodiscard]] container_id at(std::size_t place) const { return {s_.type, s_.axes, s_.slot[place]}; }
  [[nodiscard]] extents shape_of(const container_id& c) {
    return with_type(c.type, c.axes, [&]<class T, int N>() { return state_.get<T, N>(c.slot).shape; });
  }

  // Guards.

  /// As `is_free`; a step that the library must refuse for it is possible, too.
  [[nodiscard]] bool is_free_or_refused(const container_id& c, const box& part, bool writes) {
    s_.refused = s_.refused || !is_free(c, part, writes);
    return true;
  }
  /// False if a guard excludes the access.
  [[nodiscard]] bool is_free(const container_id& c, const box& part, bool writes) const {
    const auto& held = state_.held();
    if (!held || container_id{held->type, held->axes, held->slot} != c) return true;
    return (!writes && !held->writes) || !held->part.overlaps(part);
  }
  [[nodiscard]] bool is_unheld(const container_id& c) const {
    const auto& held = state_.held();
    return !held || container_id{held->type, held->axes, held->slot} != c;
  }

  /// A box that fits all of these shapes, somewhere in the first.
  [[nodiscard]] box drawn_box(std::initializer_list<extents> shapes, int which) const;
  /// A box of the same shape elsewhere in `shape`.
  [[nodiscard]] box shifted(box part, const extents& shape, int which) const;

  // Containers and the host.
  bool sizes();
  bool host();
  bool elements(const container_id& a, const extents& shape);
  bool release();

  // Skeletons.
  bool skeleton();
  void choose_container();
  void choose_form();
  [[nodiscard]] container_id first_input() const;
  /// Skeletons with elements of one or two inputs.
  bool mapped();
  /// False if an output and an input are the same elements of one container at other places, or at all if `wholly`.
  static bool tell_apart(const container_id& a, const box& out, const container_id& b, box& in, bool wholly);
  bool second_result();
  /// Of those that have one: another output, elements, a whole container, a matrix of lines.
  bool third_argument(const container_id& a);
  bool lines_argument(const container_id& a, const container_id& matrix);
  bool reduced_lines();
  bool pairs();
  // Algorithms.
  bool algorithm();
  bool keyed();

  /// False if sums of `count` of these elements may be rounded.
  bool is_exact(const container_id& c, const box& part, std::int64_t count);

  reference& state_;
  const operation& o_;
  step s_;
};

}  // namespace tessera::fuzz
