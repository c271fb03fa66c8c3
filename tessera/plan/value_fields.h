#pragma once

#include <cstdint>

#include "tessera/base/dtype.h"
#include "tessera/plan/layout.h"
#include "tessera/plan/split/spec.h"

/// The fields of values that decide a plan, named once for all that writes, reads, hashes or compares them.
/// `fields(io, value)` gives them to `io` in a fixed order. An `Io` has these functions; bounds concern those that
/// read:
///   number(field), number(field, lowest, highest), choice(field, last value), flag(field)
///   axes(extents), bounds(box), list(vector, entry), which calls entry(element) for each
/// and an alias `value<T>`, the reference by which it takes a T.
namespace tessera::plan {

constexpr std::int64_t most_parameters = 1 << 16, most_devices = 1 << 30;

/// A value of type T as `Io` takes it: constant unless it is read.
template <class Io, class T>
using field_of = typename Io::template value<T>;

template <class Io>
void fields(Io& io, field_of<Io, dtype> type) {
  io.choice(type.kind, scalar_kind::structure);
  io.number(type.lanes, 1, 4);
  io.number(type.size, 0, std::int64_t{1} << 31);
  io.number(type.alignment, 1, 4096);
}

template <class Io>
void fields(Io& io, field_of<Io, layout> home) {
  io.choice(home.form, layout::kind::listed);
  io.axes(home.tile);
  io.flag(home.cyclic);
  io.number(home.device, 0, most_devices);
  io.axes(home.halo);
  io.list(home.parts, [&](field_of<Io, placed_box> p) {
    io.bounds(p.bounds);
    io.number(p.device, 0, most_devices);
    io.number(p.part);
  });
}

template <class Io>
void fields(Io& io, field_of<Io, split_spec> split) {
  io.choice(split.form, split_spec::kind::on_device);
  io.axes(split.blocks);
  io.number(split.parameter, 0, most_parameters);
  io.number(split.axis, split_spec::slowest_axis, max_rank - 1);
  io.number(split.device, 0, most_devices);
  io.list(split.slabs, [&](field_of<Io, slab> s) {
    io.number(s.lo);
    io.number(s.hi);
    io.number(s.device, 0, most_devices);
  });
}

}  // namespace tessera::plan
