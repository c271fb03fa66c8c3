#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "tessera/numeric/fft/lanes.h"
#include "tessera/numeric/fft/roots.h"

namespace tessera::numeric {

/// How lines of one length are transformed: the constants, and in which way.
///  - lanes: in a core's cache, several lines side by side; lengths that have prime factors above 13 by a convolution
///    (Bluestein) there.
///  - split: as a matrix of rows x columns elements: the columns, a factor for each element, the rows, each in lanes.
///  - chirp: by a convolution whose transforms are split.
/// Immutable; shared by all threads.
template <class T>
class fft_plan {
 public:
  enum class way : std::uint8_t { lanes, split, chirp };

  /// The plan for lines of `length` (at least 1) elements, from a cache of those used last. `few` asks for one that
  /// uses vector registers although there are fewer lines than lanes. Thread-safe.
  [[nodiscard]] static std::shared_ptr<const fft_plan> find(std::int64_t length, bool few);
  fft_plan(std::int64_t length, bool few);
  fft_plan(const fft_plan&) = delete;
  fft_plan& operator=(const fft_plan&) = delete;

  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] way form() const { return way_; }

  /// lanes
  [[nodiscard]] const lane_plan<T>& lanes() const { return lanes_; }
  /// The roots of order 2 * length, for lines of real numbers that are transformed as pairs. Only of plans that are
  /// made in lanes.
  [[nodiscard]] const T* half_roots() const { return half_roots_.data(); }

  /// split: length = columns().length() * rows().length(). The columns are done in lanes.
  [[nodiscard]] const fft_plan& columns() const { return *first_; }
  [[nodiscard]] const fft_plan& rows() const { return *second_; }
  [[nodiscard]] const root_table& roots() const { return *roots_; }

  /// chirp
  [[nodiscard]] const fft_plan& convolution() const { return *first_; }
  [[nodiscard]] const std::vector<std::complex<T>>& chirp() const { return chirp_; }
  [[nodiscard]] const std::vector<std::complex<T>>& response() const { return response_; }

  /// Complex numbers of memory that one line needs, besides where it comes from and goes to.
  [[nodiscard]] std::int64_t spare() const;

 private:
  void make_lanes(std::int64_t inner);
  void make_chirp(std::int64_t inner);

  std::int64_t length_;
  way way_ = way::lanes;
  lane_plan<T> lanes_;
  std::vector<fft_pass<T>> passes_;
  std::vector<std::vector<T>> pass_roots_;
  std::vector<T> half_roots_;
  std::shared_ptr<const fft_plan> first_, second_;
  std::unique_ptr<root_table> roots_;
  std::vector<std::complex<T>> chirp_, response_;
};

/// True if all prime factors of `n` are at most 13.
[[nodiscard]] bool is_smooth(std::int64_t n);
/// Complex numbers of memory that a line of `length` elements needs (`fft_plan::spare`), without making its plan.
[[nodiscard]] std::int64_t fft_spare(std::int64_t length);

}  // namespace tessera::numeric
