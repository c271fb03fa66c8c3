#include "tessera/kernel/scalar/print.h"

#include <array>
#include <cctype>
#include <limits>
#include <vector>

#include "tessera/base/defects.h"
#include "tessera/base/text.h"
#include "tessera/kernel/wrap/device_text.h"

namespace tessera::kernels {
namespace {

int operands_of(const scalar_step& step) { return facts_of(step.operation).operands; }

std::string variable(expression::value step) { return cat("v", step); }

std::string literal_text(const scalar_step& step) {
  const std::int64_t number = planted("literal_truncated") ? static_cast<int>(step.detail) : step.detail;
  if (number == std::numeric_limits<std::int64_t>::min())
    return cat("(", spelling(step.type), ")(-9223372036854775807LL - 1)");
  return cat("(", spelling(step.type), ")", number, "LL");
}

class functor_printer {
 public:
  functor_printer(const expression& body, std::span<const printed_parameter> parameters, std::string_view numbers = "",
                  std::string_view indent = "    ")
      : body_(body), parameters_(parameters), numbers_(numbers), indent_(indent), needed_(body.steps().size()) {}

  /// Marks the steps that `step` is made of. Operands come before their users.
  void need(expression::value step) { needed_[step] = true; }
  void spread_needs() {
    for (std::size_t k = body_.steps().size(); k-- > 0;) {
      if (!needed_[k]) continue;
      const scalar_step& step = body_.steps()[k];
      for (int o = 0; o < operands_of(step); ++o) needed_[step.operands[static_cast<std::size_t>(o)]] = true;
    }
  }

  [[nodiscard]] std::string statements() const {
    std::string text;
    for (std::size_t k = 0; k < body_.steps().size(); ++k)
      if (needed_[k])
        text += cat(indent_, "const ", spelling(body_.steps()[k].type), " ",
                    variable(static_cast<expression::value>(k)), " = ", value_text(body_.steps()[k]), ";\n");
    return text;
  }

 private:
  [[nodiscard]] std::string value_text(const scalar_step& step) const {
    switch (step.operation) {
      case opcode::parameter:
        return cat("p", step.place);
      case opcode::constant:
        return step.place == 0 ? literal_text(step) : cat(numbers_, "c", step.place - 1);
      case opcode::convert:
      case opcode::saturate:
        return conversion_text(step);
      case opcode::neighbour:
        return neighbour_text(step);
      default:
        return operation_text(step);
    }
  }

  [[nodiscard]] std::string neighbour_text(const scalar_step& step) const {
    const std::array<int, 4> offsets = unpack_offsets(step.detail);
    std::string text = cat("p", step.place, "(");
    for (int k = 0; k < parameters_[step.place].axes; ++k)
      text += cat(k == 0 ? "" : ", ", offsets[static_cast<std::size_t>(k)]);
    return text + ")";
  }

  [[nodiscard]] std::string conversion_text(const scalar_step& step) const {
    const scalar_kind from = body_.type_of(step.operands[0]), to = step.type;
    std::string text = variable(step.operands[0]);
    const auto is_small = [](scalar_kind k) { return k == scalar_kind::float16 || k == scalar_kind::bfloat16; };
    if (is_small(from)) text = "(float)" + text;
    if (step.operation == opcode::saturate) return cat("tessera::scalar::saturated<", spelling(to), ">(", text, ")");
    if (is_small(to))
      return cat("(", spelling(to), ")",
                 from == scalar_kind::float64 ? cat("tessera::scalar::rounded_to_odd(", text, ")") : "(float)" + text);
    if (!contains(type_sets::complexes, to)) return cat("(", spelling(to), ")", text);
    const char* const part = spelling(real_kind(to));
    if (contains(type_sets::complexes, from)) return cat("tessera::scalar::converted_complex<", part, ">(", text, ")");
    return cat(spelling(to), "{(", part, ")", text, ", 0}");
  }

  [[nodiscard]] std::string operation_text(const scalar_step& step) const {
    const operation_facts& facts = facts_of(step.operation);
    const scalar_kind own =
        step.operation == opcode::select || facts.operands == 0 ? step.type : body_.type_of(step.operands[0]);
    const scalar_kind computed = computed_kind(step.operation, own);
    std::array<std::string, 3> operands;
    for (std::size_t k = 0; k < static_cast<std::size_t>(facts.operands); ++k) {
      const bool is_distance = k == 1 && body_.type_of(step.operands[k]) != own;
      operands[k] = variable(step.operands[k]);
      if (computed != own && !is_distance) operands[k] = cat("(", spelling(computed), ")", operands[k]);
    }
    const std::string text = filled(facts.text, operands);
    return computed != own && step.type == own ? cat("(", spelling(step.type), ")(", text, ")") : text;
  }

  /// `pattern` with the operands instead of the words a, b and c.
  [[nodiscard]] static std::string filled(std::string_view pattern, const std::array<std::string, 3>& operands) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string text;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const bool alone = (k == 0 || !is_word(pattern[k - 1])) && (k + 1 == pattern.size() || !is_word(pattern[k + 1]));
      if (alone && pattern[k] >= 'a' && pattern[k] <= 'c')
        text += operands[static_cast<std::size_t>(pattern[k] - 'a')];
      else
        text += pattern[k];
    }
    return text;
  }

  const expression& body_;
  std::span<const printed_parameter> parameters_;
  std::string numbers_;  // what stands in front of the name of a number
  std::string indent_;
  std::vector<bool> needed_;
};

std::string members(const expression& body) {
  std::string text;
  for (std::size_t k = 0; k < body.constants().size(); ++k)
    text += cat("  ", spelling(body.constants()[k]), " c", k, ";\n");
  return text;
}

std::string returned(const expression& body, std::span<const expression::value> results) {
  if (results.size() == 1) return cat("    return ", variable(results[0]), ";\n");
  std::string types, values;
  for (const expression::value step : results) {
    types += cat(types.empty() ? "" : ", ", spelling(body.type_of(step)));
    values += cat(values.empty() ? "" : ", ", variable(step));
  }
  return cat("    return tessera::tuple<", types, ">{", values, "};\n");
}

}  // namespace

std::string print_functor(const expression& body, std::string_view name, std::span<const printed_parameter> parameters,
                          std::span<const expression::value> results) {
  functor_printer printer(body, parameters);
  for (const expression::value step : results) printer.need(step);
  printer.spread_needs();
  std::string list;
  for (std::size_t k = 0; k < parameters.size(); ++k) list += cat(k == 0 ? "" : ", ", parameters[k].type, " p", k);
  return cat("struct ", name, " {\n", members(body), "  __device__ auto operator()(", list, ") const {\n",
             printer.statements(), returned(body, results), "  }\n};\n");
}

std::string print_numbers(const expression& body, std::string_view name) {
  return cat("struct ", name, " {\n", members(body), "};\n");
}

std::string print_statements(const expression& body, std::span<const expression::value> results,
                             std::string_view numbers, std::string_view indent) {
  functor_printer printer(body, {}, cat(numbers, "."), indent);
  for (const expression::value step : results) printer.need(step);
  printer.spread_needs();
  return printer.statements();
}

std::string result_name(expression::value step) { return variable(step); }

std::string scalar_prelude(type_set types) {
  std::string text;
  if (contains(types, scalar_kind::float16)) text += "#include <cuda_fp16.h>\n";
  if (contains(types, scalar_kind::bfloat16)) text += "#include <cuda_bf16.h>\n";
  text += device_text("scalar_functions.h");
  if ((types & type_sets::complexes) != 0) text += device_text("complex_functions.h");
  return text;
}

}  // namespace tessera::kernels
