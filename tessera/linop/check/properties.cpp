#include "tessera/linop/check/properties.h"

#include <cmath>
#include <complex>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/check/host_values.h"
#include "tessera/linop/leaf/identity.h"

namespace tessera::linop {
namespace {

double norm_of(const host_values& v) {
  double sum = 0;
  for (const std::complex<double>& z : v) sum += std::norm(z);
  return std::sqrt(sum);
}

std::complex<double> dot(const host_values& a, const host_values& b) {
  std::complex<double> sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::conj(b[k]) * a[k];
  return sum;
}

host_values combined(std::complex<double> a, const host_values& x, std::complex<double> b, const host_values& y) {
  host_values made(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) made[k] = a * x[k] + b * y[k];
  return made;
}

/// Not a number counts as infinitely far.
double distance(const host_values& a, const host_values& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  const double gap = norm_of(combined(1, a, -1, b));
  return std::isnan(gap) ? std::numeric_limits<double>::infinity() : gap;
}

/// The shape of an input: sizes that the operator does not know are those of the options.
extents input_shape(const op& a, const check_options& options) {
  constexpr std::int64_t usual = 5;
  const signature& s = (*a).dimensions();
  known_shape x(s.in.size()), y(s.out.size());
  (*a).fit(x, y);
  for (std::size_t k = 0; k < s.in.size(); ++k) {
    if (x[k].is_known()) continue;
    std::int64_t size = usual;
    for (const auto& [name, n] : options.sizes)
      if (parse_dim(name) == s.in[k]) size = n;
    x[k] = {size, "the options of the check"};
    (*a).fit(x, y);
  }
  std::vector<std::int64_t> shape(options.batch.begin(), options.batch.end());
  for (const known_extent& e : x) shape.push_back(e.size);
  return extents(std::span<const std::int64_t>(shape));
}

std::int64_t volume(const extents& shape) {
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  return count;
}

/// One operator and random arrays for it.
class checker {
 public:
  checker(const op& a, const check_options& options, context ctx, call_site here)
      : a_(a), adjoint_(a.H()), options_(options), ctx_(std::move(ctx)), here_(here) {
    const extents shape = input_shape(a, options);
    x_kind_ = options.kind;
    y_kind_ = (*a).result_kind(x_kind_);
    x_values_ = random_values(volume(shape), x_kind_, options.seed);
    x_ = array_of(ctx_, shape, x_kind_, x_values_, here);
    const extents of_y = result_shape(*a, shape);
    y_values_ = random_values(volume(of_y), y_kind_, options.seed + 1);
    y_ = array_of(ctx_, of_y, y_kind_, y_values_, here);
    const bool is_wide = real_of(y_kind_) == scalar_kind::float64 && real_of(x_kind_) == scalar_kind::float64;
    tolerance_ = options.tolerance > 0 ? options.tolerance : is_wide ? 1e-12 : 1e-5;
    result_ = values_of(a_(x_, here), here);
    back_ = values_of(adjoint_(y_, here), here);
  }

  check_report run() {
    check_dot();
    check_linear();
    check_adjoint_of_adjoint();
    check_normal();
    check_apply();
    expect(distance(values_of(x_, here_), x_values_), 0, "the input is left as it is");
    return std::move(report_);
  }

 private:
  void expect(double gap, double scale, const std::string& sentence) {
    if (gap <= tolerance_ * scale) return;
    report_.failures.push_back(
        cat(a_.text(), ": ", sentence, " does not hold: off by ", gap, ", allowed are ", tolerance_ * scale));
  }

  void check_dot() {
    std::complex<double> gap = dot(result_, y_values_) - dot(x_values_, back_);
    if (!a_.is_complex_linear()) gap.imag(0);
    const double off = std::isnan(std::abs(gap)) ? std::numeric_limits<double>::infinity() : std::abs(gap);
    expect(off, norm_of(result_) * norm_of(y_values_) + norm_of(x_values_) * norm_of(back_), "<A x, y> = <x, A^H y>");
  }

  void check_linear() {
    const bool takes_complex = is_complex_kind(x_kind_) && a_.is_complex_linear();
    const std::complex<double> p(0.75, takes_complex ? -0.5 : 0), q(-1.25, takes_complex ? 2 : 0);
    const host_values other = random_values(x_.size(), x_kind_, options_.seed + 2);
    const array_base second = array_of(ctx_, x_.shape(), x_kind_, other, here_);
    const array_base both = array_of(ctx_, x_.shape(), x_kind_, combined(p, x_values_, q, other), here_);
    const host_values of_second = values_of(a_(second, here_), here_), of_both = values_of(a_(both, here_), here_);
    expect(distance(of_both, combined(p, result_, q, of_second)),
           norm_of(of_both) + norm_of(result_) + norm_of(of_second), "A (p x + q z) = p A x + q A z");
  }

  void check_adjoint_of_adjoint() {
    expect(distance(values_of(adjoint_.H()(x_, here_), here_), result_), 0, "A^H^H = A, bit by bit");
  }

  void check_normal() {
    const array_base y = a_(x_, here_);
    const host_values expected = values_of(adjoint_(y, here_), here_);
    const host_values got = values_of(a_.N()(x_, here_), here_);
    const double scale = norm_of(expected) + norm_of(x_values_);
    expect(distance(got, expected), scale, "N = A^H A");
    const host_values twice = values_of(a_.N(scaled(2, identity()))(x_, here_), here_);
    expect(distance(twice, combined(2, expected, 0, expected)), 2 * scale, "N(2 I) = 2 A^H A");
  }

  void check_apply() {
    const bool takes_complex = is_complex_kind(y_kind_);
    const std::complex<double> alpha(2, takes_complex ? -1 : 0), beta(-0.5, takes_complex ? 0.25 : 0);
    a_.apply(alpha, x_, beta, y_, fwd, here_);
    const host_values sum = values_of(y_, here_);
    const double scale = norm_of(result_) * std::abs(alpha) + norm_of(y_values_);
    expect(distance(sum, combined(alpha, result_, beta, y_values_)), scale, "apply gives alpha A x + beta y");
    const host_values nothing(y_values_.size(), {std::nan(""), std::nan("")});
    y_ = array_of(ctx_, y_.shape(), y_kind_, nothing, here_);
    a_.apply(1, x_, 0, y_, fwd, here_);
    expect(distance(values_of(y_, here_), result_), 0, "apply with beta 0 does not look at y");
  }

  const op a_, adjoint_;
  const check_options& options_;
  context ctx_;
  call_site here_;
  scalar_kind x_kind_{}, y_kind_{};
  array_base x_, y_;
  host_values x_values_, y_values_, result_, back_;
  double tolerance_ = 0;
  check_report report_;
};

}  // namespace

std::string check_report::text() const {
  std::string made;
  for (const std::string& each : failures) made += cat(made.empty() ? "" : "\n", each);
  return made;
}

check_report check(const op& a, const check_options& options, context ctx, call_site here) {
  return checker(a, options, std::move(ctx), here).run();
}

}  // namespace tessera::linop
