// FFTW, single precision, planned by measuring.
#include "benchmarks/nd/rivals/transforms.h"

#include <fftw3.h>

namespace tessera::bench {

struct fftw_transform::state {
  float* from = nullptr;
  fftwf_complex* to = nullptr;
  fftwf_plan plan = nullptr;

  state(std::int64_t from_floats, std::int64_t to_numbers, int threads)
      : from(static_cast<float*>(fftwf_malloc(static_cast<std::size_t>(from_floats) * sizeof(float)))),
        to(static_cast<fftwf_complex*>(fftwf_malloc(static_cast<std::size_t>(to_numbers) * sizeof(fftwf_complex)))) {
    fftwf_init_threads();
    fftwf_plan_with_nthreads(threads);
  }
  ~state() {
    fftwf_destroy_plan(plan);
    fftwf_free(from);
    fftwf_free(to);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
};

fftw_transform::fftw_transform(std::int64_t lines, std::int64_t length, bool of_reals, int threads) {
  const int n = static_cast<int>(length), count = static_cast<int>(lines), half = n / 2 + 1;
  state_ = std::make_unique<state>(lines * length * (of_reals ? 1 : 2), lines * (of_reals ? half : n), threads);
  if (of_reals)
    state_->plan =
        fftwf_plan_many_dft_r2c(1, &n, count, state_->from, nullptr, 1, n, state_->to, nullptr, 1, half, FFTW_MEASURE);
  else
    state_->plan = fftwf_plan_many_dft(1, &n, count, reinterpret_cast<fftwf_complex*>(state_->from), nullptr, 1, n,
                                       state_->to, nullptr, 1, n, FFTW_FORWARD, FFTW_MEASURE);
}

fftw_transform::fftw_transform(std::int64_t side, int threads) {
  const int n = static_cast<int>(side);
  state_ = std::make_unique<state>(2 * side * side * side, side * side * side, threads);
  state_->plan = fftwf_plan_dft_3d(n, n, n, reinterpret_cast<fftwf_complex*>(state_->from), state_->to, FFTW_FORWARD,
                                   FFTW_MEASURE);
}

fftw_transform::~fftw_transform() = default;
float* fftw_transform::from() { return state_->from; }
const std::complex<float>* fftw_transform::to() const {
  return reinterpret_cast<const std::complex<float>*>(state_->to);
}
void fftw_transform::run() { fftwf_execute(state_->plan); }

}  // namespace tessera::bench
