#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/kernel/cpu_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// The elementary functions of kernels against the C library in a wider type, in units in the last place.

namespace {

template <class T>
long double ulp_error(T got, long double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0.0L : INFINITY;
  if (std::isinf(exact) || std::isinf(got))
    return static_cast<T>(exact) == got ? 0.0L : static_cast<long double>(INFINITY);
  const T rounded = static_cast<T>(exact);
  int exponent = 0;
  std::frexp(std::fabs(rounded), &exponent);
  const int digits = std::numeric_limits<T>::digits;
  const int least = std::numeric_limits<T>::min_exponent;
  const long double ulp = std::ldexp(1.0L, std::max(exponent, least) - digits);
  return std::fabs(static_cast<long double>(got) - exact) / ulp;
}

struct function {
  const char* name;
  double lo, hi;
  long double (*exact)(long double);
  double float_ulp, double_ulp;
  bool logarithmic = false;
};

const std::vector<function> functions = {
    {"exp", -105, 90, std::exp, 1.0, 1.5},
    {"exp", -745, 710, std::exp, 1.0, 1.5},
    {"exp2", -150, 130, std::exp2, 1.0, 1.5},
    {"expm1", -20, 80, std::expm1, 1.0, 2.5},
    {"expm1", -0.5, 0.5, std::expm1, 1.0, 2.5},
    {"log", 1e-45, 1e38, std::log, 1.0, 1.5, true},
    {"log", 0.5, 2.0, std::log, 1.0, 1.5},
    {"log2", 1e-45, 1e38, std::log2, 1.0, 2.0, true},
    {"log10", 1e-45, 1e38, std::log10, 1.0, 2.0, true},
    {"log1p", -0.99, 10, std::log1p, 1.0, 2.5},
    {"sin", -100, 100, std::sin, 1.0, 1.5},
    {"sin", -1e5, 1e5, std::sin, 1.0, 1.5},
    {"sin", -1e9, 1e9, std::sin, 1.0, 2.0},
    {"cos", -100, 100, std::cos, 1.0, 1.5},
    {"cos", -1e5, 1e5, std::cos, 1.0, 1.5},
    {"tan", -1e4, 1e4, std::tan, 1.0, 3.0},
    {"asin", -1, 1, std::asin, 1.0, 3.0},
    {"acos", -1, 1, std::acos, 1.0, 3.0},
    {"atan", -50, 50, std::atan, 1.0, 2.0},
    {"sinh", -85, 85, std::sinh, 1.0, 3.0},
    {"cosh", -85, 85, std::cosh, 1.0, 3.0},
    {"tanh", -20, 20, std::tanh, 1.0, 2.5},
    {"asinh", -100, 100, std::asinh, 1.0, 3.0},
    {"acosh", 1, 100, std::acosh, 1.0, 3.5},
    {"atanh", -0.999, 0.999, std::atanh, 1.0, 3.0},
    {"erf", -6, 6, std::erf, 1.0, 2.5},
    {"erfc", -6, 9, std::erfc, 1.0, 4.0},
    {"cbrt", -1e6, 1e6, std::cbrt, 1.0, 1.5},
    {"sqrt", 0, 1e6, std::sqrt, 0.51, 0.51},
    {"floor", -1e3, 1e3, std::floor, 0, 0},
    {"round", -1e3, 1e3, std::round, 0, 0},
};

template <class T>
std::vector<T> inputs(const function& f) {
  constexpr std::size_t count = 4001;
  if (!f.logarithmic) return numbers<T>(count, f.lo, f.hi);
  std::vector<T> result;
  for (double v : numbers<double>(count, std::log(f.lo), std::log(f.hi))) result.push_back(static_cast<T>(std::exp(v)));
  return result;
}

/// One module with all functions: `function` chooses.
template <class T>
const cpu_kernel& all_functions(const std::string& compiler, const std::string& type) {
  std::string source =
      "__global__ void k(int n, int which, const T* x, T* y) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  switch (which) {\n";
  for (std::size_t f = 0; f < functions.size(); ++f)
    source += "    case " + std::to_string(f) + ": y[i] = " + functions[f].name + "(x[i]); break;\n";
  source += "  }\n}\n";
  static std::map<std::string, cpu_kernel> known;
  const std::string key = compiler + type;
  if (!known.contains(key))
    known.emplace(key, cpu_kernel(parse_kernel(source, "math.cu", "k", {{"T", type}}), tier::loop, {256}, compiler));
  return known.at(key);
}

template <class T>
void check(const std::string& compiler, const std::string& type, double function::*limit) {
  const cpu_kernel& k = all_functions<T>(compiler, type);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    std::vector<T> x = inputs<T>(functions[f]);
    std::vector<T> y(x.size());
    int n = static_cast<int>(x.size());
    int function = static_cast<int>(f);
    T* px = x.data();
    T* py = y.data();
    k.run(cover({n}, {256}), {&n, &function, &px, &py});
    long double worst = 0;
    T at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double e = ulp_error(y[i], functions[f].exact(x[i]));
      if (e > worst) worst = e, at = x[i];
    }
    CAPTURE(functions[f].name);
    CAPTURE(type);
    CAPTURE(at);
    CHECK(static_cast<double>(worst) <= functions[f].*limit);
  }
}

template <class T>
std::vector<T> evaluate(const std::string& expression, std::vector<T> x, std::vector<T> y, const std::string& type,
                        const std::string& compiler = "g++") {
  const kernel_text text = parse_kernel(
      "__global__ void k(int n, const T* x, const T* y, T* z) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
      " if (i < n) z[i] = " +
          expression + "; }",
      "k.cu", "k", {{"T", type}});
  const cpu_kernel k(text, tier::loop, {64}, compiler);
  std::vector<T> z(x.size());
  int n = static_cast<int>(x.size());
  T* p[] = {x.data(), y.data(), z.data()};
  k.run(cover({n}, {64}), {&n, &p[0], &p[1], &p[2]});
  return z;
}

}  // namespace

TEST_CASE("elementary functions are within their stated error") {
  for (const std::string& compiler : compilers()) {
    check<float>(compiler, "float", &function::float_ulp);
    check<double>(compiler, "double", &function::double_ulp);
  }
}

TEST_CASE("pow is accurate, also near one and for large exponents") {
  const std::vector<double> x = numbers<double>(4001, 0.01, 20);
  const std::vector<double> y = numbers<double>(4001, -200, 200, 5);
  const std::vector<double> z = evaluate("pow(x[i], y[i])", x, y, "double");
  long double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, ulp_error(z[i], std::pow((long double)x[i], y[i])));
  CHECK(static_cast<double>(worst) <= 2.0);
  const std::vector<float> fx = numbers<float>(4001, 0.01, 20);
  const std::vector<float> fy = numbers<float>(4001, -25, 25, 5);
  const std::vector<float> fz = evaluate("powf(x[i], y[i])", fx, fy, "float");
  worst = 0;
  for (std::size_t i = 0; i < fx.size(); ++i)
    worst = std::max(worst, ulp_error(fz[i], std::pow((long double)fx[i], (long double)fy[i])));
  CHECK(static_cast<double>(worst) <= 1.0);
}

TEST_CASE("special values come out as the C library gives them") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> specials = {0.0, -0.0, 1.0, -1.0, 2.0, -2.0,  3.0,    -3.0,
                                        0.5, -0.5, inf, -inf, nan, 1e300, -1e300, 1e-310};
  std::vector<double> x;
  std::vector<double> y;
  for (double a : specials)
    for (double b : specials) x.push_back(a), y.push_back(b);
  const auto compare = [&](const std::string& expression, double (*exact)(double, double)) {
    const std::vector<double> z = evaluate(expression, x, y, "double");
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double e = exact(x[i], y[i]);
      CAPTURE(expression);
      CAPTURE(x[i]);
      CAPTURE(y[i]);
      CAPTURE(z[i]);
      CAPTURE(e);
      CHECK((std::isnan(e) ? std::isnan(z[i]) : ulp_error(z[i], e) <= 2.0L));
      if (e == 0.0 && z[i] == 0.0) CHECK(std::signbit(z[i]) == std::signbit(e));
    }
  };
  compare("pow(x[i], y[i])", [](double a, double b) { return std::pow(a, b); });
  compare("atan2(x[i], y[i])", [](double a, double b) { return std::atan2(a, b); });
  compare("hypot(x[i], y[i])", [](double a, double b) { return std::hypot(a, b); });
  compare("fmin(x[i], y[i])", [](double a, double b) { return a < b || std::isnan(b) ? a : b; });
  compare("acosh(x[i])", [](double a, double) { return std::acosh(a); });
  compare("expm1(x[i])", [](double a, double) { return std::expm1(a); });
  compare("sinh(x[i])", [](double a, double) { return std::sinh(a); });
  compare("exp(x[i]) + 0 * y[i]", [](double a, double b) { return std::exp(a) + 0 * b; });
  compare("y[i] == y[i] ? log(x[i]) : 0", [](double a, double b) { return b == b ? std::log(a) : 0; });
  compare("y[i] == y[i] ? tanh(x[i]) : 0", [](double a, double b) { return b == b ? std::tanh(a) : 0; });
  compare("y[i] == y[i] ? erf(x[i]) : 0", [](double a, double b) { return b == b ? std::erf(a) : 0; });
  compare("y[i] == y[i] ? cbrt(x[i]) : 0", [](double a, double b) { return b == b ? std::cbrt(a) : 0; });
  compare("y[i] == y[i] ? atan(x[i]) : 0", [](double a, double b) { return b == b ? std::atan(a) : 0; });
}

TEST_CASE("vector lanes and single threads compute the same bits, with either compiler") {
  const std::string expression = "expf(x[i]) + logf(y[i]) * sinf(x[i]) - powf(y[i], x[i]) + erff(x[i]) + tanhf(y[i])";
  const std::vector<float> x = numbers<float>(1003, -5, 5);
  const std::vector<float> y = numbers<float>(1003, 0.1, 5, 3);
  const std::vector<float> all = evaluate(expression, x, y, "float");
  for (const std::string& compiler : compilers()) {
    const std::vector<float> other = evaluate(expression, x, y, "float", compiler);
    CHECK(std::memcmp(all.data(), other.data(), all.size() * 4) == 0);
  }
  for (std::size_t i = 0; i < 20; ++i)
    CHECK(evaluate(expression, std::vector<float>{x[i]}, std::vector<float>{y[i]}, "float")[0] == all[i]);
}

TEST_CASE("half precision numbers convert exactly and round to even") {
  const std::vector<float> x = {0.0F,    -0.0F,   1.0F,  65504.0F, 65520.0F, 6e-8F, 1e-9F,
                                2049.0F, 2051.0F, -1.5F, INFINITY, 6.1e-5F,  0.1F,  65519.0F};
  const std::vector<float> z = evaluate("__half2float(__float2half(x[i]))", x, x, "float");
  CHECK(z[3] == 65504.0F);
  CHECK(std::isinf(z[4]));
  CHECK(z[5] == 5.9604645e-8F);
  CHECK(z[6] == 0.0F);
  CHECK(z[7] == 2048.0F);
  CHECK(z[8] == 2052.0F);
  CHECK(z[9] == -1.5F);
  CHECK(std::isinf(z[10]));
  CHECK(z[12] == 0.0999755859375F);
  CHECK(z[13] == 65504.0F);
  CHECK(std::signbit(z[1]));
  const std::vector<float> b =
      evaluate<float>("__bfloat162float(__float2bfloat16(x[i]))", {1.0F, 1.00390625F, 1.01171875F}, {1, 1, 1}, "float");
  CHECK(b == std::vector<float>{1.0F, 1.0F, 1.015625F});
}

TEST_CASE("complex numbers of cuComplex.h are as in C++, and their quotients and magnitudes do not overflow") {
  const std::vector<double> x = {3, -1.5, 0, 1e300, 1e-300, INFINITY}, y = {4, 2.5, 0, 1e300, 1e-300, 1};
  const auto of = [&](const std::string& call, const std::string& part) {
    return evaluate(part + "(" + call + ")", x, y, "double");
  };
  const std::string z = "make_cuDoubleComplex(x[i], y[i])";
  CHECK(of("cuCmul(" + z + ", make_cuDoubleComplex(2.0, -1.0))", "cuCreal")[0] == 10);
  CHECK(of("cuCmul(" + z + ", make_cuDoubleComplex(2.0, -1.0))", "cuCimag")[0] == 5);
  CHECK(of("cuCfma(" + z + ", " + z + ", cuConj(" + z + "))", "cuCreal")[0] == -4);
  CHECK(of("cuCfma(" + z + ", " + z + ", cuConj(" + z + "))", "cuCimag")[0] == 20);
  CHECK(of("cuCsub(cuCadd(" + z + ", " + z + "), " + z + ")", "cuCimag")[1] == 2.5);
  const std::vector<double> quotient = of("cuCdiv(" + z + ", " + z + ")", "cuCreal");
  const std::vector<double> magnitude = evaluate("cuCabs(" + z + ")", x, y, "double");
  for (const std::size_t i : {0, 1, 3, 4}) {
    CHECK(quotient[i] == doctest::Approx(1));
    CHECK(magnitude[i] / std::hypot(x[i], y[i]) == doctest::Approx(1));
  }
  CHECK(magnitude[2] == 0);
  CHECK(std::isinf(magnitude[5]));
  const std::vector<float> single = evaluate<float>("cuCabsf(make_cuComplex(x[i], y[i]))", {3.0F}, {4.0F}, "float");
  CHECK(single[0] == 5.0F);
}

TEST_CASE("integer intrinsics give CUDA's results") {
  const std::vector<int> x = {0, 1, -1, 12, 0x40000000};
  CHECK(evaluate("__clz(x[i])", x, x, "int") == std::vector<int>{32, 31, 0, 28, 1});
  CHECK(evaluate("__ffs(x[i])", x, x, "int") == std::vector<int>{0, 1, 1, 3, 31});
  CHECK(evaluate("__popc(x[i])", x, x, "int") == std::vector<int>{0, 1, 32, 2, 1});
  CHECK(evaluate("(int)__brev(x[i])", x, x, "int") == std::vector<int>{0, INT32_MIN, -1, 0x30000000, 2});
  CHECK(evaluate("__mulhi(x[i], 8)", x, x, "int") == std::vector<int>{0, 0, -1, 0, 2});
  CHECK(evaluate("max(min(x[i], 100), -5)", x, x, "int") == std::vector<int>{0, 1, -1, 12, 100});
  CHECK(evaluate<int>("(int)__byte_perm(x[i], 0x04030201, 0x5410)", {0x1234}, {0}, "int") ==
        std::vector<int>{0x02011234});
}

TEST_CASE("products of pairs are rounded before they are added, in vectors and in single threads") {
  const std::vector<float> x = numbers<float>(2006, -5, 5, 3), y = numbers<float>(2006, -5, 5, 4);
  const kernel_text text = parse_kernel(
      "__global__ void k(int n, const float2* x, const float2* y, float2* z) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  float2 a = x[i], b = y[i];\n"
      "  z[i] = make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);\n}",
      "k.cu", "k");
  for (const std::string& compiler : compilers()) {
    const cpu_kernel k(text, tier::loop, {64}, compiler);
    std::vector<float> z(x.size());
    int n = static_cast<int>(x.size() / 2);
    const float* in[] = {x.data(), y.data()};
    float* out = z.data();
    k.run(cover({n}, {64}), {&n, &in[0], &in[1], &out});
    int fused = 0;
    for (std::size_t i = 0; i < z.size(); i += 2) {
      const volatile float xx = x[i] * y[i], yy = x[i + 1] * y[i + 1], xy = x[i] * y[i + 1], yx = x[i + 1] * y[i];
      fused += z[i] != xx - yy || z[i + 1] != xy + yx ? 1 : 0;
    }
    CAPTURE(compiler);
    CHECK(fused == 0);
  }
}
