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

std::byte* copy_store::address(array_id id, std::int32_t device) {
  std::lock_guard lock(mutex_);
  entry& e = arrays_.at(id);
  if (device == location::host_index) return e.host;
  std::byte*& data = e.copies[at(device)];
  if (data != nullptr) return data;
  const local_device& where = devices_[at(device)];
  data = where.backend->allocate(where.index, planted("allocation_short") ? e.format.bytes / 2 : e.format.bytes);
  if (data == nullptr) throw_out_of_memory(id, e, device);
  used_[at(device)] += e.format.bytes;
  peak_[at(device)] = std::max(peak_[at(device)], used_[at(device)]);
  return data;
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
    if (gone.copies[d] != nullptr) used_[d] -= gone.format.bytes;
  lock.unlock();
  for (std::size_t d = 0; d < gone.copies.size(); ++d)
    if (gone.copies[d] != nullptr)
      devices_[d].backend->deallocate(devices_[d].index, gone.copies[d], gone.format.bytes);
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
    if (e.copies[at(device)] != nullptr)
      live += cat("\n  array ", other.value, " ", to_string(e.format.shape), ": ", e.format.bytes, " bytes");
  throw out_of_memory(cat("no room for array ", id.value, " ", to_string(wanted.format.shape), " (",
                          wanted.format.bytes, " bytes) on device ", info.name, ", which has ", info.memory,
                          " bytes; it holds:", live.empty() ? " nothing" : live));
}

}  // namespace tessera::memory
