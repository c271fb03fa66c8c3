#include "tessera/plan/machine.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::plan {

machine_table::machine_table(std::vector<std::vector<device_spec>> nodes, machine_settings settings)
    : nodes_(std::move(nodes)), settings_(settings) {
  const device_spec* chosen = nullptr;
  for (const auto& devices : nodes_) {
    first_.push_back(first_.back() + static_cast<int>(devices.size()));
    for (const device_spec& d : devices)
      if (chosen == nullptr || (chosen->kind == "cpu" && d.kind != "cpu")) chosen = &d;
  }
  if (chosen != nullptr) automatic_kind_ = chosen->kind;
  for (int d = 0; d < device_count(); ++d)
    if (spec(d).kind == automatic_kind_) automatic_devices_.push_back(d);
}

machine_table machine_table::uniform(int nodes, int devices, const device_spec& spec, machine_settings settings) {
  const std::vector<device_spec> node(static_cast<std::size_t>(devices), spec);
  return machine_table(std::vector<std::vector<device_spec>>(static_cast<std::size_t>(nodes), node), settings);
}

location machine_table::locate(int device) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), device);
  const auto node = static_cast<std::int32_t>(after - first_.begin()) - 1;
  return {node_id(node), device - first_[static_cast<std::size_t>(node)]};
}

const device_spec& machine_table::spec(int device) const {
  const location place = locate(device);
  return nodes_[index(place.node.value)][static_cast<std::size_t>(place.index)];
}

device_spec machine_table::least() const {
  device_spec result = spec(0);
  for (const auto& node : nodes_)
    for (const device_spec& d : node) {
      result.memory = std::min(result.memory, d.memory);
      result.page = std::max(result.page, d.page);
    }
  return result;
}

namespace {

struct record_head {
  std::uint64_t count = 0;
  std::uint64_t deterministic = 0, check_uninitialised = 0, check_ranks = 0;
  std::int64_t small = 0;
};

struct device_record {
  std::int64_t memory = 0, page = 1, budget = 0, cores = 1;
  double from_host = 0, to_host = 0, between = 0;
  std::int64_t measured = 0;
  std::array<char, 8> kind{};
  std::array<char, 24> name{};
};

template <std::size_t N>
void put_text(const std::string& text, std::array<char, N>& to) {
  std::copy_n(text.begin(), std::min(text.size(), to.size()), to.begin());
}

template <std::size_t N>
std::string text_of(const std::array<char, N>& from) {
  return std::string(from.data(), strnlen(from.data(), from.size()));
}

}  // namespace

std::vector<std::byte> machine_table::encode(const rank_record& rank) {
  std::vector<std::byte> record(record_bytes);
  const machine_settings& s = rank.settings;
  const record_head head{rank.devices.size(), s.deterministic, s.check_uninitialised, s.check_ranks, s.small};
  const std::size_t most = (record_bytes - sizeof head) / sizeof(device_record);
  if (head.count > most)
    throw argument_error(cat("a rank has ", head.count, " devices; at most ", most, " are supported"));
  std::memcpy(record.data(), &head, sizeof head);
  std::byte* to = record.data() + sizeof head;
  for (const device_spec& d : rank.devices) {
    device_record r{d.memory,
                    d.page,
                    d.budget,
                    d.cores,
                    d.speeds.from_host,
                    d.speeds.to_host,
                    d.speeds.between,
                    d.speeds.measured ? 1 : 0,
                    {},
                    {}};
    put_text(d.kind, r.kind);
    put_text(d.name, r.name);
    std::memcpy(to, &r, sizeof r);
    to += sizeof r;
  }
  return record;
}

machine_table::rank_record machine_table::decode(std::span<const std::byte> record) {
  record_head head;
  std::memcpy(&head, record.data(), sizeof head);
  if (head.count > (record.size() - sizeof head) / sizeof(device_record))
    throw comm_error("a malformed table of devices");
  rank_record rank{{}, {head.deterministic != 0, head.check_uninitialised != 0, head.check_ranks != 0, head.small}};
  for (std::uint64_t i = 0; i < head.count; ++i) {
    device_record r;
    std::memcpy(&r, record.data() + sizeof head + i * sizeof r, sizeof r);
    rank.devices.push_back({text_of(r.kind),
                            r.memory,
                            r.page,
                            text_of(r.name),
                            static_cast<int>(r.cores),
                            r.budget,
                            {r.from_host, r.to_host, r.between, r.measured != 0}});
  }
  return rank;
}

}  // namespace tessera::plan
