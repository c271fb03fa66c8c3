#include "tessera/runtime/report/instruction_account.h"

#include <algorithm>

#include "tessera/base/index.h"

namespace tessera::runtime {
namespace {

std::int64_t volume_of(std::span<const box> boxes) {
  std::int64_t sum = 0;
  for (const box& b : boxes) sum += b.volume();
  return sum;
}

double seconds(std::int64_t bytes, double speed) { return speed > 0 ? static_cast<double>(bytes) / speed : 0; }

}  // namespace

instruction_account::instruction_account(const plan::machine_table& machine, node_id node)
    : specs_(machine.specs(node).begin(), machine.specs(node).end()), loads_(specs_.size()) {}

void instruction_account::add(const plan::instruction& i) {
  for (const plan::operand& o : i.operands) {
    if (o.copy.place.is_host() || own_.contains(o.copy.array)) continue;
    region& used = used_[{o.copy.array, o.copy.place.index}];
    used = unite(used, region(o.bounds));
  }
  if (const auto* declared = std::get_if<plan::declare_op>(&i.action)) {
    know(declared->array, declared->type);
    own_[declared->array] = true;
    const std::int64_t bytes = box::whole(declared->shape).volume() * declared->type.size;
    for (device_load& d : loads_) d.own_arrays += bytes;
  } else if (const auto* launch = std::get_if<plan::launch_op>(&i.action)) {
    ++totals_.superblocks;
    std::int64_t& workspace = loads_[index(launch->place.index)].workspace;
    workspace = std::max(workspace, launch->workspace);
  } else if (const auto* copy = std::get_if<plan::copy_op>(&i.action)) {
    add_copy(*copy);
  } else if (const auto* send = std::get_if<plan::send_op>(&i.action)) {
    ++totals_.messages;
    add_message(link_kind::sent, send->source, send->parts);
  } else if (const auto* receive = std::get_if<plan::receive_op>(&i.action)) {
    add_message(link_kind::received, receive->target, receive->parts);
  }
}

void instruction_account::count(link_kind link, std::int64_t bytes) {
  totals_.bytes[static_cast<std::size_t>(link)] += bytes;
}

void instruction_account::add_copy(const plan::copy_op& o) {
  const location from = o.source.place, to = o.target.place;
  const std::int64_t bytes = volume_of(o.boxes) * sizes_.at(from.is_host() ? o.target.array : o.source.array);
  ++totals_.copies;
  if (from.is_host()) {
    count(link_kind::host_to_device, bytes);
    loads_[index(to.index)].seconds_in += seconds(bytes, specs_[index(to.index)].speeds.from_host);
  } else if (to.is_host()) {
    count(link_kind::device_to_host, bytes);
    loads_[index(from.index)].seconds_out += seconds(bytes, specs_[index(from.index)].speeds.to_host);
  } else {
    count(link_kind::device_to_device, bytes);
    loads_[index(to.index)].seconds_in += seconds(bytes, specs_[index(to.index)].speeds.between);
  }
}

/// A message goes through host memory.
void instruction_account::add_message(link_kind link, location place, std::span<const plan::message_part> parts) {
  std::int64_t bytes = 0;
  for (const plan::message_part& p : parts) bytes += volume_of(p.boxes) * sizes_.at(p.array);
  count(link, bytes);
  if (place.is_host()) return;
  const plan::link_speeds& speeds = specs_[index(place.index)].speeds;
  if (link == link_kind::sent)
    loads_[index(place.index)].seconds_out += seconds(bytes, speeds.to_host);
  else
    loads_[index(place.index)].seconds_in += seconds(bytes, speeds.from_host);
}

rehearsal instruction_account::totals() const {
  rehearsal result = totals_;
  for (const device_load& d : loads_)
    result.transfer_seconds = std::max({result.transfer_seconds, d.seconds_in, d.seconds_out});
  return result;
}

std::vector<instruction_account::used_part> instruction_account::used() const {
  std::vector<used_part> parts;
  for (const auto& [key, area] : used_)
    parts.push_back({key.first, key.second, {area.boxes().begin(), area.boxes().end()}});
  return parts;
}

std::int64_t instruction_account::besides(std::int32_t device) const {
  const device_load& d = loads_[index(device)];
  return d.own_arrays + d.workspace;
}

}  // namespace tessera::runtime
