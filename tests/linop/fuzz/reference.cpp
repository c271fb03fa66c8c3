#include "tests/linop/fuzz/reference.h"

#include <cmath>
#include <numbers>

namespace tessera::fuzz {
namespace {

using number = std::complex<double>;

shape place_in(const shape& s, std::int64_t flat) {
  shape at(s.size());
  for (std::size_t k = s.size(); k-- > 0;) {
    at[k] = flat % s[k];
    flat /= s[k];
  }
  return at;
}

std::int64_t flat_of(const shape& s, const shape& at) {
  std::int64_t flat = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (at[k] < 0 || at[k] >= s[k]) return -1;
    flat = flat * s[k] + at[k];
  }
  return flat;
}

std::vector<number> weights(const decoded& d, std::int64_t count) {
  const std::vector<std::int64_t> n = numbers_of(d.seed, 2 * count);
  std::vector<number> made;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    made.emplace_back(static_cast<double>(n[2 * k]), static_cast<double>(n[2 * k + 1]));
  return made;
}

number wave(std::int64_t j, std::int64_t k, std::int64_t n) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
}

/// Element i of an axis of n elements with an edge: zero, circular, mirrored; -1: zero.
std::int64_t with_edge(std::int64_t i, std::int64_t n, std::int64_t edge) {
  if (edge == 1) return ((i % n) + n) % n;
  if (edge == 2) return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
  return i < n ? i : -1;
}

/// Adds what output `o` takes of the inputs.
class row_writer {
 public:
  row_writer(const decoded& d, matrix& to) : d_(d), to_(to) {}

  void write(std::int64_t row) {
    row_ = row;
    shape o = place_in(d_.out, row);
    const std::size_t last = o.size() - 1;
    switch (d_.action) {
      case verb::diagonal:
        return take(o, weights(d_, volume(d_.in))[static_cast<std::size_t>(row)]);
      case verb::dense:
        for (std::int64_t k = 0; k < d_.in.back(); ++k) {
          shape i = o;
          i[last] = k;
          take(i, weights(d_, d_.out.back() * d_.in.back())[static_cast<std::size_t>(o[last] * d_.in.back() + k)]);
        }
        return;
      case verb::sum:
        for (std::int64_t k = 0; k < d_.in[0]; ++k) {
          shape i = o;
          i.insert(i.begin(), k);
          take(i, 1);
        }
        return;
      case verb::repeat:
        o.erase(o.begin());
        return take(o, 1);
      case verb::pad:
        o[last] -= d_.a;
        return take(o, 1);
      case verb::crop:
        o[last] += d_.a;
        return take(o, 1);
      case verb::slice:
        o[last] = d_.a + d_.c * o[last];
        return take(o, 1);
      case verb::embed:
        if (o[last] < d_.a || (o[last] - d_.a) % d_.c != 0) return;
        o[last] = (o[last] - d_.a) / d_.c;
        return take(o, 1);
      case verb::flip:
        o[last] = d_.in.back() - 1 - o[last];
        return take(o, 1);
      case verb::roll:
        o[last] = with_edge(o[last] - (d_.a - 30), d_.in.back(), 1);
        return take(o, 1);
      case verb::blocks:
        return take({o[0] * d_.b + o[1]}, 1);
      case verb::merge:
        return take(place_in(d_.in, o[0]), 1);
      default:
        return write_more(o);
    }
  }

 private:
  void take(const shape& i, number z, bool conjugates = false) {
    const std::int64_t column = flat_of(d_.in, i);
    if (column >= 0) to_.add(row_, column, z, conjugates);
  }

  void write_more(const shape& o) {
    const std::size_t last = o.size() - 1;
    const std::int64_t n = d_.in.back();
    switch (d_.action) {
      case verb::fft:
        for (std::int64_t j = 0; j < n; ++j) {
          shape i = o;
          i[last] = j;
          const std::int64_t middle = d_.a == 1 ? n / 2 : 0;
          take(i, wave((j - middle + n) % n, (o[last] - middle + n) % n, n) /
                      (d_.b == 1 ? std::sqrt(static_cast<double>(n)) : 1.0));
        }
        return;
      case verb::convolution:
        for (std::int64_t k = 0; k < d_.b; ++k) {
          shape i = o;
          i[last] = with_edge(o[last] + d_.b / 2 - k, n, d_.a);
          take(i, weights(d_, d_.b)[static_cast<std::size_t>(k)]);
        }
        return;
      case verb::derivative:
        return difference(o, static_cast<std::size_t>(d_.a));
      case verb::gradient:
        return difference({o.begin() + 1, o.end()}, static_cast<std::size_t>(o[0]));
      case verb::cumsum:
        for (shape i = o; i[last] >= 0; --i[last]) take(i, 1);
        return;
      case verb::sparse: {
        const std::vector<number> w = weights(d_, volume(d_.out) * volume(d_.in));
        for (std::int64_t c = 0; c < volume(d_.in); ++c) {
          const number z = w[static_cast<std::size_t>(row_ * volume(d_.in) + c)];
          if (z.real() > 1) take(place_in(d_.in, c), z);
        }
        return;
      }
      case verb::real:
        take(o, 0.5);
        return take(o, 0.5, true);
      case verb::imag:
        take(o, number(0, -0.5));
        return take(o, number(0, 0.5), true);
      case verb::conj:
        return take(o, 1, true);
      default:
        return;
    }
  }

  /// (x[i + 1] - x[i - 1]) / 2
  void difference(const shape& at, std::size_t axis) {
    for (const std::int64_t side : {-1, 1}) {
      shape i = at;
      i[axis] = with_edge(at[axis] + side, d_.in[axis], d_.b);
      take(i, 0.5 * static_cast<double>(side));
    }
  }

  const decoded& d_;
  matrix& to_;
  std::int64_t row_ = 0;
};

}  // namespace

matrix matrix::identity(std::int64_t n) {
  matrix made(n, n);
  for (std::int64_t k = 0; k < n; ++k) made.add(k, k, 1);
  return made;
}

void matrix::add(std::int64_t row, std::int64_t column, std::complex<double> z, bool conjugates) {
  const double sign = conjugates ? -1 : 1;
  at(2 * row, 2 * column) += z.real();
  at(2 * row, 2 * column + 1) -= sign * z.imag();
  at(2 * row + 1, 2 * column) += z.imag();
  at(2 * row + 1, 2 * column + 1) += sign * z.real();
}

matrix matrix::transposed() const {
  matrix made(columns(), rows());
  for (std::int64_t r = 0; r < rows_; ++r)
    for (std::int64_t c = 0; c < columns_; ++c) made.at(c, r) = at(r, c);
  return made;
}

matrix matrix::operator*(const matrix& other) const {
  matrix made(rows(), other.columns());
  for (std::int64_t r = 0; r < rows_; ++r)
    for (std::int64_t k = 0; k < columns_; ++k)
      for (std::int64_t c = 0; c < other.columns_; ++c) made.at(r, c) += at(r, k) * other.at(k, c);
  return made;
}

matrix matrix::operator+(const matrix& other) const {
  matrix made = *this;
  for (std::size_t k = 0; k < numbers_.size(); ++k) made.numbers_[k] += other.numbers_[k];
  return made;
}

matrix matrix::part(const std::function<bool(std::int64_t)>& row,
                    const std::function<bool(std::int64_t)>& column) const {
  std::vector<std::int64_t> kept_rows, kept_columns;
  for (std::int64_t r = 0; r < rows(); ++r)
    if (row(r)) kept_rows.push_back(r);
  for (std::int64_t c = 0; c < columns(); ++c)
    if (column(c)) kept_columns.push_back(c);
  matrix made(static_cast<std::int64_t>(kept_rows.size()), static_cast<std::int64_t>(kept_columns.size()));
  for (std::int64_t r = 0; r < made.rows_; ++r)
    for (std::int64_t c = 0; c < made.columns_; ++c)
      made.at(r, c) = at(2 * kept_rows[static_cast<std::size_t>(r / 2)] + r % 2,
                         2 * kept_columns[static_cast<std::size_t>(c / 2)] + c % 2);
  return made;
}

std::vector<std::complex<double>> matrix::times(const std::vector<std::complex<double>>& x) const {
  std::vector<std::complex<double>> y(static_cast<std::size_t>(rows()));
  for (std::int64_t r = 0; r < rows(); ++r) {
    double re = 0, im = 0;
    for (std::int64_t c = 0; c < columns(); ++c) {
      const std::complex<double> z = x[static_cast<std::size_t>(c)];
      re += at(2 * r, 2 * c) * z.real() + at(2 * r, 2 * c + 1) * z.imag();
      im += at(2 * r + 1, 2 * c) * z.real() + at(2 * r + 1, 2 * c + 1) * z.imag();
    }
    y[static_cast<std::size_t>(r)] = {re, im};
  }
  return y;
}

double matrix::norm() const {
  double sum = 0;
  for (const double n : numbers_) sum += n * n;
  return std::sqrt(sum);
}

matrix matrix_of(const decoded& d) {
  matrix made(volume(d.out), volume(d.in));
  row_writer rows(d, made);
  for (std::int64_t r = 0; r < made.rows(); ++r) rows.write(r);
  return made;
}

}  // namespace tessera::fuzz
