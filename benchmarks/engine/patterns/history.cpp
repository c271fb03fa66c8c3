// Calls after much has happened to an array, against the same calls on an array to which little has happened.
#include <tessera/tessera.h>

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr double flat = 0.5;  // at most twice the time of the undisturbed call

options on(const std::string& kind) {
  options chosen;
  chosen.devices = kind;
  return chosen;
}

/// A context with an array that is written one element at a time, and a read of all of it.
class written_array {
 public:
  static constexpr std::int64_t elements = 200'000;

  explicit written_array(const std::string& kind) : context_(on(kind)) {}

  void write_elements(std::int64_t count) {
    const float value = 1;
    for (std::int64_t i = 0; i < count; ++i) {
      seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
      const auto x = static_cast<std::int64_t>((seed_ >> 33) % elements);
      array_.slice({{x, x + 1}}).write(std::span<const float>(&value, 1));
    }
    context_.wait();
  }
  double read() {
    return seconds_of([&] { array_.read_async(target_).wait(); });
  }

 private:
  context context_;
  std::vector<float> target_ = std::vector<float>(elements);
  array<float> array_ = context_.from<float>({elements}, target_);
  std::uint64_t seed_ = 1;
};

/// Up to `most` writes.
void measure_element_writes(session& s, const std::string& kind, std::int64_t most) {
  written_array disturbed(kind), undisturbed(kind);
  std::int64_t written = 0;
  for (const std::int64_t writes : {1'000, 10'000, 100'000, 1'000'000}) {
    if (writes > most || (s.quick() && writes > 10'000)) break;
    disturbed.write_elements(writes - written);
    written = writes;
    const auto after_another = [&] {
      disturbed.write_elements(1);
      return disturbed.read();
    };
    const auto rival = [&] {
      undisturbed.write_elements(1);
      return undisturbed.read();
    };
    s.add_times(cat("patterns.element_writes.", writes), compare(after_another, rival, s.scaled({.seconds = 0.5})),
                "ours, undisturbed", 1e6, "us", flat);
  }
}

/// A launch on a window of an array, which moves from launch to launch or stays.
class window_loop {
 public:
  window_loop(const std::string& kind, const char* access)
      : context_(on(kind)),
        kernel_(context_.compile(cat("//@tessera global i => ", access, " a[i+s]\n",
                                     "__global__ void touch(int n, int s, float* a) {\n"
                                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                     "  if (i < n && a[i + s] < 0) a[i + s] = 0;\n}\n"),
                                 "touch")) {}

  double run(bool moving) {
    constexpr int launches = 2'000, window = 4'096, step = 37;
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k, place_ = (place_ + step) % (elements - window))
        kernel_.launch({.threads = {window}, .block = {256}}, window, moving ? static_cast<int>(place_) : 0, array_);
      context_.wait();
    });
  }

 private:
  static constexpr std::int64_t elements = 100'000;
  context context_;
  kernel kernel_;
  array<float> array_ = context_.full<float>({elements}, 1);
  std::int64_t place_ = 0;
};

void measure_moving_window(session& s, const std::string& kind, const char* access) {
  window_loop moving(kind, access), still(kind, access);
  s.add_times(cat("patterns.moving_window.", access),
              compare([&] { return moving.run(true); }, [&] { return still.run(false); }, s.scaled({})),
              "ours, a window that stays", 1e6 / 2'000, "us/launch", flat);
}

/// Launches that read boxes of one array which grow from one corner and shrink to the other, as in wavefronts and
/// factorisations.
class box_rounds {
 public:
  explicit box_rounds(const std::string& kind) : context_(on(kind)) {}

  double run(bool changing) {
    return seconds_of([&] {
      for (std::int64_t w = step; w <= side; w += step) launch(changing ? box{{0, 0}, {w, w}} : whole());
      for (std::int64_t w = side - step; w > 0; w -= step)
        launch(changing ? box{{side - w, side - w}, {side, side}} : whole());
      context_.wait();
    });
  }

 private:
  static constexpr std::int64_t side = 2'048, step = 16;
  static box whole() { return {{0, 0}, {side, side}}; }
  void launch(const box& read) {
    kernel_.launch({.grid = {1}, .block = {32}}, result_,
                   array_.slice({{read.lo[0], read.hi[0]}, {read.lo[1], read.hi[1]}}));
  }

  context context_;
  kernel kernel_ = context_.compile(
      "//@tessera global i => read a, write b[i]\n"
      "__global__ void look(int* b, const int* a) { b[threadIdx.x] = a[0]; }\n",
      "look");
  array<int> array_ = context_.zeros<int>({side, side});
  array<int> result_ = context_.empty<int>({32});
};

void measure_changing_boxes(session& s, const std::string& kind) {
  box_rounds changing(kind), still(kind);
  s.add_times("patterns.changing_boxes",
              compare([&] { return changing.run(true); }, [&] { return still.run(false); }, s.scaled({})),
              "ours, one box", 1e6 / 255, "us/launch", flat);
}

}  // namespace

std::vector<benchmark> history_benchmarks_on(const std::string& kind) {
  // A write to a GPU takes some microseconds more.
  const std::int64_t most = kind == "cpu" ? 1'000'000 : 100'000;
  return {{"patterns.element_writes", [=](session& s) { measure_element_writes(s, kind, most); }},
          {"patterns.moving_window.read", [=](session& s) { measure_moving_window(s, kind, "read"); }},
          {"patterns.moving_window.readwrite", [=](session& s) { measure_moving_window(s, kind, "readwrite"); }},
          {"patterns.changing_boxes", [=](session& s) { measure_changing_boxes(s, kind); }}};
}

std::vector<benchmark> history_benchmarks() { return history_benchmarks_on("cpu"); }

}  // namespace tessera::bench
