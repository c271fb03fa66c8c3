#include "tessera/nd/emit/text/gpu_pointwise_text.h"

#include <algorithm>
#include <set>

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/pointwise_text.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

constexpr int per_thread = static_cast<int>(launch_space::tile_elements) / pointwise_threads;
constexpr std::size_t most_repeated_steps = 64;  // of a function that stands in the text twice
constexpr std::int64_t most_held_bytes = 64;     // per element: as many registers of a thread that has four

/// Prints the elements that a thread has together: h0, h1, ... are what accesses load, r0, r1, ... what is stored.
class four_printer {
 public:
  four_printer(const group& made, const launch_space& space) : made_(made), space_(space) {
    for (const group_parameter& p : made.parameters)
      if (p.from == group_parameter::source::element) loaded_.insert(p.which);
    for (const int access : loaded_) bytes_ += size_of(type_of(access));
    for (const group_output& output : made.outputs) bytes_ += size_of(type_of(output.access));
  }

  [[nodiscard]] bool fits() const { return bytes_ <= most_held_bytes; }

  /// Pointers l0, l1, ... to where accesses are at x, y, ...
  [[nodiscard]] std::string pointers(const std::string& indent) const {
    std::string text;
    for (int k = 0; k < static_cast<int>(made_.accesses.size()); ++k) {
      const bool is_written = made_.arrays[index(made_.accesses[index(k)].array)].is_written;
      text += cat(indent, is_written ? "" : "const ", kernels::spelling(type_of(k)), "* const l", k, " = &",
                  element_text(made_, space_, k, false), ";\n");
    }
    return text;
  }
  /// Two loops: one that loads, one that computes and stores. Element k is `distance` along `axis` behind the pointers;
  /// `begin` stands at the beginning of both, `places` declares x or y at k.
  [[nodiscard]] std::string loops(int axis, const char* distance, const std::string& begin, const std::string& places,
                                  const std::string& indent) const {
    const std::string deep = indent + "  ";
    std::string arrays, loads, stores;
    for (const int access : loaded_) {
      arrays += cat(indent, kernels::spelling(type_of(access)), " h", access, "[", per_thread, "];\n");
      loads += cat(deep, "h", access, "[k] = ", element(access, axis, distance), ";\n");
    }
    for (const group_output& output : made_.outputs)
      stores +=
          cat(deep, element(output.access, axis, distance), " = ", stored_text(made_, space_, output, false), ";\n");
    const std::string at = begin.empty() ? "" : cat(deep, begin, "\n");
    return cat(arrays, loads.empty() ? "" : loop(at + loads, indent),
               loop(cat(at, deep, places, "\n", values("[k]", deep), stores), indent));
  }

  /// True if each thread may have four neighbours, loaded and stored as one.
  [[nodiscard]] bool has_neighbours() const {
    const auto is_small_and_dense = [&](int access) {
      return size_of(type_of(access)) <= 4 && stride(access, 0) <= 1 && stride(access, 0) >= 0;
    };
    return space_.axes() == 1 && made_.body.steps().size() <= most_repeated_steps &&
           std::all_of(loaded_.begin(), loaded_.end(), is_small_and_dense) &&
           std::all_of(made_.outputs.begin(), made_.outputs.end(), [&](const group_output& output) {
             return is_small_and_dense(output.access) && stride(output.access, 0) == 1;
           });
  }
  /// "(unsigned long long)l0 % 16 == 0 && ..."
  [[nodiscard]] std::string is_aligned() const {
    std::string text;
    for (const int access : moving())
      text += cat(text.empty() ? "" : " && ", "(unsigned long long)l", access, " % ", 4 * size_of(type_of(access)),
                  " == 0");
    return text;
  }
  /// Four neighbours, from element 4 * threadIdx.x of the pointers on.
  [[nodiscard]] std::string neighbours(const std::string& indent) const {
    const std::string deep = indent + "  ";
    const auto four = [&](int access) { return cat("nd_four<", kernels::spelling(type_of(access)), ">"); };
    std::string loads, keeps, stores;
    for (const int access : loaded_)
      loads += stride(access, 0) == 0 ? cat(indent, "const auto h", access, " = l", access, "[0];\n")
                                      : cat(indent, "const auto h", access, " = *(const ", four(access), "*)(l", access,
                                            " + 4 * threadIdx.x);\n");
    for (std::size_t k = 0; k < made_.outputs.size(); ++k) {
      const int access = made_.outputs[k].access;
      loads += cat(indent, four(access), " r", k, ";\n");
      keeps += cat(deep, "r", k, ".each[k] = ", stored_text(made_, space_, made_.outputs[k], false), ";\n");
      stores += cat(indent, "*(", four(access), "*)(l", access, " + 4 * threadIdx.x) = r", k, ";\n");
    }
    return cat(
        loads,
        loop(cat(deep, "const long long x = x0 + 4 * threadIdx.x + k;\n", values(".each[k]", deep), keeps), indent),
        stores);
  }

 private:
  [[nodiscard]] scalar_kind type_of(int access) const {
    return made_.arrays[index(made_.accesses[index(access)].array)].type;
  }
  [[nodiscard]] std::int64_t stride(int access, int axis) const {
    const array_access& a = space_.space().accesses[index(access)];
    return a.stride(axis, space_.space().arrays[index(a.array)]);
  }
  [[nodiscard]] std::set<int> moving() const {
    std::set<int> found;
    for (const int access : loaded_)
      if (stride(access, 0) != 0) found.insert(access);
    for (const group_output& output : made_.outputs) found.insert(output.access);
    return found;
  }
  [[nodiscard]] std::string element(int access, int axis, const char* distance) const {
    const std::int64_t far = stride(access, axis);
    const bool is_dense = axis + 1 == space_.axes() && far == 1;
    return cat("l", access, "[", far == 0 ? "0" : distance,
               far == 0 || is_dense ? "" : cat(" * s.s", access, "_", axis), "]");
  }
  [[nodiscard]] static std::string loop(const std::string& body, const std::string& indent) {
    return cat(indent, "#pragma unroll\n", indent, "for (int k = 0; k < ", per_thread, "; ++k) {\n", body, indent,
               "}\n");
  }
  /// The function of element `at` of what was loaded.
  [[nodiscard]] std::string values(const char* at, const std::string& indent) const {
    std::string text;
    for (std::size_t k = 0; k < made_.parameters.size(); ++k) {
      const group_parameter& p = made_.parameters[k];
      const bool is_one = at[0] == '.' && p.from == group_parameter::source::element && stride(p.which, 0) == 0;
      const std::string value = p.from == group_parameter::source::element ? cat("h", p.which, is_one ? "" : at)
                                : p.from == group_parameter::source::place ? place_name(p.which, space_.axes())
                                                                           : cat("q", p.which);
      text += cat(indent, "const ", kernels::spelling(p.type), " p", k, " = ", value, ";\n");
    }
    return text + kernels::print_statements(made_.body, results_of(made_), "f", indent);
  }

  const group& made_;
  const launch_space& space_;
  std::set<int> loaded_;
  std::int64_t bytes_ = 0;
};

std::string guarded(const group& made, const launch_space& space, const std::string& indent) {
  if (!space.has_window()) return compute_text(made, space, false, indent);
  const int last = space.axes() - 1;
  return cat(indent, "if (", window_of_rows(space), " && x >= s.wlo", last, " && x < s.whi", last, ") {\n",
             compute_text(made, space, false, indent + "  "), indent, "} else {\n",
             copy_text(made, space, false, indent + "  "), indent, "}\n");
}

/// Four elements of a tile on the only axis: neighbours, or a block apart where these are not aligned or not all there.
std::string gpu_flat(const group& made, const launch_space& space) {
  const four_printer print(made, space);
  const std::string one_by_one =
      cat("  for (long long e = threadIdx.x; e < s.tx; e += blockDim.x) {\n    const long long x = x0 + e;\n",
          "    if (x >= s.n0) break;\n", guarded(made, space, "    "), "  }\n");
  const std::string begin = "  const long long x0 = (long long)blockIdx.x * s.tx;\n";
  if (!print.fits()) return begin + one_by_one;
  const std::string pointers = cat("  const long long x = x0;\n", print.pointers("  "));
  const std::string full = std::to_string(launch_space::tile_elements);
  const std::string four = !print.has_neighbours() ? ""
                                                   : cat("  if (count == ", full, " && ", print.is_aligned(), ") {\n",
                                                         print.neighbours("    "), "    return;\n  }\n");
  const std::string place = "const long long x = x0 + e;", apart = "const int e = k * 256 + threadIdx.x;";
  if (!space.has_window())
    return cat(begin, "  const int count = (int)(s.n0 - x0 < s.tx ? s.n0 - x0 : s.tx);\n", pointers, four,
               print.loops(0, "e", apart + "\n    if (e >= count) break;", place, "  "));
  return cat(begin, "  if (s.tx == ", full, " && x0 >= s.wlo0 && x0 + s.tx <= s.whi0) {\n", pointers,
             print.loops(0, "e", apart, place, "  "), "    return;\n  }\n", one_by_one);
}

/// Opens the loop over what a tile has along z. Threads that its rows have no use for take the next z.
std::string z_loop(const launch_space& space) {
  std::string depth = "s.n0";
  for (int j = 1; j + 2 < space.axes(); ++j) depth += cat(" * s.n", j);
  return cat(
      "  const long long deep = step > s.ty ? step / s.ty : 1, ahead = deep > 1 ? first / s.ty : 0;\n",
      "  if (deep > 1) first -= ahead * s.ty;\n  if (ahead >= deep) return;\n",
      "  for (long long z = (long long)blockIdx.z * s.tz + ahead; z < ((long long)blockIdx.z + 1) * s.tz && z < ",
      depth, "; z += deep) {\n", decompose_z(space.axes(), "  "));
}

/// "y + 3 * step < y1 && ...": all four rows of the thread are in the tile, and inside of the window.
std::string has_four_rows(const launch_space& space) {
  const int axes = space.axes();
  std::string text = "row + 3 * step < y1";
  for (int j = 0; space.has_window() && j < axes; ++j) {
    const std::string place = j == axes - 2 ? "row" : place_name(j, axes);
    text += cat(" && ", place, " >= s.wlo", j, " && ", place, j == axes - 2 ? " + 3 * step" : "", " < s.whi", j);
  }
  return text;
}

std::string gpu_rows(const group& made, const launch_space& space) {
  const int axes = space.axes(), last = axes - 1;
  const four_printer print(made, space);
  std::string text =
      cat("  const long long step = blockDim.x >> (int)s.lx, x = (long long)blockIdx.x * s.tx + ",
          "(threadIdx.x & ((int)s.tx - 1));\n  long long first = threadIdx.x >> (int)s.lx;\n  if (x >= s.n", last,
          ") return;\n  const long long y0 = (long long)blockIdx.y * s.ty, y1 = y0 + s.ty < s.n", last - 1,
          " ? y0 + s.ty : s.n", last - 1, ";\n", axes > 2 ? z_loop(space) : "",
          "  for (long long row = y0 + first; row < y1; row += ", per_thread, " * step) {\n");
  if (print.fits())
    text += cat("    if (", has_four_rows(space), ") {\n      const long long y = row;\n", print.pointers("      "),
                print.loops(axes - 2, "k * step", "", "const long long y = row + k * step;", "      "),
                "      continue;\n    }\n");
  return cat(text, "    for (int k = 0; k < ", per_thread,
             " && row + k * step < y1; ++k) {\n      const long long y = row + k * step;\n",
             guarded(made, space, "      "), "    }\n  }\n", axes > 2 ? "  }\n" : "");
}

}  // namespace

std::string gpu_pointwise_types() {
  return cat("template <class T>\nstruct alignas(", per_thread, " * sizeof(T)) nd_four {\n  T each[", per_thread,
             "];\n};\n");
}

std::string gpu_pointwise(const group& made, const launch_space& space) {
  return space.axes() == 1 ? gpu_flat(made, space) : gpu_rows(made, space);
}

}  // namespace tessera::nd
