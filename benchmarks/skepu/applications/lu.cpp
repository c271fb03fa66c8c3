// LU factorisation without pivots of a matrix whose diagonal is large: below the diagonal L, on it and above U.
#include <cmath>

#include "benchmarks/skepu/applications/application.h"

namespace ts = tessera;

// clang-format off
namespace tessera::bench::skepu {
TS_DEVICE(
inline float start_value(ts::index2 at, float n) {
  unsigned h = (unsigned)at.row * 2654435761u ^ (unsigned)at.col * 2246822519u;
  h ^= h >> 15; h *= 3266489917u; h ^= h >> 13;
  return (float)(h >> 8) / 16777216.0f - 0.5f + (at.row == at.col ? n : 0.0f);
}
/// Element `at` after column k is eliminated.
inline float eliminated(ts::index2 at, ts::mat<float> a, int k) {
  const float old = a(at.row, at.col);
  if (at.row <= k || at.col < k) return old;
  const float factor = a(at.row, k) / a(k, k);
  return at.col == k ? factor : old - factor * a(k, at.col);
}
inline float divided(float element, ts::vec<float> pivot) { return element / pivot[0]; }
/// An element below and right of a pivot, whose row, and factors of the rows below it, are given.
inline float reduced_by(ts::index2 at, float old, ts::mat<float> factors, ts::vec<float> row) {
  return old - factors(at.row, 0) * row[at.col];
})
}  // namespace tessera::bench::skepu
// clang-format on

namespace tessera::bench::skepu {
namespace {

/// Throws unless rows of L U are those of the matrix at the beginning.
void check_product(const std::vector<float>& factors, std::int64_t n) {
  const auto at = [&](std::int64_t i, std::int64_t j) { return double{factors[static_cast<std::size_t>(i * n + j)]}; };
  const std::int64_t every = n <= 256 ? 1 : n / 16;
  for (std::int64_t i = 0; i < n; i += every)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = i <= j ? at(i, j) : 0;
      for (std::int64_t k = 0; k < std::min(i, j + 1); ++k) sum += at(i, k) * at(k, j);
      const double expected = start_value({i, j}, static_cast<float>(n));
      require(std::abs(sum - expected) <= 2e-6 * static_cast<double>(n), "L U is another matrix");
    }
}

class lu final : public application {
 public:
  explicit lu(const run_settings& s)
      : application(s),
        n_(static_cast<int>(s.size)),
        states_{ts::matrix<float>(s.size, s.size, s.where), ts::matrix<float>(s.size, s.size, s.where)} {}
  void prepare() override {
    begin_log(2, {n_, n_ * std::int64_t{sizeof(float)}});
    ts::map<start_value>().into(states_[0], static_cast<float>(n_));
    called({{0, operand_use::written}});
  }
  void run() override {
    loop_begins();
    const auto step = ts::map<eliminated>();
    for (int k = 0; k < n_ - 1; ++k) {
      const int from = k % 2, to = 1 - from;
      step.into(states_[to], states_[from], k);
      called({{from, operand_use::whole}, {to, operand_use::written}});
    }
    const auto seen = last().host(ts::read, box({0, 0}, {n_ / 2, n_}));
    require(seen.empty() || seen.data()[0] != 0, "the first pivot is zero");
    looked_at((n_ + 1) % 2, 0, n_ / 2);
  }
  void check() const override { check_product(last().to_host(), n_); }
  [[nodiscard]] std::vector<std::byte> result() const override { return bytes_of_all(last().to_host()); }

 private:
  [[nodiscard]] const ts::matrix<float>& last() const { return states_[(n_ + 1) % 2]; }
  void flush(int container) override { states_[container].flush(); }

  int n_;
  ts::matrix<float> states_[2];
};

/// The row and the column of a pivot get containers of their own, so that a launch holds them and nothing between them.
class lu_in_place final : public application {
 public:
  explicit lu_in_place(const run_settings& s)
      : application(s), n_(s.size), a_(n_, n_, s.where), factors_(n_, 1, s.where), row_(n_, s.where) {}
  void prepare() override {
    begin_log(1, {n_, n_ * std::int64_t{sizeof(float)}});
    add_to_log({n_, sizeof(float)});
    add_to_log({n_, sizeof(float)});
    ts::map<start_value>().into(a_, static_cast<float>(n_));
    called({{0, operand_use::written}});
  }
  void run() override {
    loop_begins();
    const auto divide = ts::map<divided>();
    const auto reduce_rest = ts::map<reduced_by>();
    const auto copy = ts::map(ts::identity());
    for (std::int64_t k = 0; k < n_ - 1; ++k) {
      const auto column = a_.box(k + 1, n_, k, k + 1), rest = a_.box(k + 1, n_, k + 1, n_);
      const auto factors = factors_.box(k + 1, n_, 0, 1);
      const auto row = row_.part(k + 1, n_);
      copy.into(row_.part(k, n_), a_.box(k, k + 1, k, n_));
      called({{0, operand_use::elements}, {2, operand_use::written}});
      divide.into(factors, column, row_.part(k, k + 1));
      called({{0, operand_use::elements}, {2, operand_use::whole}, {1, operand_use::written}});
      copy.into(column, factors);
      called({{1, operand_use::elements}, {0, operand_use::written}});
      reduce_rest.into(rest, rest, factors, row);
      called({{0, operand_use::elements}, {1, operand_use::whole}, {2, operand_use::whole}, {0, operand_use::written}});
    }
  }
  void check() const override { check_product(a_.to_host(), n_); }
  [[nodiscard]] std::vector<std::byte> result() const override { return bytes_of_all(a_.to_host()); }

 private:
  void flush(int container) override {
    if (container == 0)
      a_.flush();
    else if (container == 1)
      factors_.flush();
    else
      row_.flush();
  }

  std::int64_t n_;
  ts::matrix<float> a_, factors_;
  ts::vector<float> row_;
};

}  // namespace

std::unique_ptr<application> make_lu(const run_settings& settings) { return std::make_unique<lu>(settings); }
std::unique_ptr<application> make_lu_in_place(const run_settings& settings) {
  return std::make_unique<lu_in_place>(settings);
}

}  // namespace tessera::bench::skepu
