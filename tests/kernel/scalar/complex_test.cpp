#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "tests/kernel/scalar/operations.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Functions of complex numbers against the C++ library in a wider type: errors relative to the magnitude of the
/// result.

namespace {

using wide = std::complex<long double>;

template <class T>
std::vector<std::complex<T>> points() {
  std::vector<std::complex<T>> list;
  for (const double size : {1e-12, 1e-3, 0.3, 0.999, 1.0, 1.001, 2.5, 9.0})
    for (int k = 0; k < 23; ++k) list.emplace_back(std::polar(static_cast<T>(size), static_cast<T>(0.2 + 0.27 * k)));
  return list;
}

template <class T>
std::vector<std::complex<T>> applied(opcode operation, const std::vector<std::complex<T>>& a,
                                     const std::vector<std::complex<T>>& b) {
  const one_operation made(operation, dtype_of<std::complex<T>>().kind);
  const std::vector<expression::value> results{made.result};
  std::vector<std::complex<T>> out(a.size());
  const auto bytes = [](const auto& list) { return reinterpret_cast<const std::byte*>(list.data()); };
  const std::vector<evaluator::source> sources{{bytes(a), sizeof a[0]}, {bytes(b), sizeof b[0]}};
  const std::vector<evaluator::target> targets{{reinterpret_cast<std::byte*>(out.data()), sizeof a[0]}};
  evaluator(made.body, results).run(sources, {}, targets, static_cast<std::int64_t>(a.size()));
  return out;
}

template <class T, class Exact>
void check(opcode operation, Exact exact, double limit) {
  const std::vector<std::complex<T>> a = points<T>();
  const std::vector<std::complex<T>> b(a.rbegin(), a.rend());
  const std::vector<std::complex<T>> got = applied(operation, a, b);
  long double worst = 0;
  std::complex<T> at;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const wide expected = exact(wide(a[i]), wide(b[i]));
    if (std::abs(expected) < 1e-30L || std::abs(expected) > 1e30L) continue;  // beyond what floats hold
    const long double error = std::abs(wide(got[i]) - expected) / std::abs(expected);
    if (!(error <= worst)) worst = error, at = a[i];
  }
  CAPTURE(facts_of(operation).name);
  CAPTURE(at.real());
  CAPTURE(at.imag());
  CHECK(static_cast<double>(worst / std::numeric_limits<T>::epsilon()) <= limit);
}

template <class T>
void check_all(double limit) {
  using f = wide (*)(const wide&, const wide&);
  const std::vector<std::pair<opcode, f>> functions{
      {opcode::multiply, [](const wide& a, const wide& b) { return a * b; }},
      {opcode::divide, [](const wide& a, const wide& b) { return a / b; }},
      {opcode::exp, [](const wide& a, const wide&) { return std::exp(a); }},
      {opcode::log, [](const wide& a, const wide&) { return std::log(a); }},
      {opcode::log10, [](const wide& a, const wide&) { return std::log10(a); }},
      {opcode::sqrt, [](const wide& a, const wide&) { return std::sqrt(a); }},
      {opcode::sin, [](const wide& a, const wide&) { return std::sin(a); }},
      {opcode::cos, [](const wide& a, const wide&) { return std::cos(a); }},
      {opcode::tan, [](const wide& a, const wide&) { return std::tan(a); }},
      {opcode::sinh, [](const wide& a, const wide&) { return std::sinh(a); }},
      {opcode::cosh, [](const wide& a, const wide&) { return std::cosh(a); }},
      {opcode::tanh, [](const wide& a, const wide&) { return std::tanh(a); }},
      {opcode::asin, [](const wide& a, const wide&) { return std::asin(a); }},
      {opcode::acos, [](const wide& a, const wide&) { return std::acos(a); }},
      {opcode::atan, [](const wide& a, const wide&) { return std::atan(a); }},
      {opcode::asinh, [](const wide& a, const wide&) { return std::asinh(a); }},
      {opcode::acosh, [](const wide& a, const wide&) { return std::acosh(a); }},
      {opcode::atanh, [](const wide& a, const wide&) { return std::atanh(a); }},
      {opcode::expm1, [](const wide& a, const wide&) { return std::exp(a / 2.0L) * 2.0L * std::sinh(a / 2.0L); }},
      {opcode::log1p, [](const wide& a, const wide&) { return 2.0L * std::atanh(a / (a + 2.0L)); }},
  };
  for (const auto& [operation, exact] : functions) check<T>(operation, exact, limit);
  // The error of the exponent counts as often as the exponent is large.
  check<T>(
      opcode::pow, [](const wide& a, const wide& b) { return std::pow(a, b); }, 60 * limit);
}

}  // namespace

TEST_CASE("functions of complex numbers are within their stated error") {
  check_all<float>(1.5);
  check_all<double>(8);
}
