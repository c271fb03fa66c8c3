#include "tessera/linop/step/meanwhile.h"

#include <array>
#include <complex>
#include <cstring>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"

namespace tessera::linop {
namespace {

constexpr int first_array = 3;  // of the kernel's parameters

template <class R>
struct pair_of {
  R re = 0, im = 0;
};

/// The kernel's arithmetic on one superblock, in precision R.
template <class R>
class interpreter {
 public:
  interpreter(const step_form& form, const native_call& call) : form_(form), at_(form), call_(call) {
    numbers_.resize(index(at_.count()));
    std::memcpy(numbers_.data(), call.scalar_bytes(0).data(), numbers_.size() * sizeof(std::int64_t));
    alpha_ = read_pair(call.scalar_bytes(1));
    beta_ = read_pair(call.scalar_bytes(2));
    values_.resize(index(at_.variables));
  }

  /// All points of the call with this z.
  void run_plane(std::int64_t z) {
    const box& points = call_.points();
    std::int64_t rest = z;
    for (int v = at_.axes - 3; v >= 0; --v) {
      values_[index(v)] = v > 0 ? rest % numbers_[index(v)] : rest;
      rest = v > 0 ? rest / numbers_[index(v)] : rest;
    }
    const int last = at_.axes - 1;
    const std::int64_t end_x = std::min(points.hi[0], numbers_[index(last)]);
    const std::int64_t begin_y = at_.axes > 1 ? points.lo[1] : 0;
    const std::int64_t end_y = at_.axes > 1 ? std::min(points.hi[1], numbers_[index(last - 1)]) : 1;
    for (std::int64_t y = begin_y; y < end_y; ++y) {
      if (at_.axes > 1) values_[index(last - 1)] = y;
      for (std::int64_t x = points.lo[0]; x < end_x; ++x) {
        values_[index(last)] = x;
        run_point();
      }
    }
  }
  [[nodiscard]] std::int64_t planes() const {
    std::int64_t n = 1;
    for (int v = 0; v < at_.axes - 2; ++v) n *= numbers_[index(v)];
    return n;
  }

 private:
  static pair_of<R> read_pair(std::span<const std::byte> bytes) {
    std::array<double, 2> parts{};
    std::memcpy(parts.data(), bytes.data(), sizeof parts);
    return {static_cast<R>(parts[0]), static_cast<R>(parts[1])};
  }
  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 && !planted("quotient_truncated") ? 1 : 0);
  }

  [[nodiscard]] std::int64_t sum_of(int place, int count) const {
    std::int64_t sum = 0;
    for (int v = 0; v < count; ++v) sum += numbers_[index(place + v)] * values_[index(v)];
    return sum;
  }

  void compute_quotients(bool inner) {
    for (int q = 0; q < at_.quotients; ++q)
      if (form_.inner_quotients[index(q)] == inner) {
        const int place = at_.quotient(q);
        const std::int64_t a = sum_of(place, inner ? at_.loops : at_.axes) + numbers_[index(place + at_.loops)];
        const std::int64_t divisor = numbers_[index(place + at_.loops + 1)];
        values_[index(at_.loops + q)] = form_.comparisons[index(q)] ? (a >= divisor ? 1 : 0) : floor_divide(a, divisor);
      }
  }

  [[nodiscard]] bool passes(bool inner) const {
    for (int g = 0; g < at_.guards; ++g)
      if (form_.inner_guards[index(g)] == inner) {
        const int place = at_.guard(g);
        const std::int64_t at = sum_of(place, at_.variables) + numbers_[index(place + at_.variables)];
        if (at < 0 || at >= numbers_[index(place + at_.variables + 1)]) return false;
      }
    return true;
  }

  [[nodiscard]] static pair_of<R> load(const std::byte* data, std::int64_t at, const step_form::operand& form) {
    const auto element = [&](auto sample) {
      decltype(sample) value;
      std::memcpy(&value, data + at * static_cast<std::int64_t>(sizeof value), sizeof value);
      return value;
    };
    pair_of<R> made;
    const auto take = [&](auto value) {
      made = {static_cast<R>(value.real()), static_cast<R>(form.is_conjugated ? -value.imag() : value.imag())};
    };
    switch (form.type) {
      case scalar_kind::float64:
        made.re = static_cast<R>(element(double{}));
        break;
      case scalar_kind::complex64:
        take(element(std::complex<float>{}));
        break;
      case scalar_kind::complex128:
        take(element(std::complex<double>{}));
        break;
      default:
        made.re = static_cast<R>(element(float{}));
    }
    if (form.of == factor::part::real) made.im = 0;
    if (form.of == factor::part::imaginary) made = {form.is_conjugated ? -made.im : made.im, 0};
    return made;
  }

  void add(pair_of<R>& sum) const {
    pair_of<R> p;
    bool is_complex = false;
    for (int f = 0; f < at_.factors; ++f) {
      const step_form::operand& form = form_.factors[index(f)];
      const int place = at_.factor(f);
      const pair_of<R> x = load(call_.array(first_array + 1 + f).data,
                                sum_of(place, at_.variables) + numbers_[index(place + at_.variables)], form);
      if (f == 0)
        p = x;
      else if (is_complex && form.is_complex())
        p = {p.re * x.re - p.im * x.im, p.re * x.im + p.im * x.re};
      else if (form.is_complex())
        p = {p.re * x.re, p.re * x.im};
      else
        p = {p.re * x.re, is_complex ? p.im * x.re : 0};
      is_complex = is_complex || form.is_complex();
    }
    sum.re += p.re;
    if (is_complex) sum.im += p.im;
  }

  void run_sums(int depth, pair_of<R>& sum) {
    if (depth < form_.sums) {
      const std::int64_t n = numbers_[index(at_.axes + depth)];
      for (std::int64_t r = 0; r < n; ++r) {
        values_[index(at_.axes + depth)] = r;
        run_sums(depth + 1, sum);
      }
      return;
    }
    compute_quotients(true);
    if (passes(true)) add(sum);
  }

  void run_point() {
    for (int v = at_.axes; v < at_.variables; ++v) values_[index(v)] = 0;
    compute_quotients(false);
    pair_of<R> sum;
    if (at_.factors > 0 && passes(false)) run_sums(0, sum);
    store(sum);
  }

  void store(const pair_of<R>& sum) {
    pair_of<R> y;
    if (alpha_.im == 0)
      y = {alpha_.re * sum.re, alpha_.re * sum.im};
    else
      y = {alpha_.re * sum.re - alpha_.im * sum.im, alpha_.re * sum.im + alpha_.im * sum.re};
    const std::int64_t at = sum_of(at_.result(), at_.axes);
    std::byte* const data = call_.array(first_array).data;
    if (form_.reads_result) {
      const pair_of<R> old = load(data, at, form_.result);
      if (!form_.result.is_complex()) {
        y.re += beta_.re * old.re;
      } else if (beta_.im == 0) {
        y.re += beta_.re * old.re;
        y.im += beta_.re * old.im;
      } else {
        y.re += beta_.re * old.re - beta_.im * old.im;
        y.im += beta_.re * old.im + beta_.im * old.re;
      }
    }
    const auto put = [&](auto value) {
      std::memcpy(data + at * static_cast<std::int64_t>(sizeof value), &value, sizeof value);
    };
    switch (form_.result.type) {
      case scalar_kind::float64:
        return put(static_cast<double>(y.re));
      case scalar_kind::complex64:
        return put(std::complex<float>(static_cast<float>(y.re), static_cast<float>(y.im)));
      case scalar_kind::complex128:
        return put(std::complex<double>(y.re, y.im));
      default:
        return put(static_cast<float>(y.re));
    }
  }

  const step_form& form_;
  const step_numbers at_;
  const native_call& call_;
  std::vector<std::int64_t> numbers_, values_;
  pair_of<R> alpha_, beta_;
};

template <class R>
void run(const step_form& form, native_call& call) {
  const box& points = call.points();
  if (form.axes < 3) return interpreter<R>(form, call).run_plane(0);
  const std::int64_t end = std::min(points.hi[2], interpreter<R>(form, call).planes());
  call.parallel_for(std::max<std::int64_t>(end - points.lo[2], 0),
                    [&](std::int64_t k) { interpreter<R>(form, call).run_plane(points.lo[2] + k); });
}

}  // namespace

native_kernel step_function(const step_form& form) {
  return [form](native_call& call) {
    if (form.is_wide())
      run<double>(form, call);
    else
      run<float>(form, call);
  };
}

}  // namespace tessera::linop
