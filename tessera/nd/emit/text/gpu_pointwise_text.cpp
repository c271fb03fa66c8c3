#include "tessera/nd/emit/text/gpu_pointwise_text.h"

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
constexpr std::int64_t most_held_bytes = 64;  // per element: as many registers of a thread that has four

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
  /// Loops that load, compute and store. Element k is `distance` along `axis` behind the pointers; `places` declares x
  /// or y there, `load_at` and `store_at` stand before statements that load and store.
  [[nodiscard]] std::string loops(int axis, const char* distance, const std::string& load_at, const std::string& places,
                                  const std::string& store_at, const std::string& indent) const {
    const std::string deep = indent + "  ";
    std::string arrays, loads, stores;
    for (const int access : loaded_) {
      arrays += cat(indent, kernels::spelling(type_of(access)), " h", access, "[", per_thread, "];\n");
      loads += cat(deep, "h", access, "[k] = ", element(access, axis, distance), ";\n");
    }
    for (std::size_t k = 0; k < made_.outputs.size(); ++k) {
      const int access = made_.outputs[k].access;
      arrays += cat(indent, kernels::spelling(type_of(access)), " r", k, "[", per_thread, "];\n");
      stores += cat(deep, store_at, element(access, axis, distance), " = r", k, "[k];\n");
    }
    const auto loop = [&](const std::string& body) {
      return cat(indent, "#pragma unroll\n", indent, "for (int k = 0; k < ", per_thread, "; ++k) {\n", body, indent,
                 "}\n");
    };
    const std::string at = load_at.empty() ? "" : cat(deep, load_at, "\n");
    return cat(arrays, loads.empty() ? "" : loop(at + loads),
               loop(cat(at, places.empty() ? "" : cat(deep, places, "\n"), values(deep))),
               loop(cat(store_at.empty() ? "" : cat(deep, "const int e = k * 256 + threadIdx.x;\n"), stores)));
  }

 private:
  [[nodiscard]] scalar_kind type_of(int access) const {
    return made_.arrays[index(made_.accesses[index(access)].array)].type;
  }
  [[nodiscard]] std::string element(int access, int axis, const char* distance) const {
    const array_access& a = space_.space().accesses[index(access)];
    const std::int64_t stride = a.stride(axis, space_.space().arrays[index(a.array)]);
    const bool is_dense = axis + 1 == space_.axes() && stride == 1;
    return cat("l", access, "[", stride == 0 ? "0" : distance,
               stride == 0 || is_dense ? "" : cat(" * s.s", access, "_", axis), "]");
  }
  [[nodiscard]] std::string values(const std::string& indent) const {
    std::string text;
    for (std::size_t k = 0; k < made_.parameters.size(); ++k) {
      const group_parameter& p = made_.parameters[k];
      const std::string value = p.from == group_parameter::source::element ? cat("h", p.which, "[k]")
                                : p.from == group_parameter::source::place ? place_name(p.which, space_.axes())
                                                                           : cat("q", p.which);
      text += cat(indent, "const ", kernels::spelling(p.type), " p", k, " = ", value, ";\n");
    }
    text += kernels::print_statements(made_.body, results_of(made_), "f", indent);
    for (std::size_t k = 0; k < made_.outputs.size(); ++k)
      text += cat(indent, "r", k, "[k] = ", stored_text(made_, space_, made_.outputs[k], false), ";\n");
    return text;
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

/// Four elements a block apart, of a tile on the only axis. Without a window a thread that has none takes the last one
/// again and does not store it.
std::string gpu_flat(const group& made, const launch_space& space) {
  const four_printer print(made, space);
  const std::string one_by_one =
      cat("  for (long long e = threadIdx.x; e < s.tx; e += blockDim.x) {\n    const long long x = x0 + e;\n",
          "    if (x >= s.n0) break;\n", guarded(made, space, "    "), "  }\n");
  const std::string begin = "  const long long x0 = (long long)blockIdx.x * s.tx;\n";
  if (!print.fits()) return begin + one_by_one;
  const std::string pointers = cat("  const long long x = x0;\n", print.pointers("  "));
  const std::string place = "const long long x = x0 + e;";
  if (!space.has_window())
    return cat(begin, "  const int count = (int)(s.n0 - x0 < s.tx ? s.n0 - x0 : s.tx);\n", pointers,
               print.loops(0, "e", "const int at = k * 256 + threadIdx.x, e = at < count ? at : count - 1;", place,
                           "if (e < count) ", "  "));
  return cat(begin, "  if (s.tx == ", launch_space::tile_elements, " && x0 >= s.wlo0 && x0 + s.tx <= s.whi0) {\n",
             pointers, print.loops(0, "e", "const int e = k * 256 + threadIdx.x;", place, " ", "  "),
             "    return;\n  }\n", one_by_one);
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
                print.loops(axes - 2, "k * step", "", "const long long y = row + k * step;", "", "      "),
                "      continue;\n    }\n");
  return cat(text, "    for (int k = 0; k < ", per_thread,
             " && row + k * step < y1; ++k) {\n      const long long y = row + k * step;\n",
             guarded(made, space, "      "), "    }\n  }\n", axes > 2 ? "  }\n" : "");
}

}  // namespace

std::string gpu_pointwise(const group& made, const launch_space& space) {
  return space.axes() == 1 ? gpu_flat(made, space) : gpu_rows(made, space);
}

}  // namespace tessera::nd
