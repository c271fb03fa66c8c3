#include "tessera/base/text.h"

#include <string_view>

#include "tests/algo/fuzz/expression/tree.h"

namespace tessera::fuzz {
namespace {

constexpr std::string_view texts[] = {
#define TESSERA_OPERATION(name, operands, text) text,
#include "tests/algo/fuzz/expression/operations.def"
#undef TESSERA_OPERATION
};

std::string number_text(const plain_value& value) {
  return std::visit(
      [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x)>;
        const std::string digits = std::is_floating_point_v<T> ? std::to_string(x) : cat(+x);
        return cat(digits, std::is_same_v<T, unsigned> ? "u" : "");
      },
      value);
}

std::string operation_text(const node& n) {
  std::string text;
  const std::string_view pattern = texts[static_cast<std::size_t>(n.operation)];
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    if (pattern[k] == '$')
      text += cat("v", n.operands[static_cast<std::size_t>(pattern[++k] - '0')]);
    else if (pattern.substr(k, 2) == "<>")
      text += cat("<", text_of(n.type), ">"), ++k;
    else
      text += pattern[k];
  }
  return text;
}

}  // namespace

const char* text_of(scalar type) {
  constexpr const char* names[] = {"bool",     "signed char", "unsigned short", "int",
                                   "unsigned", "long long",   "float",          "double"};
  return names[static_cast<std::size_t>(type)];
}

std::string text_of(const tree& t) {
  std::string list, body;
  for (std::size_t k = 0; k <= t.result; ++k) {
    const node& n = t.nodes[k];
    if (n.operation == code::parameter)
      list += cat(list.empty() ? "" : ", ", "auto v", k, " /* ", text_of(n.type), ", column ", n.column, " */");
    else
      body += cat("  const auto v", k, " = ", n.operation == code::number ? number_text(n.number) : operation_text(n),
                  ";\n");
  }
  return cat("[](", list, ") {\n", body, "  return v", t.result, ";\n}");
}

}  // namespace tessera::fuzz
