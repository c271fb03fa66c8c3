#include "tessera/nd/emit/text/rows_text.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/gpu_piece_text.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

static_assert(longest_row == 4096, "the texts below have this number");

/// One stage: reductions of a row that is one piece.
class stage_printer : gpu_piece_text {
 public:
  stage_printer(const rows_step& step, std::size_t stage)
      : gpu_piece_text(step.rows.elements, step.space, "", step.functions[stage].functions,
                       step.rows.stages[stage].lanes, std::to_string(stage)),
        step_(step),
        stage_(stage) {}

  using combine_text::function_texts;
  [[nodiscard]] std::set<int> accesses() const { return moving(0); }

  [[nodiscard]] std::string gpu(const gpu_share& share, const char* kept_at) {
    set_share(share);
    set_kept_at(kept_at);
    const std::string in = "      ";
    const auto pass = [&](bool second) {
      return share.held > 0 ? gpu_full_pass(second, keeps(kept_at)) : gpu_pass(second, keeps(kept_at));
    };
    return cat("    {\n", gpu_memory(in, false), gpu_lanes(false, in), pass(false), gpu_fold(false, true, false),
               functions().has_second_pass()
                   ? cat(means(in), gpu_lanes(true, in), pass(true), gpu_fold(true, true, false))
                   : "",
               finish(in), "    }\n");
  }
  /// Barriers of the text.
  [[nodiscard]] int folds() const { return functions().has_second_pass() ? 2 : 1; }

  [[nodiscard]] std::string cpu() const {
    const reduction_functions& f = functions();
    return cat(
        "    {\n", declared("lanes", f.lanes, "[128]", "      "), cpu_pass(false, keeps("[e + q]")), cpu_fold(false),
        f.has_second_pass()
            ? cat(means("      "), declared("squares", f.squares, "[128]", "      "), cpu_pass(true), cpu_fold(true))
            : "",
        finish("      "), "    }\n");
  }

 private:
  /// Keeps values of an element that are needed again.
  [[nodiscard]] std::string keeps(const char* place) const {
    std::string text;
    for (std::size_t k = 0; k < step_.rows.kept.size(); ++k)
      if (const kept_value& kept = step_.rows.kept[k]; kept.is_used && kept.stage == stage_)
        text += cat(text.empty() ? "" : " ", "kept", k, place, " = ", kernels::result_name(kept.value), ";");
    return text;
  }

  [[nodiscard]] std::string finish(const std::string& indent) const {
    const reduction_functions& f = functions();
    std::string divisors, results;
    for (std::size_t k = 0; k < f.divisors.size(); ++k)
      divisors += cat(k == 0 ? "" : ", ", "f.c", step_.functions[stage_].first_divisor + static_cast<int>(k));
    for (std::size_t k = 0; k < f.results.size(); ++k)
      results += cat(k == 0 ? "" : ", ", "r", step_.rows.stages[stage_].first_result + static_cast<int>(k));
    return cat(
        declared("t", f.pieces, "", indent), indent, call("nd_piece"),
        joined({names("lanes", f.lanes, "[0]"), names("squares", f.squares, "[0]"), "(double)n", names("t", f.pieces)}),
        ");\n", indent, call("nd_finish"), joined({names("t", f.pieces), divisors, results}), ");\n");
  }

  const rows_step& step_;
  std::size_t stage_;
};

/// The kernel around the stages, and what is stored.
class rows_printer : sequence_text {
 public:
  explicit rows_printer(const rows_step& step)
      : sequence_text(step.rows.elements, step.space, ""), step_(step), accesses_(moving(0)) {
    std::int64_t kept_bytes = 0;
    for (std::size_t k = 0; k < step_.rows.stages.size(); ++k) stages_.emplace_back(step_, k);
    for (const stage_printer& stage : stages_) accesses_.merge(stage.accesses());
    for (const kept_value& kept : step_.rows.kept)
      if (kept.is_used) kept_bytes += size_of(kept.type);
    share_ = gpu_share::of(step.rows.count, fits_registers(made(), accesses_, kept_bytes));
    for (const stage_printer& stage : stages_) functions_ += stage.function_texts();
  }

  [[nodiscard]] std::string gpu() {
    const std::string in = "    ";
    const bool holds = share_.held > 0, is_warp = share_.width == 32;
    const char* const kept_at = holds ? "[k]" : is_warp ? "[threadIdx.x / 32][e]" : "[e]";
    std::string stages;
    int folds = 0;
    for (stage_printer& stage : stages_) stages += stage.gpu(share_, kept_at), folds += stage.folds();
    set_kept_at(kept_at);
    const std::string size = holds ? cat("[", share_.held, "]") : is_warp ? "[4][256]" : "[4096]";
    const std::string kept = declared_kept(holds ? in : "  __shared__ ", size);
    const std::string loaded = cat(indices(0, "e", "          "), loads(accesses_, "          "));
    return cat(head("static __device__ __forceinline__", warp_functions()), share_.threads(), holds ? "" : kept,
               share_.rows(indices(1, "y", in)), "    const long long begin = 0;\n    const int n = (int)nx;\n",
               declared_results(in), holds ? cat(kept, held(accesses_, share_.held, in), share_.full_loop(loaded)) : "",
               stages, gpu_elements(), finished(true), !is_warp && folds < 2 ? "    __syncthreads();\n" : "",
               "  }\n}\n");
  }

  [[nodiscard]] std::string cpu() const {
    std::string stages;
    for (const stage_printer& stage : stages_) stages += stage.cpu();
    return cat(head("static inline __attribute__((always_inline))", ""), row_loop("y", 1),
               "    const long long begin = 0, n = nx;\n", declared_results("    "), declared_kept("    ", "[4096]"),
               stages, cpu_elements(), finished(false), "  }\n}\n");
  }

 private:
  [[nodiscard]] std::string head(const char* function_words, const std::string& more) const {
    return cat(kernel_head(made(), space()), "#define ND_FUNCTION ", function_words, "\n", more, functions_,
               "__global__ void nd_rows(", parameter_list(made()), row_outputs(), ") {\n", lengths());
  }

  [[nodiscard]] std::string row_outputs() const {
    std::string text;
    for (std::size_t k = 0; k < step_.rows.stored.size(); ++k)
      text += cat(", ", kernels::spelling(step_.rows.stored[k]->type), "* o", k);
    return text;
  }

  [[nodiscard]] std::string declared_results(const std::string& before) const {
    std::string text;
    for (std::size_t stage = 0; stage < step_.rows.stages.size(); ++stage) {
      int place = step_.rows.stages[stage].first_result;
      for (const scalar_kind type : step_.functions[stage].functions.results)
        text += cat(before, kernels::spelling(type), " r", place++, ";\n");
    }
    return text;
  }
  [[nodiscard]] std::string declared_kept(const std::string& before, const std::string& size) const {
    std::string text;
    for (std::size_t k = 0; k < step_.rows.kept.size(); ++k)
      if (step_.rows.kept[k].is_used)
        text += cat(before, kernels::spelling(step_.rows.kept[k].type), " kept", k, size, ";\n");
    return text;
  }

  [[nodiscard]] std::string stores(const std::string& indent, place_of_element place) const {
    std::string text;
    for (std::size_t k = 0; k < made().outputs.size(); ++k)
      text += cat(indent, element_of(made().outputs[k].access, place), " = ", value_name(k), ";\n");
    return text;
  }
  [[nodiscard]] std::string gpu_elements() const {
    if (made().outputs.empty()) return "";
    const std::string deep = "          ";
    const std::string body =
        cat(indices(0, "e", deep), element(deep, place_of_element::held), stores(deep, place_of_element::index));
    if (share_.held > 0) return share_.full_loop(body);
    const std::set<int> accesses = moving(0);
    const std::string loaded = accesses.empty() ? "" : cat(indices(0, "e", deep), loads(accesses, deep));
    return cat("    {\n", held(accesses, gpu_share::together, "      "), share_.loop(loaded, body), "    }\n");
  }
  [[nodiscard]] std::string cpu_elements() const {
    const std::string column = cat("i", last());
    return cat("    for (long long e = 0; e < n;) {\n", indices(0, "e", "      "), "      const int run = s.n", last(),
               " - ", column, " < n - e ? (int)(s.n", last(), " - ", column, ") : (int)(n - e);\n",
               run_pointers("      ", column), "      #pragma GCC ivdep\n      for (int q = 0; q < run; ++q) {\n",
               element("        ", place_of_element::run), stores("        ", place_of_element::run),
               "      }\n      e += run;\n    }\n");
  }

  [[nodiscard]] std::string finished(bool gpu) const {
    if (step_.rows.finished.empty()) return "";
    std::string text = cat("    ", gpu ? "if (lane == 0) " : "", "{\n", results_text("      "),
                           kernels::print_statements(made().body, step_.rows.finished, "f", "      "));
    for (std::size_t k = 0; k < step_.rows.finished.size(); ++k)
      text += cat("      o", k, "[y] = ", kernels::result_name(step_.rows.finished[k]), ";\n");
    return text + "    }\n";
  }

  const rows_step& step_;
  std::vector<stage_printer> stages_;
  std::set<int> accesses_;  // Of all stages, and of what is stored.
  std::string functions_;
  gpu_share share_;
};

}  // namespace

kernel_text rows_text(const rows_step& step) {
  rows_printer print(step);
  return {"nd_rows", print.gpu(), print.cpu()};
}

std::string rows_rules(const rows_step& step) {
  std::string text;
  for (std::size_t k = 0; k < step.rows.stored.size(); ++k)
    text += cat(k == 0 ? "" : ", ", "write o", k, step.rows.rows > 1 ? " as [:][y0:y1]" : "");
  return text;
}

void append_rows_key(std::string& key, const rows_step& step) {
  const auto add = [&](auto n) { key += static_cast<char>(n); };
  const auto add_value = [&](kernels::expression::value v) { add(v & 0xff), add(v >> 8); };
  add(step.rows.rows > 1);
  const gpu_share share = gpu_share::of(step.rows.count, true);
  add(share.width), add(share.held);
  for (std::size_t k = 0; k < step.rows.stages.size(); ++k) {
    add(step.functions[k].first_divisor);
    for (const reduction& r : step.rows.stages[k].wanted) add(r.spec.by), add(r.spec.computed), add(r.result);
    for (const kernels::expression::value each : step.rows.stages[k].lanes) add_value(each);
    add(0x7f);
  }
  for (const kept_value& kept : step.rows.kept) add_value(kept.value), add(kept.is_used), add(kept.stage);
  add(0x7f);
  for (const kernels::expression::value each : step.rows.finished) add_value(each);
  append_text_key(key, step.rows.elements, step.space);
  append_annotation_key(key, step.rows.elements, step.space);
}

}  // namespace tessera::nd
