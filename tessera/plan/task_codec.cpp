#include "tessera/plan/task_codec.h"

#include <limits>
#include <type_traits>

#include "tessera/base/bytes/byte_stream.h"
#include "tessera/base/bytes/hash.h"
#include "tessera/plan/access/codec.h"
#include "tessera/plan/task_traits.h"
#include "tessera/plan/value_fields.h"

namespace tessera::plan {
namespace {

using plan::fields;  // of the values that tasks hold

/// Gives the fields of a task to a sink: a `byte_writer` gets all of them, a `hash_writer` those that are the same on
/// every rank.
template <class Sink>
class field_writer {
 public:
  template <class T>
  using value = const T&;
  static constexpr bool takes_all = std::is_same_v<Sink, byte_writer>;

  explicit field_writer(Sink& to) : to_(to) {}

  void word(std::uint64_t n) { to_.word(n); }
  template <class Int>
  void number(const Int& n) {
    to_.number(n);
  }
  template <class Int>
  void number(const Int& n, std::int64_t /*lowest*/, std::int64_t /*highest*/) {
    to_.number(n);
  }
  template <class Enum>
  void choice(const Enum& e, Enum /*last*/) {
    to_.choice(e);
  }
  void flag(bool is) { to_.flag(is); }
  void text(const std::string& t) { to_.text(t); }
  void bytes(const std::vector<std::byte>& data) { to_.bytes(data); }
  void axes(const extents& e) { to_.axes(e); }
  void bounds(const box& b) { to_.bounds(b); }
  template <class T, class Entry>
  void list(const std::vector<T>& all, Entry entry) {
    to_.count(all.size());
    for (const T& one : all) entry(one);
  }
  [[nodiscard]] Sink& sink() { return to_; }

 private:
  Sink& to_;
};

/// Fills in the fields of a task from bytes.
class field_reader {
 public:
  template <class T>
  using value = T&;
  static constexpr bool takes_all = true;

  explicit field_reader(byte_reader& from) : from_(from) {}

  void word(std::uint64_t& n) { n = from_.word(); }
  void number(std::int64_t& n) { n = from_.number(); }
  template <class Int>
  void number(Int& n, std::int64_t lowest, std::int64_t highest) {
    n = static_cast<Int>(from_.number(lowest, highest));
  }
  template <class Enum>
  void choice(Enum& e, Enum last) {
    e = from_.choice(last);
  }
  void flag(bool& is) { is = from_.flag(); }
  void text(std::string& t) { t = from_.text(); }
  void bytes(std::vector<std::byte>& data) { data = from_.bytes(); }
  void axes(extents& e) { e = from_.axes(); }
  void bounds(box& b) { b = from_.bounds(); }
  template <class T, class Entry>
  void list(std::vector<T>& all, Entry entry) {
    for (std::size_t n = from_.count(); n > 0; --n) entry(all.emplace_back());
  }
  [[nodiscard]] byte_reader& source() { return from_; }

 private:
  byte_reader& from_;
};

void accesses(field_writer<byte_writer>& io, const launch_task& t) {
  access_codec::encode(*t.accesses, io.sink().out());
}
void accesses(field_writer<hash_writer>& io, const launch_task& t) {
  io.word(t.accesses_hash != 0 ? t.accesses_hash : hash_of(access_codec::code_of(*t.accesses)));
}
void accesses(field_reader& io, launch_task& t) {
  std::span<const std::byte> rest = io.source().rest();
  t.accesses = std::make_shared<const access_pattern>(access_codec::decode(rest));
  io.source().skip_to(rest);
}

template <class Io>
void fields(Io& io, field_of<Io, launch_task> t) {
  io.word(t.kernel);
  io.text(t.name);
  io.axes(t.space.size);
  io.axes(t.space.granule);
  fields(io, t.split);
  io.number(t.shared_bytes, 0, std::int64_t{1} << 40);
  accesses(io, t);
  io.list(t.arrays, [&](field_of<Io, launch_array> a) {
    io.number(a.parameter, 0, most_parameters);
    io.word(a.array.value);
    io.bounds(a.slice);
    io.flag(a.by_value);
  });
  io.list(t.scalars, [&](field_of<Io, launch_scalar> s) {
    io.number(s.parameter, 0, most_parameters);
    io.bytes(s.value);
  });
}

template <class Sink>
void fields(field_writer<Sink>& io, const std::shared_ptr<const launch_task>& t) {
  fields(io, *t);
}
void fields(field_reader& io, std::shared_ptr<const launch_task>& t) {
  auto made = std::make_shared<launch_task>();
  fields(io, *made);
  t = std::move(made);
}

template <class Io>
void fields(Io& io, field_of<Io, create_task> t) {
  io.word(t.array.value);
  io.axes(t.shape);
  fields(io, t.type);
  fields(io, t.home);
}

template <class Io>
void fields(Io& io, field_of<Io, drop_task> t) {
  io.word(t.array.value);
}

template <class Io>
void fields(Io& io, field_of<Io, fill_task> t) {
  io.word(t.array.value);
  io.bounds(t.bounds);
  io.bytes(t.value);
}

/// Of a write and of a read.
template <class Io>
void fields(Io& io, field_of<Io, host_exchange> t) {
  io.word(t.array.value);
  io.bounds(t.bounds);
  io.choice(t.ranks.form, host_ranks::kind::here);
  io.number(t.ranks.rank.value, 0, std::numeric_limits<std::int32_t>::max());
  io.word(t.contents);
  if constexpr (Io::takes_all) {
    io.list(t.buffers, [&](field_of<Io, array_id> b) { io.word(b.value); });
    io.word(t.ticket);
  }
}

template <class Io>
void fields(Io& io, field_of<Io, snapshot_task> t) {
  io.word(t.array.value);
  io.bounds(t.bounds);
  io.word(t.value.value);
}

template <class Io>
void fields(Io& io, field_of<Io, fence_task> t) {
  io.word(t.ticket);
}

template <class Sink>
void write_body(Sink& to, const task_body& body) {
  field_writer<Sink> io(to);
  const auto write = [&]<class Task>(const Task& t) {
    to.number(task_traits<Task>::tag);
    fields(io, t);
  };
  std::visit(write, body);
}

task_body read_body(byte_reader& from) {
  field_reader io(from);
  constexpr std::size_t kinds = task_kinds<task_body>::count;
  task_body body = task_kinds<task_body>::make(static_cast<std::size_t>(from.number(0, kinds - 1)));
  std::visit([&](auto& t) { fields(io, t); }, body);
  return body;
}

}  // namespace

std::vector<std::byte> encode(const task& t) {
  std::vector<std::byte> out;
  byte_writer to(out);
  to.word(t.id.value);
  write_body(to, t.body);
  return out;
}

std::uint64_t shared_hash(const task& t) {
  hash_writer to;
  write_body(to, t.body);
  return to.value();
}

task decode_task(std::span<const std::byte> bytes) {
  byte_reader from(bytes, "task");
  task t;
  t.id = task_id(from.word());
  t.body = read_body(from);
  if (!from.rest().empty()) from.fail("bytes are left over");
  return t;
}

}  // namespace tessera::plan
