#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "tessera/base/text.h"
#include "tessera/nd/graph/graph.h"
#include "tests/nd/support.h"

using namespace tessera::support;
using ts::scalar_kind;

/// Types and bits that NumPy gives (make_numpy_values.py) against those of functions of arrays: on host values, and
/// through the engine.

namespace {

using bytes = std::vector<std::byte>;
using function = std::function<nd::array(const nd::array&, const nd::array&)>;

/// What a function gives for operands of one or two types.
struct expectation {
  std::string name, type, bits;
};
/// By the types of the operands; "" where there is no second one.
using expectations = std::map<std::pair<std::string, std::string>, std::vector<expectation>>;

const std::map<std::string, function>& functions() {
#define UNARY(name)                                                         \
  {                                                                         \
#name, [](const nd::array& a, const nd::array&) { return nd::name(a); } \
  }
#define BINARY(name)                                                             \
  {                                                                              \
#name, [](const nd::array& a, const nd::array& b) { return nd::name(a, b); } \
  }
#define TESSERA_ND_UNARY(name, rule, opcode) UNARY(name),
#define TESSERA_ND_BINARY(name, rule, opcode) BINARY(name),
  static const std::map<std::string, function> all{
#include "tessera/nd/ops.def"
      UNARY(abs),          UNARY(positive),   UNARY(square),        UNARY(reciprocal), UNARY(floor),
      UNARY(ceil),         UNARY(trunc),      UNARY(round),         UNARY(isnan),      UNARY(isinf),
      UNARY(isfinite),     UNARY(signbit),    UNARY(real),          UNARY(imag),       UNARY(conj),
      UNARY(nan_to_num),   UNARY(deg2rad),    UNARY(rad2deg),       UNARY(diff),       BINARY(greater),
      BINARY(pow),         BINARY(fmax),      BINARY(fmin),         BINARY(heaviside), BINARY(greater_equal),
      BINARY(float_power), BINARY(fmod),      UNARY(bitwise_count), BINARY(equal),     BINARY(not_equal),
      BINARY(less),        BINARY(less_equal)};
#undef UNARY
#undef BINARY
  return all;
}

bytes decoded(const std::string& text) {
  bytes result;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    result.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return result;
}

std::string name_of(scalar_kind kind) { return to_string(ts::dtype::make(kind)); }

scalar_kind kind_named(const std::string& name) {
  for (int k = 0; k <= static_cast<int>(scalar_kind::complex128); ++k)
    if (name_of(static_cast<scalar_kind>(k)) == name) return static_cast<scalar_kind>(k);
  throw std::runtime_error("no type " + name);
}

/// Real parts of numbers that are NaN, as zeros.
template <class T, class IsNan>
void clear_nan(bytes& data, IsNan is_nan) {
  for (std::size_t i = 0; i < data.size(); i += sizeof(T)) {
    T element;
    std::memcpy(&element, &data[i], sizeof(T));
    if (is_nan(element)) std::memset(&data[i], 0, sizeof(T));
  }
}

/// As in the file: hexadecimal, or a sum of many bytes.
std::string bits_of(const nd::array& a) {
  bytes data = nd::elements_of(a, {});
  const auto differs = [](auto n) { return n != n; };
  const auto is_nan_half = [](std::uint16_t n) { return (n & 0x7fff) > 0x7c00; };
  if (a.type() == scalar_kind::float16) clear_nan<std::uint16_t>(data, is_nan_half);
  if (a.type() == scalar_kind::float32 || a.type() == scalar_kind::complex64) clear_nan<float>(data, differs);
  if (a.type() == scalar_kind::float64 || a.type() == scalar_kind::complex128) clear_nan<double>(data, differs);
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  if (a.size() <= 16) {
    for (const std::byte each : data) {
      text += digits[static_cast<unsigned>(each) >> 4];
      text += digits[static_cast<unsigned>(each) & 15];
    }
    return text.empty() ? "-" : text;
  }
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const std::byte each : data) sum = (sum ^ static_cast<std::uint64_t>(each)) * 0x100000001b3;
  for (int k = 60; k >= 0; k -= 4) text += digits[sum >> k & 15];
  return "sum:" + text;
}

struct numpy_values {
  std::map<std::string, bytes> elements;
  expectations expected;
};

numpy_values read_values() {
  numpy_values made;
  std::ifstream file(std::string(TESSERA_SOURCE_FOLDER) + "/tests/nd/numpy_values.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> list{std::istream_iterator<std::string>(words), {}};
    if (list[0] == "elements") made.elements[list[1]] = decoded(list[2]);
    for (std::size_t k = 2; list[0] == "one" && k + 2 < list.size(); k += 3)
      made.expected[{list[k], ""}].push_back({list[1], list[k + 1], list[k + 2]});
    for (std::size_t k = 2; list[0] == "two" && k + 3 < list.size(); k += 4)
      made.expected[{list[k], list[k + 1]}].push_back({list[1], list[k + 2], list[k + 3]});
  }
  return made;
}

/// Compares all functions of one or two types; they are computed together.
void compare(const numpy_values& values, const std::string& first, const std::string& second,
             const std::vector<expectation>& expected) {
  CAPTURE(first);
  CAPTURE(second);
  const auto operand = [&](const std::string& type) {
    const bytes& data = values.elements.at(type);
    const auto count = static_cast<std::int64_t>(data.size() / nd::size_of(kind_named(type)));
    return nd::from_bytes({count}, kind_named(type), data);
  };
  const nd::array a = second.empty() ? operand(first) : nd::expand_dims(operand(first), 1);
  const nd::array b = second.empty() ? a : nd::expand_dims(operand(second), 0);
  std::vector<std::pair<const expectation*, nd::array>> made;
  std::vector<nd::node_ptr> roots;
  for (const expectation& each : expected) {
    CAPTURE(each.name);
    if (each.type == "-") {
      CHECK_THROWS_AS(static_cast<void>(functions().at(each.name)(a, b)), ts::argument_error);
      continue;
    }
    const bool has_powers =
        each.name == "pow" && !second.empty() && kind_named(second) <= scalar_kind::uint64 && second != "bool";
    try {
      made.emplace_back(&each, functions().at(each.name)(a, has_powers ? nd::maximum(b, 0) : b));
      roots.push_back(made.back().second.expression({}));
    } catch (const ts::argument_error& e) {
      FAIL_CHECK(std::string(e.what()));
    }
  }
  if (!roots.empty()) a.owner()->flush(roots, nd::flush_reason::eval, {});
  for (const auto& [wanted, result] : made) {
    CAPTURE(wanted->name);
    CHECK(name_of(result.type()) == wanted->type);
    if (wanted->bits != "*" && name_of(result.type()) == wanted->type) CHECK(bits_of(result) == wanted->bits);
  }
}

}  // namespace

TEST_CASE("functions of arrays have NumPy's types and bits") {
  const numpy_values values = read_values();
  REQUIRE(values.expected.size() == 14 + 14 * 14);
  {
    const ts::context ctx = make_context({"cpu", 256 << 10});
    ts::set_default_context(ctx);
    for (const auto& [types, expected] : values.expected) compare(values, types.first, types.second, expected);
  }
  // Through the engine, where each group of functions is a kernel, some of the types.
  const ts::context ctx = make_context({"cpu", 0});
  ts::set_default_context(ctx);
  const std::pair<std::string, std::string> mixed[] = {
      {"int64", "float32"}, {"uint8", "int8"}, {"bool", "float16"}, {"float32", "complex128"}, {"uint64", "int64"}};
  for (const auto& [types, expected] : values.expected)
    if (types.second.empty() || types.first == types.second ||
        std::count(std::begin(mixed), std::end(mixed), types) > 0)
      compare(values, types.first, types.second, expected);
}
