#include "tessera/array/array.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/host_transfer.h"

namespace tessera {
namespace {

using runtime::host_participants;

host_participants with(host_participants::kind participants, int rank = 0) { return {participants, rank}; }

using record_ptr = std::shared_ptr<const runtime::array_record>;

void require_created(const record_ptr& record, const char* verb) {
  if (!record) throw argument_error(cat(verb, " of an array that was not created"));
}

void refuse_value(const record_ptr& record) {
  if (record && record->is_value) throw argument_error("a value cannot be changed");
}

/// An exchange between `bytes` bytes of this rank and the `expected` elements that it has of `a`.
void check_exchange(const array_base& a, std::size_t bytes, std::size_t expected, const host_participants& ranks,
                    const char* verb) {
  require_created(a.record(), verb);
  const int nodes = a.record()->owner->machine().node_count();
  if (ranks.form == host_participants::kind::one && (ranks.rank < 0 || ranks.rank >= nodes))
    throw argument_error(cat(verb, " on rank ", ranks.rank, ", but there are ", nodes));
  const std::size_t element = a.record()->type.size;
  if (bytes == expected * element) return;
  const bool is_own = ranks.form == host_participants::kind::own;
  const std::string own = is_own ? cat(", ", expected, " of them its own,") : "";
  const std::string given = bytes % element == 0 ? cat(bytes / element) : cat(bytes, " bytes");
  throw argument_error(
      cat(verb, " of an array of ", a.size(), " elements ", to_string(a.shape()), own, " with ", given));
}

constexpr std::int64_t large_result = std::int64_t{32} << 20;  // bytes
constexpr std::int64_t result_piece = std::int64_t{16} << 20;

/// The first axis with more than one index, else the last: parts of it lie one behind the other.
int leading_axis(const extents& shape) {
  int k = 0;
  while (k < shape.rank() - 1 && shape[k] == 1) ++k;
  return k;
}

/// The ranges of `axis` that a read of `shape` takes one after the other: the same on all ranks.
std::vector<std::pair<std::int64_t, std::int64_t>> pieces_of(const extents& shape, int axis, std::int64_t row_bytes) {
  const std::int64_t rows = std::max<std::int64_t>(1, result_piece / row_bytes);
  std::vector<std::pair<std::int64_t, std::int64_t>> pieces;
  for (std::int64_t lo = 0; lo < shape[axis]; lo += rows) pieces.emplace_back(lo, std::min(lo + rows, shape[axis]));
  return pieces;
}

}  // namespace

void transfer::wait() {
  if (pending_) pending_->wait();
}

bool transfer::done() const { return !pending_ || pending_->done(); }

array_base::array_base(std::shared_ptr<const runtime::array_record> record)
    : record_(std::move(record)), box_(box::whole(record_->plan_shape)), shape_(record_->shape) {}

void array_base::require_type(const dtype& type) const {
  if (record_ && !interchangeable(record_->type, type))
    throw argument_error(cat("an array of ", to_string(record_->type), " is no array of ", to_string(type)));
}

dtype array_base::type() const {
  require_created(record_, "type");
  return record_->type;
}

std::string array_base::name() const {
  require_created(record_, "name");
  return record_->owner->name_of(record_->id);
}

void array_base::set_name(std::string name) const {
  require_created(record_, "set_name");
  record_->owner->set_name(record_->id, std::move(name));
}

array_base array_base::slice(index_ranges ranges) const {
  require_created(record_, "slice");
  if (static_cast<int>(ranges.size()) > shape_.rank())
    throw argument_error(cat("a slice of ", ranges.size(), " axes of an array of ", shape_.rank()));
  array_base result = *this;
  for (int k = 0; k < static_cast<int>(ranges.size()); ++k) {
    const auto [lo, hi] = ranges[static_cast<std::size_t>(k)];
    if (lo < 0 || hi < lo || hi > shape_[k])
      throw argument_error(cat("the slice ", lo, ":", hi, " of axis ", k, " is outside 0:", shape_[k]));
    result.box_.hi[k] = box_.lo[k] + hi;
    result.box_.lo[k] = box_.lo[k] + lo;
    result.shape_[k] = hi - lo;
  }
  return result;
}

std::vector<box> array_base::own_boxes() const {
  require_created(record_, "own_boxes");
  std::vector<box> parts = record_->owner->own_parts(*record_, box_);
  for (box& b : parts) b = translate(b, negative(box_.lo));
  return parts;
}

std::size_t array_base::count_for(participants ranks, int rank) const {
  if (ranks == participants::every) return static_cast<std::size_t>(size());
  if (!record_) return 0;
  if (ranks == participants::one) return record_->owner->node().value == rank ? static_cast<std::size_t>(size()) : 0;
  std::int64_t sum = 0;
  for (const box& b : record_->owner->own_parts(*record_, box_)) sum += b.volume();
  return static_cast<std::size_t>(sum);
}

transfer array_base::start_read(std::span<std::byte> to, participants ranks, int rank, call_site here) const {
  const host_participants taking_part = with(static_cast<host_participants::kind>(ranks), rank);
  check_exchange(*this, to.size(), count_for(ranks, rank), taking_part, "read");
  if (size() == 0) return {};
  return transfer(
      record_->owner->exchange({runtime::host_transfer::direction::read, record_, box_, to.data(), taking_part}, here));
}

void array_base::read_growing(std::span<std::byte> room, const std::function<void(std::size_t)>& grow,
                              participants ranks, int rank, call_site here) const {
  const std::int64_t bytes = record_ ? size() * static_cast<std::int64_t>(record_->type.size) : 0;
  if (bytes < large_result || ranks == participants::own) {
    grow(count_for(ranks, rank));
    return start_read(room, ranks, rank, here).wait();
  }
  runtime::ask_for_huge_pages(room);
  const int axis = leading_axis(shape_);
  const std::int64_t row_bytes = bytes / shape_[axis];
  std::vector<transfer> pieces;  // each waits for its end, should another one fail
  for (const auto& [lo, hi] : pieces_of(shape_, axis, row_bytes)) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (int k = 0; k < axis; ++k) ranges.emplace_back(0, 1);
    ranges.emplace_back(lo, hi);
    std::span<std::byte> piece;  // of nothing where another rank reads
    if (!room.empty()) {
      piece = room.subspan(static_cast<std::size_t>(lo * row_bytes), static_cast<std::size_t>((hi - lo) * row_bytes));
      runtime::touch_pages(piece);
      grow(static_cast<std::size_t>(size() / shape_[axis] * hi));
    }
    pieces.push_back(slice(ranges).start_read(piece, ranks, rank, here));
  }
  for (transfer& piece : pieces) piece.wait();
}

transfer array_base::start_write(std::span<const std::byte> from, participants ranks, int rank, call_site here) const {
  refuse_value(record_);
  const host_participants taking_part = with(static_cast<host_participants::kind>(ranks), rank);
  check_exchange(*this, from.size(), count_for(ranks, rank), taking_part, "write");
  if (size() == 0) return {};
  // The memory is only read: a write copies out of it.
  auto* const memory = const_cast<std::byte*>(from.data());
  return transfer(
      record_->owner->exchange({runtime::host_transfer::direction::write, record_, box_, memory, taking_part}, here));
}

void array_base::read_here(std::span<std::byte> to, call_site here) const {
  record_->owner
      ->exchange(
          {runtime::host_transfer::direction::read, record_, box_, to.data(), with(host_participants::kind::here)},
          here)
      ->wait();
}

std::vector<std::byte> array_base::read_bytes(call_site here) const {
  require_created(record_, "read");
  const std::size_t element = record_->type.size;
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(size()) * element);
  read_growing(
      {bytes.data(), bytes.capacity()}, [&](std::size_t n) { bytes.resize(n * element); }, participants::every, 0,
      here);
  return bytes;
}

transfer array_base::read_bytes_async(std::span<std::byte> to, call_site here) const {
  return start_read(to, participants::every, 0, here);
}

void array_base::write_bytes(std::span<const std::byte> from, call_site here) const {
  write_bytes_async(from, here).wait();
}

transfer array_base::write_bytes_async(std::span<const std::byte> from, call_site here) const {
  return start_write(from, participants::every, 0, here);
}

void array_base::read_bytes_on(int rank, std::span<std::byte> to, call_site here) const {
  start_read(to.first(count_for(participants::one, rank) == 0 ? 0 : to.size()), participants::one, rank, here).wait();
}

void array_base::read_own_bytes(std::span<std::byte> to, call_site here) const {
  start_read(to, participants::own, 0, here).wait();
}

void array_base::write_bytes_from(int rank, std::span<const std::byte> from, call_site here) const {
  const std::size_t taken = count_for(participants::one, rank) == 0 ? 0 : from.size();
  start_write(from.first(taken), participants::one, rank, here).wait();
}

void array_base::write_own_bytes(std::span<const std::byte> from, call_site here) const {
  start_write(from, participants::own, 0, here).wait();
}

void array_base::fill_bytes(std::span<const std::byte> value, call_site here) const {
  require_created(record_, "fill");
  refuse_value(record_);
  if (value.size() != record_->type.size)
    throw argument_error(cat("fill of an array of ", to_string(record_->type), " with ", value.size(), " bytes"));
  record_->owner->fill(*record_, box_, {value.begin(), value.end()}, here);
}

array_base array_base::kept(call_site here) const {
  require_created(record_, "value()");
  if (size() != 1)
    throw argument_error(
        cat("value() of an array of ", size(), " elements ", to_string(shape_), "; one is expected: take a slice"));
  return array_base(record_->owner->keep(*record_, box_, here));
}

}  // namespace tessera
