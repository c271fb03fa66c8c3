#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "tessera/plan/task.h"

namespace tessera::plan {

/// What the engine knows of a kind of task besides its fields; the codec, the comparison of the ranks' calls and
/// messages ask here. Each alternative of `task_body` has an entry of this form:
///   tag                  stands for the kind in bytes; tags count from 0, without gaps
///   verb                 what the call does, for messages
///   is_shared(t)         whether all ranks must make the call alike; else it concerns one rank alone
///   describe(t, place)   the verb, `place` (" at main.cpp:12", or empty), and what may differ between two calls there
template <class Task>
struct task_traits;

template <>
struct task_traits<create_task> {
  static constexpr std::uint8_t tag = 0;
  static constexpr std::string_view verb = "an array is made";
  static bool is_shared(const create_task&) { return true; }
  static std::string describe(const create_task& t, std::string_view place);
};

template <>
struct task_traits<drop_task> {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view verb = "an array is dropped";
  static bool is_shared(const drop_task&) { return false; }
  static std::string describe(const drop_task& t, std::string_view place);
};

template <>
struct task_traits<fill_task> {
  static constexpr std::uint8_t tag = 2;
  static constexpr std::string_view verb = "an array is filled";
  static bool is_shared(const fill_task&) { return true; }
  static std::string describe(const fill_task& t, std::string_view place);
};

template <>
struct task_traits<host_write_task> {
  static constexpr std::uint8_t tag = 3;
  static constexpr std::string_view verb = "an array is written";
  static bool is_shared(const host_write_task&) { return true; }
  static std::string describe(const host_write_task& t, std::string_view place);
};

template <>
struct task_traits<host_read_task> {
  static constexpr std::uint8_t tag = 4;
  static constexpr std::string_view verb = "an array is read";
  static bool is_shared(const host_read_task& t) { return t.ranks.form != host_ranks::kind::here; }
  static std::string describe(const host_read_task& t, std::string_view place);
};

template <>
struct task_traits<snapshot_task> {
  static constexpr std::uint8_t tag = 5;
  static constexpr std::string_view verb = "a value is taken";
  static bool is_shared(const snapshot_task&) { return true; }
  static std::string describe(const snapshot_task& t, std::string_view place);
};

template <>
struct task_traits<std::shared_ptr<const launch_task>> {
  static constexpr std::uint8_t tag = 6;
  static constexpr std::string_view verb = "launch";
  static bool is_shared(const std::shared_ptr<const launch_task>&) { return true; }
  static std::string describe(const std::shared_ptr<const launch_task>& t, std::string_view place);
};

template <>
struct task_traits<fence_task> {
  static constexpr std::uint8_t tag = 7;
  static constexpr std::string_view verb = "a wait";
  static bool is_shared(const fence_task&) { return false; }
  static std::string describe(const fence_task& t, std::string_view place);
};

/// A kind of task that has a whole entry.
template <class Task>
concept known_task = requires(const Task& t, std::string_view place) {
  { task_traits<Task>::tag } -> std::convertible_to<std::uint8_t>;
  { task_traits<Task>::verb } -> std::convertible_to<std::string_view>;
  { task_traits<Task>::is_shared(t) } -> std::same_as<bool>;
  { task_traits<Task>::describe(t, place) } -> std::same_as<std::string>;
};

template <class Body>
struct task_kinds;

/// All kinds of tasks together.
template <class... Tasks>
struct task_kinds<std::variant<Tasks...>> {
  static constexpr std::size_t count = sizeof...(Tasks);
  static constexpr bool are_known = (known_task<Tasks> && ...);

  /// True if the tags are 0 to count - 1, each once.
  [[nodiscard]] static constexpr bool are_numbered() {
    static_assert(count <= 64);
    std::uint64_t seen = 0;
    ((seen |= std::uint64_t{1} << task_traits<Tasks>::tag), ...);
    return seen == ~std::uint64_t{0} >> (64 - count);
  }

  /// The default value of the kind whose tag is `tag`, which is below `count`.
  [[nodiscard]] static std::variant<Tasks...> make(std::size_t tag) {
    std::variant<Tasks...> body;
    ((task_traits<Tasks>::tag == tag ? void(body.template emplace<Tasks>()) : void()), ...);
    return body;
  }
};

static_assert(task_kinds<task_body>::are_known, "every kind of task needs an entry in task_traits.h");
static_assert(task_kinds<task_body>::are_numbered(), "tags of tasks count from 0, without gaps");

/// Whether all ranks must ask for it alike; what is left concerns the one that does.
[[nodiscard]] bool is_shared(const task& t);

/// The task without the numbers that a rank gives for itself (host memory, tickets): all that ranks compare.
[[nodiscard]] task shared_part(task t);

/// True if it holds tables, which may be large: who remembers tasks to name them does better to keep `describe`.
[[nodiscard]] bool holds_tables(const task& t);

/// One line, for messages about a call that differs between ranks.
[[nodiscard]] std::string describe(const task& t);

}  // namespace tessera::plan
