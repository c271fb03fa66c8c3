#include "tessera/kernel/scalar/evaluate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tessera/base/error.h"
#include "tessera/base/float16.h"
#include "tests/kernel/cpu_kernel.h"
#include "tests/kernel/scalar/compared_values.h"
#include "tests/kernel/scalar/operations.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

/// Operands, each with every other: ends of ranges, signs, zeros, infinities, NaN and numbers between them.
std::vector<double> interesting_numbers() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {0.0,    -0.0,   1.0,         -1.0,         2.0,         -3.0, 0.5,
          -0.75,  7.0,    100.0,       -128.0,       127.0,       255,  1e4,
          65504., 70000., 2147483647., -2147483648., 4294967295., 9e18, 1e30,
          1e-30,  3e38,   1e300,       -1e6,         inf,         -inf, std::numeric_limits<double>::quiet_NaN(),
          1e-310, 0.1};
}

using bytes = std::vector<std::byte>;

void append(bytes& to, scalar_kind kind, double value) {
  const auto put = [&](auto converted) {
    const auto* const first = reinterpret_cast<const std::byte*>(&converted);
    to.insert(to.end(), first, first + sizeof converted);
  };
  const auto whole = [&](auto type) {
    using T = decltype(type);
    if (std::isnan(value)) return put(T{3});
    const double least = static_cast<double>(std::numeric_limits<T>::min());
    if (value < least) return put(std::numeric_limits<T>::min());
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) return put(std::numeric_limits<T>::max());
    put(static_cast<T>(value));
  };
  switch (kind) {
    case scalar_kind::boolean:
      return put(value > 0);
    case scalar_kind::int8:
      return whole(std::int8_t{});
    case scalar_kind::int16:
      return whole(std::int16_t{});
    case scalar_kind::int32:
      return whole(std::int32_t{});
    case scalar_kind::int64:
      return whole(std::int64_t{});
    case scalar_kind::uint8:
      return whole(std::uint8_t{});
    case scalar_kind::uint16:
      return whole(std::uint16_t{});
    case scalar_kind::uint32:
      return whole(std::uint32_t{});
    case scalar_kind::uint64:
      return whole(std::uint64_t{});
    case scalar_kind::float16:
      return put(float16(static_cast<float>(value)));
    case scalar_kind::bfloat16:
      return put(bfloat16(static_cast<float>(value)));
    case scalar_kind::float32:
      return put(static_cast<float>(value));
    case scalar_kind::float64:
      return put(value);
    case scalar_kind::complex64:
      return put(std::complex<float>(static_cast<float>(value), static_cast<float>(value * 0.5 - 1)));
    default:
      return put(std::complex<double>(value, value * 0.5 - 1));
  }
}

/// The operands of `one_operation`, in its order.
struct operand_lists {
  std::array<bytes, 7> values;
  std::array<std::uint32_t, 7> sizes{};
  std::int64_t count = 0;

  explicit operand_lists(scalar_kind kind) {
    const std::vector<double> list = interesting_numbers();
    const scalar_kind part = real_kind(kind);
    const std::array<scalar_kind, 7> kinds{kind, kind, kind, scalar_kind::int32, scalar_kind::boolean, part, part};
    for (std::size_t a = 0; a < list.size(); ++a)
      for (std::size_t b = 0; b < list.size(); ++b) {
        const std::array<double, 7> row{list[a],
                                        list[b],
                                        list[(a + b) % list.size()],
                                        static_cast<double>((a + b) % 7),
                                        (a + b) % 2 == 0 ? 1.0 : -1.0,
                                        list[a],
                                        list[b]};
        for (std::size_t k = 0; k < row.size(); ++k) append(values[k], kinds[k], row[k]);
        ++count;
      }
    for (std::size_t k = 0; k < kinds.size(); ++k) sizes[k] = dtype::make(kinds[k]).size;
  }

  /// Integers that may divide: neither 0 nor, for the sake of the least number, -1.
  void make_divisible(scalar_kind kind) {
    if (!contains(type_sets::integers, kind)) return;
    for (std::size_t i = 0; i < values[1].size(); i += sizes[1]) {
      const bool zero =
          std::all_of(&values[1][i], &values[1][i] + sizes[1], [](std::byte b) { return b == std::byte{}; });
      const bool ones =
          std::all_of(&values[1][i], &values[1][i] + sizes[1], [](std::byte b) { return b == std::byte{0xff}; });
      if (zero || ones) values[1][i] = std::byte{5};
    }
  }
};

/// One kernel with all operations of a type: `which` chooses. A result has 16 bytes of room.
std::string kernel_source(const std::vector<one_operation>& operations, scalar_kind kind) {
  const std::string own = spelling(kind), part = spelling(real_kind(kind));
  std::string text = scalar_prelude(type_sets::every);
  for (std::size_t k = 0; k < operations.size(); ++k) text += operations[k].text(cat("op_", k), kind);
  text += cat("__global__ void all(int n, int which, const ", own, "* a, const ", own, "* b, const ", own,
              "* c, const int* d, const bool* e, const ", part, "* f, const ", part,
              "* g, unsigned char* out) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
              "  switch (which) {\n");
  for (std::size_t k = 0; k < operations.size(); ++k)
    text += cat("    case ", k, ": *(", spelling(operations[k].result_kind()), "*)(out + 16 * (long long)i) = op_", k,
                "{}(a[i], b[i], c[i], d[i], e[i], f[i], g[i]); break;\n");
  return text + "  }\n}\n";
}

void compare_with_kernel(scalar_kind kind) {
  CAPTURE(to_string(dtype::make(kind)));
  const std::vector<one_operation> operations = operations_of(kind);
  kernel_text text = parse_kernel(kernel_source(operations, kind), "all.cu", "all", {});
  const cpu_kernel compiled(text, tier::loop, {64}, "g++");
  const operand_lists plain(kind);
  operand_lists divisible = plain;
  divisible.make_divisible(kind);
  for (std::size_t k = 0; k < operations.size(); ++k) {
    operand_lists& in = operations[k].divides ? divisible : const_cast<operand_lists&>(plain);
    bytes expected(static_cast<std::size_t>(16 * in.count)), got(expected.size());
    int n = static_cast<int>(in.count), which = static_cast<int>(k);
    std::array<std::byte*, 8> pointers{};
    for (std::size_t p = 0; p < 7; ++p) pointers[p] = in.values[p].data();
    pointers[7] = expected.data();
    std::vector<void*> arguments{&n, &which};
    for (std::byte*& p : pointers) arguments.push_back(&p);
    compiled.run(cover({n}, {64}), arguments);

    const std::vector<expression::value> results{operations[k].result};
    const evaluator evaluated(operations[k].body, results);
    std::vector<evaluator::source> sources;
    for (std::size_t p = 0; p < 7; ++p) sources.push_back({in.values[p].data(), in.sizes[p]});
    const std::vector<evaluator::target> targets{{got.data(), 16}};
    evaluated.run(sources, {}, targets, in.count);
    CAPTURE(operations[k].label);
    std::int64_t differing = -1;
    for (std::int64_t i = 0; i < in.count && differing < 0; ++i)
      if (!same_value(&expected[static_cast<std::size_t>(16 * i)], &got[static_cast<std::size_t>(16 * i)],
                      operations[k].result_kind()))
        differing = i;
    CHECK(differing == -1);
  }
}

template <class T>
evaluator::source all_of(const std::vector<T>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()), sizeof(T)};
}
template <class T>
evaluator::target into(std::vector<T>& values) {
  return {reinterpret_cast<std::byte*>(values.data()), sizeof(T)};
}

}  // namespace

TEST_CASE("every operation has the bits of the compiled kernel, for integers") {
  for (const scalar_kind kind : all_kinds())
    if (contains(type_sets::bits, kind)) compare_with_kernel(kind);
}
TEST_CASE("every operation has the bits of the compiled kernel, for real numbers") {
  for (const scalar_kind kind : all_kinds())
    if (contains(type_sets::floats, kind)) compare_with_kernel(kind);
}
TEST_CASE("every operation has the bits of the compiled kernel, for complex numbers") {
  for (const scalar_kind kind : all_kinds())
    if (contains(type_sets::complexes, kind)) compare_with_kernel(kind);
}

TEST_CASE("every operation compiles for GPUs") {
  if (!can_compile_for_cuda()) return;
  for (const scalar_kind kind :
       {scalar_kind::boolean, scalar_kind::int8, scalar_kind::uint64, scalar_kind::float16, scalar_kind::bfloat16,
        scalar_kind::float32, scalar_kind::float64, scalar_kind::complex64, scalar_kind::complex128}) {
    CAPTURE(to_string(dtype::make(kind)));
    CHECK_FALSE(compile_for_cuda(parse_kernel(kernel_source(operations_of(kind), kind), "all.cu", "all")).empty());
  }
}

TEST_CASE("expressions of several steps use parameters, constants and literals, whatever the number of elements") {
  expression body;
  const float factor = 1.5f;
  const auto x = body.parameter(0, scalar_kind::float32), y = body.parameter(1, scalar_kind::float32);
  const auto scaled = body.apply(opcode::multiply, scalar_kind::float32,
                                 {body.constant(scalar_kind::float32, std::as_bytes(std::span(&factor, 1))), x});
  const auto sum = body.apply(opcode::add, scalar_kind::float32, {scaled, y});
  const auto whole = body.apply(opcode::saturate, scalar_kind::int64, {sum});
  const auto shifted = body.apply(opcode::add, scalar_kind::int64, {whole, body.literal(scalar_kind::int64, 7)});
  const std::vector<expression::value> results{sum, shifted};
  const evaluator evaluated(body, results);
  for (const std::size_t n : {0U, 1U, 3U, 1023U, 1024U, 1025U, 5000U}) {
    std::vector<float> a(n), b(n), out(n);
    std::vector<std::int64_t> numbers(n);
    std::iota(a.begin(), a.end(), -100.0f);
    std::iota(b.begin(), b.end(), 0.25f);
    const std::vector<evaluator::source> sources{all_of(a), all_of(b)};
    const std::vector<evaluator::target> targets{into(out), into(numbers)};
    evaluated.run(sources, body.state(), targets, static_cast<std::int64_t>(n));
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      const float expected = 1.5f * a[i] + b[i];
      right = right && out[i] == expected && numbers[i] == static_cast<std::int64_t>(expected) + 7;
    }
    CAPTURE(n);
    CHECK(right);
  }
}

TEST_CASE("parameters may lie apart, backwards, be one element for all or be counted") {
  expression body;
  const auto x = body.parameter(0, scalar_kind::int32), one = body.parameter(1, scalar_kind::int32);
  const auto index = body.apply(opcode::convert, scalar_kind::int32, {body.parameter(2, scalar_kind::int64)});
  const auto sum =
      body.apply(opcode::add, scalar_kind::int32, {body.apply(opcode::add, scalar_kind::int32, {x, one}), index});
  const std::vector<expression::value> results{sum};
  const evaluator evaluated(body, results);
  std::vector<std::int32_t> a(6000), single{1000}, out(6000, -1);
  std::iota(a.begin(), a.end(), 0);
  const auto* const last = reinterpret_cast<const std::byte*>(&a[5998]);
  const std::vector<evaluator::source> sources{{last, -8}, {all_of(single).data, 0}, {nullptr, 3, 50}};
  const std::vector<evaluator::target> targets{{reinterpret_cast<std::byte*>(out.data()), 8}};
  evaluated.run(sources, {}, targets, 3000);
  bool right = true;
  for (int i = 0; i < 3000; ++i)
    right = right && out[static_cast<std::size_t>(2 * i)] == 5998 - 2 * i + 1000 + 50 + 3 * i &&
            out[static_cast<std::size_t>(2 * i + 1)] == -1;
  CHECK(right);
}

TEST_CASE("a result may replace the parameter that it is computed from") {
  expression body;
  const auto x = body.parameter(0, scalar_kind::float64), y = body.parameter(1, scalar_kind::float64);
  const auto product = body.apply(opcode::multiply, scalar_kind::float64, {x, y});
  const auto result = body.apply(opcode::subtract, scalar_kind::float64, {product, x});  // reads x once more
  const std::vector<expression::value> results{result, product};
  const evaluator evaluated(body, results);
  std::vector<double> a(3000), b(3000, 3.0);
  std::iota(a.begin(), a.end(), 0.0);
  const std::vector<evaluator::source> sources{all_of(a), all_of(b)};
  const std::vector<evaluator::target> targets{into(a), into(b)};
  evaluated.run(sources, {}, targets, 3000);
  bool right = true;
  for (std::size_t i = 0; i < a.size(); ++i)
    right = right && a[i] == 2.0 * static_cast<double>(i) && b[i] == 3.0 * static_cast<double>(i);
  CHECK(right);
}

TEST_CASE("an expression with neighbours is refused") {
  expression body;
  const int none[1] = {0};
  const std::vector<expression::value> results{body.neighbour(0, scalar_kind::float32, none)};
  CHECK_THROWS_AS(evaluator(body, results), argument_error);
}
