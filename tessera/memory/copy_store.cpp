#include "tessera/memory/copy_store.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"

namespace tessera::memory {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

array_format array_format::of(const extents& shape, const dtype& type) {
  array_format f{shape, type, shape, type.size};
  for (int k = shape.rank() - 1; k >= 0; --k) {
    f.strides[k] = f.bytes;
    f.bytes = checked_multiply(f.bytes, shape[k], "the size of an array in bytes");
  }
  return f;
}

copy_store::copy_store(std::vector<local_device> devices)
    : devices_(std::move(devices)), used_(devices_.size()), peak_(devices_.size()) {}

copy_store::~copy_store() {
  while (!arrays_.empty()) release(arrays_.begin()->first);
}

void copy_store::declare(array_id id, const extents& shape, const dtype& type) {
  std::lock_guard lock(mutex_);
  entry made{array_format::of(shape, type), {}, nullptr};
  made.copies.resize(devices_.size());
  arrays_.insert_or_assign(id, std::move(made));
}

void copy_store::adopt(array_id id, const extents& shape, const dtype& type, std::byte* data) {
  std::lock_guard lock(mutex_);
  entry made{array_format::of(shape, type), {}, data};
  made.copies.resize(devices_.size());
  arrays_.insert_or_assign(id, std::move(made));
}

copy_store::span& copy_store::make(array_id id, entry& e, std::int32_t device) {
  span& s = e.copies[at(device)];
  if (s.data != nullptr) return s;
  const local_device& where = devices_[at(device)];
  const std::int64_t bytes = planted("allocation_short") ? e.format.bytes / 2 : e.format.bytes;
  s.data = where.backend->allocate(where.index, bytes);
  if (s.data == nullptr) throw_out_of_memory(id, e, device);
  s.page = std::max<std::int64_t>(1, where.backend->page_bytes(where.index, bytes));
  s.missing = static_cast<std::size_t>((e.format.bytes + s.page - 1) / s.page);
  s.backed.assign(s.missing, false);
  used_[at(device)] += e.format.bytes;
  peak_[at(device)] = std::max(peak_[at(device)], used_[at(device)]);
  return s;
}

std::byte* copy_store::address(array_id id, std::int32_t device) {
  std::lock_guard lock(mutex_);
  entry& e = arrays_.at(id);
  return device == location::host_index ? e.host : make(id, e, device).data;
}

void copy_store::back(array_id id, std::int32_t device, const box& where) {
  if (device == location::host_index || where.empty()) return;
  std::lock_guard lock(mutex_);
  entry& e = arrays_.at(id);
  if (make(id, e, device).missing > 0) back_box(id, e, device, where, 0, 0);
}

/// Walks the axes whose steps are wider than a page, so that pages between the rows of a tile are left out.
void copy_store::back_box(array_id id, entry& e, std::int32_t device, const box& where, int axis, std::int64_t offset) {
  if (axis < where.rank() && e.format.strides[axis] > e.copies[at(device)].page) {
    for (std::int64_t x = where.lo[axis]; x < where.hi[axis]; ++x)
      back_box(id, e, device, where, axis + 1, offset + x * e.format.strides[axis]);
    return;
  }
  std::int64_t begin = offset, last = offset;
  for (int k = axis; k < where.rank(); ++k) {
    begin += where.lo[k] * e.format.strides[k];
    last += (where.hi[k] - 1) * e.format.strides[k];
  }
  back_bytes(id, e, device, begin, last + e.format.type.size);
}

void copy_store::back_bytes(array_id id, entry& e, std::int32_t device, std::int64_t begin, std::int64_t end) {
  span& s = e.copies[at(device)];
  const local_device& where = devices_[at(device)];
  for (std::int64_t p = begin / s.page; p * s.page < end; ++p) {
    const auto page = static_cast<std::size_t>(p);
    if (s.backed[page]) continue;
    if (!where.backend->back(where.index, s.data, p * s.page, std::min((p + 1) * s.page, e.format.bytes)))
      throw_out_of_memory(id, e, device);
    s.backed[page] = true;
    --s.missing;
  }
}

const array_format& copy_store::format(array_id id) const {
  std::lock_guard lock(mutex_);
  return arrays_.at(id).format;
}

void copy_store::release(array_id id) noexcept {
  std::unique_lock lock(mutex_);
  const auto found = arrays_.find(id);
  if (found == arrays_.end()) return;
  const entry gone = std::move(found->second);
  arrays_.erase(found);
  for (std::size_t d = 0; d < gone.copies.size(); ++d)
    if (gone.copies[d].data != nullptr) used_[d] -= gone.format.bytes;
  lock.unlock();
  for (std::size_t d = 0; d < gone.copies.size(); ++d)
    if (gone.copies[d].data != nullptr)
      devices_[d].backend->deallocate(devices_[d].index, gone.copies[d].data, gone.format.bytes);
}

std::int64_t copy_store::peak_bytes(int device) const {
  std::lock_guard lock(mutex_);
  return peak_[at(device)];
}

void copy_store::throw_out_of_memory(array_id id, const entry& wanted, std::int32_t device) const {
  const local_device& where = devices_[at(device)];
  const device::device_info& info = where.backend->devices()[at(where.index)];
  std::string live;
  for (const auto& [other, e] : arrays_)
    if (e.copies[at(device)].data != nullptr)
      live += cat("\n  array ", other.value, " ", to_string(e.format.shape), ": ", e.format.bytes, " bytes");
  throw out_of_memory(cat("no room for array ", id.value, " ", to_string(wanted.format.shape), " (",
                          wanted.format.bytes, " bytes) on device ", info.name, ", which has ", info.memory,
                          " bytes; it holds:", live.empty() ? " nothing" : live));
}

}  // namespace tessera::memory
