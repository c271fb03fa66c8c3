#include "tessera/linop/split.h"

#include <optional>

#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/node/compound.h"
#include "tessera/linop/node/tiled.h"

namespace tessera::linop {
namespace {

/// Where a dimension of a tile is.
struct dim_place {
  int in = -1, out = -1;
  std::int64_t size = -1;
  [[nodiscard]] bool is_inside() const { return in < 0 && out < 0; }
};

dim_place find_dim(const op& a, const std::string& name) {
  const dim d = parse_dim(name);
  const signature& s = (*a).dimensions();
  dim_place found{place_of(d, s.in), place_of(d, s.out)};
  if (!found.is_inside()) {
    const auto [x, y] = own_shapes(*a);
    found.size = found.out >= 0 ? y[index(found.out)].size : x[index(found.in)].size;
  } else {
    const auto* members = dynamic_cast<const chain*>(a.tree().get());
    const std::optional<std::int64_t> inside = members != nullptr ? members->size_inside(d) : std::nullopt;
    if (!inside) {
      dims all = s.in;
      all.insert(all.end(), s.out.begin(), s.out.end());
      throw argument_error(cat(a.text(), " has no dimension ", name, suggestion(d, all)));
    }
    found.size = *inside;
  }
  if (found.size < 0)
    throw argument_error(
        cat("the size of ", name, " of ", a.text(), " is not known; give it where the operator is made"));
  return found;
}

/// The ranges of a tile in the operator's lists; those of inner dimensions are applied to `a`.
restriction restriction_of(op& a, const tile& part) {
  const signature s = (*a).dimensions();
  restriction made{axis_ranges(s.in.size()), axis_ranges(s.out.size())};
  for (const auto& [name, ends] : part) {
    const dim_place at = find_dim(a, name);
    const axis_range range{ends.first, ends.second, at.size};
    if (range.lo < 0 || range.hi > at.size || range.lo >= range.hi)
      throw argument_error(cat("the tile ", range.lo, ":", range.hi, " of ", name, " of ", a.text(),
                               range.lo >= range.hi ? " is empty" : " lies outside", "; its size is ", at.size));
    if (at.is_inside()) {
      a = *dynamic_cast<const chain&>(*a).restricted_inside(parse_dim(name), range);
      continue;
    }
    if (at.in >= 0) made.in[index(at.in)] = range;
    if (at.out >= 0) made.out[index(at.out)] = range;
  }
  return made;
}

/// Ends of tiles along a dimension.
std::vector<std::int64_t> cuts_of(const op& a, const std::string& name, const std::vector<std::int64_t>& lengths) {
  const std::int64_t size = find_dim(a, name).size;
  for (const std::int64_t n : lengths)
    if (n <= 0) throw argument_error(cat("tiles of ", n, " elements along ", name, " of ", a.text()));
  if (lengths.empty()) throw argument_error(cat("no lengths of tiles along ", name, " of ", a.text()));
  std::vector<std::int64_t> cuts{0};
  if (lengths.size() == 1) {
    while (cuts.back() < size) cuts.push_back(std::min(size, cuts.back() + lengths[0]));
    return cuts;
  }
  for (const std::int64_t n : lengths) cuts.push_back(cuts.back() + n);
  if (cuts.back() != size)
    throw argument_error(
        cat("tiles along ", name, " have ", cuts.back(), " elements in all, but ", a.text(), " has ", size));
  return cuts;
}

/// Numbers of logical devices, named as in batch specs.
std::vector<int> devices_of(const std::vector<std::string>& names, const context& ctx) {
  std::vector<std::string> known;
  std::vector<std::pair<std::string, int>> count;
  std::vector<std::string> by_kind;
  for (const auto& d : ctx.machine().devices) {
    int number = 0;
    for (auto& [kind, n] : count)
      if (kind == d.kind) number = ++n;
    if (number == 0) count.emplace_back(d.kind, 0);
    by_kind.push_back(cat(d.kind, ":", number));
  }
  std::vector<int> made;
  for (const std::string& name : names) {
    int found = -1;
    known.clear();
    for (std::size_t k = 0; k < by_kind.size(); ++k) {
      const std::string plain = cat("device:", k);
      if (name == plain || name == by_kind[k]) found = static_cast<int>(k);
      known.push_back(plain);
      known.push_back(by_kind[k]);
    }
    if (found < 0) {
      const std::string near = nearest_name(name, known);
      throw argument_error(cat("there is no device '", name, "'", near.empty() ? "" : cat(", did you mean ", near, "?"),
                               "; there are ", by_kind.size(), ", device:0 to device:", by_kind.size() - 1));
    }
    made.push_back(found);
  }
  return made;
}

}  // namespace

op split(const op& a, const tile& part) {
  op made = a;
  const restriction ranges = restriction_of(made, part);
  return (*made).restricted(ranges);
}

op adj_split(const op& a, const tile& part) { return split(a.H(), part); }

split_grid split_linop(const op& a, const tile_lengths& lengths) {
  split_grid grid;
  std::vector<std::vector<std::int64_t>> cuts;
  std::int64_t count = 1;
  for (const auto& [name, each] : lengths) {
    cuts.push_back(cuts_of(a, name, each));
    grid.counts.push_back(static_cast<std::int64_t>(cuts.back().size()) - 1);
    count *= grid.counts.back();
  }
  for (std::int64_t n = 0; n < count; ++n) {
    tile part(lengths.size());
    std::int64_t rest = n;
    for (std::size_t k = lengths.size(); k-- > 0;) {
      const auto at = index(rest % grid.counts[k]);
      rest /= grid.counts[k];
      part[k] = {lengths[k].first, {cuts[k][at], cuts[k][at + 1]}};
    }
    grid.pieces.push_back(split(a, part));
    grid.tiles.push_back(std::move(part));
  }
  return grid;
}

op create_batched_linop(const op& a, const std::vector<batch_spec>& specs, context ctx) {
  if (specs.empty()) return a;
  const std::vector<int> devices = devices_of(specs.front().device_matrix, ctx);
  const split_grid grid = split_linop(a, specs.front().batch_sizes);
  std::vector<tiled::piece> pieces;
  for (std::size_t t = 0; t < grid.pieces.size(); ++t) {
    op inner_free = a;
    const restriction part = restriction_of(inner_free, grid.tiles[t]);
    const op piece = create_batched_linop(grid.pieces[t], {specs.begin() + 1, specs.end()}, ctx);
    pieces.push_back({piece, part, devices.empty() ? -1 : devices[t % devices.size()]});
  }
  return op(std::make_shared<tiled>(a, std::move(pieces)));
}

}  // namespace tessera::linop
