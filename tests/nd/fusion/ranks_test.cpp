// Handles live on one rank and not on another: what is carried out must be the same on all.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/array/on_ranks.h"
#include "tests/nd/support.h"

using namespace tessera::support;

namespace {

/// Keeps arrays on one rank, and drops them on the others.
class keeper {
 public:
  keeper(const ts::context& ctx, int rank) : keeps_(ctx.rank() == rank) {}
  nd::array operator()(nd::array a) {
    if (keeps_) kept_.push_back(a);
    return a;
  }
  /// The arrays go here on one rank, later than on the others.
  void drop() { kept_.clear(); }

 private:
  bool keeps_;
  std::vector<nd::array> kept_;
};

using counters = std::array<std::int64_t, 6>;

/// Counters at some points of a program, of which all ranks must have the same.
class log_of_ranks {
 public:
  void add(const ts::context& ctx, const nd::array& a, int point) {
    const nd::graph_stats s = nd::stats(a);
    const counters now{s.nodes, s.flushes, s.launches, s.declared_bytes, s.kernels, ctx.stats().launches};
    const std::lock_guard lock(mutex_);
    const counters& first = found_.try_emplace(point, now).first->second;
    if (first != now) differs_.push_back(point);
  }
  [[nodiscard]] const std::vector<int>& differs() const { return differs_; }
  [[nodiscard]] std::size_t points() const { return found_.size(); }

 private:
  std::mutex mutex_;
  std::map<int, counters> found_;
  std::vector<int> differs_;
};

using program = void (*)(const ts::context& ctx, keeper& keep, log_of_ranks& log);

/// Runs the program on three ranks, of which each keeps temporaries once.
void check_on_ranks(program body) {
  for (const std::int64_t small : {std::int64_t{0}, std::int64_t{256} << 10})
    for (int keeping = 0; keeping < 3; ++keeping) {
      CAPTURE(keeping);
      log_of_ranks log;
      const auto settings = [&](int) {
        ts::options chosen = quiet_with("cpu*2", room_for_pieces);
        chosen.check = ts::parse_checks("ranks");
        chosen.small = small;
        return chosen;
      };
      const auto run = [&](ts::context& ctx) {
        keeper keep(ctx, keeping);
        body(ctx, keep, log);
      };
      for (const std::string& e : errors_on_ranks(3, settings, run)) FAIL_CHECK(e);
      CHECK(log.points() > 0);
      CHECK(log.differs().empty());
    }
}

nd::array counted_on(const ts::context& ctx, std::int64_t n) { return nd::arange(n, {.ctx = ctx}) + std::int64_t{0}; }

}  // namespace

TEST_CASE("temporaries of one rank do not change what all carry out when their inputs are written") {
  check_on_ranks([](const ts::context& ctx, keeper& keep, log_of_ranks& log) {
    const std::int64_t n = 6000;
    const nd::array a = counted_on(ctx, n), b = counted_on(ctx, n);
    std::int64_t at = 7, beside = 7;
    for (int k = 0; k < 12; ++k) {
      keep(a * 2 + b);
      const nd::array sum = keep(a + b);
      keep(keep(nd::sqrt(nd::as_type(sum, ts::scalar_kind::float64))) / 3);
      a += sum;
      at += at + beside;
      keep(a(nd::_(1, nd::end)) - b(nd::_(0, -1)));
      a(nd::_(0, 100)) = 7 - k;
      if (7 < 100) at = 7 - k;
      b.assign(keep(b + 1));
      ++beside;
      if (k % 3 == 2) nd::eval({a});
      if (k % 4 == 3) keep.drop();
      log.add(ctx, a, k);
    }
    require(a(7).item<std::int64_t>() == at, "the array that was written is wrong");
    require(b(7).item<std::int64_t>() == beside, "the other array is wrong");
    log.add(ctx, a, 100);
  });
}

TEST_CASE("reductions whose handles one rank keeps are carried out alike") {
  check_on_ranks([](const ts::context& ctx, keeper& keep, log_of_ranks& log) {
    const nd::array m = nd::as_type(counted_on(ctx, 70 * 90).reshape({70, 90}), ts::scalar_kind::float64);
    for (int k = 0; k < 6; ++k) {
      const nd::array most = keep(nd::max(m, 1, true)), e = keep(nd::exp(m - most));
      const nd::array rows = keep(e / nd::sum(e, 1, true));
      keep(nd::cumulative_sum(m, 0));
      m += keep(rows * 0.5);
      m(nd::all, 0) = keep(nd::mean(m, 1));
      if (k % 2 == 1) nd::eval({m});
      log.add(ctx, m, k);
    }
    static_cast<void>(m.read<double>());
    log.add(ctx, m, 100);
  });
}

TEST_CASE("limits of operations and of new bytes do not depend on handles") {
  check_on_ranks([](const ts::context& ctx, keeper& keep, log_of_ranks& log) {
    const std::int64_t n = 5000;
    nd::array a = counted_on(ctx, n);
    for (int k = 0; k < 160; ++k) {
      const nd::array fresh = nd::from<std::int64_t>({n}, std::vector<std::int64_t>(5000, k), {.ctx = ctx});
      a = keep(a + fresh);
      keep(a * 3 - fresh);
      if (k % 50 == 49) keep.drop();
      if (k % 20 == 0) log.add(ctx, a, k);
    }
    require(a(3).item<std::int64_t>() == 3 + 160 * 159 / 2, "the sum is wrong");
    log.add(ctx, a, 1000);
  });
}
