#include "tessera/algo/container/storage.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tessera/algo/container/element_copy.h"
#include "tessera/array/split.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/plan/partition.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

/// Without numbers of parts, neighbours of vectors on one device as one.
std::vector<plan::placed_box> joined(const std::vector<plan::placed_box>& parts) {
  std::vector<plan::placed_box> made;
  for (const plan::placed_box& p : parts) {
    const bool joins = !made.empty() && p.bounds.rank() == 1 && made.back().device == p.device &&
                       made.back().bounds.hi[0] == p.bounds.lo[0];
    if (joins)
      made.back().bounds.hi[0] = p.bounds.hi[0];
    else
      made.push_back({p.bounds, p.device, 0});
  }
  return made;
}

std::vector<std::pair<std::int64_t, std::int64_t>> slice_of(const box& b) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (int k = 0; k < b.rank(); ++k) ranges.emplace_back(b.lo[k], b.hi[k]);
  return ranges;
}

}  // namespace

std::shared_ptr<storage> no_elements(int axes, const dtype& type) {
  return std::make_shared<storage>(container_options{}, extents::uniform(axes, 0), type, std::vector<std::byte>());
}

array_base storage::elements(call_site here) {
  if (shape_.rank() == 1) return array(here).slice({{0, size()}});
  return array(here);
}

std::shared_ptr<storage> storage::copy(call_site here) {
  guards_.refuse(access::read, whole(), "copy", here);
  close();
  auto made = std::make_shared<storage>(options_, shape_, type_, fill_);
  if (size() == 0 || (!has_array() && !window_.changed_any())) return made;
  if (has_array()) {
    const array_base from = planted("copy_before_changes") ? elements(here) : for_launch(access::read, whole(), here);
    copy_elements(made->array(here), from, here);
    made->fill_.clear();
    return made;
  }
  window_.fetch(all(), origin(here), here);
  std::memcpy(made->window_.memory(), window_.memory(), static_cast<std::size_t>(size() * type_.size));
  made->window_.own_all();
  made->fill_.clear();
  return made;
}

// Size.

void storage::settle(call_site here) {
  const std::int64_t size = expected_.get(here);
  expected_ = {};
  if (size == this->size()) return;
  ++generation_;
  set_size(size);
}

void storage::begin_change(const char* call, call_site here) {
  guards_.refuse_all(call, here);
  close();
  forget_fact();
  ++generation_;
}

std::int64_t storage::room_for(std::int64_t size) const {
  require_room(size);
  return size <= capacity_ ? capacity_ : std::max(size, capacity_ + capacity_ / 2);
}

void storage::set_size(std::int64_t size) {
  shape_ = {size};
  window_.set_shape(shape_);
}

void storage::move_to(std::int64_t capacity, bool on_host, call_site here) {
  if (has_array() && !on_host && size() > 0) {
    send_all(here);
    const array_base before = elements(here);
    array_ = {};
    capacity_ = capacity;
    window_.grow(capacity);
    copy_elements(elements(here), before, here);
    fill_.clear();
    return;
  }
  const bool is_filled = !fill_.empty() && !window_.changed_any();
  if (!is_filled) window_.fetch(all(), origin(here), here);
  array_ = {};
  capacity_ = capacity;
  window_.grow(capacity);
  if (is_filled) return;
  window_.own_all();
  fill_.clear();
}

void storage::reserve(std::int64_t capacity, call_site here) {
  require_room(capacity);
  if (capacity <= capacity_) return;
  begin_change("reserve", here);
  move_to(capacity, window_.changed_all(), here);
}

void storage::shrink_to_fit(call_site here) {
  if (capacity_ == size()) return;
  begin_change("shrink_to_fit", here);
  move_to(size(), window_.changed_all(), here);
}

void storage::resize(std::int64_t size, const std::vector<std::byte>& value, call_site here) {
  require_room(size);
  const std::int64_t before = this->size();
  if (size == before) return;
  begin_change("resize", here);
  if (size > capacity_) move_to(size, window_.changed_all(), here);
  set_size(size);
  if (size < before) return;
  if (has_array()) {
    array_.slice({{before, size - planted("resize_one_short")}}).fill_bytes(value, here);
    if (fill_ != value) fill_.clear();
  } else if (before == 0) {
    fill_ = value;
  } else if (fill_ != value) {
    const linear_range added{before, size};
    window_.overwrite(added, origin(here), here);
    for (std::int64_t x = before; x < size; ++x)
      std::memcpy(window_.memory() + x * type_.size, value.data(), value.size());
  }
}

void storage::reshape(const extents& shape, const std::vector<std::byte>& value, call_site here) {
  if (shape == shape_) return;
  if (shape_.rank() == 1) return resize(shape[0], value, here);
  begin_change("resize", here);
  storage made(options_, shape, type_, value);
  const box common = intersect(whole(), made.whole());
  if (!common.empty()) {
    copy_elements(made.for_launch(access::readwrite, common, here), for_launch(access::read, common, here), here);
    made.fill_.clear();
  }
  shape_ = shape;
  capacity_ = made.capacity_;
  fill_ = made.fill_;
  array_ = made.array_;
  window_.reset(options_, shape_, capacity_, type_.size);
}

void storage::replace(storage& made, const char* call, call_site here) {
  const bool keeps_size = shape_ == made.shape_;  // then guards of no elements may be held
  if (keeps_size && !made.expects_size())
    guards_.refuse(access::readwrite, whole(), call, here);
  else
    guards_.refuse_all(call, here);
  close();
  made.close();
  forget_fact();
  if (!keeps_size) ++generation_;
  shape_ = made.shape_;
  capacity_ = made.capacity_;
  fill_ = made.fill_;
  array_ = made.array_;
  options_.home = made.options_.home;
  held_by_ = made.held_by_;
  expected_ = std::exchange(made.expected_, {});
  window_.reset(options_, shape_, capacity_, type_.size);
  if (checks_ && expects_size()) settle(here);  // iterators that are there are to be refused
}

void storage::extend(call_site here) {
  guards_.refuse_all("push_back", here);
  const std::int64_t size = this->size() + 1;
  close();
  if (size > capacity_) {
    ++generation_;
    move_to(room_for(size), window_.changed_all(), here);
  }
  set_size(size);
}

void storage::shift(std::int64_t from, std::int64_t to, std::int64_t capacity, call_site here) {
  send_all(here);
  const std::int64_t moved = size() - from, lost = moved > 0 && planted("erase_one_short") ? 1 : 0;
  const array_base before = array_;
  array_ = {};
  fill_.clear();
  capacity_ = capacity;
  shape_ = {to + moved};
  window_.reset(options_, shape_, capacity_, type_.size);
  const std::int64_t kept = std::min(from, to);
  copy_elements(array(here).slice({{0, kept}}), before.slice({{0, kept}}), here);
  copy_elements(array_.slice({{to, to + moved - lost}}), before.slice({{from, from + moved - lost}}), here);
}

void storage::shift_on_host(std::int64_t from, std::int64_t to, call_site here) {
  const std::int64_t moved = size() - from;
  window_.fetch(all(), origin(here), here);
  if (to > from) set_size(to + moved);
  const linear_range changed{std::min(from, to), to + moved};
  window_.overwrite(changed, origin(here), here);
  std::byte* const data = window_.memory();
  std::memmove(data + to * type_.size, data + from * type_.size, static_cast<std::size_t>(moved * type_.size));
  if (to < from) set_size(to + moved);
}

std::byte* storage::insert(std::int64_t at, std::int64_t count, call_site here) {
  if (count < 0) throw argument_error(cat("insert of ", count, " elements"));
  if (count == 0) return nullptr;
  const std::int64_t capacity = room_for(size() + count);
  begin_change("insert", here);
  if (is_on_host()) {
    if (capacity > capacity_) move_to(capacity, true, here);
    shift_on_host(at, at + count, here);
  } else {
    shift(at, at + count, capacity, here);
    window_.overwrite({at, at + count}, origin(here), here);
  }
  return window_.memory() + at * type_.size;
}

void storage::erase(std::int64_t at, std::int64_t count, call_site here) {
  if (count == 0) return;
  begin_change("erase", here);
  if (at + count == size())
    set_size(at);
  else if (is_on_host())
    shift_on_host(at + count, at, here);
  else
    shift(at + count, at, capacity_, here);
}

// Parts.

void storage::move_home(const std::optional<plan::layout>& home, call_site here) {
  container_options options = options_;
  options.home = home;
  storage made(options, shape_, type_, fill_);
  const std::vector<plan::placed_box> parts = joined(made.layout());
  if (!has_array()) {
    options_.home = home;
    return;
  }
  if (parts == joined(layout())) return;
  guards_.refuse_all("rebalance", here);
  if (size() > 0) send_all(here);
  // A launch per part: thread blocks of one launch would be cut beside the borders of parts.
  if (std::ssize(parts) <= std::int64_t{4} * ctx().engine()->machine().device_count()) {
    for (const plan::placed_box& part : parts) {
      const device_scope owner(part.device);
      copy_elements(made.array(here).slice(slice_of(part.bounds)), array_.slice(slice_of(part.bounds)), here);
    }
  } else {
    copy_elements(made.elements(here), elements(here), here);
  }
  made.fill_.clear();
  replace(made, "rebalance", here);
}

// Ranks.

void storage::read_on(int rank, std::span<std::byte> to, call_site here) {
  guards_.refuse(access::read, whole(), "to_root", here);
  send_all(here);
  elements(here).read_bytes_on(rank, to, here);
}

void storage::write_own(std::span<const std::byte> from, call_site here) {
  guards_.refuse(access::write, whole(), "from_own", here);
  elements(here).write_own_bytes(from, here);
  forget_all();
}

void storage::write_from(int rank, std::span<const std::byte> from, call_site here) {
  guards_.refuse(access::write, whole(), "from_root", here);
  elements(here).write_bytes_from(rank, from, here);
  forget_all();
}

std::vector<plan::placed_box> storage::layout() {
  std::vector<plan::placed_box> parts;
  array({}).record()->home->pieces(whole(), parts);
  return parts;
}

}  // namespace tessera::algo
