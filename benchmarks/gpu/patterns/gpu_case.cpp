#include "benchmarks/gpu/patterns/gpu_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "benchmarks/frame/inputs.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

std::int64_t size_of(const gpu_array& a) { return box::whole(a.shape).volume(); }

class our_side {
 public:
  explicit our_side(const gpu_case& c) : case_(c) {
    for (const gpu_array& a : c.arrays) {
      arrays_.push_back(context_.empty(a.shape, a.type));
      fill(a, arrays_.back(), static_cast<unsigned>(arrays_.size()));
    }
    context_.wait();
  }
  void run(int launches) {
    for (int k = 0; k < launches; ++k) case_.ours(kernel_, arrays_);
    context_.wait();
  }
  [[nodiscard]] std::vector<std::byte> read(std::size_t i) const { return arrays_[i].read_bytes(); }

 private:
  void fill(const gpu_array& a, const array_base& to, unsigned seed) {
    const std::int64_t n = size_of(a);
    const launch_options each{.threads = {n}, .block = {256}};
    const auto load = [&](const char* name) { return context_.load_kernel(kernel_path("fill.cu"), {.name = name}); };
    switch (a.filled) {
      case gpu_array::start::zero:
        return to.fill_bytes(std::vector<std::byte>(a.type.size));
      case gpu_array::start::numbers:
        return load("fill_floats").launch(each, n, seed, to);
      case gpu_array::start::drawn:
        return load("fill_ints").launch(each, n, seed, a.below, to);
      case gpu_array::start::given:
        return to.write_bytes(a.bytes);
    }
  }

  const gpu_case& case_;
  context context_{on_first_gpu()};
  kernel kernel_ = context_.load_kernel(kernel_path(case_.file), {.name = case_.function});
  std::vector<array_base> arrays_;
};

class rival_side {
 public:
  explicit rival_side(const gpu_case& c) : case_(c) {
    for (const gpu_array& a : c.arrays) {
      memories_.emplace_back(static_cast<std::size_t>(size_of(a)) * a.type.size);
      fill(a, memories_.back(), static_cast<unsigned>(memories_.size()));
    }
    by_hand::wait();
  }
  void run(int launches) {
    for (int k = 0; k < launches; ++k) case_.rival(memories_);
    by_hand::wait();
  }
  [[nodiscard]] std::vector<std::byte> read(std::size_t i) const { return memories_[i].read(); }

 private:
  static void fill(const gpu_array& a, const by_hand::memory& to, unsigned seed) {
    switch (a.filled) {
      case gpu_array::start::zero:
        return to.clear();
      case gpu_array::start::numbers:
        return by_hand::fill_floats(size_of(a), seed, to.as<float>());
      case gpu_array::start::drawn:
        return by_hand::fill_ints(size_of(a), seed, a.below, to.as<int>());
      case gpu_array::start::given:
        return to.write(a.bytes.data());
    }
  }

  const gpu_case& case_;
  std::vector<by_hand::memory> memories_;
};

void compare_floats(const std::byte* ours, const std::byte* rival, std::size_t n, float tolerance) {
  for (std::size_t i = 0; i < n; ++i) {
    float a = 0, b = 0;
    std::memcpy(&a, ours + i * sizeof a, sizeof a);
    std::memcpy(&b, rival + i * sizeof b, sizeof b);
    if (!(std::abs(a - b) <= tolerance * std::max(1.0F, std::abs(b))))
      throw error(cat("element ", i, " is ", a, " and the rival's ", b));
  }
}

/// Floats up to rounding, since sums may be in another order; all others bit by bit.
void compare_results(const gpu_case& c, const our_side& ours, const rival_side& rival) {
  for (std::size_t i = 0; i < c.arrays.size(); ++i) {
    if (!c.arrays[i].result) continue;
    const std::vector<std::byte> a = ours.read(i), b = rival.read(i);
    if (c.arrays[i].type == dtype_of<float>())
      compare_floats(a.data(), b.data(), a.size() / sizeof(float), c.tolerance);
    else if (a != b)
      throw error(cat("array ", i, " is another one than the rival's"));
  }
}

/// Seconds per launch; of short ones without most of the wait.
template <class Side>
double seconds_of_launch(Side& side) {
  constexpr int several = 16;
  const double once = seconds_of([&] { side.run(1); });
  return once > 2e-3 ? once : seconds_of([&] { side.run(several); }) / several;
}

/// So many that the rival takes some milliseconds, and ours, if it is much slower, not too long.
int launches_of(our_side& ours, rival_side& rival, bool quick) {
  const double wanted = quick ? 3e-3 : 10e-3, most = 5 * wanted;
  return static_cast<int>(
      std::clamp(std::min(wanted / seconds_of_launch(rival), most / seconds_of_launch(ours)), 1.0, 2000.0));
}

}  // namespace

gpu_array numbers(const extents& shape) {
  return {.shape = shape, .type = dtype_of<float>(), .filled = gpu_array::start::numbers};
}

gpu_array drawn(std::int64_t n, int below) {
  return {.shape = {n}, .type = dtype_of<int>(), .filled = gpu_array::start::drawn, .below = below};
}

gpu_array given(const std::vector<int>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {.shape = {static_cast<std::int64_t>(values.size())},
          .type = dtype_of<int>(),
          .filled = gpu_array::start::given,
          .bytes = {bytes.begin(), bytes.end()}};
}

gpu_array changed(gpu_array a) {
  a.result = true;
  return a;
}

options on_first_gpu() {
  options chosen;
  chosen.devices = "cuda:0";
  return chosen;
}

void measure(session& s, const std::string& name, const gpu_case& c) {
  our_side ours(c);
  rival_side rival(c);
  ours.run(1);
  rival.run(1);
  compare_results(c, ours, rival);
  const int launches = launches_of(ours, rival, s.quick());
  const comparison times = compare([&] { return seconds_of([&] { ours.run(launches); }); },
                                   [&] { return seconds_of([&] { rival.run(launches); }); },
                                   s.scaled({.pairs = 9, .warm_up = 1, .seconds = 0.3, .most_pairs = 25}));
  s.add_times(name, times, c.rival_name, 1e6 / launches, "us/launch", c.target);
}

benchmark row_of(const std::string& name, std::function<gpu_case()> make) {
  return {name, [name, make = std::move(make)](session& s) { measure(s, name, make()); }};
}

}  // namespace tessera::bench
