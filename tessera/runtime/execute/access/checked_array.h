#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/plan/access/access.h"

namespace tessera::runtime {

/// Elements that a thread, or a box of thread blocks, declares of an array: every `steps`-th of a box.
struct declared_part {
  box bounds;  ///< In the array's own coordinates.
  extents steps;
  std::size_t use = 0;  ///< Of `checked_array::uses`.
  plan::access_mode mode = plan::access_mode::read;

  [[nodiscard]] bool contains(const extents& at) const;
};

/// What was done to an element, a bit each.
enum class element_mark : std::uint8_t { read = 1, written = 2 };

/// A byte for each element of an array; memory is taken where they are set. Thread-safe.
class mark_table {
 public:
  explicit mark_table(std::int64_t elements);
  void set(std::int64_t element, element_mark mark) noexcept;
  [[nodiscard]] bool has(std::int64_t element, element_mark mark) const noexcept;

 private:
  struct deallocate {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint8_t[], deallocate> bytes_;
};

/// One array of a launch on its device: where its elements are and what the launch's rules say of them. All parameters
/// that it is passed for count together. A parameter that every thread block has a private result for is one of its
/// own, whose address changes from block to block and whose coordinates begin at its slice.
struct checked_array {
  struct use {
    int parameter = 0;
    box slice;
    std::vector<const plan::access_rule*> rules;
  };
  std::vector<use> uses;
  std::uintptr_t first = 0;  ///< Address of element 0.
  extents shape;
  std::int64_t element_bytes = 1;
  bool is_private = false;

  std::shared_ptr<mark_table> marks;  ///< Of this superblock; null: nothing asks for them.
  std::shared_ptr<mark_table> used;   ///< Of the whole launch; likewise.

  [[nodiscard]] std::int64_t elements() const;
  [[nodiscard]] extents coordinates(std::int64_t element) const;
  /// Appends what threads with these values of names declare.
  void declare(std::span<const plan::interval> names, std::vector<declared_part>& out) const;
  /// The use whose slice has the element: the one that messages name.
  [[nodiscard]] std::size_t use_of(const extents& at) const;
  /// The view that rules of a use look through, if they do.
  [[nodiscard]] const plan::storage_view* view_of(std::size_t use) const;
  /// The element in the coordinates that rules of that use have; absent if it is outside of their view.
  [[nodiscard]] std::optional<extents> in_rules_of(std::size_t use, const extents& at) const;
};

}  // namespace tessera::runtime
