#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/kernel/scalar/compared_values.h"
#include "tests/kernel/scalar/operations.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Bits that NumPy computed (make_numpy_values.py) against the evaluator's, which are those of compiled kernels.

namespace {

using bytes = std::vector<std::byte>;

bytes decoded(const std::string& text) {
  bytes result;
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    result.push_back(static_cast<std::byte>(digit(text[i]) << 4 | digit(text[i + 1])));
  return result;
}

scalar_kind kind_named(const std::string& name) {
  for (const scalar_kind kind : all_kinds())
    if (to_string(dtype::make(kind)) == name) return kind;
  throw std::runtime_error("no type " + name);
}

opcode operation_named(const std::string& name) {
  for (int k = 0; k < loop_table::opcodes; ++k)
    if (facts_of(static_cast<opcode>(k)).name == name) return static_cast<opcode>(k);
  throw std::runtime_error("no operation " + name);
}

bytes evaluated(const one_operation& made, const bytes& a, const bytes& b, std::uint32_t size) {
  const std::vector<expression::value> results{made.result};
  const std::uint32_t width = dtype::make(made.result_kind()).size;
  bytes out(a.size() / size * width);
  const std::vector<evaluator::source> sources{{a.data(), size}, {b.data(), size}};
  const std::vector<evaluator::target> targets{{out.data(), width}};
  evaluator(made.body, results).run(sources, {}, targets, static_cast<std::int64_t>(a.size() / size));
  return out;
}

/// The number of elements that differ.
int differing(const bytes& a, const bytes& b, scalar_kind kind) {
  if (a.size() != b.size()) return -1;
  const std::uint32_t size = dtype::make(kind).size;
  int count = 0;
  for (std::size_t i = 0; i < a.size(); i += size) count += same_value(&a[i], &b[i], kind) ? 0 : 1;
  return count;
}

}  // namespace

TEST_CASE("operations and conversions have NumPy's bits") {
  std::ifstream file(std::string(TESSERA_SOURCE_DIR) + "/tests/kernel/scalar/numpy_values.txt");
  std::map<std::string, std::pair<bytes, bytes>> operands;
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, type, third, fourth, fifth;
    words >> name >> type >> third >> fourth >> fifth;
    if (name == "operands" || name == "amounts") {
      operands[name + type] = {decoded(third), decoded(fourth)};
      continue;
    }
    const scalar_kind from = kind_named(type), to = kind_named(third);
    const std::uint32_t size = dtype::make(from).size;
    CAPTURE(name);
    CAPTURE(type);
    CAPTURE(third);
    ++compared;
    if (name == "convert") {
      const bytes given = decoded(fifth);
      CHECK(differing(evaluated({opcode::convert, from, to}, given, given, size), decoded(fourth), to) == 0);
      continue;
    }
    const bool bounded =
        operands.contains("amounts" + type) && (name == "integer_power" || name.starts_with("bounded"));
    const auto& [a, b] = operands.at((bounded ? "amounts" : "operands") + type);
    const one_operation made(operation_named(name), from);
    REQUIRE(made.result_kind() == to);
    CHECK(differing(evaluated(made, a, b, size), decoded(fourth), to) == 0);
  }
  CHECK(compared > 300);
}
