#include "tessera/runtime/machine/exchange.h"

#include <memory>

#include "tessera/base/error.h"
#include "tessera/base/event.h"
#include "tessera/base/text.h"
#include "tessera/memory/array_origin.h"

namespace tessera::runtime {
namespace {

using bytes = std::vector<std::byte>;

plan::machine_table::rank_record describe(const std::vector<memory::local_device>& devices,
                                          const plan::machine_settings& settings, const link_table& links) {
  plan::machine_table::rank_record mine{{}, settings};
  for (const memory::local_device& d : devices) {
    constexpr std::int64_t large = std::int64_t{1} << 40;
    const device::device_info& info = d.backend->devices()[static_cast<std::size_t>(d.index)];
    const std::int64_t kept = d.backend->shares_host_memory() ? room_for_origins(info.memory) : 0;
    mine.devices.push_back({d.backend->name(), info.memory - kept, d.backend->page_bytes(d.index, large), info.name,
                            info.cores, info.memory, links.speeds(d.backend->name())});
  }
  return mine;
}

/// Of every rank, the record that it gave.
std::vector<std::shared_ptr<bytes>> exchange(comm::transport& network, const std::shared_ptr<bytes>& record) {
  std::vector<std::shared_ptr<bytes>> records(static_cast<std::size_t>(network.size()), record);
  std::vector<event> events;
  for (int r = 0; r < network.size(); ++r) {
    if (node_id(r) == network.rank()) continue;
    auto& theirs = records[static_cast<std::size_t>(r)] = std::make_shared<bytes>(record->size());
    network.send(node_id(r), table_messages, comm::payload::of(record));
    events.push_back(network.receive(node_id(r), table_messages, comm::payload::of(theirs)));
  }
  for (const event& e : events) e.wait();
  if (network.failed()) throw comm_error(network.failure().reason);
  return records;
}

const char* first_difference(const plan::machine_settings& a, const plan::machine_settings& b) {
  if (a.deterministic != b.deterministic) return "TESSERA_DETERMINISTIC";
  return a.small != b.small ? "TESSERA_SMALL" : "TESSERA_CHECK";
}

}  // namespace

plan::machine_table exchange_tables(comm::transport& network, const std::vector<memory::local_device>& devices,
                                    const plan::machine_settings& settings, const link_table& links) {
  std::vector<std::vector<plan::device_spec>> all;
  const auto mine = std::make_shared<bytes>(plan::machine_table::encode(describe(devices, settings, links)));
  for (const std::shared_ptr<bytes>& record : exchange(network, mine)) {
    plan::machine_table::rank_record rank = plan::machine_table::decode(*record);
    if (rank.settings != settings)
      throw argument_error(cat(first_difference(rank.settings, settings), " is not the same on ranks ",
                               network.rank().value, " and ", all.size()));
    all.push_back(std::move(rank.devices));
  }
  return plan::machine_table(std::move(all), settings);
}

}  // namespace tessera::runtime
