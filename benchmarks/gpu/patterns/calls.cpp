// What calls cost on a GPU where hardly anything is computed, and arrays that are made anew.
#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/patterns/new_arrays.h"
#include "benchmarks/engine/patterns/tiny_launches.h"
#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/patterns/gpu_case.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

pairing few(const session& s) { return s.scaled({.pairs = 9, .warm_up = 1, .seconds = 0.3}); }

/// As `tiny_launches`, by hand.
class tiny_by_hand {
 public:
  tiny_by_hand() { x_.write(std::vector<float>(elements, 1).data()); }

  double run() {
    return seconds_of([&] {
      for (int k = 0; k < tiny_launches::launches; ++k) launch();
      by_hand::wait();
    });
  }
  double run_waiting() {
    return tiny_launches::repeated([&] {
      launch();
      by_hand::wait();
    });
  }
  double run_reading() {
    return tiny_launches::repeated([&] {
      launch();
      first_ = by_hand::read_element(y_.as<float>());
    });
  }
  double run_writing() {
    return tiny_launches::repeated([&] { by_hand::write_element(x_.as<float>() + 7, 1); });
  }
  [[nodiscard]] float first() const { return first_; }

 private:
  static constexpr std::size_t elements = tiny_launches::elements;
  void launch() { by_hand::add_one(static_cast<int>(elements), y_.as<float>(), x_.as<float>()); }

  by_hand::memory x_{elements * sizeof(float)}, y_{elements * sizeof(float)};
  float first_ = 0;
};

benchmark latency(const std::string& call, const char* rival_name, double (tiny_launches::*our_run)(),
                  double (tiny_by_hand::*rival_run)(), std::optional<double> target) {
  const std::string name = cat("patterns.latency.", call);
  return {name, [=](session& s) {
            tiny_launches ours(on_first_gpu());
            tiny_by_hand rival;
            ours.run();
            rival.run_reading();
            if (ours.read().front() != rival.first()) throw error("a launch gives another result than by hand");
            s.add_times(name, compare([&] { return (ours.*our_run)(); }, [&] { return (rival.*rival_run)(); }, few(s)),
                        rival_name, 1e6 / tiny_launches::launches, "us", target);
          }};
}

std::vector<float> sums_by_hand(std::int64_t steps, std::int64_t n) {
  std::vector<float> sums(static_cast<std::size_t>(n));
  const by_hand::memory sum(sums.size() * sizeof(float));
  sum.clear();
  by_hand::steps_with_temporary(steps, n, sum.as<float>());
  const std::vector<std::byte> bytes = sum.read();
  std::copy_n(reinterpret_cast<const float*>(bytes.data()), sums.size(), sums.begin());
  return sums;
}

benchmark temporary(const char* size, std::int64_t n, std::int64_t steps) {
  const std::string name = cat("patterns.temporary.", size);
  return {name, [=](session& s) {
            steps_with_temporary few_steps(on_first_gpu(), n, 5), ours(on_first_gpu(), n, steps);
            few_steps.run(true);
            if (few_steps.sum().read() != sums_by_hand(5, n)) throw error("steps give another result than by hand");
            const by_hand::memory sum(static_cast<std::size_t>(n) * sizeof(float));
            sum.clear();
            const auto rival = [&] { by_hand::steps_with_temporary(steps, n, sum.as<float>()); };
            s.add_times(name, compare([&] { return ours.run(true); }, [&] { return seconds_of(rival); }, few(s)),
                        "CUDA, cudaMallocAsync and cudaFreeAsync", 1e6 / static_cast<double>(steps), "us/step", 0.70);
          }};
}

void measure_new_array(session& s) {
  constexpr std::int64_t elements = std::int64_t{1} << 30;
  new_arrays ours(on_first_gpu(), elements);
  const by_hand::memory kept(std::size_t{elements} * sizeof(float));
  const auto rival = [&] {
    by_hand::set_ones(elements, kept.as<float>());
    by_hand::wait();
  };
  rival();
  if (ours.last() != by_hand::read_element(kept.as<float>() + elements - 1)) throw error("a new array has no ones");
  s.add_times("patterns.new_array.4GiB", compare([&] { return ours.run(); }, [&] { return seconds_of(rival); }, few(s)),
              "CUDA, the kernel into memory that is kept", 1e3, "ms", 0.90);
}

}  // namespace

std::vector<benchmark> gpu_call_benchmarks() {
  using ours = tiny_launches;
  using rival = tiny_by_hand;
  return {latency("launch", "CUDA, launch and wait", &ours::run_waiting, &rival::run_waiting, 0.5),
          latency("write", "cudaMemcpy", &ours::run_writing, &rival::run_writing, 0.5),
          latency("launch_read", "CUDA, launch and cudaMemcpy", &ours::run_reading, &rival::run_reading, 0.5),
          latency("stream", "CUDA, launches and one wait", &ours::run, &rival::run, std::nullopt),
          temporary("0.4MB", 100'000, 1000),
          temporary("4MB", 1'000'000, 500),
          temporary("40MB", 10'000'000, 100),
          {"patterns.new_array.4GiB", measure_new_array},
          read_benchmark_on("cuda:0")};
}

}  // namespace tessera::bench
