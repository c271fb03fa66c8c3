#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::algo {

/// How long a call took.
struct tuning_point {
  std::int64_t bytes = 0;  ///< Of its containers.
  double seconds = 0;
  bool operator==(const tuning_point&) const = default;
};

/// What was measured of one function on one kind of devices.
struct tuning_row {
  std::string devices;                 ///< "cpu*4": a kind, and how many devices of it.
  std::string function;                ///< A skeleton, "map", or the digest of an operator: "map 1f0c...".
  std::vector<tuning_point> points{};  ///< Ascending by bytes.
  bool operator==(const tuning_row&) const = default;
};

/// Measured times of calls; a plain value with a text form. Rows are few.
class tuning_table {
 public:
  [[nodiscard]] const std::vector<tuning_row>& rows() const { return rows_; }
  /// Replaces the row of the same devices and function.
  void set(tuning_row row);
  /// The time of a call on `bytes` bytes; nothing if the function was not measured there. Points are joined by lines, a
  /// call below the first takes as long as that, and beyond the last time grows as bytes do.
  [[nodiscard]] std::optional<double> seconds(std::string_view devices, std::string_view function,
                                              std::int64_t bytes) const;

  /// One row per line; `parse` leaves out lines that are none.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static tuning_table parse(std::string_view text);

 private:
  std::vector<tuning_row> rows_;
};

}  // namespace tessera::algo
