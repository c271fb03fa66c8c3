#include "tessera/numeric/fft/transform.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "tessera/base/index.h"
#include "tessera/numeric/fft/lane_scratch.h"
#include "tessera/numeric/fft/long_line.h"
#include "tessera/numeric/scratch.h"

namespace tessera::numeric {
namespace {

/// With fewer lines than this, registers are filled with elements of one.
constexpr std::int64_t few_lines = 4;
/// Bytes that each thread may use for a long line of its own.
constexpr std::int64_t most_own_spare = 2 << 20;

/// What a line of real numbers is transformed as: complex ones of half the length, or of its own if that is odd.
std::int64_t complex_length(const fft_lines& lines) {
  return lines.kind != fft_kind::complex && lines.length % 2 == 0 ? lines.length / 2 : lines.length;
}

/// How lanes find the lines of an array, and what they do with them.
template <class T>
class lane_groups {
 public:
  lane_groups(const fft_lines& lines, const fft_part& part, const fft_plan<T>& plan, const T* from, T* to)
      : lines_(lines), part_(part), plan_(plan), from_(from), to_(to), loops_(fft_lanes<T>()) {
    inner_ = part.inner_end - part.inner_begin;
    in_rows_ = inner_ >= loops_.lanes;
    each_row_ = in_rows_ ? ceil(inner_, loops_.lanes) : 0;
  }
  [[nodiscard]] std::int64_t count() const {
    const std::int64_t outer = part_.outer_end - part_.outer_begin;
    return in_rows_ ? outer * each_row_ : ceil(outer * inner_, loops_.lanes);
  }
  void run(std::int64_t group) const {
    std::array<std::int64_t, 16> from{}, to{};
    const bool is_full = lines_.kind == fft_kind::complex, is_pairs = lines_.length % 2 == 0;
    const int count = find(group, from, to);
    lane_job<T> job;
    job.plan = &plan_.lanes();
    job.count = count;
    const lane_form reals = is_pairs ? lane_form::pairs : lane_form::reals,
                    half = is_pairs ? lane_form::half_of_pairs : lane_form::half;
    job.from = {is_full                                 ? lane_form::full
                : lines_.kind == fft_kind::real_to_half ? reals
                                                        : half,
                from_, lines_.inner, from.data(), in_rows_};
    job.to = {is_full                                 ? lane_form::full
              : lines_.kind == fft_kind::real_to_half ? half
                                                      : reals,
              to_, lines_.inner, to.data(), in_rows_};
    // Pairs in one piece are complex numbers.
    if (lines_.inner == 1 && is_pairs && !is_full) {
      if (job.from.form == lane_form::pairs)
        halve(job.from.form, from);
      else
        halve(job.to.form, to);
    }
    job.backward = lines_.backward;
    job.scale = static_cast<T>(lines_.scale);
    job.half_roots = plan_.half_roots();
    job.scratch = lane_scratch<T>(plan_.lanes().inner);
    loops_.run(job);
  }

 private:
  static std::int64_t ceil(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
  static void halve(lane_form& form, std::array<std::int64_t, 16>& offsets) {
    form = lane_form::full;
    for (std::int64_t& each : offsets) each /= 2;
  }
  int find(std::int64_t group, std::array<std::int64_t, 16>& from, std::array<std::int64_t, 16>& to) const {
    const std::int64_t first = in_rows_ ? (group % each_row_) * loops_.lanes : group * loops_.lanes;
    const std::int64_t all = in_rows_ ? inner_ : (part_.outer_end - part_.outer_begin) * inner_;
    const int count = static_cast<int>(std::min<std::int64_t>(loops_.lanes, all - first));
    for (int l = 0; l < count; ++l) {
      const std::int64_t at = first + l;
      const std::int64_t outer = part_.outer_begin + (in_rows_ ? group / each_row_ : at / inner_);
      const std::int64_t place = part_.inner_begin + (in_rows_ ? at : at % inner_);
      from[index(l)] = outer * lines_.elements_from() * lines_.inner + place;
      to[index(l)] = outer * lines_.elements_to() * lines_.inner + place;
    }
    return count;
  }

  const fft_lines& lines_;
  const fft_part& part_;
  const fft_plan<T>& plan_;
  const T* from_;
  T* to_;
  const lane_functions<T>& loops_;
  std::int64_t inner_, each_row_;
  bool in_rows_;
};

}  // namespace

std::int64_t fft_spare_bytes(const fft_lines& lines, std::size_t real_bytes) {
  // Also where lines are so many that they are not needed: a part of a launch is not told how many there are.
  const std::int64_t n = complex_length(lines), spare = fft_spare(n);
  if (spare == 0) return 0;
  const std::int64_t copies = lines.kind == fft_kind::complex ? 0 : 2 * n;
  return (spare + copies) * 2 * static_cast<std::int64_t>(real_bytes);
}

template <class T>
void transform_lines(const fft_lines& lines, const fft_part& part, const T* from, T* to, std::byte* spare,
                     const parallel_loop& run) {
  const auto plan = fft_plan<T>::find(complex_length(lines), lines.lines < few_lines);
  if (plan->form() == fft_plan<T>::way::lanes) {
    const lane_groups<T> groups(lines, part, *plan, from, to);
    run(groups.count(), [&](std::int64_t group) { groups.run(group); });
    return;
  }
  const std::int64_t inner = part.inner_end - part.inner_begin, count = (part.outer_end - part.outer_begin) * inner;
  const auto transform_one = [&](std::int64_t k, std::byte* memory, const parallel_loop& loop) {
    const std::int64_t outer = part.outer_begin + k / inner, place = part.inner_begin + k % inner;
    long_line<T>(*plan, lines, loop)
        .transform(from, outer * lines.elements_from() * lines.inner + place, to,
                   outer * lines.elements_to() * lines.inner + place, reinterpret_cast<std::complex<T>*>(memory));
  };
  const std::int64_t spare_bytes = fft_spare_bytes(lines, sizeof(T));
  if (spare_bytes <= most_own_spare && count >= few_lines) {
    // Each thread has lines of its own: threads that wait for each other twice a line would cost more.
    const parallel_loop alone = run_in_order;
    run(count, [&](std::int64_t k) {
      struct line_tag {};
      transform_one(k, thread_scratch<line_tag>(index(spare_bytes)), alone);
    });
    return;
  }
  for (std::int64_t k = 0; k < count; ++k) transform_one(k, spare, run);
}

template <class T>
void transform_line(const fft_plan<T>& plan, const std::complex<T>* from, std::complex<T>* to) {
  if (plan.form() == fft_plan<T>::way::lanes) {
    fft_lines lines;
    lines.length = plan.length();
    lane_groups<T>(lines, {0, 1, 0, 1}, plan, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to)).run(0);
    return;
  }
  std::vector<std::complex<T>> spare(index(plan.spare()));
  const parallel_loop here = run_in_order;
  complex_line<T>(plan, here).transform({from, 1}, {to, 1}, false, 1, spare.data());
}

template void transform_lines<float>(const fft_lines&, const fft_part&, const float*, float*, std::byte*,
                                     const parallel_loop&);
template void transform_lines<double>(const fft_lines&, const fft_part&, const double*, double*, std::byte*,
                                      const parallel_loop&);
template void transform_line<float>(const fft_plan<float>&, const std::complex<float>*, std::complex<float>*);
template void transform_line<double>(const fft_plan<double>&, const std::complex<double>*, std::complex<double>*);

}  // namespace tessera::numeric
