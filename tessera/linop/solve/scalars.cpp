#include "tessera/linop/solve/scalars.h"

#include <cmath>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/index.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {
namespace {

/// A thread per system.
constexpr const char* text_of_update = R"(
__global__ void linop_scalars(int phase, long long n, double* state, double* step, double* turn, double* rz,
                              const double* pap, const double* next, const double* rr, const double* limit) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (phase == 3) {
    step[i] = next[i] > 0 ? 1 / sqrt(next[i]) : 0;
    return;
  }
  double status = state[i];
  if (phase == 0) {
    rz[i] = next[i];
    status = rr[i] > limit[i] ? 0 : rr[i] <= limit[i] ? 1 : 2;
    state[2 * n + i] = rr[i];
  } else if (phase == 1) {
    step[i] = 0;
    if (status == 0) {
      if (pap[i] > 0)
        step[i] = rz[i] / pap[i];
      else
        status = 2;
    }
  } else {
    turn[i] = 0;
    if (status == 0) {
      turn[i] = next[i] / rz[i];
      rz[i] = next[i];
      state[n + i] += 1;
      state[2 * n + i] = rr[i];
      status = rr[i] > limit[i] ? 0 : rr[i] <= limit[i] ? 1 : 2;
    }
  }
  state[i] = status;
}
)";

enum parameter : int { p_phase, p_n, p_state, p_step, p_turn, p_rz, p_pap, p_next, p_rr, p_limit };

double status_of(double rr, double limit) { return rr > limit ? 0 : rr <= limit ? 1 : 2; }

/// What `update_text()` does, bit for bit.
void update_here(native_call& call) {
  const int phase = call.scalar<int>(p_phase);
  const auto n = call.scalar<long long>(p_n);
  auto *state = call.data<double>(p_state), *step = call.data<double>(p_step), *turn = call.data<double>(p_turn),
       *rz = call.data<double>(p_rz);
  const auto *pap = call.data<const double>(p_pap), *next = call.data<const double>(p_next),
             *rr = call.data<const double>(p_rr), *limit = call.data<const double>(p_limit);
  for (std::int64_t i = 0; i < n; ++i) {
    if (phase == 3) {
      step[i] = next[i] > 0 ? 1 / std::sqrt(next[i]) : 0;
      continue;
    }
    double status = state[i];
    if (phase == 0) {
      rz[i] = next[i];
      status = status_of(rr[i], limit[i]);
      state[2 * n + i] = rr[i];
    } else if (phase == 1) {
      step[i] = 0;
      if (status == 0 && pap[i] > 0)
        step[i] = rz[i] / pap[i];
      else if (status == 0)
        status = 2;
    } else {
      turn[i] = 0;
      if (status == 0) {
        turn[i] = next[i] / rz[i];
        rz[i] = next[i];
        state[n + i] += 1;
        state[2 * n + i] = rr[i];
        status = status_of(rr[i], limit[i]);
      }
    }
    state[i] = status;
  }
}

kernel update_kernel(context ctx) {
  kernel_options options;
  options.is_generated = true;
  options.fused = false;
  options.annotation =
      "single => readwrite state, readwrite step, readwrite turn, readwrite rz, read pap, read next, "
      "read rr, read limit";
  options.meanwhile = update_here;
  return ctx.compile(update_text(), "linop_scalars", options);
}

}  // namespace

std::string update_text() { return text_of_update; }

iteration_scalars::iteration_scalars(const array_base& like, std::size_t batch, call_site here)
    : batch_(batch), here_(here) {
  std::vector<std::int64_t> shape(like.shape().begin(), like.shape().begin() + batch);
  for (const std::int64_t n : shape) systems_ *= n;
  if (shape.empty()) shape.push_back(1);
  const std::vector<std::byte> zero = bytes_of(0.0);
  for (array_base& each : scalars_) {
    each = make_array(like, extents(std::span<const std::int64_t>(shape)), scalar_kind::float64, here);
    each.fill_bytes(zero, here);
  }
  state_ = make_array(like, {3, systems_}, scalar_kind::float64, here);
  state_.fill_bytes(zero, here);
}

void iteration_scalars::dot(name to, const array_base& a, const array_base& b, double factor, double beta) const {
  step s;
  s.result = at(to);
  s.shape = s.result.shape();
  s.alpha = factor;
  s.beta = beta;
  linop::factor x{a}, y{b};
  y.is_conjugated = true;
  for (std::size_t k = 0; k < index(a.rank()); ++k) {
    if (k >= batch_) s.sums.push_back(a.shape()[static_cast<int>(k)]);
    x.at.push_back(affine::of(k < batch_ ? k : s.axes() + k - batch_));
  }
  y.at = x.at;
  s.factors = {std::move(x), std::move(y)};
  run_step(std::move(s), here_);
}

void iteration_scalars::add(double sign, name scalar, const array_base& x, double beta, const array_base& y) const {
  step s;
  s.result = y;
  s.shape = y.shape();
  s.alpha = sign;
  s.beta = beta;
  linop::factor by{at(scalar)}, of{x};
  for (std::size_t k = 0; k < std::max<std::size_t>(batch_, 1); ++k)
    by.at.push_back(batch_ > 0 ? affine::of(k) : affine{});
  for (std::size_t k = 0; k < index(x.rank()); ++k) of.at.push_back(affine::of(k));
  s.factors = {std::move(by), std::move(of)};
  run_step(std::move(s), here_);
}

void iteration_scalars::update(phase which) const {
  launch_options settings;
  settings.threads = {systems_};
  settings.file = here_.file;
  settings.line = here_.line;
  const std::vector<argument> args{argument::from(static_cast<int>(which)),
                                   argument::from(static_cast<long long>(systems_)),
                                   argument::from(state_),
                                   argument::from(at(name::step)),
                                   argument::from(at(name::turn)),
                                   argument::from(at(name::rz)),
                                   argument::from(at(name::pap)),
                                   argument::from(at(name::next)),
                                   argument::from(at(name::rr)),
                                   argument::from(at(name::limit))};
  update_kernel(context::of(state_)).launch_with(settings, args);
}

}  // namespace tessera::linop
