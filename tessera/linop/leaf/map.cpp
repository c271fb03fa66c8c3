#include "tessera/linop/leaf/map.h"

#include <functional>
#include <string>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {
namespace {

/// Element o of an axis is element scale * o + offset of another one, or zero where there is none.
struct axis_map {
  dim in, out;
  std::int64_t scale = 1, offset = 0;
  bool is_circular = false;  ///< The index is taken modulo the size.
  bool is_reversed = false;  ///< Element o is element n - 1 - o.
  bool has_delta = false;    ///< The output has `delta` elements more than the input.
  std::int64_t delta = 0;
};

class map_leaf final : public leaf {
 public:
  map_leaf(const std::string& name, const signature& s, std::vector<axis_map> maps, const named_sizes& sizes)
      : leaf(name, s), maps_(std::move(maps)) {
    know_all(sizes);
  }
  using leaf::know;

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    for (const axis_map& m : maps_) {
      if (!m.has_delta) continue;
      if (const std::int64_t n = sizes[m.in]; n >= 0) {
        if (n + m.delta < 0) refuse(m.in, n, -m.delta);
        sizes.set(m.out, n + m.delta, text());
      } else if (const std::int64_t count = sizes[m.out]; count >= 0) {
        if (count < m.delta) refuse(m.out, count, m.delta);
        sizes.set(m.in, count - m.delta, text());
      }
    }
    for (const axis_map& m : maps_) {
      const std::int64_t n = sizes[m.in], count = sizes[m.out];
      if (m.has_delta || m.is_reversed || m.is_circular || n < 0 || count < 0) continue;
      const std::int64_t last = m.scale * (count - 1) + m.offset;
      if (is_inside_ && count > 0 && (m.offset < 0 || last >= n))
        throw argument_error(
            cat(text(), " takes elements ", m.offset, " to ", last, " of ", to_string(m.in), ", which has ", n));
    }
  }
  /// All elements that are taken must exist.
  void require_inside() { is_inside_ = true; }

  [[nodiscard]] bool is_step() const override { return true; }
  void run(const leaf_call& call, bool is_adjoint) const override {
    step s = call.make_step();
    factor f = call.batch_of_x();
    for (const dim& d : call.x) f.at.push_back(place_of(d, call.y) >= 0 ? affine::of(call.y_axis(d)) : affine{});
    for (const axis_map& m : maps_) {
      const dim &from = is_adjoint ? m.out : m.in, &to = is_adjoint ? m.in : m.out;
      const std::size_t axis = call.y_axis(to);
      const std::int64_t n = call.x_size(from);
      f.at[call.batch + index(place_of(from, call.x))] = is_adjoint ? backward(m, s, axis, n) : forward(m, s, axis, n);
    }
    s.factors.push_back(std::move(f));
    call.run(std::move(s));
  }

 private:
  [[noreturn]] void refuse(const dim& d, std::int64_t size, std::int64_t taken) const {
    throw argument_error(cat(text(), " takes ", taken, " elements off ", to_string(d), ", which has ", size));
  }

  static affine forward(const axis_map& m, step& s, std::size_t axis, std::int64_t n) {
    if (m.is_reversed) return affine::of(axis, -1, n - 1);
    affine at = affine::of(axis, m.scale, m.offset);
    if (m.is_circular) wrap(at, s, n);
    return at;
  }

  static affine backward(const axis_map& m, step& s, std::size_t axis, std::int64_t n) {
    if (m.is_reversed) return affine::of(axis, -1, n - 1);
    if (m.scale == 1) {
      affine at = affine::of(axis, 1, -m.offset);
      if (m.is_circular) wrap(at, s, n);
      return at;
    }
    // Element i comes from (i - offset) / scale, where that leaves no remainder.
    const std::size_t variable = s.variables();
    s.quotients.push_back({affine::of(axis, 1, -m.offset), m.scale});
    affine remainder = affine::of(axis, 1, -m.offset);
    remainder.set(variable, -m.scale);
    s.guards.push_back({remainder, 1});
    return affine::of(variable);
  }

  static void wrap(affine& at, step& s, std::int64_t n) {
    const std::size_t variable = s.variables();
    s.quotients.push_back({at, n});
    at.set(variable, -n);
  }

  std::vector<axis_map> maps_;
  bool is_inside_ = false;
};

class blocks_leaf final : public leaf {
 public:
  struct axis {
    dim whole, number, within;
    std::int64_t block = 1, stride = 1;
  };
  blocks_leaf(const signature& s, std::vector<axis> axes, const named_sizes& sizes)
      : leaf("array_to_blocks", s), axes_(std::move(axes)) {
    for (const axis& a : axes_) know(a.within, a.block);
    know_all(sizes);
  }

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    for (const axis& a : axes_)
      if (const std::int64_t n = sizes[a.whole]; n >= 0)
        sizes.set(a.number, n < a.block ? 0 : (n - a.block) / a.stride + 1, text());
  }

  [[nodiscard]] bool is_step() const override { return true; }
  void run(const leaf_call& call, bool is_adjoint) const override {
    step s = call.make_step();
    factor f = call.batch_of_x();
    f.at.resize(call.batch + call.x.size());
    const auto at = [&](const dim& d) -> affine& { return f.at[call.batch + index(place_of(d, call.x))]; };
    const std::size_t first_sum = s.axes();
    if (is_adjoint)
      for (const axis& a : axes_) s.sums.push_back((a.block + a.stride - 1) / a.stride);
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const axis& a = axes_[k];
      if (!is_adjoint) {
        affine whole = affine::of(call.y_axis(a.number), a.stride);
        whole.set(call.y_axis(a.within), 1);
        at(a.whole) = whole;
        continue;
      }
      // Element j is element j - b * stride of blocks b = j / stride - r, for r = 0, 1, ...
      const std::size_t quotient = s.variables(), axis_of_j = call.y_axis(a.whole);
      s.quotients.push_back({affine::of(axis_of_j), a.stride});
      affine number = affine::of(quotient), within = affine::of(axis_of_j);
      number.set(first_sum + k, -1);
      within.set(quotient, -a.stride);
      within.set(first_sum + k, a.stride);
      at(a.number) = number;
      at(a.within) = within;
    }
    s.factors.push_back(std::move(f));
    call.run(std::move(s));
  }

 private:
  std::vector<axis> axes_;
};

class merge_leaf final : public leaf {
 public:
  merge_leaf(const signature& s, const named_sizes& sizes) : leaf("merge", s) { know_all(sizes); }

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    std::int64_t volume = 1;
    const dim* open = nullptr;
    for (const dim& d : dimensions().in) {
      const std::int64_t n = sizes[d];
      if (n < 0 && open != nullptr) return;
      if (n < 0)
        open = &d;
      else
        volume *= n;
    }
    const dim& whole = dimensions().out.front();
    if (open == nullptr) return sizes.set(whole, volume, text());
    const std::int64_t n = sizes[whole];
    if (n < 0 || volume == 0) return;
    if (n % volume != 0)
      throw argument_error(cat(text(), ": ", n, " elements of ", to_string(whole), " are no multiple of ", volume));
    sizes.set(*open, n / volume, text());
  }

  [[nodiscard]] bool is_step() const override { return true; }
  void run(const leaf_call& call, bool is_adjoint) const override {
    step s = call.make_step();
    factor f = call.batch_of_x();
    const dims& parts = dimensions().in;
    if (is_adjoint) {
      affine at;
      std::int64_t behind = 1;
      for (std::size_t k = parts.size(); k-- > 0;) {
        at.set(call.batch + k, behind);
        behind *= call.y_size(parts[k]);
      }
      f.at.push_back(at);
    } else {
      // From the last axis on: what is left over of a division by its size.
      std::vector<affine> at(parts.size());
      affine rest = affine::of(call.batch);
      std::int64_t behind = 1;
      for (std::size_t k = parts.size(); k-- > 0;) {
        at[k] = rest;
        if (k == 0) break;
        behind *= call.x_size(parts[k]);
        const std::size_t quotient = s.variables();
        s.quotients.push_back({affine::of(call.batch), behind});
        at[k].set(quotient, -call.x_size(parts[k]));
        rest = affine::of(quotient);
      }
      f.at.insert(f.at.end(), at.begin(), at.end());
    }
    s.factors.push_back(std::move(f));
    call.run(std::move(s));
  }
};

/// As many inputs as outputs, none of them shared; outputs that have a name of an input get another number.
signature mapped(std::string_view text, const std::string& name, std::size_t count) {
  auto [in, out] = parse_arrow(text, name);
  if (in.size() != out.size() || in.size() != count)
    throw argument_error(cat(name, "(", text, ") names ", in.size(), " inputs and ", out.size(), " outputs, but ",
                             count, " axes are described"));
  dims made;
  for (const dim& d : out) made.push_back(unused(d, in, made));
  return {in, made};
}

op make_maps(const std::string& name, const signature& s, const std::vector<axis_map>& maps, const named_sizes& sizes) {
  return make_leaf<map_leaf>(name, s, maps, sizes);
}

op padded(const std::string& name, std::string_view text, const widths& around, const named_sizes& sizes, bool crops) {
  const signature s = mapped(text, name, around.size());
  std::vector<axis_map> maps;
  for (std::size_t k = 0; k < around.size(); ++k) {
    const auto [before, after] = around[k];
    if (before < 0 || after < 0)
      throw argument_error(cat(name, "(", text, "): ", before, " and ", after, " elements around ", to_string(s.in[k]),
                               "; give none or more"));
    axis_map m{s.in[k], s.out[k]};
    m.offset = crops ? before : -before;
    m.has_delta = true;
    m.delta = crops ? -(before + after) : before + after;
    maps.push_back(m);
  }
  return make_maps(name, s, maps, sizes);
}

/// The operator that takes elements of `whole` to `part`.
std::shared_ptr<map_leaf> make_slice(const signature& s, const std::vector<index_list>& elements,
                                     const named_sizes& sizes) {
  std::vector<axis_map> maps;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const index_list& e = elements[k];
    if (e.step < 1 || e.first < 0 || e.last < e.first)
      throw argument_error(cat("slice(", to_string(s), "): elements ", e.first, " to ", e.last, " by ", e.step, " of ",
                               to_string(s.in[k]),
                               "; the first is at least 0, the last not before it, the step positive"));
    maps.push_back({s.in[k], s.out[k], e.step, e.first});
  }
  auto made = std::make_shared<map_leaf>("slice", s, std::move(maps), sizes);
  for (std::size_t k = 0; k < elements.size(); ++k) made->know(s.out[k], elements[k].count());
  made->require_inside();
  return made;
}

std::vector<blocks_leaf::axis> block_axes(const signature& s, std::string_view text,
                                          const std::vector<std::int64_t>& block,
                                          const std::vector<std::int64_t>& stride) {
  const std::size_t n = s.in.size();
  if (s.out.size() != 2 * n || block.size() != n || stride.size() != n)
    throw argument_error(
        cat("array_to_blocks(", text, "): of ", n, " axes there are ", s.out.size(), " outputs, ", block.size(),
            " sizes of blocks and ", stride.size(),
            " strides; for each axis give its number of blocks, then for each its elements of a block"));
  std::vector<blocks_leaf::axis> axes;
  for (std::size_t k = 0; k < n; ++k) {
    if (block[k] < 1 || stride[k] < 1)
      throw argument_error(cat("array_to_blocks(", text, "): blocks of ", block[k], " elements, ", stride[k],
                               " apart; both are positive"));
    axes.push_back({s.in[k], s.out[k], s.out[n + k], block[k], stride[k]});
  }
  return axes;
}

}  // namespace

std::pair<std::int64_t, std::int64_t> centered(std::int64_t n, std::int64_t m) {
  const std::int64_t before = m / 2 - n / 2;
  return {before, m - n - before};
}

op pad(std::string_view dimensions, const widths& around, const named_sizes& sizes) {
  return padded("pad", dimensions, around, sizes, false);
}
op crop(std::string_view dimensions, const widths& around, const named_sizes& sizes) {
  return padded("crop", dimensions, around, sizes, true);
}

op slice(std::string_view dimensions, const std::vector<index_list>& elements, const named_sizes& sizes) {
  return make_op(make_slice(mapped(dimensions, "slice", elements.size()), elements, sizes));
}

op embed(std::string_view dimensions, const std::vector<index_list>& elements, const named_sizes& sizes) {
  return make_op(make_slice(mapped(dimensions, "embed", elements.size()).reversed(), elements, sizes), true);
}

op truncate(std::string_view dimensions, std::int64_t size, const named_sizes& sizes) {
  return slice(dimensions, {{0, size}}, sizes);
}

op pad_dim(std::string_view dimensions, std::int64_t size, const named_sizes& sizes) {
  const signature s = mapped(dimensions, "pad_dim", 1).reversed();
  auto made = std::make_shared<map_leaf>("truncate", s, std::vector<axis_map>{{s.in[0], s.out[0]}}, sizes);
  if (size < 0) throw argument_error(cat("pad_dim(", dimensions, "): a negative size, ", size));
  made->know(s.in[0], size);
  made->require_inside();
  return make_op(made, true);
}

op flip(std::string_view dimensions, const named_sizes& sizes) {
  const std::size_t count = parse_arrow(dimensions, "flip").first.size();
  const signature s = mapped(dimensions, "flip", count);
  std::vector<axis_map> maps;
  for (std::size_t k = 0; k < count; ++k) {
    axis_map m{s.in[k], s.out[k]};
    m.is_reversed = m.has_delta = true;
    maps.push_back(m);
  }
  return make_maps("flip", s, maps, sizes);
}

op roll(std::string_view dimensions, const std::vector<std::int64_t>& shifts, const named_sizes& sizes) {
  const signature s = mapped(dimensions, "roll", shifts.size());
  std::vector<axis_map> maps;
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    axis_map m{s.in[k], s.out[k]};
    m.offset = -shifts[k];
    m.is_circular = m.has_delta = true;
    maps.push_back(m);
  }
  return make_maps("roll", s, maps, sizes);
}

op array_to_blocks(std::string_view dimensions, const std::vector<std::int64_t>& block,
                   const std::vector<std::int64_t>& stride, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimensions, "array_to_blocks");
  const signature s{in, out};
  return make_leaf<blocks_leaf>(s, block_axes(s, dimensions, block, stride), sizes);
}

op blocks_to_array(std::string_view dimensions, const std::vector<std::int64_t>& block,
                   const std::vector<std::int64_t>& stride, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimensions, "blocks_to_array");
  const signature s{out, in};
  return make_op(std::make_shared<blocks_leaf>(s, block_axes(s, dimensions, block, stride), sizes), true);
}

op merge(std::string_view dimensions, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimensions, "merge");
  if (out.size() != 1 || in.empty() || place_of(out[0], in) >= 0)
    throw argument_error(cat("merge(", dimensions, "): name the axes and the one that they become: \"A B -> N\""));
  return make_leaf<merge_leaf>(signature{in, out}, sizes);
}

}  // namespace tessera::linop
