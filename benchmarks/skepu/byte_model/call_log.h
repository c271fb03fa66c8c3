#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What a program does with containers, as plain values: enough to say which bytes a memory manager moves for it.
namespace tessera::bench::skepu {

/// How a call of a skeleton uses a container. Calls are divided among devices in equal parts.
enum class operand_use : std::uint8_t {
  whole,     ///< Every device reads all of it: SkePU's random-access argument of MapArray.
  elements,  ///< Every device reads its part.
  written    ///< Every device writes its part.
};
struct call_operand {
  int container;
  operand_use use;
};

/// A container: a vector of `count` elements, or a matrix of `count` rows.
struct logged_container {
  std::int64_t count;
  std::int64_t bytes_each;
};

struct logged_event {
  enum class kind : std::uint8_t {
    call,        ///< Of a skeleton, on `operands`.
    host_read,   ///< Elements lo <= i < hi of `container`.
    loop_begins  ///< What came before has set containers up: copies of it count if the loop uses them.
  };
  kind what;
  std::vector<call_operand> operands{};
  int container = 0;
  std::int64_t lo = 0, hi = 0;
};

/// The calls of one run of a program, in order.
struct call_log {
  std::vector<logged_container> containers;
  std::vector<logged_event> events;

  void call(std::vector<call_operand> operands) { events.push_back({logged_event::kind::call, std::move(operands)}); }
  void host_read(int container, std::int64_t lo, std::int64_t hi) {
    events.push_back({logged_event::kind::host_read, {}, container, lo, hi});
  }
  void loop_begins() { events.push_back({logged_event::kind::loop_begins}); }
  /// All bytes of a container.
  [[nodiscard]] std::int64_t bytes(int container) const {
    const logged_container& c = containers[static_cast<std::size_t>(container)];
    return c.count * c.bytes_each;
  }
};

}  // namespace tessera::bench::skepu
