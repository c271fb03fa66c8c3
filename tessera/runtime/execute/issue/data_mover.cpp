#include "tessera/runtime/execute/issue/data_mover.h"

#include <algorithm>
#include <array>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"

namespace tessera::runtime {
namespace {

extents no_shift(const std::vector<box>& boxes) { return extents::uniform(boxes.front().rank(), 0); }

std::int64_t bytes_of(const std::vector<box>& boxes, std::int64_t element) {
  std::int64_t sum = 0;
  for (const box& b : boxes) sum += b.volume() * element;
  return sum;
}

}  // namespace

void data_mover::issue(const plan::copy_op& o) {
  const std::int64_t element = with_.memory.format(o.source.array).type.size;
  const std::int64_t bytes = bytes_of(o.boxes, element);
  count_copy(o, bytes);
  const bool up = pulls(o);
  const device::queue_kind own = up ? device::queue_kind::copy_in : device::queue_kind::copy_out;
  const std::vector<box> parts = work_.in_parts(o.boxes, {o.source, o.target}, o.shift);
  const auto there = [&](const box& b) {
    return planted("write_ignores_slice") && o.source.place.is_host() ? b : translate(b, o.shift);
  };
  work_.run_parts(
      up ? o.target.place.index : o.source.place.index, is_tiny(o, bytes) ? device::queue_kind::compute : own,
      parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 2>{{{o.source, parts[k], false}, {o.target, there(parts[k]), true}}};
      },
      [&](device_work& work, const device::order& order, std::size_t k) {
        return work.backend->copy(
            order, {work_.part(o.target, there(parts[k])), work_.part(o.source, parts[k]), parts[k].shape(), element});
      });
}

bool data_mover::pulls(const plan::copy_op& o) const {
  if (o.target.place.is_host() || o.source.place.is_host()) return !o.target.place.is_host();
  const auto shares = [&](std::int32_t d) { return with_.devices[index(d)].backend->shares_host_memory(); };
  return !shares(o.target.place.index) || shares(o.source.place.index);
}

bool data_mover::is_tiny(const plan::copy_op& o, std::int64_t bytes) const {
  if (o.target.place.is_host() || o.source.place.is_host()) return false;
  const device::backend* const b = with_.devices[index(o.target.place.index)].backend;
  return b == with_.devices[index(o.source.place.index)].backend && bytes <= b->tiny_copy_bytes();
}

device_link data_mover::way_of(const plan::copy_op& o) const {
  return memory::link_between(with_.devices[index(o.source.place.index)], with_.devices[index(o.target.place.index)]);
}

void data_mover::count_copy(const plan::copy_op& o, std::int64_t bytes) {
  live_statistics& s = with_.statistics;
  live_statistics::add(s.copies, 1);
  const bool between = !o.source.place.is_host() && !o.target.place.is_host();
  live_statistics::add(o.source.place.is_host()   ? s.host_to_device_bytes
                       : o.target.place.is_host() ? s.device_to_host_bytes
                                                  : s.device_to_device_bytes,
                       bytes);
  if (between) {
    const std::array ways{&s.same_device_bytes, &s.peer_bytes, &s.through_host_bytes};
    live_statistics::add(*ways[static_cast<std::size_t>(way_of(o))], bytes);
  }
  if (with_.logs_transfers()) log_copy(o);
}

void data_mover::log_copy(const plan::copy_op& o) {
  const bool from_host = o.source.place.is_host();
  const plan::copy_ref& named = from_host ? o.target : o.source;  // host memory has no name
  const std::int64_t element = with_.memory.format(named.array).type.size;
  const link_kind link = from_host                  ? link_kind::host_to_device
                         : o.target.place.is_host() ? link_kind::device_to_host
                                                    : link_kind::device_to_device;
  for (const box& b : o.boxes)
    with_.transfers->add({named.array, from_host ? translate(b, o.shift) : b, with_.name_of(o.source.place),
                          with_.name_of(o.target.place), b.volume() * element, link, work_.current().task,
                          link == link_kind::device_to_device ? way_of(o) : device_link::same});
}

const device::reduction_code* data_mover::operation(const launch_code& code, location place, int parameter) {
  if (!code.module) return nullptr;
  code.module->finished().wait();
  work_.keep(code.module);
  return with_.devices[index(place.index)].backend->reduction(code.module->module(), parameter);
}

void data_mover::issue(const plan::fill_op& o, const launch_code& code) {
  const plan::copy_ref target = o.target;
  const device::reduction_code* const identity = operation(code, target.place, o.identity_of.parameter);
  std::vector<std::byte> value = o.value ? *o.value : std::vector<std::byte>();
  if (planted("fill_truncated"))
    std::fill(value.begin() + std::min<std::ptrdiff_t>(4, std::ssize(value)), value.end(), std::byte{0});
  const std::vector<box> parts = work_.in_parts(o.boxes, {target}, no_shift(o.boxes));
  work_.run_parts(
      target.place.index, device::queue_kind::compute, parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 1>{{{target, parts[k], true}}};
      },
      [&](device_work& work, const device::order& order, std::size_t k) {
        return work.backend->fill(order, {work_.part(target, parts[k]), parts[k].shape(), value, identity});
      });
}

void data_mover::issue(const plan::fold_op& o, const launch_code& code) {
  const device::reduction_code* const operation = this->operation(code, o.target.place, o.by.parameter);
  const dtype type = with_.memory.format(o.target.array).type;
  const std::vector<box> parts = work_.in_parts(o.boxes, {o.source, o.target}, no_shift(o.boxes));
  work_.run_parts(
      o.target.place.index, device::queue_kind::compute, parts.size(), {},
      [&](std::size_t k) {
        return std::array<plan::operand, 3>{
            {{o.source, parts[k], false}, {o.target, parts[k], o.overwrite}, {o.target, parts[k], true}}};
      },
      [&](device_work& work, const device::order& order, std::size_t k) {
        const box& b = parts[k];
        return work.backend->fold(order, {work_.part(o.target, b), work_.part(o.source, b), b.shape(), type, o.by.op,
                                          o.overwrite, operation});
      });
}

}  // namespace tessera::runtime
