// Correlates the signals of 256 antennas on all cores, channel by channel: sums of a strip of antennas stay in
// registers, and samples are turned so that a strip's real parts, and its imaginary parts, lie side by side.
#include <algorithm>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

constexpr int antennas = 256;

/// Real and imaginary parts of one channel's samples, by time.
struct turned {
  alignas(64) float re[correlator_times][antennas];
  alignas(64) float im[correlator_times][antennas];
};

void turn(const float* samples, turned& out) {
  for (int t = 0; t < correlator_times; ++t)
    for (int a = 0; a < antennas; ++a) {
      out.re[t][a] = samples[(t * antennas + a) * 2];
      out.im[t][a] = samples[(t * antennas + a) * 2 + 1];
    }
}

/// The products of two antennas, 2 * row and the next, with the strip of sixteen from `first` on.
inline void correlate_strip(const turned& s, int row, int first, float (&re)[2][16], float (&im)[2][16]) {
  float r0[16] = {}, r1[16] = {}, i0[16] = {}, i1[16] = {};
  for (int t = 0; t < correlator_times; ++t) {
    const float a = s.re[t][2 * row], b = s.im[t][2 * row], c = s.re[t][2 * row + 1], d = s.im[t][2 * row + 1];
    const float *x = &s.re[t][first], *y = &s.im[t][first];
#pragma omp simd
    for (int k = 0; k < 16; ++k) {
      r0[k] += a * x[k] + b * y[k];
      i0[k] += b * x[k] - a * y[k];
      r1[k] += c * x[k] + d * y[k];
      i1[k] += d * x[k] - c * y[k];
    }
  }
  std::copy_n(r0, 16, re[0]), std::copy_n(i0, 16, im[0]), std::copy_n(r1, 16, re[1]), std::copy_n(i1, 16, im[1]);
}

/// Sums lie as the kernel writes them: row y and row 127 - y of the triangle one behind the other.
inline float* place(float* sums, int row, int column) {
  const int y = row < 64 ? row : 127 - row, x = row < 64 ? column : column + 128 - row;
  return sums + (static_cast<std::int64_t>(y) * 129 + x) * 8;
}

void correlate(const turned& s, float* sums) {
  for (int row = 0; row < antennas / 2; ++row)
    for (int first = 0; first <= 2 * row; first += 16) {
      float re[2][16], im[2][16];
      correlate_strip(s, row, first, re, im);
      for (int k = 0; k < 16 && first + k < 2 * row + 2; k += 2) {
        float* to = place(sums, row, (first + k) / 2);
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b) {
            to[4 * a + 2 * b] = re[a][k + b];
            to[4 * a + 2 * b + 1] = im[a][k + b];
          }
      }
    }
}

class correlator final : public threads_program {
 public:
  correlator(thread_team& team, const problem& p)
      : threads_program(team, p), samples_(p.n * correlator_samples * 2), sums_(p.n * correlator_sums * 2) {}
  void prepare() override { fill(samples_.data(), samples_.size(), first_seed, -1, 1); }
  void run() override {
    parallel(n(), [this](std::int64_t begin, std::int64_t end) {
      const auto here = std::make_unique<turned>();
      for (; begin < end; ++begin) {
        turn(samples_.data() + begin * correlator_samples * 2, *here);
        correlate(*here, sums_.data() + begin * correlator_sums * 2);
      }
    });
  }
  std::vector<double> result() const override {
    return beginning(sums_.data(), sums_.size() / 4, correlator_sums / 2,
                     4);  // in elements of four, as kernels have them
  }

 private:
  plain_array<float> samples_, sums_;
};

}  // namespace

std::unique_ptr<program> threads_correlator(thread_team& team, const problem& p) {
  return std::make_unique<correlator>(team, p);
}

}  // namespace tessera::bench::paper
