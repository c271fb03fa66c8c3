// Mandelbrot's set, Pearson's correlation and the mean squared error.
#include <cmath>
#include <cstring>

#include "benchmarks/skepu/applications/application.h"

namespace ts = tessera;

// clang-format off
namespace tessera::bench::skepu {
TS_DEVICE(
/// Steps until the point of this pixel escapes, of an image of n rows and columns that is zoomed in by `width`.
inline int escape_steps(ts::index2 p, int n, float width) {
  const float cx = -0.75f + width * ((float)p.col / (float)n - 0.5f), cy = 0.1f + width * ((float)p.row / (float)n - 0.5f);
  float x = 0, y = 0;
  int k = 0;
  while (k < 1000 && x * x + y * y < 4) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++k;
  }
  return k;
})
}  // namespace tessera::bench::skepu
// clang-format on

namespace tessera::bench::skepu {
namespace {

/// `n` numbers from 0 to below 1 without any pattern.
template <class T>
std::vector<T> numbers(std::size_t n, std::uint32_t seed) {
  std::vector<T> result(n);
  for (T& x : result) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(seed >> 8) / T(16777216);
  }
  return result;
}

/// Images of the set, each zoomed in twice as far, and how many steps all pixels of each need.
class mandelbrot final : public application {
 public:
  explicit mandelbrot(const run_settings& s) : application(s), image_(s.size, s.size, s.where) {}
  void prepare() override {
    totals_.clear();
    begin_log(1, {settings().size, settings().size * std::int64_t{sizeof(int)}});
  }
  void run() override {
    loop_begins();
    const auto draw = ts::map<escape_steps>();
    for (int t = 0; t < settings().steps; ++t) {
      draw.into(image_, static_cast<int>(settings().size), width(t));
      called({{0, operand_use::written}});
      const ts::value<long long> total = ts::reduce<long long>(image_);
      called({{0, operand_use::elements}});
      totals_.push_back(total.get());
    }
  }
  void check() const override {
    const std::vector<int> pixels = image_.to_host();
    const std::int64_t n = settings().size, every = n <= 128 ? 1 : n / 64;
    long long total = 0;
    for (const int k : pixels) total += k;
    require(totals_.back() == total, "the steps do not add up");
    std::int64_t looked = 0, different = 0;
    for (std::int64_t i = 0; i < n; i += every)
      for (std::int64_t j = 0; j < n; j += every, ++looked)
        if (pixels[static_cast<std::size_t>(i * n + j)] !=
            escape_steps({i, j}, static_cast<int>(n), width(settings().steps - 1)))
          ++different;
    // At the edge of the set the last bit decides.
    require(different <= (is_rounded_once() ? looked / 20 : 0), "a pixel has another colour");
  }
  [[nodiscard]] std::vector<std::byte> result() const override {
    std::vector<std::byte> all = bytes_of_all(image_.to_host());
    const std::vector<std::byte> totals = bytes_of_all(totals_);
    all.insert(all.end(), totals.begin(), totals.end());
    return all;
  }

 private:
  static float width(int t) { return std::ldexp(2.5f, -t); }
  void flush(int) override { image_.flush(); }

  ts::matrix<int> image_;
  std::vector<long long> totals_;
};

class ppmcc final : public application {
 public:
  explicit ppmcc(const run_settings& s) : application(s), x_(s.size, s.where), y_(s.size, s.where) {}
  void prepare() override {
    begin_log(2, {settings().size, sizeof(double)});
    std::vector<double> x = numbers<double>(size(), 1), y = numbers<double>(size(), 2);
    for (std::size_t k = 0; k < x.size(); ++k) y[k] = 0.7 * x[k] + 0.3 * y[k];
    x_ = ts::vector<double>(x, settings().where);
    y_ = ts::vector<double>(y, settings().where);
  }
  void run() override {
    loop_begins();
    const auto square = ts::map_reduce([](auto u) { return u * u; }, ts::plus());
    const std::vector<call_operand> x_alone{{0, operand_use::elements}}, y_alone{{1, operand_use::elements}};
    const ts::value<double> x = ts::reduce(x_);
    called(x_alone);
    const ts::value<double> y = ts::reduce(y_);
    called(y_alone);
    const ts::value<double> xx = square(x_);
    called(x_alone);
    const ts::value<double> yy = square(y_);
    called(y_alone);
    const ts::value<double> xy = ts::map_reduce(ts::multiplies(), ts::plus())(x_, y_);
    called({x_alone[0], y_alone[0]});
    coefficient_ = correlation(static_cast<double>(size()), {x.get(), y.get(), xx.get(), yy.get(), xy.get()});
  }
  void check() const override {
    sums s{};
    const std::vector<double> x = x_.to_host(), y = y_.to_host();
    for (std::size_t k = 0; k < x.size(); ++k) {
      s.x += x[k], s.y += y[k];
      s.xx += x[k] * x[k], s.yy += y[k] * y[k], s.xy += x[k] * y[k];
    }
    require(std::abs(coefficient_ - correlation(static_cast<double>(size()), s)) < 1e-8, "another coefficient");
  }
  [[nodiscard]] std::vector<std::byte> result() const override { return bytes_of_all(std::vector{coefficient_}); }

 private:
  struct sums {
    double x, y, xx, yy, xy;
  };
  static double correlation(double n, const sums& s) {
    return (n * s.xy - s.x * s.y) / std::sqrt((n * s.xx - s.x * s.x) * (n * s.yy - s.y * s.y));
  }
  void flush(int container) override { (container == 0 ? x_ : y_).flush(); }

  ts::vector<double> x_, y_;
  double coefficient_ = 0;
};

class mse final : public application {
 public:
  explicit mse(const run_settings& s) : application(s), x_(s.size, s.size, s.where), y_(s.size, s.size, s.where) {}
  void prepare() override {
    begin_log(2, {settings().size, settings().size * std::int64_t{sizeof(float)}});
    const auto make = [&](std::uint32_t seed) {
      return ts::matrix<float>(settings().size, settings().size, numbers<float>(size() * size(), seed),
                               settings().where);
    };
    x_ = make(1), y_ = make(2);
  }
  void run() override {
    loop_begins();
    const auto difference = [](auto u, auto v) { return (u - v) * (u - v); };
    const ts::value<float> sum = ts::map_reduce(difference, ts::plus())(x_, y_);
    called({{0, operand_use::elements}, {1, operand_use::elements}});
    mean_ = sum.get() / static_cast<float>(x_.size());
  }
  void check() const override {
    double sum = 0;
    const std::vector<float> x = x_.to_host(), y = y_.to_host();
    for (std::size_t k = 0; k < x.size(); ++k) sum += (double{x[k]} - y[k]) * (double{x[k]} - y[k]);
    const double expected = sum / static_cast<double>(x.size());
    require(std::abs(mean_ - expected) <= 1e-5 * expected, "another mean");
  }
  [[nodiscard]] std::vector<std::byte> result() const override { return bytes_of_all(std::vector{mean_}); }

 private:
  void flush(int container) override { (container == 0 ? x_ : y_).flush(); }

  ts::matrix<float> x_, y_;
  float mean_ = 0;
};

}  // namespace

std::unique_ptr<application> make_mandelbrot(const run_settings& settings) {
  return std::make_unique<mandelbrot>(settings);
}
std::unique_ptr<application> make_ppmcc(const run_settings& settings) { return std::make_unique<ppmcc>(settings); }
std::unique_ptr<application> make_mse(const run_settings& settings) { return std::make_unique<mse>(settings); }

}  // namespace tessera::bench::skepu
