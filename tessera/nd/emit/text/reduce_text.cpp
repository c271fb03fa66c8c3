#include "tessera/nd/emit/text/reduce_text.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/sequence_text.h"

namespace tessera::nd {
namespace {

using types = std::vector<scalar_kind>;
static_assert(reduction_order::piece == 4096 && reduction_order::lanes == 128 && reduction_order::rows == 64,
              "the texts below have these numbers");

/// "a0, a1", for as many names as there are types; `at` stands behind each.
std::string names(const char* name, const types& of, const char* at = "") {
  std::string text;
  for (std::size_t k = 0; k < of.size(); ++k) text += cat(k == 0 ? "" : ", ", name, k, at);
  return text;
}
std::string declared(const char* name, const types& of, const std::string& behind, const std::string& indent,
                     const char* before = "") {
  std::string text;
  for (std::size_t k = 0; k < of.size(); ++k)
    text += cat(indent, before, kernels::spelling(of[k]), " ", name, k, behind, ";\n");
  return text;
}
std::string joined(std::initializer_list<std::string> lists) {
  std::string text;
  for (const std::string& each : lists)
    if (!each.empty()) text += cat(text.empty() ? "" : ", ", each);
  return text;
}

/// A function of values p0, p1, ... with results r0, r1, ...
std::string function_text(const char* name, const scalar_function& f, const types& parameters, const types& results) {
  if (results.empty()) return "";
  std::string list, ends;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    list += cat(k == 0 ? "" : ", ", "const ", kernels::spelling(parameters[k]), " p", k);
  for (std::size_t k = 0; k < results.size(); ++k) {
    list += cat(", ", kernels::spelling(results[k]), "& r", k);
    ends += cat("  r", k, " = ", kernels::result_name(f.results[k]), ";\n");
  }
  return cat("ND_FUNCTION void ", name, "(", list, ") {\n", kernels::print_statements(f.body, f.results, "f", "  "),
             ends, "}\n");
}

types together(std::initializer_list<types> lists) {
  types all;
  for (const types& each : lists) all.insert(all.end(), each.begin(), each.end());
  return all;
}

class reduce_printer : sequence_text {
 public:
  explicit reduce_printer(const reduce_step& step)
      : sequence_text(step.reduced.elements, step.space, step.reduced.form == reduction_form::inner ? "" : "strip"),
        step_(step),
        f_(step.functions) {}

  [[nodiscard]] std::string head(const char* function_words) const {
    const types real{scalar_kind::float64};
    return cat(kernel_head(made(), space()), "#define ND_FUNCTION ", function_words, "\n",
               function_text("nd_combine", f_.combine, together({f_.lanes, f_.lanes}), f_.lanes),
               function_text("nd_means", f_.means, together({f_.lanes, real}), f_.averages),
               function_text("nd_square", f_.square, together({f_.lanes, f_.averages}), f_.squares),
               function_text("nd_add", f_.add, together({f_.squares, f_.squares}), f_.squares),
               function_text("nd_piece", f_.piece, together({f_.lanes, f_.squares, real}), f_.pieces),
               function_text("nd_merge", f_.merge, together({f_.pieces, f_.pieces}), f_.pieces),
               function_text("nd_finish", f_.finish,
                             together({f_.pieces, types(f_.divisors.size(), scalar_kind::float64)}), f_.results),
               "__global__ void nd_reduce(", parameter_list(made()), outputs(), ") {\n", lengths());
  }

  [[nodiscard]] std::string gpu_inner() const {
    return cat(declared("lanes", f_.lanes, "[128]", "  ", "__shared__ "),
               declared("squares", f_.squares, "[128]", "  ", "__shared__ "), "  const int lane = threadIdx.x;\n",
               row_loop("y", 1), "    const long long block = blockIdx.x;\n", chunk_begin("    "),
               declared("t", f_.pieces, "", "    "), piece_begin("    "), gpu_pass(false), gpu_fold(false),
               f_.has_second_pass() ? cat(means("      "), gpu_pass(true), gpu_fold(true)) : "",
               "      if (lane == 0) {\n", piece_end("        "), "      }\n      __syncthreads();\n    }\n",
               "    if (lane == 0) {\n", store("      ", inner_place()), "    }\n  }\n");
  }

  [[nodiscard]] std::string cpu_inner() const {
    return cat(row_loop("y", 1),
               "    for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {\n",
               chunk_begin("      "), declared("t", f_.pieces, "", "      "), piece_begin("      "),
               declared("lanes", f_.lanes, "[128]", "        "), cpu_pass(false), cpu_fold(false),
               f_.has_second_pass() ? cat(means("        "), declared("squares", f_.squares, "[128]", "        "),
                                          cpu_pass(true), cpu_fold(true))
                                    : "",
               piece_end("        "), "      }\n", store("      ", inner_place()), "    }\n  }\n");
  }

  [[nodiscard]] std::string gpu_outer() const {
    std::string text =
        cat("  const long long x = blockIdx.x * s.tx + threadIdx.x;\n  if (threadIdx.x >= s.tx || x >= nx) return;\n",
            row_loop("z", 2), pieces_begin("    "), declared("lanes", f_.lanes, "", "    "));
    const auto pass = [&](bool second) {
      return cat("    for (long long e = first; e < limit; ++e) {\n", indices(1, "e", "      "),
                 element("      ", place_of_element::index), take("      ", second, "e == first", ""), "    }\n");
    };
    text += pass(false);
    if (f_.has_second_pass())
      text += cat(means_of("    ", ""), declared("squares", f_.squares, "", "    "), pass(true));
    return cat(text, declared("t", f_.pieces, "", "    "), "    nd_piece(",
               joined({names("lanes", f_.lanes), names("squares", f_.squares), "(double)(limit - first)",
                       names("t", f_.pieces)}),
               ");\n", store("    ", outer_place("x")), "  }\n");
  }

  [[nodiscard]] std::string cpu_outer() const {
    std::string text = cat(row_loop("z", 2), pieces_begin("    "),
                           "    const long long x0 = blockIdx.x * s.tx, wanted = x0 + tessera_blocks * s.tx;\n",
                           "    const long long x1 = wanted < nx ? wanted : nx;\n",
                           "    for (long long strip = x0; strip < x1; strip += 1024) {\n",
                           "      const int width = x1 - strip < 1024 ? (int)(x1 - strip) : 1024;\n",
                           declared("lanes", f_.lanes, "[1024]", "      "));
    const auto pass = [&](bool second) {
      return cat("      for (long long e = first; e < limit; ++e) {\n", indices(1, "e", "        "),
                 run_pointers("        ", "strip"), cpu_runs(second, "e == first", "width", "q", "        "),
                 "      }\n");
    };
    text += pass(false);
    if (f_.has_second_pass())
      text += cat(
          declared("average", f_.averages, "[1024]", "      "), "      for (int q = 0; q < width; ++q) nd_means(",
          joined({names("lanes", f_.lanes, "[q]"), "(double)(limit - first)", names("average", f_.averages, "[q]")}),
          ");\n", declared("squares", f_.squares, "[1024]", "      "), pass(true));
    return cat(text, "      for (int q = 0; q < width; ++q) {\n", declared("t", f_.pieces, "", "        "),
               "        nd_piece(",
               joined({names("lanes", f_.lanes, "[q]"), names("squares", f_.squares, "[q]"), "(double)(limit - first)",
                       names("t", f_.pieces)}),
               ");\n", store("        ", outer_place("(strip + q)")), "      }\n    }\n  }\n");
  }

 private:
  [[nodiscard]] bool is_inner() const { return step_.reduced.form == reduction_form::inner; }

  [[nodiscard]] std::string outputs() const {
    std::string text;
    const types of = step_.outputs();
    for (std::size_t k = 0; k < of.size(); ++k) text += cat(", ", kernels::spelling(of[k]), "* o", k);
    return text;
  }
  static std::string chunk_begin(const std::string& indent) {
    return cat(indent, "const long long first = block * s.tx, limit = first + s.tx < nx ? first + s.tx : nx;\n");
  }
  static std::string pieces_begin(const std::string& indent) {
    return cat(indent, "const long long first = blockIdx.y * s.ty, limit = first + s.ty < ny ? first + s.ty : ny;\n");
  }
  static std::string piece_begin(const std::string& indent) {
    return cat(indent, "for (long long begin = first; begin < limit; begin += 4096) {\n", indent,
               "  const long long n = limit - begin < 4096 ? limit - begin : 4096;\n");
  }

  /// Puts the element into the lane `at`: as the first there if `is_first` holds, else combined with what is there.
  [[nodiscard]] std::string take(const std::string& indent, bool second, const std::string& is_first,
                                 const char* at) const {
    const std::string average_at = second && !is_inner() ? at : "";
    if (!second) {
      std::string sets;
      for (std::size_t k = 0; k < f_.lanes.size(); ++k) sets += cat("lanes", k, at, " = ", value_name(k), "; ");
      const std::string lanes = names("lanes", f_.lanes, at);
      const std::string combines = cat("nd_combine(", lanes, ", ", value_names(), ", ", lanes, ");");
      if (is_first == "true") return cat(indent, sets, "\n");
      if (is_first == "false") return cat(indent, combines, "\n");
      return cat(indent, "if (", is_first, ") { ", sets, "} else ", combines, "\n");
    }
    std::string sets;
    for (std::size_t k = 0; k < f_.squares.size(); ++k) sets += cat("squares", k, at, " = d", k, "; ");
    const std::string squares = names("squares", f_.squares, at);
    const std::string adds = cat("nd_add(", squares, ", ", names("d", f_.squares), ", ", squares, ");");
    std::string text = cat(declared("d", f_.squares, "", indent), indent, "nd_square(", value_names(), ", ",
                           names("average", f_.averages, average_at.c_str()), ", ", names("d", f_.squares), ");\n");
    if (is_first == "true") return cat(text, indent, sets, "\n");
    if (is_first == "false") return cat(text, indent, adds, "\n");
    return cat(text, indent, "if (", is_first, ") { ", sets, "} else ", adds, "\n");
  }

  [[nodiscard]] std::string means(const std::string& indent) const {
    return cat(declared("average", f_.averages, "", indent), indent, "nd_means(",
               joined({names("lanes", f_.lanes, "[0]"), "(double)n", names("average", f_.averages)}), ");\n");
  }
  [[nodiscard]] std::string means_of(const std::string& indent, const char* at) const {
    return cat(declared("average", f_.averages, "", indent), indent, "nd_means(",
               joined({names("lanes", f_.lanes, at), "(double)(limit - first)", names("average", f_.averages)}),
               ");\n");
  }

  [[nodiscard]] std::string gpu_pass(bool second) const {
    const types& of = second ? f_.squares : f_.lanes;
    const char* const array = second ? "squares" : "lanes";
    std::string keeps;
    for (std::size_t k = 0; k < of.size(); ++k) keeps += cat("        ", array, k, "[lane] = own", k, ";\n");
    std::string body = cat(indices(0, "e", "          "), element("          ", place_of_element::index));
    std::string sets, taken;
    if (!second) {
      for (std::size_t k = 0; k < f_.lanes.size(); ++k) sets += cat("own", k, " = ", value_name(k), "; ");
      taken = cat("nd_combine(", names("own", of), ", ", value_names(), ", ", names("own", of), ");");
    } else {
      body += cat(declared("d", of, "", "          "), "          nd_square(", value_names(), ", ",
                  names("average", f_.averages), ", ", names("d", of), ");\n");
      for (std::size_t k = 0; k < of.size(); ++k) sets += cat("own", k, " = d", k, "; ");
      taken = cat("nd_add(", names("own", of), ", ", names("d", of), ", ", names("own", of), ");");
    }
    return cat("      if (lane < n) {\n", declared("own", of, "", "        "),
               "        for (long long e = begin + lane; e < begin + n; e += 128) {\n", body,
               "          if (e == begin + lane) { ", sets, "} else ", taken, "\n        }\n", keeps, "      }\n");
  }
  [[nodiscard]] std::string gpu_fold(bool second) const {
    const types& of = second ? f_.squares : f_.lanes;
    const char* const array = second ? "squares" : "lanes";
    const std::string own = names(array, of, "[lane]");
    return cat("      __syncthreads();\n      for (int half = 64; half > 0; half /= 2) {\n",
               "        if (lane < half && lane + half < n) ", second ? "nd_add(" : "nd_combine(", own, ", ",
               names(array, of, "[lane + half]"), ", ", own, ");\n        __syncthreads();\n      }\n");
  }

  /// Two loops over a run: one that sets lanes, one that combines with them.
  [[nodiscard]] std::string cpu_runs(bool second, const std::string& is_first, const std::string& count,
                                     const char* lane, const std::string& indent) const {
    const std::string at = cat("[", lane, "]");
    const auto loop = [&](const char* first) {
      return cat(indent, "  #pragma GCC ivdep\n", indent, "  for (int q = 0; q < ", count, "; ++q) {\n",
                 element(indent + "    ", place_of_element::run), take(indent + "    ", second, first, at.c_str()),
                 indent, "  }\n");
    };
    return cat(indent, "if (", is_first, ") {\n", loop("true"), indent, "} else {\n", loop("false"), indent, "}\n");
  }
  [[nodiscard]] std::string cpu_pass(bool second) const {
    const std::string column = cat("i", last());
    return cat("        for (long long at = begin; at < begin + n; at += 128) {\n",
               "          const int width = begin + n - at < 128 ? (int)(begin + n - at) : 128;\n",
               "          for (int lane = 0; lane < width;) {\n            const long long e = at + lane;\n",
               indices(0, "e", "            "), "            const int run = s.n", last(), " - ", column,
               " < width - lane ? (int)(s.n", last(), " - ", column, ") : width - lane;\n",
               run_pointers("            ", column), cpu_runs(second, "at == begin", "run", "lane + q", "            "),
               "            lane += run;\n          }\n        }\n");
  }
  [[nodiscard]] std::string cpu_fold(bool second) const {
    const types& of = second ? f_.squares : f_.lanes;
    const char* const array = second ? "squares" : "lanes";
    const std::string own = names(array, of, "[lane]");
    return cat(
        "        for (int half = 64; half > 0; half /= 2)\n          for (int lane = 0; lane < half && lane + half < "
        "n; ++lane) ",
        second ? "nd_add(" : "nd_combine(", own, ", ", names(array, of, "[lane + half]"), ", ", own, ");\n");
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
    return step_.is_last ? cat("z * nx + ", x) : cat("(z * ((ny + s.ty - 1) / s.ty) + blockIdx.y) * nx + ", x);
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
          cat(print.head("static __device__ __forceinline__"), inner ? print.gpu_inner() : print.gpu_outer(), "}\n"),
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
  if (!inner && !step.is_last) place = has_rows ? "[z0:z1, by, x0:x1]" : "[0, by, x0:x1]";
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += cat(k == 0 ? "" : ", ", "write o", k, place);
  return text;
}

void append_reduce_key(std::string& key, const reduce_step& step) {
  key += static_cast<char>(step.reduced.form);
  key += static_cast<char>(step.is_last);
  key += static_cast<char>(step.reduced.rows > 1);
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
