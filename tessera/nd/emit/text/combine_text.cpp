#include "tessera/nd/emit/text/combine_text.h"

#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"

namespace tessera::nd {
namespace {

/// A function of values p0, p1, ... with results r0, r1, ...
std::string function_text(const std::string& name, const scalar_function& f, const type_list& parameters,
                          const type_list& results) {
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

type_list together(std::initializer_list<type_list> lists) {
  type_list all;
  for (const type_list& each : lists) all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace

std::string names(const char* name, const type_list& of, const char* at) {
  std::string text;
  for (std::size_t k = 0; k < of.size(); ++k) text += cat(k == 0 ? "" : ", ", name, k, at);
  return text;
}
std::string declared(const char* name, const type_list& of, const std::string& behind, const std::string& indent,
                     const char* before) {
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

combine_text::combine_text(const group& made, const launch_space& space, std::string across,
                           const reduction_functions& functions, std::vector<kernels::expression::value> values,
                           std::string id)
    : sequence_text(made, space, across, std::move(values)),
      f_(functions),
      id_(std::move(id)),
      is_inner_(across.empty()) {}

std::string combine_text::call(const char* function) const { return cat(function, id_, "("); }

std::string combine_text::function_texts() const {
  const type_list real{scalar_kind::float64};
  const auto text = [&](const char* name, const scalar_function& f, const type_list& parameters,
                        const type_list& results) { return function_text(name + id_, f, parameters, results); };
  return cat(text("nd_combine", f_.combine, together({f_.lanes, f_.lanes}), f_.lanes),
             text("nd_means", f_.means, together({f_.lanes, real}), f_.averages),
             text("nd_square", f_.square, together({f_.lanes, f_.averages}), f_.squares),
             text("nd_add", f_.add, together({f_.squares, f_.squares}), f_.squares),
             text("nd_piece", f_.piece, together({f_.lanes, f_.squares, real}), f_.pieces),
             text("nd_merge", f_.merge, together({f_.pieces, f_.pieces}), f_.pieces),
             text("nd_finish", f_.finish, together({f_.pieces, type_list(f_.divisors.size(), scalar_kind::float64)}),
                  f_.results));
}

std::string combine_text::take(const std::string& indent, bool second, const std::string& is_first,
                               const char* at) const {
  const std::string average_at = second && !is_inner_ ? at : "";
  if (!second) {
    std::string sets;
    for (std::size_t k = 0; k < f_.lanes.size(); ++k) sets += cat("lanes", k, at, " = ", value_name(k), "; ");
    const std::string lanes = names("lanes", f_.lanes, at);
    const std::string combines = cat(call("nd_combine"), lanes, ", ", value_names(), ", ", lanes, ");");
    if (is_first == "true") return cat(indent, sets, "\n");
    if (is_first == "false") return cat(indent, combines, "\n");
    return cat(indent, "if (", is_first, ") { ", sets, "} else ", combines, "\n");
  }
  std::string sets;
  for (std::size_t k = 0; k < f_.squares.size(); ++k) sets += cat("squares", k, at, " = d", k, "; ");
  const std::string squares = names("squares", f_.squares, at);
  const std::string adds = cat(call("nd_add"), squares, ", ", names("d", f_.squares), ", ", squares, ");");
  std::string text = cat(declared("d", f_.squares, "", indent), indent, call("nd_square"), value_names(), ", ",
                         names("average", f_.averages, average_at.c_str()), ", ", names("d", f_.squares), ");\n");
  if (is_first == "true") return cat(text, indent, sets, "\n");
  if (is_first == "false") return cat(text, indent, adds, "\n");
  return cat(text, indent, "if (", is_first, ") { ", sets, "} else ", adds, "\n");
}

std::string combine_text::means(const std::string& indent) const {
  return cat(declared("average", f_.averages, "", indent), indent, call("nd_means"),
             joined({names("lanes", f_.lanes, "[0]"), "(double)n", names("average", f_.averages)}), ");\n");
}

std::string combine_text::cpu_runs(bool second, const std::string& is_first, const std::string& count, const char* lane,
                                   const std::string& indent, const std::string& more) const {
  const std::string at = cat("[", lane, "]");
  const auto loop = [&](const char* first) {
    return cat(indent, "  #pragma GCC ivdep\n", indent, "  for (int q = 0; q < ", count, "; ++q) {\n",
               element(indent + "    ", place_of_element::run),
               second || more.empty() ? "" : cat(indent, "    ", more, "\n"),
               take(indent + "    ", second, first, at.c_str()), indent, "  }\n");
  };
  return cat(indent, "if (", is_first, ") {\n", loop("true"), indent, "} else {\n", loop("false"), indent, "}\n");
}

std::string combine_text::cpu_pass(bool second, const std::string& more) const {
  const std::string column = cat("i", last());
  return cat("        for (long long at = begin; at < begin + n; at += 128) {\n",
             "          const int width = begin + n - at < 128 ? (int)(begin + n - at) : 128;\n",
             "          for (int lane = 0; lane < width;) {\n            const long long e = at + lane;\n",
             indices(0, "e", "            "), "            const int run = s.n", last(), " - ", column,
             " < width - lane ? (int)(s.n", last(), " - ", column, ") : width - lane;\n",
             run_pointers("            ", column),
             cpu_runs(second, "at == begin", "run", "lane + q", "            ", more),
             "            lane += run;\n          }\n        }\n");
}

std::string combine_text::cpu_fold(bool second) const {
  const type_list& of = second ? f_.squares : f_.lanes;
  const char* const array = second ? "squares" : "lanes";
  const std::string own = names(array, of, "[lane]");
  return cat(
      "        for (int half = 64; half > 0; half /= 2)\n          for (int lane = 0; lane < half && lane + half < "
      "n; ++lane) ",
      second ? call("nd_add") : call("nd_combine"), own, ", ", names(array, of, "[lane + half]"), ", ", own, ");\n");
}

}  // namespace tessera::nd
