#include "tessera/kernel/scalar/print.h"

#include <limits>
#include <vector>

#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

constexpr std::string_view texts[] = {
#define TESSERA_OPCODE(name, operands, result, text) text,
#include "tessera/kernel/scalar/opcode.def"
#undef TESSERA_OPCODE
};
constexpr int operand_counts[] = {
#define TESSERA_OPCODE(name, operands, result, text) operands,
#include "tessera/kernel/scalar/opcode.def"
#undef TESSERA_OPCODE
};

int operands_of(const scalar_step& step) { return operand_counts[static_cast<std::size_t>(step.operation)]; }

std::string variable(expression::value step) { return cat("v", step); }

std::string literal_text(const scalar_step& step) {
  const std::int64_t number = planted("literal_truncated") ? static_cast<int>(step.detail) : step.detail;
  if (number == std::numeric_limits<std::int64_t>::min())
    return cat("(", spelling(step.type), ")(-9223372036854775807LL - 1)");
  return cat("(", spelling(step.type), ")", number, "LL");
}

class functor_printer {
 public:
  functor_printer(const expression& body, std::span<const printed_parameter> parameters)
      : body_(body), parameters_(parameters), needed_(body.steps().size()) {}

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
        text += cat("    const ", spelling(body_.steps()[k].type), " ", variable(static_cast<expression::value>(k)),
                    " = ", value_text(body_.steps()[k]), ";\n");
    return text;
  }

 private:
  [[nodiscard]] std::string value_text(const scalar_step& step) const {
    switch (step.operation) {
      case opcode::parameter:
        return cat("p", step.place);
      case opcode::constant:
        return step.place == 0 ? literal_text(step) : cat("c", step.place - 1);
      case opcode::convert:
        return cat("(", spelling(step.type), ")", variable(step.operands[0]));
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

  [[nodiscard]] static std::string operation_text(const scalar_step& step) {
    std::string text;
    const std::string_view pattern = texts[static_cast<std::size_t>(step.operation)];
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      if (pattern[k] == '$')
        text += variable(step.operands[static_cast<std::size_t>(pattern[++k] - '0')]);
      else
        text += pattern[k];
    }
    return text;
  }

  const expression& body_;
  std::span<const printed_parameter> parameters_;
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

}  // namespace tessera::kernels
