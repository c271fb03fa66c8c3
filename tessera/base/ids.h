#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace tessera {

/// A number that names one thing of one kind. Ids of different kinds do not convert into each other.
template <class Tag, class Rep = std::uint64_t>
struct strong_id {
  Rep value{};

  constexpr strong_id() = default;
  constexpr explicit strong_id(Rep v) : value(v) {}
  constexpr auto operator<=>(const strong_id&) const = default;
};

using array_id = strong_id<struct array_tag>;              ///< One logical array; never reused within a context.
using task_id = strong_id<struct task_tag>;                ///< Position in the task stream, equal on all ranks.
using instruction_id = strong_id<struct instruction_tag>;  ///< Position in one rank's instruction stream; 0 is "none".
using node_id = strong_id<struct node_tag, std::int32_t>;  ///< A rank.

/// A memory that can hold a copy of an array: device `index` of a node, or the node's host memory.
struct location {
  static constexpr std::int32_t host_index = -1;

  node_id node;
  std::int32_t index = host_index;

  [[nodiscard]] constexpr bool is_host() const { return index == host_index; }
  constexpr auto operator<=>(const location&) const = default;
};

}  // namespace tessera

template <class Tag, class Rep>
struct std::hash<tessera::strong_id<Tag, Rep>> {
  std::size_t operator()(tessera::strong_id<Tag, Rep> id) const noexcept { return std::hash<Rep>{}(id.value); }
};
