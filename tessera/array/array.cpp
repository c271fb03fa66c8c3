#include "tessera/array/array.h"

#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/host_transfer.h"

namespace tessera {
namespace {

using runtime::host_participants;

host_participants with(host_participants::kind which, int rank = 0) { return {which, rank}; }

}  // namespace

void transfer::wait() {
  if (pending_) pending_->wait();
}

bool transfer::done() const { return !pending_ || pending_->done(); }

array_base::array_base(std::shared_ptr<const runtime::array_record> record)
    : record_(std::move(record)), box_(box::whole(record_->plan_shape)), shape_(record_->shape) {}

void array_base::require_created(const char* verb) const {
  if (!record_) throw argument_error(cat(verb, " of an array that was not created"));
}

void array_base::refuse_value() const {
  if (record_ && record_->is_value) throw argument_error("a value cannot be changed");
}

void array_base::require_type(const dtype& type) const {
  if (record_ && !interchangeable(record_->type, type))
    throw argument_error(cat("an array of ", to_string(record_->type), " is no array of ", to_string(type)));
}

dtype array_base::type() const {
  require_created("type");
  return record_->type;
}

std::string array_base::name() const {
  require_created("name");
  return record_->owner->name_of(record_->id);
}

void array_base::set_name(std::string name) const {
  require_created("set_name");
  record_->owner->set_name(record_->id, std::move(name));
}

array_base array_base::slice(index_ranges ranges) const {
  require_created("slice");
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
  require_created("own_boxes");
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

void array_base::check_exchange(std::size_t bytes, participants ranks, int rank, const char* verb) const {
  require_created(verb);
  const int nodes = record_->owner->machine().node_count();
  if (ranks == participants::one && (rank < 0 || rank >= nodes))
    throw argument_error(cat(verb, " on rank ", rank, ", but there are ", nodes));
  const std::size_t expected = count_for(ranks, rank), element = record_->type.size;
  if (bytes == expected * element) return;
  const std::string own = ranks == participants::own ? cat(", ", expected, " of them its own,") : "";
  const std::string given = bytes % element == 0 ? cat(bytes / element) : cat(bytes, " bytes");
  throw argument_error(cat(verb, " of an array of ", size(), " elements ", to_string(shape_), own, " with ", given));
}

transfer array_base::start_read(std::span<std::byte> to, participants ranks, int rank, call_site here) const {
  check_exchange(to.size(), ranks, rank, "read");
  if (size() == 0) return {};
  return transfer(record_->owner->exchange({runtime::host_transfer::direction::read, record_, box_, to.data(),
                                            with(static_cast<host_participants::kind>(ranks), rank)},
                                           here));
}

transfer array_base::start_write(std::span<const std::byte> from, participants ranks, int rank, call_site here) const {
  refuse_value();
  check_exchange(from.size(), ranks, rank, "write");
  if (size() == 0) return {};
  // The memory is only read: a write copies out of it.
  auto* const memory = const_cast<std::byte*>(from.data());
  return transfer(record_->owner->exchange({runtime::host_transfer::direction::write, record_, box_, memory,
                                            with(static_cast<host_participants::kind>(ranks), rank)},
                                           here));
}

void array_base::read_here(std::span<std::byte> to, call_site here) const {
  record_->owner
      ->exchange(
          {runtime::host_transfer::direction::read, record_, box_, to.data(), with(host_participants::kind::here)},
          here)
      ->wait();
}

std::vector<std::byte> array_base::read_bytes(call_site here) const {
  require_created("read");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size() * record_->type.size));
  read_bytes_async(bytes, here).wait();
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

void array_base::fill_bytes(std::span<const std::byte> value, call_site here) const {
  require_created("fill");
  refuse_value();
  if (value.size() != record_->type.size)
    throw argument_error(cat("fill of an array of ", to_string(record_->type), " with ", value.size(), " bytes"));
  record_->owner->fill(*record_, box_, {value.begin(), value.end()}, here);
}

array_base array_base::kept(call_site here) const {
  require_created("value()");
  if (size() != 1)
    throw argument_error(
        cat("value() of an array of ", size(), " elements ", to_string(shape_), "; one is expected: take a slice"));
  return array_base(record_->owner->keep(*record_, box_, here));
}

}  // namespace tessera
