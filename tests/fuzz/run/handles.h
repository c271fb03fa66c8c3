#pragma once

#include <tessera/tessera.h>

#include "tests/fuzz/program/declared.h"
#include "tests/fuzz/program/text.h"

/// The values of random programs as Tessera's own.
namespace tessera::fuzz {

inline extents to_extents(const int_list& l) { return extents(std::span<const std::int64_t>(l)); }

inline int_list to_list(const extents& e) { return {e.begin(), e.end()}; }

inline intervals to_intervals(const row_table& t) {
  std::vector<intervals::row> rows;
  for (std::size_t r = 0; r < t.lo.size(); ++r) rows.push_back({t.lo[r], t.hi[r]});
  return intervals(rows);
}

/// Gives a launch the constants and tables that the annotation of its kernel names.
inline void put_names(const kernel_text& text, const kernel& k, launch_options& settings) {
  settings.let = text.lets;
  for (const std::size_t t : text.tables) settings.tables.emplace_back(table_name(t), to_intervals(k.tables[t]));
}

/// A distribution of boxes that a user lists.
class listed final : public tessera::distribution {
 public:
  explicit listed(const fuzz::distribution& d) : parts_(d.parts), halo_(d.halo) {}
  [[nodiscard]] plan::layout parts(const extents&, int) const override {
    plan::layout home;
    home.form = plan::layout::kind::listed;
    home.halo = to_extents(halo_);
    std::int64_t n = 0;
    for (const auto& [part, device] : parts_)
      home.parts.push_back({box(to_extents(part.lo), to_extents(part.hi)), device, n++});
    return home;
  }

 private:
  const std::vector<std::pair<span_box, int>>& parts_;
  const int_list& halo_;
};

inline tiled tiled_of(const distribution& d) {
  const extents tile = to_extents(d.tile);
  tiled t = d.form == distribution::kind::rows      ? rows(tile[0])
            : d.form == distribution::kind::columns ? columns(tile[0])
            : d.form == distribution::kind::blocks  ? blocks(tile[0])
                                                    : tiles(tile);
  if (!d.halo.empty()) t = d.halo.size() == 1 ? t.halo(d.halo[0]) : t.halo(to_extents(d.halo));
  return d.cyclic ? t.cyclic() : t;
}

/// How the launch is cut, given its arguments.
inline tessera::split split_of(const launch_op& o, std::span<const argument> arguments) {
  std::vector<tessera::slab> slabs;
  switch (o.split_form) {
    case launch_op::split::blocks:
      return blocks(to_extents(o.pieces));
    case launch_op::split::like:
      return like(std::get<array_base>(arguments[static_cast<std::size_t>(o.follow)].value));
    case launch_op::split::whole:
      return whole();
    case launch_op::split::slabs:
      for (const thread_range& r : ranges_of(o)) slabs.push_back({r.lo, r.hi, r.device});
      return o.axis < 0 ? parts(slabs) : parts(slabs, o.axis);
    case launch_op::split::on_device:
      return on(o.device);
    default:
      return {};
  }
}

/// A slice with as many ranges as the array has axes.
template <class T>
array<T> sliced(const array<T>& a, const span_box& b) {
  const auto r = [&](std::size_t k) { return std::pair{b.lo[k], b.hi[k]}; };
  switch (b.lo.size()) {
    case 0:
      return a;
    case 1:
      return a.slice({r(0)});
    case 2:
      return a.slice({r(0), r(1)});
    case 3:
      return a.slice({r(0), r(1), r(2)});
    default:
      return a.slice({r(0), r(1), r(2), r(3)});
  }
}

}  // namespace tessera::fuzz
