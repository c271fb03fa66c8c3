#include "tessera/nd/emit/text/reduce_text.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/gpu_piece_text.h"

namespace tessera::nd {
namespace {

using types = type_list;
static_assert(reduction_order::piece == 4096 && reduction_order::lanes == 128 && reduction_order::rows == 64,
              "the texts below have these numbers");

std::vector<kernels::expression::value> lane_values(const group& made) {
  std::vector<kernels::expression::value> list;
  for (const group_output& output : made.outputs) list.push_back(output.value);
  return list;
}

/// True if a thread block has more threads than columns.
bool is_narrow(const reduce_step& step) { return step.space.tile(0) < reduce_threads; }

class reduce_printer : gpu_piece_text {
 public:
  explicit reduce_printer(const reduce_step& step)
      : gpu_piece_text(step.reduced.elements, step.space, step.reduced.form == reduction_form::inner ? "" : "strip",
                       step.functions, lane_values(step.reduced.elements)),
        step_(step),
        f_(step.functions) {
    set_share(gpu_share::of(step.reduced.count, f_.has_second_pass() && fits_registers(made(), moving(0), 0)));
  }

  [[nodiscard]] std::string head(const char* function_words, const std::string& more = {}) const {
    return cat(kernel_head(made(), space()), "#define ND_FUNCTION ", function_words, "\n", more, function_texts(),
               "__global__ void nd_reduce(", parameter_list(made()), outputs(), ") {\n", lengths());
  }

  [[nodiscard]] std::string gpu_inner() const {
    const bool second = f_.has_second_pass(), turns = share().width == 128 && !second;
    return cat(
        gpu_memory("  ", turns), share().threads(), turns ? "  int turn = 0;\n" : "",
        share().rows(indices(1, "y", "    ")), "    const long long block = blockIdx.x;\n", chunk_begin("    "),
        declared("t", f_.pieces, "", "    "), piece_begin("int", "    "), gpu_lanes(false, "      "), gpu_either(false),
        gpu_fold(false, second, turns),
        second ? cat(means("      "), gpu_lanes(true, "      "), gpu_either(true), gpu_fold(true, false, false)) : "",
        "      if (lane == 0) {\n", piece_end("        "), "      }\n", turns ? "      turn ^= 1;\n" : "",
        "    }\n    if (lane == 0) {\n", store("      ", inner_place()), "    }\n  }\n");
  }

  [[nodiscard]] std::string cpu_inner() const {
    return cat(row_loop("y", 1),
               "    for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {\n",
               chunk_begin("      "), declared("t", f_.pieces, "", "      "), piece_begin("long long", "      "),
               declared("lanes", f_.lanes, "[128]", "        "), cpu_pass(false), cpu_fold(false),
               f_.has_second_pass() ? cat(means("        "), declared("squares", f_.squares, "[128]", "        "),
                                          cpu_pass(true), cpu_fold(true))
                                    : "",
               piece_end("        "), "      }\n", store("      ", inner_place()), "    }\n  }\n");
  }

  [[nodiscard]] std::string gpu_outer() const {
    std::string text = cat("  const long long x = (long long)blockIdx.x * s.tx + (threadIdx.x & ((int)s.tx - 1));\n",
                           "  if (x >= nx) return;\n",
                           is_narrow(step_) ? shared_pieces_begin() : row_loop("z", 2) + pieces_begin("    "),
                           declared("lanes", f_.lanes, "", "      "), gpu_column(false));
    if (f_.has_second_pass())
      text += cat(means_of("      ", ""), declared("squares", f_.squares, "", "      "), gpu_column(true));
    return cat(text, declared("t", f_.pieces, "", "      "), "      nd_piece(",
               joined({names("lanes", f_.lanes), names("squares", f_.squares), "(double)(limit - first)",
                       names("t", f_.pieces)}),
               ");\n", store("      ", outer_place("x")), "    }\n  }\n");
  }

  [[nodiscard]] std::string cpu_outer() const {
    std::string text = cat(row_loop("z", 2), pieces_begin("    "),
                           "      const long long x0 = blockIdx.x * s.tx, wanted = x0 + tessera_blocks * s.tx;\n",
                           "      const long long x1 = wanted < nx ? wanted : nx;\n",
                           "      for (long long strip = x0; strip < x1; strip += 1024) {\n",
                           "        const int width = x1 - strip < 1024 ? (int)(x1 - strip) : 1024;\n",
                           declared("lanes", f_.lanes, "[1024]", "        "));
    const auto pass = [&](bool second) {
      return cat("        for (long long e = first; e < limit; ++e) {\n", indices(1, "e", "          "),
                 run_pointers("          ", "strip"), cpu_runs(second, "e == first", "width", "q", "          "),
                 "        }\n");
    };
    text += pass(false);
    if (f_.has_second_pass())
      text += cat(
          declared("average", f_.averages, "[1024]", "        "), "        for (int q = 0; q < width; ++q) nd_means(",
          joined({names("lanes", f_.lanes, "[q]"), "(double)(limit - first)", names("average", f_.averages, "[q]")}),
          ");\n", declared("squares", f_.squares, "[1024]", "        "), pass(true));
    return cat(text, "        for (int q = 0; q < width; ++q) {\n", declared("t", f_.pieces, "", "          "),
               "          nd_piece(",
               joined({names("lanes", f_.lanes, "[q]"), names("squares", f_.squares, "[q]"), "(double)(limit - first)",
                       names("t", f_.pieces)}),
               ");\n", store("          ", outer_place("(strip + q)")), "        }\n      }\n    }\n  }\n");
  }

 private:
  [[nodiscard]] std::string outputs() const {
    std::string text;
    const types of = step_.outputs();
    for (std::size_t k = 0; k < of.size(); ++k) text += cat(", ", kernels::spelling(of[k]), "* o", k);
    return text;
  }
  static std::string chunk_begin(const std::string& indent) {
    return cat(indent, "const long long first = block * s.tx, limit = first + s.tx < nx ? first + s.tx : nx;\n");
  }
  /// Opens the loop over the pieces that a thread block has of a sequence across others.
  static std::string pieces_begin(const std::string& indent) {
    return cat(indent, "const long long pieces = (ny + 63) / 64, own = s.ty / 64;\n", indent,
               "for (long long piece = (long long)blockIdx.y * own; piece < ((long long)blockIdx.y + 1) * own && piece "
               "< pieces; ",
               "++piece) {\n", piece_rows(indent));
  }
  /// Opens that loop for the threads of a block that take a column each: those beside each other take several pieces.
  [[nodiscard]] std::string shared_pieces_begin() const {
    return cat(
        "  const long long pieces = (ny + 63) / 64;\n  const int own = (int)(s.ty / 64), all = own * (int)s.tz;\n",
        "  for (int item = (int)threadIdx.x >> (int)s.lx; item < all; item += (int)blockDim.x >> (int)s.lx) {\n",
        "    const long long z = (long long)blockIdx.z * s.tz + item / own;\n",
        "    const long long piece = (long long)blockIdx.y * own + item % own;\n",
        "    if (z < nz && piece < pieces) {\n", indices(2, "z", "      "), piece_rows("    "));
  }
  static std::string piece_rows(const std::string& indent) {
    return cat(indent, "  const long long first = piece * 64, limit = first + 64 < ny ? first + 64 : ny;\n");
  }
  static std::string piece_begin(const char* type, const std::string& indent) {
    return cat(indent, "for (long long begin = first; begin < limit; begin += 4096) {\n", indent, "  const ", type,
               " n = limit - begin < 4096 ? (", type, ")(limit - begin) : 4096;\n");
  }
  /// A pass, over registers if the piece is full.
  [[nodiscard]] std::string gpu_either(bool second) const {
    if (share().held == 0) return gpu_pass(second);
    const std::string deep = "          ";
    const std::string load = share().full_loop(cat(indices(0, "e", deep), loads(moving(0), deep)));
    return cat(second ? "" : held(moving(0), share().held, "      "), "      if (", share().is_full(), ") {\n",
               second ? "" : load, gpu_full_pass(second), "      } else {\n", gpu_pass(second), "      }\n");
  }
  /// Goes through a piece of a column, some rows at a time.
  [[nodiscard]] std::string gpu_column(bool second) const {
    const std::string deep = "            ";
    const auto part = [&](const std::string& text) {
      return cat("        #pragma unroll\n        for (int k = 0; k < 8; ++k) {\n          if (from + k < limit) {\n",
                 "            const long long e = from + k;\n", indices(1, "e", deep), text,
                 "          }\n        }\n");
    };
    return cat("      for (long long from = first; from < limit; from += 8) {\n", held(moving(1), 8, "        "),
               part(loads(moving(1), deep)),
               part(cat(element(deep, place_of_element::held), take(deep, second, "k == 0 && from == first", ""))),
               "      }\n");
  }

  [[nodiscard]] std::string means_of(const std::string& indent, const char* at) const {
    return cat(declared("average", f_.averages, "", indent), indent, "nd_means(",
               joined({names("lanes", f_.lanes, at), "(double)(limit - first)", names("average", f_.averages)}),
               ");\n");
  }

  /// Makes a piece of lane 0 and merges it into what the chunk has.
  [[nodiscard]] std::string piece_end(const std::string& indent) const {
    std::string sets;
    for (std::size_t k = 0; k < f_.pieces.size(); ++k) sets += cat("t", k, " = piece", k, "; ");
    return cat(declared("piece", f_.pieces, "", indent), indent, "nd_piece(",
               joined({names("lanes", f_.lanes, "[0]"), names("squares", f_.squares, "[0]"), "(double)n",
                       names("piece", f_.pieces)}),
               ");\n", indent, "if (begin == first) { ", sets, "} else nd_merge(", names("t", f_.pieces), ", ",
               names("piece", f_.pieces), ", ", names("t", f_.pieces), ");\n");
  }
  [[nodiscard]] std::string store(const std::string& indent, const std::string& place) const {
    std::string text;
    if (!step_.is_last) {
      for (std::size_t k = 0; k < f_.pieces.size(); ++k) text += cat(indent, "o", k, "[", place, "] = t", k, ";\n");
      return text;
    }
    std::string divisors;
    for (std::size_t k = 0; k < f_.divisors.size(); ++k)
      divisors += cat(k == 0 ? "" : ", ", "f.c", step_.first_divisor + static_cast<int>(k));
    text = cat(declared("r", f_.results, "", indent), indent, "nd_finish(",
               joined({names("t", f_.pieces), divisors, names("r", f_.results)}), ");\n");
    const std::vector<kernels::expression::value>& finished = step_.reduced.finished;
    text += cat(results_text(indent), kernels::print_statements(made().body, finished, "f", indent));
    for (std::size_t k = 0; k < finished.size(); ++k)
      text += cat(indent, "o", k, "[", place, "] = ", kernels::result_name(finished[k]), ";\n");
    return text;
  }
  [[nodiscard]] std::string inner_place() const { return step_.is_last ? "y" : "y * ((nx + s.tx - 1) / s.tx) + block"; }
  [[nodiscard]] std::string outer_place(const std::string& x) const {
    return step_.is_last ? cat("z * nx + ", x) : cat("(z * pieces + piece) * nx + ", x);
  }

  const reduce_step& step_;
  const reduction_functions& f_;
};

}  // namespace

types reduce_step::outputs() const {
  if (!is_last) return functions.pieces;
  types list;
  for (const kernels::expression::value each : reduced.finished) list.push_back(reduced.elements.body.type_of(each));
  return list;
}

kernel_text reduce_text(const reduce_step& step) {
  const reduce_printer print(step);
  const bool inner = step.reduced.form == reduction_form::inner;
  return {"nd_reduce",
          cat(print.head("static __device__ __forceinline__", inner ? warp_functions() : ""),
              inner ? print.gpu_inner() : print.gpu_outer(), "}\n"),
          cat(print.head("static inline __attribute__((always_inline))"), inner ? print.cpu_inner() : print.cpu_outer(),
              "}\n")};
}

std::string reduce_rules(const reduce_step& step) {
  const std::size_t count = step.outputs().size();
  const bool inner = step.reduced.form == reduction_form::inner, has_rows = step.reduced.rows > 1;
  std::string place;
  if (inner && step.is_last) place = has_rows ? " as [:][y0:y1]" : "";
  if (inner && !step.is_last) place = has_rows ? "[y0:y1, bx]" : "[0, bx]";
  if (!inner && step.is_last) place = has_rows ? " as [:, nx][z0:z1, x0:x1]" : " as [:][x0:x1]";
  if (!inner && !step.is_last)
    place = has_rows ? "[z0:z1, py * by : py * by + py - 1, x0:x1]" : "[0, py * by : py * by + py - 1, x0:x1]";
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += cat(k == 0 ? "" : ", ", "write o", k, place);
  return text;
}

void append_reduce_key(std::string& key, const reduce_step& step) {
  key += static_cast<char>(step.reduced.form);
  key += static_cast<char>(step.is_last);
  key += static_cast<char>(step.reduced.rows > 1);
  key += static_cast<char>(step.reduced.form == reduction_form::outer && is_narrow(step));
  const gpu_share share = gpu_share::of(step.reduced.count, step.functions.has_second_pass());
  key += static_cast<char>(share.width);
  key += static_cast<char>(share.held);
  key += static_cast<char>(step.first_divisor);
  for (const reduction& r : step.reduced.wanted) {
    key += static_cast<char>(r.spec.by);
    key += static_cast<char>(r.spec.computed);
    key += static_cast<char>(r.result);
  }
  for (const scalar_kind type : step.functions.lanes) key += static_cast<char>(type);
  for (const kernels::expression::value each : step.reduced.finished) key += static_cast<char>(each);
  key += static_cast<char>(0x7f);
  append_text_key(key, step.reduced.elements, step.space);
  append_annotation_key(key, step.reduced.elements, step.space);
}

}  // namespace tessera::nd
