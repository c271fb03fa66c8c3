#include "tessera/memory/span_table.h"

#include <algorithm>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/memory/array_origin.h"

namespace tessera::memory {

bool array_entry::busy() const {
  for (const copy_span& s : copies)
    for (const tracked_page& b : s.pages)
      for (const event& e : b.movements())
        if (!e.done()) return true;
  return false;
}

void array_entry::append_movements(std::vector<event>& to) const {
  for (const copy_span& s : copies)
    for (const tracked_page& b : s.pages)
      for (const event& e : b.movements()) to.push_back(e);
}

span_table::span_table(std::vector<local_device> devices) : devices_(std::move(devices)), pools_(devices_.size()) {
  for (std::size_t d = 0; d < devices_.size(); ++d) pools_[d].budget = devices_[d].info().memory;
  origins_ = std::all_of(devices_.begin(), devices_.end(), [](const local_device& d) {
    return d.backend->shares_host_memory() && d.info().memory >= memory_for_origins;
  });
}

void span_table::declare(array_id id, const extents& shape, const dtype& type) {
  array_format format = array_format::of(shape, type);
  if (origins_) format.origin = array_origin(id, format.bytes);
  format.bytes += format.origin;
  add(id, format, nullptr);
}

void span_table::adopt(array_id id, const extents& shape, const dtype& type, std::byte* data) {
  add(id, array_format::of(shape, type), data);
}

void span_table::add(array_id id, array_format format, std::byte* data) {
  array_entry made{format, {}, data};
  made.copies.resize(devices_.size());
  arrays_.insert_or_assign(id, std::move(made));
}

span_table::array_map::node_type span_table::take(array_id id) {
  const auto found = arrays_.find(id);
  if (found == arrays_.end()) return {};
  for (copy_span& s : found->second.copies)
    for (tracked_page& b : s.pages)
      if (b.resident) pool(s.device).forget(b);
  return arrays_.extract(found);
}

void span_table::free(array_entry& e) noexcept {
  for (copy_span& s : e.copies) {
    if (s.page == 0) continue;
    pool(s.device).used -= s.held_bytes();
    const local_device& on = devices_[index(s.device)];
    if (s.data != nullptr) on.backend->deallocate(on.index, s.data, s.format->bytes);
  }
}

bool span_table::begin(copy_span& s, array_id id, const array_format& format, std::int32_t device) {
  const local_device& on = devices_[index(device)];
  const std::int64_t page = std::max<std::int64_t>(1, on.backend->page_bytes(on.index, format.bytes));
  if (page < format.bytes && (s.data = on.backend->allocate(on.index, format.bytes)) == nullptr) return false;
  s.array = id;
  s.device = device;
  s.format = &format;
  s.page = page;
  s.missing = index((format.bytes + page - 1) / page);
  s.backed.assign(s.missing, false);
  if (pool(device).tracked) make_pages(s);
  return true;
}

bool span_table::back_missing(copy_span& s, const box& bounds) {
  device_pool& p = pool(s.device);
  bool enough = true;
  for_each_range(*s.format, bounds, s.page, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin / s.page; enough && k * s.page < end; ++k) {
      if (s.backed[index(k)]) continue;
      enough = p.has_room(s.page_length(k)) && back_page(s, k);
      if (!enough) return;
      s.backed[index(k)] = true;
      --s.missing;
      p.count(s.page_length(k));
    }
  });
  return enough;
}

bool span_table::back_page(copy_span& s, std::int64_t page) {
  const local_device& on = devices_[index(s.device)];
  const std::int64_t bytes = s.format->bytes;
  if (s.page < bytes) return on.backend->back(on.index, s.data, page * s.page, page * s.page + s.page_length(page));
  s.data = on.backend->allocate(on.index, planted("allocation_short") ? bytes / 2 : bytes);
  if (s.data == nullptr || on.backend->back(on.index, s.data, 0, bytes)) return s.data != nullptr;
  on.backend->deallocate(on.index, std::exchange(s.data, nullptr), bytes);
  return false;
}

void span_table::unback(tracked_page& b) noexcept {
  copy_span& s = *b.home;
  const local_device& on = devices_[index(s.device)];
  if (s.pages.size() == 1)
    on.backend->deallocate(on.index, std::exchange(s.data, nullptr), s.format->bytes);
  else
    on.backend->unback(on.index, s.data, b.begin, b.begin + b.bytes);
  device_pool& p = pool(s.device);
  p.forget(b);
  p.used -= b.bytes;
  b.resident = false;
}

void span_table::track(std::int32_t device) {
  pool(device).tracked = true;
  for (auto& [id, e] : arrays_)
    if (copy_span& s = e.copies[index(device)]; s.page != 0) make_pages(s);
}

void span_table::make_pages(copy_span& s) {
  device_pool& p = pool(s.device);
  s.pages.resize(s.backed.size());
  for (std::size_t k = 0; k < s.pages.size(); ++k) {
    tracked_page& b = s.pages[k];
    b.home = &s;
    b.begin = static_cast<std::int64_t>(k) * s.page;
    b.bytes = s.page_length(static_cast<std::int64_t>(k));
    if (!s.backed[k]) continue;
    b.defined = b.dirty = true;
    p.add_resident(b);
  }
}

std::int64_t span_table::missing_bytes(array_id id, std::int32_t device, std::span<const box> boxes) const {
  const array_entry& e = arrays_.at(id);
  const copy_span& s = e.copies[index(device)];
  const bool fresh = s.page == 0;
  if (!fresh && s.missing == 0) return 0;
  const local_device& on = devices_[index(device)];
  const std::int64_t page =
      fresh ? std::max<std::int64_t>(1, on.backend->page_bytes(on.index, e.format.bytes)) : s.page;
  std::vector<bool> counted(static_cast<std::size_t>((e.format.bytes + page - 1) / page));
  std::int64_t bytes = 0;
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin / page; k * page < end; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (counted[at] || (!fresh && s.backed[at])) continue;
      counted[at] = true;
      bytes += std::min((k + 1) * page, e.format.bytes) - k * page;
    }
  };
  for (const box& b : boxes) for_each_range(e.format, b, page, add);
  return bytes;
}

std::int64_t span_table::held_bytes(array_id id, std::int32_t device) const {
  const auto found = arrays_.find(id);
  return found == arrays_.end() ? 0 : found->second.copies[index(device)].held_bytes();
}

bool span_table::is_small(array_id id, std::int32_t device, const box& bounds) const {
  const array_format& f = arrays_.at(id).format;
  const local_device& on = devices_[index(device)];
  const std::int64_t share = pools_[index(device)].budget / 32;
  if (f.bytes <= share) return true;
  const std::int64_t page = std::max<std::int64_t>(1, on.backend->page_bytes(on.index, f.bytes));
  std::int64_t bytes = 0;
  for_each_range(f, bounds, page,
                 [&](std::int64_t begin, std::int64_t end) { bytes += ((end - 1) / page - begin / page + 1) * page; });
  return bytes <= std::max(share, 2 * page);
}

}  // namespace tessera::memory
