// Containers of several axes against plain loops.
#include <random>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera;
using support::quiet;
using support::require;

namespace {

/// A random program on a matrix and on plain rows; throws where they differ.
class matrix_program {
 public:
  matrix_program(const container_options& options, unsigned seed)
      : random_(seed),
        m_(1 + below(40), 1 + below(30), 3, options),
        expected_(static_cast<std::size_t>(m_.size()), 3) {}

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      make_step();
      if (random_() % 4 == 0) require(m_.to_host() == expected_, "elements differ after step " + std::to_string(step));
    }
    for (std::int64_t r = 0; r < m_.rows(); ++r)
      for (std::int64_t c = 0; c < m_.columns(); ++c) require(m_(r, c) == at(r, c), "an element differs in the end");
  }

 private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  int& at(std::int64_t r, std::int64_t c) { return expected_[static_cast<std::size_t>(r * m_.columns() + c)]; }

  /// Calls f(element of the box, element expected) for all of `part`.
  template <class F>
  void for_box(const box& part, const F& f) {
    std::size_t k = 0;
    for (std::int64_t r = part.lo[0]; r < part.hi[0]; ++r)
      for (std::int64_t c = part.lo[1]; c < part.hi[1]; ++c) f(k++, at(r, c));
  }

  void make_step() {
    const int value = static_cast<int>(random_() % 1000);
    const std::int64_t r0 = below(m_.rows()), c0 = below(m_.columns());
    const std::int64_t r1 = r0 + 1 + below(m_.rows() - r0), c1 = c0 + 1 + below(m_.columns() - c0);
    const box part = random_() % 3 == 0 ? box({r0, 0}, {r1, m_.columns()}) : box({r0, c0}, {r1, c1});
    switch (random_() % 9) {
      case 0:
        m_(r0, c0) = value, at(r0, c0) = value;
        break;
      case 1:
        m_(r0, c0) += value, at(r0, c0) += value;
        break;
      case 2: {
        const auto h = m_.host(ts::write, part);
        for_box(part, [&](std::size_t k, int& e) { h.data()[k] = e = value + static_cast<int>(k); });
        break;
      }
      case 3: {
        const auto h = m_.host(ts::readwrite, part);
        for_box(part, [&](std::size_t k, int& e) { h.data()[k] += value, e += value; });
        break;
      }
      case 4: {
        const auto h = m_.host(ts::read, part);
        for_box(part, [&](std::size_t k, int& e) { require(h.data()[k] == e, "a guard differs"); });
        break;
      }
      case 5:
        support::add_on_devices(m_.row(r0), value);
        for_box(box({r0, 0}, {r0 + 1, m_.columns()}), [&](std::size_t, int& e) { e += value; });
        break;
      case 6:
        random_() % 2 ? m_.flush() : m_.update_device();
        break;
      case 7: {
        const std::vector<int> read = m_.box(part).to_host();
        for_box(part, [&](std::size_t k, int& e) { require(read[k] == e, "a box differs"); });
        break;
      }
      default:
        support::add_on_devices(m_, value);
        for (int& e : expected_) e += value;
    }
  }

  std::mt19937 random_;
  ts::matrix<int> m_;
  std::vector<int> expected_;
};

}  // namespace

TEST_CASE("random programs give a matrix the elements of plain rows") {
  context ctx(quiet("cpu*3"));
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    container_options options(ctx);
    if (seed % 2 == 0) options.portion = 8 + 5 * seed;  // windows of many portions
    CHECK_NOTHROW(matrix_program(options, seed).run(60));
  }
}

TEST_CASE("elements of a matrix are reached by row and column") {
  context ctx(quiet("cpu*3"));
  ts::matrix<int> m(30, 20, ctx);
  for (int r = 0; r < 30; ++r)
    for (int c = 0; c < 20; ++c) m(r, c) = 100 * r + c;
  support::add_on_devices(m.row(4), 0);
  CHECK(m.rows() == 30);
  CHECK(m.columns() == 20);
  CHECK(m(29, 19) == 2919);
  CHECK(m.at(3, 7) == 307);
  CHECK(m.row(5).to_host()[6] == 506);
  CHECK(m.column(6).to_host()[5] == 506);
  CHECK(m.box(2, 4, 3, 5).to_host() == std::vector{203, 204, 303, 304});
  {
    const auto h = m.host(ts::readwrite, box({2, 3}, {4, 5}));
    CHECK(h.size() == 4);
    CHECK(h[1][0] == 303);
    h[1][0] = -1;
  }
  CHECK(m(3, 3) == -1);
  CHECK(m(3, 4) == 304);
  CHECK(m.host(ts::read)[7][8] == 708);
  CHECK(m.unchecked(7, 8) == 708);
  const ts::matrix<int> copy = m;
  CHECK(copy == m);
  CHECK(copy(2, 3) == 203);
}

TEST_CASE("resize of several axes keeps the elements whose indices stay") {
  context ctx(quiet("cpu*3"));
  ts::matrix<int> m(30, 20, ctx);
  for (int r = 0; r < 30; ++r)
    for (int c = 0; c < 20; ++c) m(r, c) = 100 * r + c;
  m.resize(25, 40, -5);
  for (int r = 0; r < 25; ++r)
    for (int c = 0; c < 40; ++c) require(m(r, c) == (c < 20 ? 100 * r + c : -5), "a matrix lost an element");
  ts::tensor<int, 3> t({4, 5, 6}, ctx);
  std::iota(t.begin(), t.end(), 0);
  t.resize({5, 3, 7}, -1);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 7; ++k)
        require(t(i, j, k) == (i < 4 && k < 6 ? (i * 5 + j) * 6 + k : -1), "a tensor lost an element");
  t.resize({0, 3, 7});
  CHECK(t.empty());
  t.resize({1, 1, 1}, 4);
  CHECK(t(0, 0, 0) == 4);
}

TEST_CASE("copies of two to five axes hold the same elements") {
  context ctx(quiet("cpu*3"));
  const auto check = [&](auto c) {
    std::iota(c.begin(), c.end(), 0);
    c.update_device();
    const auto copy = c;
    CHECK(copy == c);
    const std::vector<int> all = copy.to_host();
    CHECK(all == support::counted(static_cast<int>(c.size())));
  };
  check(ts::matrix<int>(301, 203, ctx));
  check(ts::tensor<int, 3>({31, 23, 41}, ctx));
  check(ts::tensor<int, 4>({7, 8, 9, 10}, ctx));
  check(ts::tensor<int, 5>({3, 4, 5, 6, 7}, ctx));
  check(ts::tensor<int, 4>({1, 1, 1, 1}, ctx));
}

TEST_CASE("linear ranges are few boxes in their order") {
  const extents shape{3, 4, 5};
  for (std::int64_t lo = 0; lo <= 60; ++lo)
    for (std::int64_t hi = lo; hi <= 60; ++hi) {
      std::int64_t at = lo;
      const std::vector<box> boxes = algo::boxes_of({lo, hi}, shape);
      for (const box& b : boxes) {
        const algo::linear_range r = algo::range_of(b, shape);
        require(r.lo == at && algo::is_contiguous(b, shape), "a box is not the next range");
        at = r.hi;
      }
      require(at == hi && boxes.size() <= 5, "boxes do not cover the range");
    }
}

TEST_CASE("matrices and tensors without elements, with one, and with fewer than devices are legal") {
  context ctx(quiet("cpu*3"));
  for (const auto& [rows, columns] : {std::pair{0, 0}, {0, 5}, {5, 0}, {1, 1}, {2, 1}, {1, 2}}) {
    ts::matrix<int> m(rows, columns, 3, ctx);
    support::add_on_devices(m, 0);
    const ts::matrix<int> copy = m;
    CHECK(copy.to_host() == std::vector<int>(static_cast<std::size_t>(rows * columns), 3));
    CHECK(copy == m);
    CHECK(m.host(ts::readwrite).size() == static_cast<std::size_t>(rows * columns));
    m.flush(), m.update_device(), m.invalidate_device(), m.update_host();
    m.resize(columns, rows);
    CHECK(m.size() == rows * columns);
  }
}
