// Launches on several devices of which little or nothing is to be had: too small to share, or across the distribution.
#include <tessera/tessera.h>

#include <string>

#include "benchmarks/engine/engine_benchmarks.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t tiny = 10'000;

options on(const std::string& devices) {
  options chosen;
  chosen.devices = devices;
  return chosen;
}

/// Launches of a tiny kernel, one after the other, and the wait for the last.
class tiny_launches {
 public:
  explicit tiny_launches(const std::string& devices) : context_(on(devices)) {}

  double scale(int launches) {
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k)
        scale_.launch({.threads = {tiny}, .block = {256}}, static_cast<int>(tiny), 0.5F, y_, x_);
      context_.wait();
    });
  }
  double sum(int launches) {
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k)
        sum_.launch({.threads = {tiny}, .block = {256}}, static_cast<int>(tiny), total_, x_);
      context_.wait();
    });
  }

 private:
  context context_;
  kernel scale_ = context_.compile(
      "//@tessera global i => readwrite y[i], read x[i]\n"
      "__global__ void scale(int n, float a, float* y, const float* x) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = a * y[i] + x[i];\n}\n",
      "scale");
  kernel sum_ = context_.compile(
      "//@tessera global i => atomic(+) s, read x[i]\n"
      "__global__ void sum(int n, float* s, const float* x) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) atomicAdd(s, x[i]);\n}\n",
      "sum");
  array<float> y_ = context_.full<float>({tiny}, 1), x_ = context_.full<float>({tiny}, 1);
  array<float> total_ = context_.zeros<float>({1});
};

void measure_tiny(session& s, const std::string& kind, const std::string& name, double (tiny_launches::*run)(int)) {
  constexpr int launches = 500;
  tiny_launches four(cat(kind, "*4")), one(kind == "cpu" ? "cpu*1" : kind);
  s.add_times(name, compare([&] { return (four.*run)(launches); }, [&] { return (one.*run)(launches); }, s.scaled({})),
              "ours, one device", 1e6 / launches, "us/launch", 0.5);
}

/// A thread for each column of two arrays, on four devices.
class column_loop {
 public:
  template <class Distribution>
  column_loop(const std::string& kind, const Distribution& parts)
      : context_(on(cat(kind, "*4"))),
        y_(context_.empty<float>({rows_of_all, width}, parts)),
        x_(context_.full<float>({rows_of_all, width}, 1, parts)) {}

  double run() {
    return seconds_of([&] {
      for (int k = 0; k < 4; ++k)
        kernel_.launch({.threads = {width}, .block = {256}}, static_cast<int>(rows_of_all), static_cast<int>(width), y_,
                       x_);
      context_.wait();
    });
  }

  static constexpr std::int64_t rows_of_all = 64, width = 1 << 16;

 private:
  context context_;
  kernel kernel_ = context_.compile(
      "//@tessera global i => write y[:, i], read x[:, i]\n"
      "__global__ void column(int rows, int n, float* y, const float* x) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  if (i < n) for (int r = 0; r < rows; ++r) { sum += x[r * n + i]; y[r * n + i] = sum; }\n}\n",
      "column");
  array<float> y_, x_;
};

void measure_columns(session& s, const std::string& kind) {
  column_loop across(kind, rows(column_loop::rows_of_all / 4)), along(kind, columns(column_loop::width / 4));
  s.add_times("patterns.across_the_distribution",
              compare([&] { return across.run(); }, [&] { return along.run(); }, s.scaled({})),
              "ours, distributed by columns", 1e3 / 4, "ms/launch", 0.8);
}

}  // namespace

std::vector<benchmark> placement_benchmarks_on(const std::string& kind) {
  const std::string name = "patterns.four_devices.";
  return {
      {name + "tiny_launch", [=](session& s) { measure_tiny(s, kind, name + "tiny_launch", &tiny_launches::scale); }},
      {name + "tiny_sum", [=](session& s) { measure_tiny(s, kind, name + "tiny_sum", &tiny_launches::sum); }},
      {"patterns.across_the_distribution", [=](session& s) { measure_columns(s, kind); }}};
}

std::vector<benchmark> placement_benchmarks() { return placement_benchmarks_on("cpu"); }

}  // namespace tessera::bench
