#include "tessera/nd/emit/text/annotation.h"

#include <functional>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::nd {
namespace {

/// Calls `use(name, value)` for every constant, in one order; a name is a function, since most callers want values.
class constant_list {
 public:
  using user = std::function<void(const std::function<std::string()>&, std::int64_t)>;

  constant_list(const group& made, const launch_space& space, user use)
      : made_(made), space_(space), use_(std::move(use)) {}

  void visit() const {
    const access_space& s = space_.space();
    static constexpr const char* tiles[] = {"tx", "ty", "tz"};
    static constexpr const char* lengths[] = {"nx", "ny", "nz"};
    for (int axis = 0; axis < space_.launch_axes(); ++axis) {
      name(tiles[axis], space_.tile(axis));
      name(lengths[axis], space_.length(axis));
    }
    if (space_.origin()) name("ox", *space_.origin());
    if (space_.pieces()) name("py", *space_.pieces());
    for (int j = 0; j < space_.axes(); ++j) {
      if (space_.is_alone(j)) continue;
      use_([j] { return cat("n", j); }, s.domain[j]);
      use_([j] { return cat("b", j); }, space_.below(j));
    }
    for (std::size_t a = 0; a < s.arrays.size(); ++a) visit_shape(static_cast<int>(a), s.arrays[a]);
    for (std::size_t k = 0; k < s.accesses.size(); ++k) visit_access(static_cast<int>(k), s.accesses[k]);
  }

 private:
  void name(const char* text, std::int64_t value) const {
    use_([text] { return std::string(text); }, value);
  }
  void visit_shape(int a, const extents& seen) const {
    if (made_.arrays[index(a)].is_whole) return;
    if (seen.rank() < 2 || seen == made_.arrays[index(a)].version->shape) return;
    for (int k = 0; k < seen.rank(); ++k) use_([=] { return cat("d", a, "_", k); }, seen[k]);
  }
  void visit_access(int k, const array_access& access) const {
    if (made_.arrays[index(access.array)].is_whole) return;
    for (int axis = 0; axis < static_cast<int>(access.axes.size()); ++axis) {
      const access_axis& along = access.axes[index(axis)];
      if (along.first != 0) use_([=] { return cat("f", k, "_", axis); }, along.first);
      for (int j = 0; j < space_.axes(); ++j)
        if (const std::int64_t step = along.steps[index(j)]; step != 0 && step != 1 && step != -1)
          use_([=] { return cat("m", k, "_", axis, "_", j); }, step < 0 ? -step : step);
    }
  }

  const group& made_;
  const launch_space& space_;
  user use_;
};

/// True if what a tile has beyond the end of the domain is beyond the end of the array, too, which is never meant.
/// Only indices that are written without `min` are seen to leave no gaps.
bool ends_with_array(const launch_space& space, const access_axis& along, std::int64_t extent, int j) {
  const std::int64_t n = space.space().domain[j];
  return n % space.tile(space.launch_axis(j)) == 0 || (along.steps[index(j)] == 1 && along.first + n == extent);
}

/// The least and the greatest index on axis j of the domain that a tile has; `exact`: within the domain.
std::pair<std::string, std::string> range_of(const launch_space& space, int j, bool exact) {
  const std::string name(1, "xyz"[space.launch_axis(j)]);
  if (space.is_alone(j)) return {name + "0", name + (exact ? "e" : "1")};
  if (!space.is_aligned(j)) return {"0", cat("n", j, " - 1")};
  const auto part = [&](const char* end) { return cat("(", name, end, " / b", j, ") % n", j); };
  return {part("0"), part("e")};
}

/// True if the access has all elements of the array at their own indices.
bool is_whole(const array_access& access, const extents& shape, const extents& domain) {
  if (shape != domain) return false;
  for (int k = 0; k < shape.rank(); ++k) {
    access_axis expected;
    expected.steps[index(k)] = shape[k] > 1 ? 1 : 0;
    if (access.axes[index(k)] != expected) return false;
  }
  return true;
}

std::string index_text(int k, int axis, const access_axis& along, std::int64_t extent, bool is_written,
                       const launch_space& space) {
  const int axes = space.axes();
  std::string low = along.first != 0 ? cat("f", k, "_", axis) : "", high = low;
  int terms = 0;
  std::string stride;
  for (int j = 0; j < axes; ++j) {
    const std::int64_t step = along.steps[index(j)];
    if (step == 0) continue;
    ++terms;
    const bool exact = !is_written || !ends_with_array(space, along, extent, j);
    auto [least, greatest] = range_of(space, j, exact);
    if (step < 0 && !planted("backward_range")) std::swap(least, greatest);
    const bool is_one = step == 1 || step == -1;
    const std::string factor = is_one ? "" : cat("m", k, "_", axis, "_", j, " * ");
    const char* const sign = step < 0 ? " - " : low.empty() ? "" : " + ";
    low += cat(sign, factor, "(", least, ")");
    high += cat(sign, factor, "(", greatest, ")");
    if (!is_one) stride = cat("m", k, "_", axis, "_", j);
  }
  if (terms == 0) return low.empty() ? "0" : low;
  return cat(low, " : ", high, terms == 1 && !stride.empty() ? cat(" : ", stride) : "");
}

std::string shape_text(int array, const extents& seen, const extents& own) {
  if (seen == own) return "";
  if (seen.rank() == 1) return " as [:]";
  std::string text = " as [";
  for (int k = 0; k < seen.rank(); ++k) text += cat(k == 0 ? "" : ", ", "d", array, "_", k);
  return text + "]";
}

/// All of an array whose axes are those of the domain, seen with the axes of the launch.
std::string whole_text(int axes) {
  if (axes == 1) return " as [:][x0:x1]";
  return axes == 2 ? " as [ny, nx][y0:y1, x0:x1]" : " as [nz, ny, nx][z0:z1, y0:y1, x0:x1]";
}

std::string binding_text(int axes, bool has_origin) {
  const auto range = [&](char a) {
    const std::string t(1, a), b = a == 'x' ? (has_origin ? "bx + ox" : "bx") : a == 'y' ? "by" : "bz";
    return cat(", ", t, "0 = t", t, " * ", b, ", ", t, "1 = t", t, " * ", b, " + t", t, " - 1, ", t, "e = min(t", t,
               " * ", b, " + t", t, " - 1, n", t, " - 1)");
  };
  if (axes == 1) return cat("block bx", range('x'));
  if (axes == 2) return cat("block [bx, by]", range('x'), range('y'));
  return cat("block [bx, by, bz]", range('x'), range('y'), range('z'));
}

}  // namespace

std::string array_name(int array) { return "a" + std::to_string(array); }

annotation_text make_annotation(const group& made, const launch_space& space, const std::string& more) {
  annotation_text result;
  const access_space& s = space.space();
  std::vector<bool> seen(s.arrays.size());
  std::string rules = more;
  const auto add_rules = [&](bool written) {
    for (std::size_t k = 0; k < s.accesses.size(); ++k) {
      const int array = s.accesses[k].array;
      if (made.arrays[index(array)].is_written != written) continue;
      const extents& shape = s.arrays[index(array)];
      if (made.arrays[index(array)].is_whole) {
        rules += cat(rules.empty() ? "" : ", ", "read ", array_name(array));
        continue;
      }
      if (space.axes() > space.launch_axes() && written && is_whole(s.accesses[k], shape, s.domain)) {
        rules += cat(rules.empty() ? "" : ", ", "write ", array_name(array), whole_text(space.launch_axes()));
        seen[index(array)] = true;
        continue;
      }
      rules += cat(rules.empty() ? "" : ", ", written ? "write " : "read ", array_name(array));
      if (!seen[index(array)]) rules += shape_text(array, shape, made.arrays[index(array)].version->shape);
      seen[index(array)] = true;
      std::string list;
      for (int axis = 0; axis < static_cast<int>(s.accesses[k].axes.size()); ++axis)
        list += cat(axis == 0 ? "" : ", ", index_text(static_cast<int>(k), axis, s.accesses[k].axes[index(axis)],
                                                      shape[axis], written, space));
      if (!list.empty()) rules += cat("[", list, "]");
    }
  };
  add_rules(true);
  add_rules(false);
  result.text = cat(binding_text(space.launch_axes(), space.origin().has_value()), " => ", rules);
  constant_list(made, space, [&](const auto& name, std::int64_t) { result.names.push_back(name()); }).visit();
  return result;
}

bool is_seen_dense(const launch_space& space, const array_access& access) {
  const access_space& s = space.space();
  if (is_whole(access, s.arrays[index(access.array)], s.domain)) return true;
  for (int j = 0; j < space.axes(); ++j)
    for (const access_axis& along : access.axes)
      if (along.steps[index(j)] != 0 && !space.is_alone(j)) return false;
  return true;
}

std::vector<std::int64_t> annotation_numbers(const group& made, const launch_space& space) {
  std::vector<std::int64_t> values;
  constant_list(made, space, [&](const auto&, std::int64_t value) { values.push_back(value); }).visit();
  return values;
}

void append_annotation_key(std::string& key, const group& made, const launch_space& space) {
  const access_space& s = space.space();
  const auto add = [&](auto n) { key += static_cast<char>(n); };
  add(space.axes() + (space.origin() ? 64 : 0) + (space.pieces() ? 32 : 0));
  for (int j = 0; j < space.axes(); ++j) add(space.launch_axis(j)), add(space.is_aligned(j) ? 1 : 0);
  for (std::size_t a = 0; a < s.arrays.size(); ++a) {
    add(s.arrays[a].rank());
    add(s.arrays[a] == made.arrays[a].version->shape ? 1 : 0);
    add((made.arrays[a].is_written ? 1 : 0) + (made.arrays[a].is_whole ? 2 : 0));
    add(made.arrays[a].type);
  }
  for (const array_access& access : s.accesses) {
    add(access.array);
    int axis = 0;
    for (const access_axis& along : access.axes) {
      add(along.first != 0 ? 1 : 0);
      for (int j = 0; j < space.axes(); ++j) {
        const std::int64_t step = along.steps[index(j)];
        add(step > 1 ? 3 : step < -1 ? (planted("signs_share_text") ? 3 : 4) : step + 1);
        add(made.arrays[index(access.array)].is_written &&
                    ends_with_array(space, along, s.arrays[index(access.array)][axis], j)
                ? 1
                : 0);
      }
      ++axis;
    }
    add(is_whole(access, s.arrays[index(access.array)], s.domain) ? 1 : 0);
  }
}

}  // namespace tessera::nd
