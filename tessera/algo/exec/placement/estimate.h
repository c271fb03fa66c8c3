#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/algo/exec/placement/tuning_table.h"
#include "tessera/plan/split/spec.h"

namespace tessera::algo {

/// Kinds of devices of a machine as bits; bit 0 is the kind that launches choose by themselves.
using kind_set = std::uint32_t;

/// The devices of one kind.
struct kind_facts {
  std::string name;
  std::vector<int> devices;  ///< Numbered through all ranks.
  double link = 0;           ///< Bytes per second that come from elsewhere; 0 where it is not known.

  [[nodiscard]] std::string label() const;  ///< "cpu*4", as tables name it.
};

/// What is known of a call before it runs, alike on all ranks.
struct call_facts {
  std::string_view skeleton;   ///< "map"
  std::uint64_t function = 0;  ///< The digest of its operator.
  struct container {
    std::int64_t bytes = 0;  ///< Of the part that the call uses.
    kind_set held = 1;       ///< Kinds of devices that have its current contents; none: the host has them.
    bool read = true;
  };
  std::vector<container> containers{};

  [[nodiscard]] std::int64_t bytes() const;
  /// Bytes that must come from elsewhere before a kind of devices can read them.
  [[nodiscard]] std::int64_t bytes_elsewhere(std::size_t kind) const;
};

/// The names of the call's rows in tables: of its function, and of all functions.
[[nodiscard]] std::string function_row(std::string_view skeleton, std::uint64_t function);

/// Seconds of the call on all devices of `kinds[kind]`: what the table has, else what is usual, and the time in which
/// bytes arrive that are elsewhere.
[[nodiscard]] double estimated_seconds(const tuning_table& table, const call_facts& call,
                                       const std::vector<kind_facts>& kinds, std::size_t kind);
/// The kind that is estimated to be fastest; of equal ones the first.
[[nodiscard]] std::size_t fastest_kind(const tuning_table& table, const call_facts& call,
                                       const std::vector<kind_facts>& kinds);

/// Devices and the shares that they should have of a call, so that all end at the same time.
struct device_shares {
  std::vector<int> devices;
  std::vector<double> weights;
};
[[nodiscard]] device_shares shares_of_all(const tuning_table& table, const call_facts& call,
                                          const std::vector<kind_facts>& kinds);

/// One slab per device of `blocks` thread blocks of `threads` threads each, in the order of the devices and in
/// proportion to `weights` (empty: even), in whole blocks.
[[nodiscard]] std::vector<plan::slab> weighted_slabs(std::int64_t blocks, std::int64_t threads,
                                                     const std::vector<int>& devices,
                                                     const std::vector<double>& weights);

}  // namespace tessera::algo
