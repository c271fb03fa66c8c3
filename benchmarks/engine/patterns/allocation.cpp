// Results and arrays whose memory is new, against memory that was there before.
#include <sys/mman.h>
#include <tessera/tessera.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

options on_one_device() {
  options chosen;
  chosen.devices = "cpu";
  return chosen;
}

/// A result that `read()` makes, against a read into memory that the program has touched before.
void measure_read(session& s, const char* name, std::int64_t bytes) {
  const auto elements = bytes / static_cast<std::int64_t>(sizeof(float));
  context ctx(on_one_device());
  std::vector<float> target(static_cast<std::size_t>(elements), 1);
  const array<float> a = ctx.from<float>({elements}, target);
  bool same = true;
  const auto ours = [&] {
    std::vector<float> result;
    const double seconds = seconds_of([&] { result = a.read(); });
    same = same && result.size() == target.size() && result.back() == target.back();
    return seconds;
  };
  const auto rival = [&] { return seconds_of([&] { a.read_async(target).wait(); }); };
  const comparison times = compare(ours, rival, s.scaled({}));
  if (!same) throw error("what was read is not what was written");
  s.add_times(cat("patterns.read.", name), times, "read_async, touched memory", 1e3, "ms", 0.60);
}

/// Steps that each write an array and add it to another: the array is made anew for each, or kept.
class steps_with_temporary {
 public:
  explicit steps_with_temporary(std::int64_t elements)
      : elements_(elements), kept_(context_.empty<float>({elements})), sum_(context_.zeros<float>({elements})) {}

  double run(bool anew) {
    constexpr std::int64_t elements_in_all = 40'000'000;
    const std::int64_t steps = std::max<std::int64_t>(4, elements_in_all / elements_);
    return seconds_of([&] {
      for (std::int64_t k = 0; k < steps; ++k) step(anew ? context_.empty<float>({elements_}) : kept_);
      context_.wait();
    });
  }

 private:
  void step(const array<float>& temporary) {
    const launch_options each{.threads = {elements_}, .block = {256}};
    set_.launch(each, elements_, temporary, sum_);
    add_.launch(each, elements_, sum_, temporary);
  }
  kernel compile(const char* annotation, const char* name, const char* statement) {
    return context_.compile(cat("//@tessera global i => ", annotation, "\n__global__ void ", name,
                                "(long long n, float* y, const float* x) {\n"
                                "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n  if (i < n) ",
                                statement, ";\n}\n"),
                            name);
  }

  context context_{on_one_device()};
  std::int64_t elements_;
  kernel set_ = compile("read x[i], write y[i]", "set", "y[i] = x[i] + 1");
  kernel add_ = compile("read x[i], readwrite y[i]", "add", "y[i] += x[i]");
  array<float> kept_, sum_;
};

void measure_temporary(session& s, const char* name, std::int64_t elements) {
  steps_with_temporary both(elements);
  s.add_times(cat("patterns.temporary.", name),
              compare([&] { return both.run(true); }, [&] { return both.run(false); }, s.scaled({})),
              "ours, an array that is kept", 1e3, "ms", 0.80);
}

/// An array that is made and first touched by a fill, against memory from the system that all threads touch.
void measure_new_array(session& s, const char* name, std::int64_t bytes) {
  context ctx(on_one_device());
  const std::int64_t elements = bytes / 4;
  const kernel set = ctx.compile(
      "//@tessera global i => write y[i]\n__global__ void set(long long n, float* y) {\n"
      "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 1;\n}\n",
      "set");
  thread_team team(static_cast<int>(std::thread::hardware_concurrency()));
  const auto ours = [&] {
    array<float> made;
    return seconds_of([&] {
      made = ctx.empty<float>({elements});
      set.launch({.threads = {elements}, .block = {256}}, elements, made);
      ctx.wait();
    });
  };
  const auto rival = [&] {
    const auto size = static_cast<std::size_t>(bytes);
    void* made = nullptr;
    const double seconds = seconds_of([&] {
      made = std::aligned_alloc(std::size_t{2} << 20, size);
      madvise(made, size, MADV_HUGEPAGE);
      team.run(elements, [&](auto begin, auto end) {
        std::fill(static_cast<float*>(made) + begin, static_cast<float*>(made) + end, 1.0f);
      });
    });
    std::free(made);
    return seconds;
  };
  s.add_times(cat("patterns.new_array.", name), compare(ours, rival, s.scaled({.seconds = 0})),
              "malloc, huge pages, all threads", 1e3, "ms", 0.80);
}

}  // namespace

std::vector<benchmark> allocation_benchmarks() {
  return {{"patterns.read.64MiB", [](session& s) { measure_read(s, "64MiB", std::int64_t{64} << 20); }},
          {"patterns.read.1GiB", [](session& s) { measure_read(s, "1GiB", std::int64_t{1} << 30); }},
          {"patterns.temporary.0.4MB", [](session& s) { measure_temporary(s, "0.4MB", 100'000); }},
          {"patterns.temporary.4MB", [](session& s) { measure_temporary(s, "4MB", 1'000'000); }},
          {"patterns.temporary.16MB", [](session& s) { measure_temporary(s, "16MB", 4'000'000); }},
          {"patterns.temporary.40MB", [](session& s) { measure_temporary(s, "40MB", 10'000'000); }},
          {"patterns.new_array.4GiB", [](session& s) { measure_new_array(s, "4GiB", std::int64_t{4} << 30); }}};
}

}  // namespace tessera::bench
