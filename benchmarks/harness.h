#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// How rows are measured and reported: ours and the rival in turns, the median of the ratios of each turn.
namespace tessera::bench {

/// One line of the table and one object of the JSON file. `ours` and `rival` are medians in `unit`.
struct row {
  std::string name;
  double ours = 0;
  double rival = 0;  ///< 0: nothing to compare with; the row is only reported.
  std::string rival_name;
  std::string unit;
  double ratio = 0;  ///< Our speed over the rival's.
  double low = 0;    ///< Quartiles of the ratio.
  double high = 0;
  std::optional<double> target;
};

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
[[nodiscard]] comparison compare(const timed_run& ours, const timed_run& rival, const pairing& how);

/// The seconds that `f()` takes.
template <class F>
[[nodiscard]] double seconds_of(F&& f);

/// The value below which the fraction `q` of `values` lies; `values` must not be empty.
[[nodiscard]] double quantile(std::vector<double> values, double q);

/// What the user asked for, and the rows so far.
class session {
 public:
  explicit session(bool quick) : quick_(quick) {}

  [[nodiscard]] bool quick() const { return quick_; }
  /// `how`, shortened if the user wants a quick look.
  [[nodiscard]] pairing scaled(pairing how) const;

  /// A row from a comparison of times; the medians are multiplied by `scale` to get `unit`.
  void add_times(const std::string& name, const comparison& times, const std::string& rival_name, double scale,
                 const std::string& unit, std::optional<double> target);
  /// A row of any kind. Prints it.
  void add(row r);

  [[nodiscard]] const std::vector<row>& rows() const { return rows_; }

 private:
  bool quick_;
  std::vector<row> rows_;
};

/// The rows as the JSON list that benchmarks/README.md describes.
[[nodiscard]] std::string to_json(const std::vector<row>& rows);

/// One thing to measure; gives one or more rows whose names begin with `name`.
struct benchmark {
  std::string name;
  std::function<void(session&)> run;
};

/// All benchmarks of this program, in order.
[[nodiscard]] std::vector<benchmark> all_benchmarks();

[[nodiscard]] std::vector<benchmark> kernel_benchmarks();
[[nodiscard]] std::vector<benchmark> block_benchmarks();
[[nodiscard]] std::vector<benchmark> end_to_end_benchmarks();
[[nodiscard]] std::vector<benchmark> task_benchmarks();
[[nodiscard]] std::vector<benchmark> planning_benchmarks();
[[nodiscard]] std::vector<benchmark> compile_benchmarks();
[[nodiscard]] std::vector<benchmark> host_benchmarks();
[[nodiscard]] std::vector<benchmark> memory_benchmarks();

/// Seconds on a clock that never goes back.
[[nodiscard]] double now();

template <class F>
double seconds_of(F&& f) {
  const double begin = now();
  f();
  return now() - begin;
}

}  // namespace tessera::bench
