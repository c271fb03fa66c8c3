#include "tessera/memory/residency.h"

#include <algorithm>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/memory/array_origin.h"

namespace tessera::memory {
namespace {

/// Passed for arrays that a kernel declares nothing of.
alignas(256) std::byte nowhere[256];

}  // namespace

residency::residency(std::vector<local_device> devices, tiers below)
    : devices_(std::move(devices)),
      below_(std::move(below)),
      file_(below_.spill_directory, below_.spill_limit, below_.system) {
  for (const local_device& d : devices_) pools_.emplace_back().budget = d.backend->devices()[at(d.index)].memory;
  origins_ = std::all_of(devices_.begin(), devices_.end(), [](const local_device& d) {
    return d.backend->shares_host_memory() && d.backend->devices()[at(d.index)].memory >= memory_for_origins;
  });
}

residency::~residency() {
  while (!arrays_.empty()) release(arrays_.begin()->first);
  for (auto& node : dead_) {
    for (copy_span& s : node.mapped().copies)
      for (block& b : s.blocks)
        for (const event& e : b.movements()) e.wait();
    destroy(node.mapped());
  }
}

void residency::declare(array_id id, const extents& shape, const dtype& type) {
  array_format format = array_format::of(shape, type);
  if (origins_) format.origin = array_origin(id, format.bytes);
  format.bytes += format.origin;
  add(id, format, nullptr);
}

void residency::adopt(array_id id, const extents& shape, const dtype& type, std::byte* data) {
  add(id, array_format::of(shape, type), data);
}

void residency::add(array_id id, array_format format, std::byte* data) {
  const std::lock_guard held(mutex_);
  entry made{format, {}, data};
  made.copies.resize(devices_.size());
  arrays_.insert_or_assign(id, std::move(made));
}

const array_format& residency::format(array_id id) const {
  const std::lock_guard held(mutex_);
  return arrays_.at(id).format;
}

/// The span, with addresses if it is made of pages; a single block gets its memory only while nothing is short.
copy_span& residency::span_of(array_id id, entry& e, std::int32_t device) {
  copy_span& s = e.copies[at(device)];
  if (s.page == 0) {
    const local_device& where = devices_[at(device)];
    const std::int64_t bytes = e.format.bytes;
    s.array = id;
    s.device = device;
    s.format = &e.format;
    s.page = std::max<std::int64_t>(1, where.backend->page_bytes(where.index, bytes));
    s.missing = at((e.format.bytes + s.page - 1) / s.page);
    s.backed.assign(s.missing, false);
    if (s.page < bytes) {
      s.data = where.backend->allocate(where.index, bytes);
      if (s.data == nullptr) s.page = 0, throw_out_of_memory(device, bytes, id);
    }
    if (pools_[at(device)].tracked) make_blocks(s);
  }
  return s;
}

std::byte* residency::address(array_id id, std::int32_t device) {
  const std::lock_guard held(mutex_);
  entry& e = arrays_.at(id);
  if (device == location::host_index) return e.host;
  copy_span& s = span_of(id, e, device);
  // Nothing is declared of it. While there is memory, it is real all the same: a kernel may be wrong about that.
  if (s.data == nullptr && !pools_[at(device)].tracked) static_cast<void>(back_all(s, box::whole(e.format.shape)));
  return s.data == nullptr ? nowhere : s.data + e.format.origin;
}

/// Gives memory to every page of `where` that has none, while nothing is short. False if there is not enough.
bool residency::back_all(copy_span& s, const box& where) {
  if (s.missing == 0) return true;
  pool& p = pools_[at(s.device)];
  bool enough = true;
  for_each_range(*s.format, where, s.page, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin / s.page; enough && k * s.page < end; ++k) {
      if (s.backed[at(k)]) continue;
      const std::int64_t last = std::min((k + 1) * s.page, s.format->bytes), bytes = last - k * s.page;
      enough = p.has_room(bytes) && back_page(s, k);
      if (!enough) return;
      s.backed[at(k)] = true;
      --s.missing;
      p.count(bytes);
    }
  });
  return enough;
}

/// Puts memory behind one page; a span of a single page gets its addresses with it. False if there is none.
bool residency::back_page(copy_span& s, std::int64_t page) {
  const local_device& on = devices_[at(s.device)];
  const std::int64_t bytes = s.format->bytes;
  if (s.page < bytes) return on.backend->back(on.index, s.data, page * s.page, std::min((page + 1) * s.page, bytes));
  s.data = on.backend->allocate(on.index, planted("allocation_short") ? bytes / 2 : bytes);
  if (s.data == nullptr || on.backend->back(on.index, s.data, 0, bytes)) return s.data != nullptr;
  on.backend->deallocate(on.index, std::exchange(s.data, nullptr), bytes);
  return false;
}

/// From now on blocks are kept for everything on `device`.
void residency::track(std::int32_t device, lock& held) {
  held.unlock();
  hooks_.quiesce();  // whoever uses a block now is not known
  held.lock();
  pool& p = pools_[at(device)];
  p.tracked = true;
  short_ = true;
  for (auto& [id, e] : arrays_)
    if (copy_span& s = e.copies[at(device)]; s.page != 0) make_blocks(s);
}

void residency::make_blocks(copy_span& s) {
  pool& p = pools_[at(s.device)];
  s.blocks.resize(s.backed.size());
  for (std::size_t k = 0; k < s.blocks.size(); ++k) {
    block& b = s.blocks[k];
    b.home = &s;
    b.begin = static_cast<std::int64_t>(k) * s.page;
    b.bytes = length(b);
    if (!s.backed[k]) continue;
    b.resident = b.defined = b.dirty = true;
    b.place = p.resident.size();
    p.resident.push_back(&b);
  }
}

std::int64_t residency::length(const block& b) const { return std::min(b.home->page, b.home->format->bytes - b.begin); }

bool residency::has_room(std::span<const use> uses, std::span<const std::int64_t> besides) const {
  if (short_.load(std::memory_order_relaxed)) return false;
  std::vector<std::int64_t> wanted(besides.begin(), besides.end());
  const std::lock_guard held(mutex_);
  for (const use& u : uses) {
    if (u.device == location::host_index || u.where->empty()) continue;
    const entry& e = arrays_.at(u.array);
    const copy_span& s = e.copies[at(u.device)];
    const bool fresh = s.page == 0;
    if (!fresh && s.missing == 0) continue;
    const local_device& on = devices_[at(u.device)];
    const std::int64_t page =
        fresh ? std::max<std::int64_t>(1, on.backend->page_bytes(on.index, e.format.bytes)) : s.page;
    for_each_range(e.format, *u.where, page, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin / page; k * page < end; ++k)
        if (fresh || !s.backed[at(k)]) wanted[at(u.device)] += std::min((k + 1) * page, e.format.bytes) - k * page;
    });
  }
  for (std::size_t d = 0; d < pools_.size(); ++d)
    if (!pools_[d].has_room(wanted[d])) return false;
  return true;
}

bool residency::is_small(array_id id, std::int32_t device, const box& where) const {
  if (device == location::host_index) return true;
  const std::lock_guard held(mutex_);
  const array_format& f = arrays_.at(id).format;
  const local_device& on = devices_[at(device)];
  const std::int64_t share = pools_[at(device)].budget / 32;
  if (f.bytes <= share) return true;
  const std::int64_t page = std::max<std::int64_t>(1, on.backend->page_bytes(on.index, f.bytes));
  std::int64_t bytes = 0;
  for_each_range(f, where, page,
                 [&](std::int64_t begin, std::int64_t end) { bytes += ((end - 1) / page - begin / page + 1) * page; });
  return bytes <= std::max(share, 2 * page);
}

void residency::announce(std::uint64_t position, std::span<const use> uses) {
  const std::lock_guard held(mutex_);
  for (const use& u : uses) {
    if (u.device == location::host_index || u.where->empty() || !pools_[at(u.device)].tracked) continue;
    const auto found = arrays_.find(u.array);
    if (found == arrays_.end()) continue;  // declared by an instruction that is still to come
    copy_span& s = span_of(u.array, found->second, u.device);
    for_each_range(*s.format, *u.where, s.page, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin / s.page; k * s.page < end; ++k) s.blocks[at(k)].uses.expect(position);
    });
  }
}

/// Notes what the reservation wants of each block.
void residency::touch(const use& u) {
  copy_span& s = arrays_.at(u.array).copies[at(u.device)];
  const bool dense = u.written && is_dense(*s.format, *u.where);
  for_each_range(*s.format, *u.where, s.page, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin / s.page; k * s.page < end; ++k) {
      block& b = s.blocks[at(k)];
      if (b.stamp != stamp_) {
        b.stamp = stamp_;
        b.read = b.written = b.overwritten = false;
        b.uses.reach(position_);
        touched_.push_back(&b);
      }
      b.read = b.read || !u.written;
      b.written = b.written || u.written;
      b.overwritten = b.overwritten || planted("part_taken_for_whole") ||
                      (dense && begin <= std::max(b.begin, s.format->origin) && end >= b.begin + length(b));
    }
  });
}

void residency::reserve(std::uint64_t position, std::span<const use> uses, std::vector<event>& waits,
                        workspace besides) {
  lock held(mutex_);
  touched_.clear();
  bury_the_dead();
  pools_[at(unclaimed_.device)].used -= unclaimed_.bytes;  // its instruction failed
  unclaimed_ = {};
  for (pool& p : pools_) p.take_back_workspace();
  for (const use& u : uses) {
    if (u.device == location::host_index || u.where->empty()) continue;
    copy_span& s = span_of(u.array, arrays_.at(u.array), u.device);
    if (!pools_[at(u.device)].tracked && !back_all(s, *u.where)) track(u.device, held);
  }
  pool& lender = pools_[at(besides.device)];
  if (!lender.tracked && !lender.has_room(besides.bytes)) track(besides.device, held);
  const auto lend = [&] {
    lender.count(besides.bytes);
    unclaimed_ = besides;
  };
  if (!short_.load(std::memory_order_relaxed)) return lend();

  ++stamp_;
  position_ = position;
  for (const use& u : uses)
    if (u.device != location::host_index && !u.where->empty() && pools_[at(u.device)].tracked) touch(u);
  std::vector<std::int64_t> wanted(pools_.size());
  if (lender.tracked) wanted[at(besides.device)] = besides.bytes;
  for (block* b : touched_) {
    if (std::exchange(b->leaving, false)) std::erase(pools_[at(b->home->device)].leaving, b);
    if (!b->resident) wanted[at(b->home->device)] += b->bytes;
  }
  for (std::size_t d = 0; d < pools_.size(); ++d)
    if (wanted[d] > 0) make_room(static_cast<std::int32_t>(d), wanted[d], held);
  for (block* b : touched_) {
    if (!b->resident) {
      give_memory(*b, held);
      if (b->below && b->defined && (b->read || !b->overwritten)) arrive(*b, held);
      if (!b->below) b->defined = false;
    }
    if (!b->arrival.done() && !planted("arrival_unawaited")) waits.push_back(b->arrival);
    if (!b->written) continue;
    if (b->below && !b->below->ready.done()) waits.push_back(b->below->ready);
    b->defined = true;
    b->dirty = b->dirty || !planted("dirty_block_lost") || !b->below;
  }
  for (std::size_t d = 0; d < pools_.size(); ++d)
    if (wanted[d] > 0) leave_ahead(static_cast<std::int32_t>(d), 2 * wanted[d], held);
  lend();
  bury_the_dead();
}

void residency::reserved_for(const event& last) {
  if (touched_.empty() && unclaimed_.bytes == 0) return;
  const std::lock_guard held(mutex_);
  if (unclaimed_.bytes > 0) pools_[at(unclaimed_.device)].lent.emplace_back(last, unclaimed_.bytes);
  unclaimed_ = {};
  std::vector<std::int64_t> bytes(pools_.size());
  for (block* b : touched_) {
    b->add_user(last);
    bytes[at(b->home->device)] += b->bytes;
  }
  for (std::size_t d = 0; d < pools_.size(); ++d)
    if (bytes[d] > 0) pools_[d].under_way.emplace_back(last, bytes[d]);
  touched_.clear();
}

void residency::release(array_id id) noexcept {
  const lock held(mutex_);
  released_.push_back(id);
  if (!pinned_) bury_the_dead();
}

void residency::release_now(array_id id) noexcept {
  const auto found = arrays_.find(id);
  if (found == arrays_.end()) return;
  for (copy_span& s : found->second.copies)
    for (block& b : s.blocks)
      if (b.resident) forget_resident(b);
  coldest_.clear();  // some may be its own
  auto node = arrays_.extract(found);
  if (busy(node.mapped()))
    dead_.push_back(std::move(node));
  else
    destroy(node.mapped());
}

std::int64_t residency::peak_bytes(int device) const {
  const std::lock_guard held(mutex_);
  return pools_[at(device)].peak;
}

spill_counters residency::counters() const {
  const std::lock_guard held(mutex_);
  return counters_;
}

std::string residency::describe() const {
  const std::lock_guard held(mutex_);
  return describe_locked();
}

std::string residency::describe_locked() const {
  std::string text;
  for (std::size_t d = 0; d < pools_.size(); ++d)
    text += cat(devices_[d].backend->devices()[at(devices_[d].index)].name, " holds ", pools_[d].used, " of ",
                pools_[d].budget, " bytes; ");
  text += cat("host memory for what leaves devices: ", host_taken(), " of ", below_.host, " bytes, ", messages_->used(),
              " of them for messages; disk: ", file_.used(), " of ", below_.spill_limit, " bytes in ",
              below_.spill_directory, "; live arrays:");
  for (const auto& [id, e] : arrays_)
    if (e.host == nullptr)
      text += cat("\n  array ", id.value, " ", to_string(e.format.shape), ": ", e.format.bytes, " bytes");
  return text;
}

void residency::throw_out_of_memory(std::int32_t device, std::int64_t bytes, array_id wanted) const {
  const device::device_info& info = devices_[at(device)].backend->devices()[at(devices_[at(device)].index)];
  throw out_of_memory(cat("no room for ", bytes, " bytes of array ", wanted.value, " on device ", info.name,
                          ", which may hold ", info.memory, " (TESSERA_DEVICE_MEMORY): ", describe_locked()));
}

}  // namespace tessera::memory
