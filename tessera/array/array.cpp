#include "tessera/array/array.h"

#include "tessera/array/make_array.h"
#include "tessera/base/bytes/hash.h"
#include "tessera/base/checked.h"
#include "tessera/runtime/engine.h"

namespace tessera {

struct transfer::state {
  std::shared_ptr<runtime::engine> engine;
  std::shared_ptr<runtime::ticket> ticket;
  std::vector<array_id> buffers;

  ~state() {
    // The caller's memory is in use until then, also if nobody asked.
    ticket->wait();
    for (const array_id b : buffers) engine->release_host(b);
  }
};

void transfer::wait() {
  if (state_) state_->engine->wait(*state_->ticket, state_->buffers);
}

bool transfer::done() const { return !state_ || state_->ticket->done(); }

array_record::~array_record() {
  try {
    engine->submit(plan::drop_task{id});
  } catch (...) {
    // The engine has stopped: its memory goes with it.
  }
}

array_base make_array(const std::shared_ptr<runtime::engine>& engine, const array_blueprint& what, call_site here) {
  plan::create_task task{engine->new_array(), what.plan_shape, what.type, what.home, nullptr};
  task.parts = engine->splits().partition_for(task.home, what.plan_shape);
  auto record = std::shared_ptr<array_record>(
      new array_record{engine, task.array, what.shape, what.plan_shape, what.type, task.parts, what.is_value});
  engine->submit(std::move(task), here);
  return array_base(std::move(record));
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

std::vector<box> array_base::own_parts() const {
  if (!record_) throw argument_error("own_boxes of an array that was not created");
  const runtime::engine& e = *record_->engine;
  return plan::own_boxes(*record_->home, e.machine().devices(e.node()), box_);
}

std::vector<box> array_base::own_boxes() const {
  std::vector<box> parts = own_parts();
  for (box& b : parts) b = translate(b, negative(box_.lo));
  return parts;
}

std::size_t array_base::count_for(participants who) const {
  if (who.how == participants::kind::every || who.how == participants::kind::here)
    return static_cast<std::size_t>(size());
  if (!record_) return 0;
  if (who.how == participants::kind::one)
    return record_->engine->node().value == who.rank ? static_cast<std::size_t>(size()) : 0;
  std::int64_t sum = 0;
  for (const box& b : own_parts()) sum += b.volume();
  return static_cast<std::size_t>(sum);
}

void array_base::check_use(std::size_t count, participants who, const char* verb) const {
  if (!record_) throw argument_error(cat(verb, " of an array that was not created"));
  const int ranks = record_->engine->machine().node_count();
  if (who.how == participants::kind::one && (who.rank < 0 || who.rank >= ranks))
    throw argument_error(cat(verb, " on rank ", who.rank, ", but there are ", ranks));
  if (count == count_for(who)) return;
  const std::string own = who.how == participants::kind::own ? cat(", ", count_for(who), " of them its own,") : "";
  throw argument_error(cat(verb, " of an array of ", size(), " elements ", to_string(shape_), own, " with ", count));
}

array_base array_base::kept(call_site here) const {
  if (!record_) throw argument_error("value() of an array that was not created");
  if (size() != 1)
    throw argument_error(
        cat("value() of an array of ", size(), " elements ", to_string(shape_), "; one is expected: take a slice"));
  plan::layout on_first;
  on_first.how = plan::layout::kind::on_device;
  array_base value =
      make_array(record_->engine, {{}, extents::uniform(box_.rank(), 1), record_->type, on_first, true}, here);
  record_->engine->submit(plan::snapshot_task{record_->id, box_, value.record_->id}, here);
  return value;
}

/// Structures are left out: what lies between their members may differ.
std::uint64_t array_base::compared_contents(const std::byte* from, participants who) const {
  const runtime::engine& e = *record_->engine;
  const dtype& type = record_->type;
  if (!e.machine().settings().check_ranks || e.machine().node_count() == 1) return 0;
  if (who.how != participants::kind::every || type.kind == scalar_kind::structure) return 0;
  return hash_of({from, static_cast<std::size_t>(size() * type.size)});
}

template <class Task>
transfer array_base::start(std::byte* memory, std::size_t count, participants who, const char* verb,
                           call_site here) const {
  check_use(count, who, verb);
  transfer result;
  if (size() == 0) return result;
  runtime::engine& e = *record_->engine;
  const std::uint64_t contents =
      std::is_same_v<Task, plan::host_write_task> ? compared_contents(memory, who) : std::uint64_t{0};
  std::vector<array_id> buffers;
  const auto adopt = [&](const box& part) {
    buffers.push_back(e.adopt_host(part.shape(), record_->type, memory));
    memory += part.volume() * record_->type.size;
  };
  if (who.how == participants::kind::own)
    for (const box& part : own_parts()) adopt(part);
  else if (count > 0)
    adopt(box_);
  auto [ticket, number] = e.new_ticket();
  result.state_ = std::shared_ptr<transfer::state>(new transfer::state{record_->engine, ticket, buffers});
  const plan::host_ranks ranks{static_cast<plan::host_ranks::kind>(who.how), node_id(who.rank)};
  e.submit(Task{{record_->id, box_, ranks, std::move(buffers), number, contents}}, here);
  return result;
}

transfer array_base::start_read(std::byte* to, std::size_t count, participants who, call_site here) const {
  return start<plan::host_read_task>(to, count, who, "read", here);
}

void array_base::refuse_value() const {
  if (record_ && record_->is_value) throw argument_error("a value cannot be changed");
}

transfer array_base::start_write(const std::byte* from, std::size_t count, participants who, call_site here) const {
  refuse_value();
  // The memory is only read from: a host write copies out of the buffer.
  return start<plan::host_write_task>(const_cast<std::byte*>(from), count, who, "write", here);
}

void array_base::fill_with(std::vector<std::byte> value, call_site here) const {
  if (!record_) throw argument_error("fill of an array that was not created");
  refuse_value();
  if (size() == 0) return;
  record_->engine->submit(plan::fill_task{record_->id, box_, std::move(value)}, here);
}

}  // namespace tessera
