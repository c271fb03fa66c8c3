#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tessera/algo/container/operand.h"
#include "tessera/algo/exec/sort/sort_plan.h"
#include "tessera/algo/function/op.h"
#include "tessera/algo/sort/sort_memory.h"
#include "tessera/base/call_site.h"

namespace tessera::algo {

/// Orders of numbers that radix sorts know.
enum class bit_order : std::uint8_t { none, ascending, descending };

/// In which order keys stand, for each place where they are compared.
struct key_order {
  op before;               ///< Text for devices, or host code.
  key_comparison on_host;  ///< For samples, and in launches on the host.
  /// Sorts a run on a CPU device; stable.
  std::function<void(const parallel_runner& run, int threads, std::int64_t count, const sort_memory& memory)> on_cpu;
  std::string number;  ///< Tells `on_cpu` apart from that of other orders and types.
  bit_order by_bits = bit_order::none;
};

/// Elements, one behind the other, that are put in order by their keys; values travel with them.
struct keyed_elements {
  operand keys;
  std::string key_type;
  std::optional<operand> values{};
  std::string value_type{};
};

/// Puts elements in order, stably, where they are. Each device sorts its own; samples of the sorted runs, read by the
/// host, decide which part each device gets, and only what lies elsewhere moves. Waits twice, for samples and for the
/// places where they cut runs; not at all where one device holds all.
void sort_in_place(const keyed_elements& all, const key_order& order, call_site here);

/// About `wanted` of the keys, at least one, from places that are evenly apart on each device: waits for them. Which
/// they are depends on where the elements rest.
[[nodiscard]] std::vector<std::byte> sampled_keys(const keyed_elements& all, std::int64_t wanted, call_site here);

}  // namespace tessera::algo
