#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/nd/support.h"

using namespace tessera::support;
using ts::extents;

namespace {

std::vector<double> numbers(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = static_cast<double>((k * 7919 + k / 7) % 1013) * 0.37 - 100;
  return values;
}

nd::array made(const extents& shape) {
  return nd::from<double>(shape, numbers(static_cast<std::size_t>(nd::element_count(shape))));
}

/// The order that the headers promise: lanes of pieces, pieces of chunks, chunks like a piece.
double folded(const std::vector<double>& x) {
  const auto piece = [](const double* first, std::size_t n) {
    std::vector<double> lanes;
    for (std::size_t k = 0; k < n; ++k) {
      if (k < 128)
        lanes.push_back(first[k]);
      else
        lanes[k % 128] += first[k];
    }
    for (std::size_t half = 64; half > 0; half /= 2)
      for (std::size_t k = 0; k < half && k + half < lanes.size(); ++k) lanes[k] += lanes[k + half];
    return lanes[0];
  };
  std::size_t chunk = 4096;
  while ((x.size() + chunk - 1) / chunk > 4096) chunk *= 2;
  std::vector<double> chunks;
  for (std::size_t first = 0; first < x.size(); first += chunk) {
    double sum = 0;
    for (std::size_t begin = first; begin < std::min(first + chunk, x.size()); begin += 4096) {
      const double next = piece(&x[begin], std::min<std::size_t>(4096, std::min(first + chunk, x.size()) - begin));
      sum = begin == first ? next : sum + next;
    }
    chunks.push_back(sum);
  }
  return chunks.size() == 1 ? chunks[0] : piece(chunks.data(), chunks.size());
}

}  // namespace

TEST_CASE("a sum has the order that is written down, on any devices and for host values") {
  for_each_setting([] {
    for (const std::size_t n : {1, 2, 127, 128, 129, 1000, 4096, 4097, 20000, 100003}) {
      CAPTURE(n);
      const std::vector<double> x = numbers(n);
      CHECK(nd::sum(nd::from(x)).item<double>() == folded(x));
    }
  });
}

TEST_CASE("elements are combined along any axes") {
  for_each_setting([] {
    const extents shape{5, 70, 6};
    const nd::array a = made(shape);
    const std::vector<double> x = a.read<double>();
    const auto at = [&](std::size_t i, std::size_t j, std::size_t k) { return x[(i * 70 + j) * 6 + k]; };
    const std::vector<double> last = nd::sum(a, -1).read<double>(), middle = nd::sum(a, 1).read<double>(),
                              first = nd::sum(a, 0).read<double>(), outer = nd::max(a, {0, 2}).read<double>(),
                              inner = nd::min(a, {1, 2}).read<double>();
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 70; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 6; ++k) sum += at(i, j, k);
        CHECK(last[i * 70 + j] == doctest::Approx(sum));
      }
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t k = 0; k < 6; ++k) {
        double head = 0, tail = 0;  // pieces of 64 rows
        for (std::size_t j = 0; j < 64; ++j) head = j == 0 ? at(i, j, k) : head + at(i, j, k);
        for (std::size_t j = 64; j < 70; ++j) tail = j == 64 ? at(i, j, k) : tail + at(i, j, k);
        CHECK(middle[i * 6 + k] == head + tail);
      }
    for (std::size_t j = 0; j < 70; ++j)
      for (std::size_t k = 0; k < 6; ++k) {
        double sum = at(0, j, k);
        for (std::size_t i = 1; i < 5; ++i) sum += at(i, j, k);
        CHECK(first[j * 6 + k] == sum);
      }
    for (std::size_t j = 0; j < 70; ++j) {
      double most = at(0, j, 0);
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t k = 0; k < 6; ++k) most = std::max(most, at(i, j, k));
      CHECK(outer[j] == most);
    }
    for (std::size_t i = 0; i < 5; ++i) {
      double least = at(i, 0, 0);
      for (std::size_t j = 0; j < 70; ++j)
        for (std::size_t k = 0; k < 6; ++k) least = std::min(least, at(i, j, k));
      CHECK(inner[i] == least);
    }
    CHECK(nd::sum(a, {0, 1, 2}, true).shape() == extents{1, 1, 1});
    CHECK(nd::sum(a, {0, -1}, true).shape() == extents{1, 70, 1});
    CHECK(nd::prod(a, std::initializer_list<int>{}).shape() == shape);
    const nd::array part = a(nd::_(1, 4), nd::_(nd::end, nd::end, -3), nd::_(0, nd::end, 2));
    double sum = 0;
    for (std::size_t i = 1; i < 4; ++i)
      for (std::size_t j = 0; j < 70; j += 3)
        for (std::size_t k = 0; k < 6; k += 2) sum += at(i, 69 - j, k);
    CHECK(nd::sum(part).item<double>() == doctest::Approx(sum));
  });
}

TEST_CASE("columns are summed, few or many, long or short, alone or of many matrices") {
  for_each_setting(
      [] {
        for (const extents& shape : {extents{1, 5000, 3}, extents{1, 9001, 100}, extents{1, 200, 300},
                                     extents{700, 10, 3}, extents{3, 130, 2}, extents{90, 70, 5}}) {
          CAPTURE(shape[0]);
          CAPTURE(shape[1]);
          CAPTURE(shape[2]);
          const nd::array x = nd::arange(nd::element_count(shape)).reshape(shape) % 1009;
          std::vector<std::int64_t> expected(static_cast<std::size_t>(shape[0] * shape[2]), 0);
          for (std::int64_t k = 0; k < nd::element_count(shape); ++k)
            expected[static_cast<std::size_t>(k / (shape[1] * shape[2]) * shape[2] + k % shape[2])] += k % 1009;
          CHECK(nd::sum(x, 1).read<std::int64_t>() == expected);
        }
      },
      room_for_pieces);
}

TEST_CASE("the first of equal elements is the least or greatest one, and NaN comes before all") {
  for_each_setting([] {
    std::vector<float> x(5000, 3.0f);
    x[17] = x[4000] = -1;
    x[400] = x[401] = 9;
    CHECK(nd::argmin(nd::from(x)).item<std::int64_t>() == 17);
    CHECK(nd::argmax(nd::from(x)).item<std::int64_t>() == 400);
    x[300] = x[200] = std::numeric_limits<float>::quiet_NaN();
    CHECK(nd::argmin(nd::from(x)).item<std::int64_t>() == 200);
    CHECK(nd::argmax(nd::from(x)).item<std::int64_t>() == 200);
    CHECK(std::isnan(nd::min(nd::from(x)).item<float>()));
    const nd::array m = nd::from<int>({3, 4}, std::vector<int>{4, 2, 2, 7, 1, 1, 1, 1, 0, 5, 9, 9});
    CHECK(nd::argmin(m, 1).read<std::int64_t>() == std::vector<std::int64_t>{1, 0, 0});
    CHECK(nd::argmax(m, 0).read<std::int64_t>() == std::vector<std::int64_t>{0, 2, 2, 2});
    CHECK(nd::argmax(m).item<std::int64_t>() == 10);
  });
}

TEST_CASE("means and variances of numbers far from zero are right, in float too") {
  for_each_setting([] {
    for (const std::size_t n : {3, 200, 50001}) {
      CAPTURE(n);
      std::vector<float> x(n);
      double mean = 0, squares = 0;
      for (std::size_t k = 0; k < n; ++k) x[k] = 10000.0f + static_cast<float>((k * 7919) % 1013) / 512.0f;
      for (const float v : x) mean += v / static_cast<double>(n);
      for (const float v : x) squares += (v - mean) * (v - mean);
      const nd::array a = nd::from(x);
      CHECK(nd::mean(a).item<float>() == doctest::Approx(mean).epsilon(1e-6));
      CHECK(nd::var(a).item<float>() == doctest::Approx(squares / static_cast<double>(n)).epsilon(1e-4));
      CHECK(nd::std(a, {}, 1).item<float>() ==
            doctest::Approx(std::sqrt(squares / static_cast<double>(n - 1))).epsilon(1e-4));
    }
    const nd::array m = made({200, 3});
    const std::vector<double> x = m.read<double>(), v = nd::var(m, 0).read<double>(), w = nd::mean(m, 1).read<double>();
    for (std::size_t j = 0; j < 3; ++j) {
      double mean = 0, squares = 0;
      for (std::size_t i = 0; i < 200; ++i) mean += x[i * 3 + j] / 200;
      for (std::size_t i = 0; i < 200; ++i) squares += (x[i * 3 + j] - mean) * (x[i * 3 + j] - mean);
      CHECK(v[j] == doctest::Approx(squares / 200));
    }
    CHECK(w[7] == doctest::Approx((x[21] + x[22] + x[23]) / 3));
  });
}

TEST_CASE("integers are summed in 64 bits, truths are counted, empty sums are identities") {
  for_each_setting([] {
    const nd::array bytes = nd::full<std::int8_t>({6000}, 100);
    CHECK(nd::sum(bytes).type() == ts::scalar_kind::int64);
    CHECK(nd::sum(bytes).item<std::int64_t>() == 600000);
    CHECK(nd::sum(bytes > 99).item<std::int64_t>() == 6000);
    CHECK(nd::mean(bytes).item<double>() == 100);
    CHECK(nd::any(bytes == 3).item<bool>() == false);
    CHECK(nd::all(bytes > 3).item<bool>());
    CHECK(nd::count_nonzero(nd::arange(10)).item<std::int64_t>() == 9);
    const nd::array none = nd::zeros<float>({0, 4});
    CHECK(nd::sum(none).item<float>() == 0);
    CHECK(nd::prod(none, 0).read<float>() == std::vector<float>(4, 1.0f));
    CHECK(nd::all(none).item<bool>());
    CHECK(message_of([&] { (void)nd::max(none); }).find("max of no elements") != std::string::npos);
    CHECK(nd::sum(nd::full<std::complex<float>>({5000}, {1, -2})).item<std::complex<float>>() ==
          std::complex<float>(5000, -10000));
  });
}

TEST_CASE("reductions take what is computed on the way, and several of one array are one launch") {
  ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  const nd::array x = made({300, 40});
  const nd::graph_stats before = nd::stats();
  const nd::array m = nd::mean(x, 0), s = nd::std(x, 0), lo = nd::min(x, 0);
  nd::eval({m, s, lo});
  const nd::graph_stats after = nd::stats();
  // One pass over x, and one that combines its pieces and takes the root of the variances.
  CHECK(after.launches - before.launches == 2);
  const nd::array norm = nd::sqrt(nd::sum((x - 3) * (x - 3)));
  const std::vector<double> v = x.read<double>();
  double squares = 0;
  for (const double e : v) squares += (e - 3) * (e - 3);
  CHECK(norm.item<double>() == doctest::Approx(std::sqrt(squares)));
}

TEST_CASE("what is made of results alone is computed where they are stored") {
  for_each_setting([] {
    const nd::array x = made({40, 130}), y = made({40, 130}) + 1;
    nd::eval({x, y});
    const std::vector<double> sums = nd::sum(x * y, 1).read<double>(), most = nd::max(x, 1).read<double>();
    const nd::array scale = nd::sum(x);  // one element, of another reduction
    const nd::array named = nd::sum(x * y, 1) * 2, all = nd::sqrt(nd::abs(named)) - nd::max(x, 1) / scale;
    const std::vector<double> found = all.read<double>();
    const double whole = scale.item<double>();
    for (std::size_t k = 0; k < found.size(); ++k)
      CHECK(found[k] == std::sqrt(std::abs(sums[k] * 2)) - most[k] / whole);
    // What was met on the way is still there.
    const std::vector<double> again = named.read<double>();
    for (std::size_t k = 0; k < again.size(); ++k) CHECK(again[k] == sums[k] * 2);
    const nd::array total = nd::sum(x, 0), root = nd::sqrt(nd::abs(total)), twice = total * 2;
    const std::vector<double> roots = root.read<double>(), doubles = twice.read<double>(),
                              totals = total.read<double>();
    for (std::size_t k = 0; k < totals.size(); ++k) {
      CHECK(roots[k] == std::sqrt(std::abs(totals[k])));
      CHECK(doubles[k] == 2 * totals[k]);
    }
  });
}

TEST_CASE("distances of all pairs are written once") {
  ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  const std::int64_t n = 100, bytes = n * n * static_cast<std::int64_t>(sizeof(double));
  const nd::array x = made({n, 18});
  nd::eval({x});
  const nd::graph_stats before = nd::stats();
  const nd::array d = nd::sqrt(nd::sum(nd::pow(x(nd::all, nd::new_axis) - x(nd::new_axis), 2), -1));
  nd::eval({d});
  CHECK(nd::stats().launches == before.launches + 1);
  CHECK(nd::stats().declared_bytes - before.declared_bytes <
        bytes + 3 * n * 18 * static_cast<std::int64_t>(sizeof(double)));
}

namespace {

nd::array softmax(const nd::array& x, const nd::axis_list& along) {
  const nd::array e = nd::exp(x - nd::max(x, along, true));
  return e / nd::sum(e, along, true);
}

}  // namespace

TEST_CASE("reductions of rows and what is made with their results are one launch that reads once") {
  ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  const nd::array x = made({300, 200}), z = made({40, 60, 5});
  nd::eval({x, z});
  const std::int64_t bytes = 300 * 200 * static_cast<std::int64_t>(sizeof(double));
  nd::graph_stats before = nd::stats();
  nd::array y = softmax(x, -1);
  CHECK(nd::explain(y).find("launch 1 of 1") != std::string::npos);
  nd::eval({y});
  CHECK(nd::stats().launches == before.launches + 1);
  CHECK(nd::stats().declared_bytes == before.declared_bytes + 2 * bytes);
  before = nd::stats();
  y = (x - nd::mean(x, 1, true)) / nd::sqrt(nd::var(x, 1, 0, true) + 1e-5);
  nd::eval({y});
  CHECK(nd::stats().launches == before.launches + 1);
  before = nd::stats();
  nd::eval({softmax(z, {1, 2})});
  CHECK(nd::stats().launches == before.launches + 1);
}

TEST_CASE("rows give the same bits as one operation after the other") {
  for_each_setting(
      [] {
        for (const extents& shape : {extents{37, 130}, extents{4, 3, 1000}, extents{5000 / 2}, extents{3, 4096}}) {
          CAPTURE(to_string(shape));
          const nd::array x = made(shape) * 0.01;
          nd::eval({x});
          const nd::array most = nd::max(x, -1, true);
          nd::eval({most});
          const nd::array e = nd::exp(x - most);
          nd::eval({e});
          const nd::array total = nd::sum(e, -1, true);
          nd::eval({total});
          CHECK(softmax(x, -1).read<double>() == (e / total).read<double>());
          const nd::array mean = nd::mean(x, -1), var = nd::var(x, -1);
          nd::eval({mean, var});
          const auto wide = [&](const nd::array& a) { return nd::expand_dims(a, -1); };
          const nd::array root = nd::sqrt(var + 1e-5);
          nd::eval({root});
          const nd::array own_mean = nd::mean(x, -1), own_root = nd::sqrt(nd::var(x, -1) + 1e-5);
          const nd::array scaled = (x - wide(own_mean)) / wide(own_root);
          CHECK(scaled.read<double>() == ((x - wide(mean)) / wide(root)).read<double>());
          CHECK(own_mean.read<double>() == mean.read<double>());
          CHECK(own_root.read<double>() == root.read<double>());
          const nd::array place = nd::argmax(x, -1, true);
          nd::eval({place});
          CHECK(nd::where(x > 0, x * nd::argmax(x, -1, true), -x).read<double>() ==
                nd::where(x > 0, x * place, -x).read<double>());
        }
        // Results of other rows, and rows of another axis, are not on hand.
        const nd::array x = made({20, 30});
        const nd::array sums = nd::sum(x, 1);
        nd::eval({sums});
        const nd::array flipped = nd::expand_dims(nd::flip(sums), 1);
        nd::eval({flipped});
        CHECK((x / nd::expand_dims(nd::flip(nd::sum(x, 1)), 1)).read<double>() == (x / flipped).read<double>());
        const nd::array first = nd::sum(x, 1).reshape({-1})(nd::_(0, 1));
        CHECK((x / nd::sum(x, 1, true) - nd::sum(x, 1, true).reshape({-1})(nd::_(0, 1))).read<double>() ==
              (x / nd::expand_dims(sums, 1) - first).read<double>());
        const nd::array columns = nd::sum(x, 0);
        nd::eval({columns});
        CHECK((x / nd::sum(x, 0)).read<double>() == (x / columns).read<double>());
      },
      room_for_pieces);
}

TEST_CASE("a reduction with many paths to what is made of it is planned at once") {
  ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  nd::array t = nd::sum(made({50, 60}), 1) / 1e9;
  for (int k = 0; k < 28; ++k) t = t * t + t;
  const auto begin = std::chrono::steady_clock::now();
  CHECK(t.read<double>().size() == 50);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}
