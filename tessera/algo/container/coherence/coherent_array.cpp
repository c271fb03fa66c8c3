#include "tessera/algo/container/coherence/coherent_array.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tessera/algo/container/placement.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

/// What messages about an access of a single element name instead of a line.
constexpr call_site element_access{"access to an element", 0};

std::vector<std::pair<std::int64_t, std::int64_t>> slice_of(const box& b) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (int k = 0; k < b.rank(); ++k) ranges.emplace_back(b.lo[k], b.hi[k]);
  return ranges;
}

container_options placed(container_options options) {
  if (!options.ctx) options.ctx = default_context();
  return options;
}

}  // namespace

coherent_array::coherent_array(const container_options& options, const extents& shape, const dtype& type,
                               std::vector<std::byte> fill)
    : options_(placed(options)), type_(type), shape_(shape), fill_(std::move(fill)) {
  std::int64_t elements = 1;
  for (const std::int64_t n : shape) {
    if (n < 0) throw argument_error(cat("a container's shape has a negative extent: ", to_string(shape)));
    if (__builtin_mul_overflow(elements, n, &elements)) elements = std::numeric_limits<std::int64_t>::max();
  }
  require_room(elements);
  capacity_ = elements;
  window_.reset(options_, shape_, capacity_, type_.size);
  checks_ = ctx().engine()->checks() != check_list{};
}

void coherent_array::require_room(std::int64_t elements) const {
  constexpr std::int64_t address_space = std::int64_t{1} << 47;
  if (elements < 0) throw argument_error(cat("a container of ", elements, " elements"));
  if (elements > address_space / type_.size)
    throw out_of_memory(
        cat("a container of ", elements, " elements of ", type_.size, " bytes is more than a machine can address"));
}

const array_base& coherent_array::array(call_site here) {
  if (has_array()) return array_;
  const extents room = shape_.rank() == 1 ? extents{capacity_} : shape_;
  const plan::layout home = options_.home ? *options_.home : usual_layout(ctx(), room, type_);
  array_ = options_.ctx->empty(room, type_, simple_distribution(home), here);
  if (!fill_.empty() && !planted("array_not_filled")) array_.fill_bytes(fill_, here);
  return array_;
}

window::origin coherent_array::origin(call_site here) {
  if (!fill_.empty()) return {array_, fill_};
  if (!has_array() && window_.holds_all()) return {};
  return {array(here), {}};
}

array_base coherent_array::for_launch(access mode, const box& part, call_site here) {
  require_free(mode, part, here);
  close();
  if (mode != access::read && !planted("routes_kept")) forget_fact();
  const linear_range range = range_of(part, shape_);
  const array_base& elements = array(here);
  const bool overwritten = mode == access::write && is_contiguous(part, shape_);
  if (window_.send(range, overwritten, elements, here) || mode != access::read) fill_.clear();
  if (mode != access::read && !planted("window_kept")) window_.forget(range);
  return elements.slice(slice_of(part));
}

std::uint32_t coherent_array::held_by() {
  close();
  return has_array() && !window_.changed_all() ? held_by_ : 0;
}

void coherent_array::send_all(call_site here) {
  close();
  if (window_.send(all(), false, array(here), here)) fill_.clear();
}

void coherent_array::forget_all() {
  close();
  forget_fact();
  window_.send(all(), true, array_, {});
  window_.forget(all());
  fill_.clear();
}

// Elements.

void coherent_array::note_open() {
  if (open_.write_count == 0) return;
  window::portion& b = window_.at(open_portion_);
  if (open_.changed.lo < open_.changed.hi) b.changed = hull(b.changed, open_.changed);
  if (open_.grow_at != open_elements::never) b.valid.hi = std::max(b.valid.hi, open_.grow_at);
}

void coherent_array::close() {
  note_open();
  open_ = {};
}

void coherent_array::require_current(std::uint64_t generation) const {
  if (checks_ && generation != generation_)
    throw argument_error("an iterator or a part of a container is used that is from before a change of its size");
}

void coherent_array::require_offset(access mode, std::int64_t offset, std::uint64_t generation) const {
  require_current(generation);
  if (offset < 0 || offset >= size()) throw argument_error(cat("there is no element ", offset, " among ", size()));
  if (!guards_.any_apart()) return;
  for (const box& b : boxes_of({offset, offset + 1}, shape_)) guards_.refuse(mode, b, "access to an element", {});
}

std::byte* coherent_array::find_to_read(std::int64_t offset, std::uint64_t generation) {
  require_offset(access::read, offset, generation);
  note_open();
  const std::size_t number = window_.portion_of(offset);
  if (!window_.at(number).valid.has(offset)) {
    close();
    window_.fetch(window_.bounds(number), origin(element_access), element_access);
  }
  std::byte* const data = window_.memory();
  if (!checks_ && !guards_.any_apart()) {
    const linear_range valid = window_.holds_all() ? all() : window_.at(number).valid;
    open_.data = data;
    open_.read_lo = valid.lo;
    open_.read_count = static_cast<std::uint64_t>(valid.size());
  }
  return data + offset * type_.size;
}

std::byte* coherent_array::find_to_write(std::int64_t offset, std::uint64_t generation) {
  require_offset(access::write, offset, generation);
  close();
  forget_fact();
  const std::size_t number = window_.portion_of(offset);
  const linear_range bounds = window_.bounds(number), one{offset, offset + 1};
  window::portion& b = window_.at(number);
  if (!b.valid.joins(one)) window_.fetch(bounds, origin(element_access), element_access);
  std::byte* const data = window_.memory();
  window_.settle(bounds);
  b.valid = hull(b.valid, one);
  b.changed = hull(b.changed, one);
  if (!checks_ && !guards_.any_apart()) {
    open_portion_ = number;
    open_.data = data;
    open_.write_lo = b.valid.lo;
    open_.write_count = static_cast<std::uint64_t>(b.valid.size());
    open_.changed = b.changed;
    if (b.valid.hi < bounds.hi) {
      open_.grow_at = b.valid.hi;
      open_.grow_end = bounds.hi;
      ++open_.write_count;
    } else if (shape_.rank() == 1 && bounds.hi == size()) {
      open_.tail = size();
      open_.tail_end = window_.end_of(number);
    }
  }
  return data + offset * type_.size;
}

// Guards.

coherent_array::held coherent_array::hold(access mode, const box& part, call_site here) {
  guards_.refuse(mode, part, "guard", here);
  close();
  if (mode != access::read) forget_fact();
  const guard_list::guard made{0, mode, part, here, false};
  const std::int64_t bytes = part.volume() * type_.size;
  const linear_range range = range_of(part, shape_);
  if (part.empty()) return {guards_.add(made), nullptr, 0};
  if (is_contiguous(part, shape_) && (mode == access::read || range == all())) {
    if (mode != access::write) window_.fetch(range, origin(here), here);
    if (mode != access::read) window_.overwrite(range, origin(here), here);
    return {guards_.add(made), window_.memory() + range.lo * type_.size, bytes};
  }
  std::vector<std::byte> elements(static_cast<std::size_t>(bytes));
  if (mode != access::write) read(part, elements, here);
  return hold_apart(made, std::move(elements), false);
}

coherent_array::held coherent_array::hold_apart(guard_list::guard made, std::vector<std::byte> bytes, bool own) {
  made.apart = made.mode != access::read;
  close();
  std::erase_if(buffers_, [](const buffer& b) { return b.ticket == 0 && b.leaving.done(); });
  buffers_.push_back({guards_.add(made), own, std::move(bytes)});
  std::vector<std::byte>& kept = buffers_.back().bytes;
  return {buffers_.back().ticket, kept.data(), std::ssize(kept)};
}

std::vector<box> coherent_array::own_boxes() { return array({}).slice(slice_of(whole())).own_boxes(); }

coherent_array::held coherent_array::hold_own(access mode, call_site here) {
  guards_.refuse(mode, whole(), "guard", here);
  send_all(here);
  if (mode != access::read) forget_fact();
  std::int64_t count = 0;
  for (const box& b : own_boxes()) count += b.volume();
  std::vector<std::byte> elements(static_cast<std::size_t>(count * type_.size));
  if (mode != access::write) array(here).slice(slice_of(whole())).read_own_bytes(elements, here);
  return hold_apart({0, mode, whole(), here, false}, std::move(elements), true);
}

void coherent_array::give_back(std::uint64_t ticket) {
  const guard_list::guard ended = guards_.remove(ticket);
  const auto found =
      std::find_if(buffers_.begin(), buffers_.end(), [&](const buffer& b) { return b.ticket == ticket; });
  if (found == buffers_.end()) return;
  found->ticket = 0;
  const bool lost = ended.mode == access::readwrite && planted("guard_dropped");
  if (ended.mode != access::read && !lost) put_back(ended, *found);
  if (found->leaving.done()) buffers_.erase(found);
}

void coherent_array::put_back(const guard_list::guard& ended, buffer& elements) {
  close();
  const linear_range range = range_of(ended.part, shape_);
  if (elements.own) {
    forget_all();
    array_.slice(slice_of(whole())).write_own_bytes(elements.bytes, ended.site);
  } else if (is_contiguous(ended.part, shape_)) {
    window_.overwrite(range, origin(ended.site), ended.site);
    std::memcpy(window_.memory() + range.lo * type_.size, elements.bytes.data(), elements.bytes.size());
  } else {
    elements.leaving =
        for_launch(access::readwrite, ended.part, ended.site).write_bytes_async(elements.bytes, ended.site);
  }
}

// Control and exchange.

void coherent_array::update_host(call_site here) {
  guards_.refuse(access::read, whole(), "update_host", here);
  close();
  window_.fetch(all(), origin(here), here);
  window_.memory();
}

void coherent_array::update_device(call_site here) {
  guards_.refuse(access::read, whole(), "update_device", here);
  send_all(here);
}

void coherent_array::invalidate_device(call_site here) {
  update_host(here);
  window_.own_all();
}

void coherent_array::flush(call_site here) {
  invalidate_device(here);
  fill_.clear();
  array_ = {};
}

void coherent_array::gather(const box& part, std::span<std::byte> to) {
  // Row by row: elements that are together in the window.
  const int last = part.rank() - 1;
  const std::size_t bytes = static_cast<std::size_t>(part.extent(last) * type_.size);
  extents at = part.lo;
  for (std::size_t done = 0; done < to.size(); done += bytes) {
    std::memcpy(to.data() + done, window_.memory() + offset_of(dense_strides(shape_, type_.size), at), bytes);
    for (int k = last - 1; k >= 0 && ++at[k] == part.hi[k]; --k) at[k] = part.lo[k];
  }
}

void coherent_array::read(const box& part, std::span<std::byte> to, call_site here) {
  guards_.refuse(access::read, part, "read", here);
  if (part.empty()) return;
  close();
  const linear_range range = range_of(part, shape_);
  if (has_array() && !window_.holds(range))
    return for_launch(access::read, part, here).read_bytes_async(to, here).wait();
  window_.fetch(range, origin(here), here);
  gather(part, to);
}

void coherent_array::fill(std::vector<std::byte> value, call_site here) {
  guards_.refuse(access::write, whole(), "fill", here);
  forget_all();
  if (has_array()) array_.fill_bytes(value, here);
  fill_ = std::move(value);
}

}  // namespace tessera::algo
