#pragma once

#include <cstdint>
#include <vector>

#include "tessera/comm/transport.h"
#include "tessera/memory/residency.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/machine/link_table.h"

namespace tessera::runtime {

/// Messages that `exchange_tables` sends from each rank to each other one; those behind them are free.
inline constexpr std::uint64_t table_messages = 1;

/// The table of all ranks' devices (rule G1), of which `devices` are this one's: the first message between any two.
/// `links` are the speeds of this rank's. Collective; throws `argument_error` on all ranks if the settings differ.
[[nodiscard]] plan::machine_table exchange_tables(comm::transport& network,
                                                  const std::vector<memory::local_device>& devices,
                                                  const plan::machine_settings& settings, const link_table& links);

}  // namespace tessera::runtime
