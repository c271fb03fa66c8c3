// SkePU's applications on our containers: their results, and the bytes that move for them.
#include "benchmarks/skepu/applications/application.h"

#include <numeric>

#include "benchmarks/skepu/byte_model/byte_model.h"
#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera::bench::skepu;
using tessera::support::calm;
using tessera::support::cut_everywhere;
using tessera::support::movement;

namespace {

run_settings sized(const ts::context& ctx, std::int64_t size, int steps) {
  return {.size = size, .steps = steps, .where = ctx};
}

/// A context that moves nothing of its own accord and shares also small containers among all devices.
ts::options shared_by_all(const std::string& devices) {
  ts::options settings = calm(devices);
  settings.small = 0;
  return settings;
}

struct small_run {
  named_application app;
  std::int64_t size;
  int steps;
};
std::vector<small_run> small_runs() {
  const auto& all = paper_applications();
  return {{all[0], 203, 5},
          {all[1], 37, 1},
          {all[2], 211, 4},
          {all[3], 41, 3},
          {all[4], 5003, 1},
          {all[5], 53, 1},
          {{"lu_in_place", make_lu_in_place}, 37, 1}};
}

std::vector<std::byte> run_of(const small_run& wanted, const ts::context& ctx, bool copy_each_call = false) {
  run_settings settings = sized(ctx, wanted.size, wanted.steps);
  settings.copy_each_call = copy_each_call;
  const auto made = wanted.app.make(settings);
  made->prepare();
  made->run();
  made->check();
  return made->result();
}

std::int64_t moved_bytes(const ts::statistics& s) {
  return s.host_to_device_bytes + s.device_to_host_bytes + s.device_to_device_bytes;
}
std::int64_t sum_of(const std::vector<std::int64_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("the applications are right and have the same bits on every number of devices and ranks") {
  for (const small_run& wanted : small_runs()) {
    CAPTURE(wanted.app.name);
    ts::context alone(cut_everywhere("cpu"));
    const std::vector<std::byte> expected = run_of(wanted, alone);
    CHECK(run_of(wanted, alone, true) == expected);
    for (const char* devices : {"cpu*3", "cpu*7"}) {
      ts::context ctx(cut_everywhere(devices));
      CHECK(run_of(wanted, ctx) == expected);
    }
    for (const int ranks : {2, 3, 4}) {
      const auto settings = [&](int) { return cut_everywhere(ranks == 2 ? "cpu*2" : "cpu"); };
      for (const std::string& e : tessera::support::errors_on_ranks(ranks, settings, [&](ts::context& ctx) {
             tessera::support::require(run_of(wanted, ctx) == expected, "a rank has other bits");
           }))
        FAIL_CHECK(e);
    }
  }
}

// Pages of GPUs are larger than these containers.
TEST_CASE("with a tenth of the memory they use N-body, LU and heat evict and have the same bits" *
          doctest::skip(tessera::support::on_gpu())) {
  const auto check = [](std::int64_t bytes, const std::string& devices, const auto& program) {
    ts::context plenty(calm("cpu*2"));
    const auto expected = program(plenty);
    ts::options little = calm(devices);
    little.device_memory = little.host_memory = bytes / 10 / (devices == "cpu" ? 1 : 2);
    ts::context ctx(little);
    CHECK(program(ctx) == expected);
    CHECK(ctx.stats().evictions > 0);
  };
  check(42 * 400 * 28, "cpu*2", [](ts::context& ctx) {
    run_settings settings = sized(ctx, 400, 41);
    settings.states = 42;
    const auto made = make_nbody(settings);
    made->prepare();
    made->run();
    made->check();
    return made->result();
  });
  check(224 * 224 * 4, "cpu", [](ts::context& ctx) {
    const auto made = make_lu_in_place(sized(ctx, 224, 1));
    made->prepare();
    made->run();
    made->check();
    return made->result();
  });
  check(2 * 400 * 300 * 4, "cpu*2", [](ts::context& ctx) {
    ts::matrix<float> t = ts::map([](auto i, auto j) { return i * j; })(ts::matrix<float>(400, 300, 1.5f, ctx),
                                                                        ts::matrix<float>(400, 300, 2.f, ctx));
    t(200, 100) = 1000;
    ts::matrix<float> u(400, 300, ctx);
    const auto heat =
        ts::map_overlap<2>([](auto c) { return 0.25f * (c(-1, 0) + c(1, 0) + c(0, -1) + c(0, 1)); }, {1, 1});
    for (int step = 0; step < 5; ++step) {
      heat.into(u, t);
      std::swap(t, u);
    }
    return t.to_host();
  });
}

TEST_CASE("a call of N-body moves p - 1 vectors between p devices, and a run takes two on each") {
  for (const int devices : {2, 4, 8}) {
    ts::context ctx(shared_by_all("cpu*" + std::to_string(devices)));
    const std::int64_t n = 1024, bytes = n * 28;
    const auto made = make_nbody(sized(ctx, n, 2));
    made->prepare();
    movement here(ctx);
    made->run();
    const ts::statistics moved = here.moved();
    CHECK(moved.device_to_device_bytes == 2 * (devices - 1) * bytes);
    CHECK(moved.host_to_device_bytes == 0);
    CHECK(moved.device_to_host_bytes == bytes / 2);
    CHECK(sum_of(moved.allocated_bytes) <= 2 * devices * bytes);
  }
}

TEST_CASE("on two devices the applications of Table 1 move half of what SkePU's best mechanism moves") {
  struct row {
    named_application app;
    std::int64_t size;
    int steps;
  };
  const auto& all = paper_applications();
  for (const row& r : {row{all[0], 1024, 11}, row{all[1], 128, 0}, row{all[2], 2048, 12}}) {
    CAPTURE(r.app.name);
    ts::context ctx(shared_by_all("cpu*2"));
    const auto made = r.app.make(sized(ctx, r.size, r.steps));
    movement here(ctx);
    made->prepare();
    made->run();
    const ts::statistics moved = here.moved();
    const traffic best = replay(made->log(), mechanism::updated_with_peers, 2);
    std::int64_t containers = 0;
    for (int k = 0; k < std::ssize(made->log().containers); ++k) containers += made->log().bytes(k);
    CHECK(static_cast<double>(moved_bytes(moved)) <= 0.52 * static_cast<double>(best.total()));
    CHECK(best.allocated >= 6 * made->log().bytes(0));
    CHECK(sum_of(moved.allocated_bytes) <= 2 * containers);  // each device has each container at most once
  }
}

TEST_CASE("the program of the paper's figure 2 moves its vector twice") {
  ts::context ctx(calm("cpu*2"));
  const std::int64_t n = 100'000;
  movement here(ctx);
  ts::vector<int> v(n, ctx);
  const auto index = TS_FN([](ts::index1 i) { return int(i); });
  ts::map(index).into(v);                                       // a call that writes
  CHECK(v[3] == 3);                                             // the host reads: the first copy
  ts::map([](auto e) { return e + 1; }).into(v, v);             // a call that reads and writes
  const ts::value<int> largest = ts::reduce(v, ts::maximum());  // two that read
  const ts::value<int> least = ts::reduce(v, ts::minimum());
  CHECK(largest.get() == n);
  CHECK(least.get() == 1);
  v[7] = v[7] + 5;  // the host reads and writes: the second copy
  CHECK(v[7] == 13);
  const ts::statistics moved = here.moved();
  const std::int64_t reductions = 2 * sizeof(int);
  CHECK(moved.device_to_host_bytes - reductions == 2 * n * std::int64_t{sizeof(int)});
  CHECK(moved.host_to_device_bytes == 0);
}

TEST_CASE("overlapping parts of a vector that calls write and read are right without a flush") {
  ts::context ctx(calm("cpu*2"));
  ts::vector<int> v(10'000, 1, ctx);
  const auto negate = ts::map([](auto e) { return -e; });
  std::vector<int> expected(10'000, -1);
  CHECK(negate(v).to_host() == expected);                                                   // reads all
  ts::map([](auto e) { return e + 6; }).into(v.begin() + 5000, v.begin() + 5000, v.end());  // writes the second half
  std::fill(expected.begin() + 5000, expected.end(), -7);
  CHECK(negate(v).to_host() == expected);  // reads all again
}

TEST_CASE("two calls in a loop, each reading all of what the other writes, are right without a flush") {
  ts::context ctx(cut_everywhere("cpu*2"));
  ts::vector<long long> a(10, 1, ctx), b(10, 2, ctx);
  const auto add_all = TS_FN([](long long own, ts::vec<long long> all) {
    for (long long j = 0; j < all.size(); ++j) own += all[j];
    return own;
  });
  const auto add = ts::map(add_all);
  long long x = 1, y = 2;
  for (int step = 0; step < 5; ++step) {
    add.into(b, b, a), y += 10 * x;
    add.into(a, a, b), x += 10 * y;
  }
  CHECK(a.to_host() == std::vector<long long>(10, x));
  CHECK(b.to_host() == std::vector<long long>(10, y));
}
