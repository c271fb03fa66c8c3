#include "tessera/array/array.h"

#include "tessera/base/checked.h"
#include "tessera/runtime/engine.h"

namespace tessera {

struct transfer::state {
  std::shared_ptr<runtime::engine> engine;
  std::shared_ptr<runtime::ticket> ticket;
  array_id buffer;

  ~state() {
    // The caller's memory is in use until then, also if nobody asked.
    ticket->wait();
    engine->release_host(buffer);
  }
};

void transfer::wait() {
  if (state_) state_->engine->wait(*state_->ticket, state_->buffer);
}

bool transfer::done() const { return !state_ || state_->ticket->done(); }

array_record::~array_record() {
  try {
    engine->submit(plan::drop_task{id});
  } catch (...) {
    // The engine has stopped: its memory goes with it.
  }
}

array_base::array_base(std::shared_ptr<const array_record> record)
    : record_(std::move(record)), box_(box::whole(record_->plan_shape)), shape_(record_->shape) {}

array_base array_base::sliced(std::span<const std::pair<std::int64_t, std::int64_t>> ranges) const {
  if (!record_) throw argument_error("slice of an array that was not created");
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

void array_base::check_use(std::size_t count, const char* verb) const {
  if (!record_) throw argument_error(cat(verb, " of an array that was not created"));
  if (static_cast<std::int64_t>(count) != size())
    throw argument_error(cat(verb, " of an array of ", size(), " elements ", to_string(shape_), " with ", count));
}

template <class Task>
transfer array_base::start(std::byte* memory, std::size_t count, const char* verb) const {
  check_use(count, verb);
  transfer result;
  if (count == 0) return result;
  runtime::engine& e = *record_->engine;
  extents dense = box_.hi;
  for (int k = 0; k < dense.rank(); ++k) dense[k] -= box_.lo[k];
  const array_id buffer = e.adopt_host(dense, record_->type, memory);
  auto [ticket, number] = e.new_ticket();
  result.state_ = std::shared_ptr<transfer::state>(new transfer::state{record_->engine, ticket, buffer});
  e.submit(Task{record_->id, box_, buffer, number});
  return result;
}

transfer array_base::start_read(std::byte* to, std::size_t count) const {
  return start<plan::host_read_task>(to, count, "read");
}

transfer array_base::start_write(const std::byte* from, std::size_t count) const {
  // The memory is only read from: a host write copies out of the buffer.
  return start<plan::host_write_task>(const_cast<std::byte*>(from), count, "write");
}

void array_base::fill_with(std::vector<std::byte> value) const {
  if (!record_) throw argument_error("fill of an array that was not created");
  if (size() == 0) return;
  record_->engine->submit(plan::fill_task{record_->id, box_, std::move(value)});
}

template <>
std::vector<bool> array<bool>::read() const {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(size()));
  start_read(reinterpret_cast<std::byte*>(bytes.data()), bytes.size()).wait();
  return {bytes.begin(), bytes.end()};
}

template <>
void array<bool>::write(std::span<const bool> from) const {
  start_write(reinterpret_cast<const std::byte*>(from.data()), from.size()).wait();
}

}  // namespace tessera
