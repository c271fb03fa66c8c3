#include "tessera/plan/task_codec.h"

#include "tessera/base/bytes/byte_stream.h"
#include "tessera/base/bytes/hash.h"
#include "tessera/plan/access/codec.h"

namespace tessera::plan {
namespace {

constexpr std::int64_t most_parameters = 1 << 16, most_devices = 1 << 30;

enum class tag : std::uint8_t { create, drop, fill, host_write, host_read, snapshot, launch, fence };

/// A sink takes a task apart: a `byte_writer` all of it, a `hash_writer` what is the same on every rank.
template <class Sink>
constexpr bool takes_all = std::is_same_v<Sink, byte_writer>;

template <class Sink>
void write(Sink& to, const dtype& type) {
  to.choice(type.kind);
  to.number(type.lanes);
  to.number(type.size);
  to.number(type.alignment);
}

dtype read_dtype(byte_reader& from) {
  dtype type;
  type.kind = from.choice(scalar_kind::structure);
  type.lanes = static_cast<std::uint8_t>(from.number(1, 4));
  type.size = static_cast<std::uint32_t>(from.number(0, std::int64_t{1} << 31));
  type.alignment = static_cast<std::uint32_t>(from.number(1, 4096));
  return type;
}

template <class Sink>
void write(Sink& to, const layout& how) {
  to.choice(how.how);
  to.axes(how.tile);
  to.flag(how.cyclic);
  to.number(how.device);
  to.axes(how.halo);
  to.count(how.parts.size());
  for (const partition::piece& p : how.parts) {
    to.bounds(p.where);
    to.number(p.device);
    to.number(p.part);
  }
}

layout read_layout(byte_reader& from) {
  layout how;
  how.how = from.choice(layout::kind::listed);
  how.tile = from.axes();
  how.cyclic = from.flag();
  how.device = static_cast<int>(from.number(0, most_devices));
  how.halo = from.axes();
  for (std::size_t n = from.count(); n > 0; --n) {
    partition::piece& p = how.parts.emplace_back();
    p.where = from.bounds();
    p.device = static_cast<int>(from.number(0, most_devices));
    p.part = from.number();
  }
  return how;
}

template <class Sink>
void write(Sink& to, const split_spec& split) {
  to.choice(split.how);
  to.axes(split.blocks);
  to.number(split.parameter);
  to.number(split.axis);
  to.number(split.device);
  to.count(split.slabs.size());
  for (const slab& s : split.slabs) {
    to.number(s.lo);
    to.number(s.hi);
    to.number(s.device);
  }
}

split_spec read_split(byte_reader& from) {
  split_spec split;
  split.how = from.choice(split_spec::kind::on_device);
  split.blocks = from.axes();
  split.parameter = static_cast<int>(from.number(0, most_parameters));
  split.axis = static_cast<int>(from.number(split_spec::slowest_axis, max_rank - 1));
  split.device = static_cast<int>(from.number(0, most_devices));
  for (std::size_t n = from.count(); n > 0; --n) {
    slab& s = split.slabs.emplace_back();
    s.lo = from.number();
    s.hi = from.number();
    s.device = static_cast<int>(from.number(0, most_devices));
  }
  return split;
}

void write_accesses(byte_writer& to, const launch_task& t) { access_codec::encode(*t.accesses, to.out()); }
void write_accesses(hash_writer& to, const launch_task& t) {
  to.word(t.accesses_hash != 0 ? t.accesses_hash : hash_of(access_codec::encode(*t.accesses)));
}

template <class Sink>
void write(Sink& to, const launch_task& t) {
  to.word(t.kernel);
  to.text(t.name);
  to.axes(t.space.size);
  to.axes(t.space.granule);
  write(to, t.split);
  to.number(t.shared_bytes);
  write_accesses(to, t);
  to.count(t.arrays.size());
  for (const launch_array& a : t.arrays) {
    to.number(a.parameter);
    to.word(a.array.value);
    to.bounds(a.slice);
    to.flag(a.by_value);
  }
  to.count(t.scalars.size());
  for (const launch_scalar& s : t.scalars) {
    to.number(s.parameter);
    to.bytes(s.value);
  }
}

std::shared_ptr<const launch_task> read_launch(byte_reader& from) {
  auto t = std::make_shared<launch_task>();
  t->kernel = from.word();
  t->name = from.text();
  t->space = {from.axes(), from.axes()};
  t->split = read_split(from);
  t->shared_bytes = from.number(0, std::int64_t{1} << 40);
  std::span<const std::byte> rest = from.rest();
  t->accesses = std::make_shared<const access_pattern>(access_codec::decode(rest));
  from.skip_to(rest);
  for (std::size_t n = from.count(); n > 0; --n) {
    const auto parameter = static_cast<int>(from.number(0, most_parameters));
    const array_id array(from.word());
    const box slice = from.bounds();
    t->arrays.push_back({parameter, array, slice, from.flag()});
  }
  for (std::size_t n = from.count(); n > 0; --n) {
    const auto parameter = static_cast<int>(from.number(0, most_parameters));
    t->scalars.push_back({parameter, from.bytes()});
  }
  return t;
}

template <class Sink>
struct encoder {
  Sink& to;

  void begin(tag t) const { to.choice(t); }
  void operator()(const create_task& t) const {
    begin(tag::create);
    to.word(t.array.value);
    to.axes(t.shape);
    write(to, t.type);
    write(to, t.home);
  }
  void operator()(const drop_task& t) const {
    begin(tag::drop);
    to.word(t.array.value);
  }
  void operator()(const fill_task& t) const {
    begin(tag::fill);
    to.word(t.array.value);
    to.bounds(t.where);
    to.bytes(t.value);
  }
  void operator()(const host_write_task& t) const { exchange(tag::host_write, t); }
  void operator()(const host_read_task& t) const { exchange(tag::host_read, t); }
  void operator()(const snapshot_task& t) const {
    begin(tag::snapshot);
    to.word(t.array.value);
    to.bounds(t.where);
    to.word(t.value.value);
  }
  void operator()(const std::shared_ptr<const launch_task>& t) const {
    begin(tag::launch);
    write(to, *t);
  }
  void operator()(const fence_task& t) const {
    begin(tag::fence);
    to.word(t.ticket);
  }
  template <class Exchange>
  void exchange(tag kind, const Exchange& t) const {
    begin(kind);
    to.word(t.array.value);
    to.bounds(t.where);
    to.choice(t.who.how);
    to.number(t.who.rank.value);
    to.word(t.contents);
    if constexpr (takes_all<Sink>) {
      to.count(t.buffers.size());
      for (const array_id b : t.buffers) to.word(b.value);
      to.word(t.ticket);
    }
  }
};

template <class Exchange>
Exchange read_exchange(byte_reader& from) {
  Exchange t;
  t.array = array_id(from.word());
  t.where = from.bounds();
  t.who.how = from.choice(host_ranks::kind::here);
  t.who.rank = node_id(static_cast<std::int32_t>(from.number(0, std::numeric_limits<std::int32_t>::max())));
  t.contents = from.word();
  for (std::size_t n = from.count(); n > 0; --n) t.buffers.emplace_back(from.word());
  t.ticket = from.word();
  return t;
}

decltype(task::what) read_body(byte_reader& from) {
  switch (from.choice(tag::fence)) {
    case tag::create: {
      create_task t;
      t.array = array_id(from.word());
      t.shape = from.axes();
      t.type = read_dtype(from);
      t.home = read_layout(from);
      return t;
    }
    case tag::drop:
      return drop_task{array_id(from.word())};
    case tag::fill: {
      fill_task t;
      t.array = array_id(from.word());
      t.where = from.bounds();
      t.value = from.bytes();
      return t;
    }
    case tag::host_write:
      return read_exchange<host_write_task>(from);
    case tag::host_read:
      return read_exchange<host_read_task>(from);
    case tag::snapshot: {
      snapshot_task t;
      t.array = array_id(from.word());
      t.where = from.bounds();
      t.value = array_id(from.word());
      return t;
    }
    case tag::launch:
      return read_launch(from);
    default:
      return fence_task{from.word()};
  }
}

}  // namespace

std::vector<std::byte> encode(const task& t) {
  std::vector<std::byte> out;
  byte_writer to(out);
  to.word(t.id.value);
  std::visit(encoder<byte_writer>{to}, t.what);
  return out;
}

bool is_shared(const task& t) {
  const auto* read = std::get_if<host_read_task>(&t.what);
  const bool read_here = read != nullptr && read->who.how == host_ranks::kind::here;
  return !read_here && !std::holds_alternative<drop_task>(t.what) && !std::holds_alternative<fence_task>(t.what);
}

std::uint64_t shared_hash(const task& t) {
  hash_writer to;
  std::visit(encoder<hash_writer>{to}, t.what);
  return to.value();
}

task decode_task(std::span<const std::byte> bytes) {
  byte_reader from(bytes, "task");
  task t;
  t.id = task_id(from.word());
  t.what = read_body(from);
  if (!from.rest().empty()) from.fail("bytes are left over");
  return t;
}

}  // namespace tessera::plan
