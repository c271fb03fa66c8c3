#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/plan/coherence/array_table.h"
#include "tessera/plan/coherence/crossings.h"
#include "tessera/plan/coherence/local_machine.h"
#include "tessera/plan/coherence/promised_parts.h"
#include "tessera/plan/coherence/sources.h"

namespace tessera::plan {

/// How far one rank has numbered its instructions and, for every other rank, the messages to it and from it.
struct instruction_numbers {
  std::uint64_t next = 1;
  std::uint64_t last_horizon = 0, previous_horizon = 0;
  std::uint64_t dependencies = 0;                       ///< Found since the last horizon, with duplicates.
  std::vector<std::uint64_t> next_sent, next_received;  ///< By rank.
};

/// What one rank's planner remembers from task to task. A value without references: a copy goes its own way.
struct plan_state {
  /// The first message between this rank and any other one, in both directions, gets number `first_message`.
  plan_state(machine_table table, node_id node, std::uint64_t first_message)
      : machine(std::move(table), node), arrays(machine.memory_count()) {
    numbers.next_sent.assign(static_cast<std::size_t>(machine.table().node_count()), first_message);
    numbers.next_received = numbers.next_sent;
  }

  local_machine machine;
  array_table arrays;
  instruction_numbers numbers;
  crossing_cache crossings;
  promised_parts promises;
  source_search search;
};

}  // namespace tessera::plan
