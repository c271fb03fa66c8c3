#include "tessera/runtime/execute/issue/work_issuer.h"

namespace tessera::runtime {

device_work work_issuer::begin(std::int32_t device, device::queue_kind kind, int steps) {
  const std::size_t index = device < 0 ? 0 : static_cast<std::size_t>(device);
  const memory::local_device& local = with_.devices[index];
  const std::size_t queue = index * device::queues_per_device + static_cast<std::size_t>(kind);
  const plan::instruction& i = current_->instruction();
  device_work work{local.backend, {{local.index, kind}, {}, nullptr}, queue, i.id, {}, false};
  work.waits.reserve(i.after.size());
  events_.for_each(i.after, [&](const event& e) {
    if (e.line == events_.tails()[queue].line || e.done()) return;  // the queue itself keeps its order
    work.wait_for(e);
  });
  live_statistics::add(with_.statistics.begun, 1);
  current_->expect(steps, static_cast<int>(queue));
  work.order.watch = current_.release();  // it lists itself among those that have ended
  return work;
}

void work_issuer::abandon(const device_work& work, std::size_t parts, const std::exception_ptr& reason) {
  // What follows relies on this having come after its predecessors.
  if (!work.begun)
    for (const event& e : work.waits) e.wait();
  work.order.watch->failed(reason);
  for (std::size_t k = 1; k < parts; ++k) work.order.watch->ended();
}

std::span<const memory::use> work_issuer::uses_of(std::span<const plan::operand> operands) {
  uses_.clear();
  for (const plan::operand& o : operands) uses_.push_back({o.copy.array, o.copy.place.index, &o.bounds, o.written});
  return uses_;
}

void work_issuer::reserve(instruction_id position, std::span<const plan::operand> operands, memory::workspace besides) {
  memory_waits_.clear();
  with_.memory.reserve(position.value, uses_of(operands), memory_waits_, besides);
}

device::strided work_issuer::part(const plan::copy_ref& copy, const box& bounds) const {
  const memory::array_format& format = with_.memory.format(copy.array);
  std::byte* data = with_.memory.address(copy.array, copy.place.index);
  for (int k = 0; k < bounds.rank(); ++k) data += bounds.lo[k] * format.strides[k];
  return {data, format.strides};
}

std::vector<box> work_issuer::in_parts(const std::vector<box>& boxes, std::initializer_list<plan::copy_ref> copies,
                                       const extents& shift) const {
  std::vector<box> parts, left(boxes.rbegin(), boxes.rend());
  while (!left.empty()) {
    const box b = left.back();
    left.pop_back();
    int axis = 0;
    while (axis < b.rank() && b.extent(axis) < 2) ++axis;
    bool small = axis == b.rank();
    if (!small) {
      small = true;
      const plan::copy_ref* const target = copies.end() - 1;  // the one whose coordinates are shifted
      for (const plan::copy_ref& c : copies)
        small = small && with_.memory.is_small(c.array, c.place.index, &c == target ? translate(b, shift) : b);
    }
    if (small) {
      parts.push_back(b);
      continue;
    }
    box lower = b, upper = b;
    lower.hi[axis] = upper.lo[axis] = b.lo[axis] + b.extent(axis) / 2;
    left.push_back(upper);
    left.push_back(lower);
  }
  return parts;
}

}  // namespace tessera::runtime
