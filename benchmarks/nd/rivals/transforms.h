#pragma once

#include <complex>
#include <cstdint>
#include <memory>

namespace tessera::bench {

/// FFTW's transforms of `lines` lines of `length` elements, or of `height` x `width` x `depth`, with threads.
class fftw_transform {
 public:
  /// Along the last axis of [lines, length].
  fftw_transform(std::int64_t lines, std::int64_t length, bool of_reals, int threads);
  /// Along all axes of a cube.
  fftw_transform(std::int64_t side, int threads);
  ~fftw_transform();
  fftw_transform(const fftw_transform&) = delete;
  fftw_transform& operator=(const fftw_transform&) = delete;

  /// What is transformed, and the result; not to be changed while planned.
  [[nodiscard]] float* from();
  [[nodiscard]] const std::complex<float>* to() const;
  void run();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tessera::bench
