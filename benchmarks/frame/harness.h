#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/frame/row.h"

/// How rows are measured: ours and the rival in turns, the median of the ratios of each turn.
namespace tessera::bench {

/// Does one side's work and returns the seconds it took.
using timed_run = std::function<double()>;

struct pairing {
  int pairs = 15;        ///< At least.
  int warm_up = 2;       ///< Pairs that do not count.
  int bursts = 1;        ///< Turns per pair: each side's time is the sum of this many runs.
  double seconds = 1.0;  ///< Measures more pairs, up to `most_pairs`, while there is time.
  int most_pairs = 101;
};

struct comparison {
  double ours = 0;  ///< Medians of the seconds per pair.
  double rival = 0;
  double ratio = 0;  ///< Median of rival's seconds over ours.
  double low = 0;    ///< Quartiles of the same.
  double high = 0;
};

/// Runs both sides in turns; who begins changes from turn to turn, so that a disturbance hits both alike.
[[nodiscard]] comparison compare(const timed_run& ours, const timed_run& rival, const pairing& settings);

/// The comparison of times that were taken in pairs; there is at least one, and as many of ours as of the rival's.
[[nodiscard]] comparison summary_of(const std::vector<double>& our_times, const std::vector<double>& rival_times);

/// Seconds on a clock that never goes back.
[[nodiscard]] double now();

/// Seconds of all processors that this process has used: what other work on the machine disturbs less.
[[nodiscard]] double processor_time();

/// The seconds that `f()` takes.
template <class F>
[[nodiscard]] double seconds_of(F&& f) {
  const double begin = now();
  f();
  return now() - begin;
}

/// The value below which the fraction `q` of `values` lies; `values` must not be empty.
[[nodiscard]] double quantile(std::vector<double> values, double q);

/// first, first * factor, ... up to and including `last`, rounded; the sizes of a series. `factor` is above 1.
[[nodiscard]] std::vector<std::int64_t> size_steps(std::int64_t first, std::int64_t last, double factor);

/// What the user asked for, and the rows so far.
class session {
 public:
  explicit session(bool quick, std::string devices = "cpu") : quick_(quick), devices_(std::move(devices)) {}

  [[nodiscard]] bool quick() const { return quick_; }
  /// The kind of device that the user named, as TESSERA_DEVICES spells it; with `count` above 1 so many logical ones.
  [[nodiscard]] std::string devices(int count = 1) const;
  /// `settings`, shortened if the user wants a quick look.
  [[nodiscard]] pairing scaled(pairing settings) const;

  /// A row from a comparison of times; the medians are multiplied by `scale` to get `unit`.
  void add_times(const std::string& name, const comparison& times, const std::string& rival_name, double scale,
                 const std::string& unit, std::optional<double> target);
  /// A row of `series`, named after it and `size`: one point of a curve of time against problem size.
  void add_point(const std::string& series, std::int64_t size, const comparison& times, const std::string& rival_name,
                 double scale, const std::string& unit, std::optional<double> target = std::nullopt);
  /// A row of two figures of which less is better, each taken once.
  void add_figures(const std::string& name, double ours, double rival, const std::string& rival_name,
                   const std::string& unit, std::optional<double> target);
  /// A row of any kind. Prints it.
  void add(row r);

  [[nodiscard]] const std::vector<row>& rows() const { return rows_; }

 private:
  bool quick_;
  std::string devices_;
  std::vector<row> rows_;
};

/// One thing to measure; gives one or more rows whose names begin with `name`.
struct benchmark {
  std::string name;
  std::function<void(session&)> run;
};

/// A part of a program's benchmarks.
using benchmark_group = std::vector<benchmark> (*)();

/// The benchmarks of all groups, in order.
[[nodiscard]] std::vector<benchmark> joined(const std::vector<benchmark_group>& groups);

}  // namespace tessera::bench
