// All pairs of bodies on all cores: a strip of bodies stays in registers while all bodies pull at it in turn.
#include <cmath>
#include <utility>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

/// Structures of arrays, which vector registers want.
struct bodies {
  explicit bodies(std::int64_t n) : x(n), y(n), z(n), w(n) {}
  plain_array<float> x, y, z, w;
};

template <int Strip>
inline __attribute__((always_inline)) void pull_at(std::int64_t first, const bodies& all, const bodies& speed,
                                                   const bodies& fresh) {
  const float *x = all.x.data(), *y = all.y.data(), *z = all.z.data(), *mass = all.w.data();
  float here_x[Strip], here_y[Strip], here_z[Strip], ax[Strip] = {}, ay[Strip] = {}, az[Strip] = {};
  for (int k = 0; k < Strip; ++k) here_x[k] = x[first + k], here_y[k] = y[first + k], here_z[k] = z[first + k];
  const std::int64_t n = all.x.size();
  for (std::int64_t j = 0; j < n; ++j) {
    const float there_x = x[j], there_y = y[j], there_z = z[j], there_mass = mass[j];
#pragma omp simd
    for (int k = 0; k < Strip; ++k) {
      const float dx = there_x - here_x[k], dy = there_y - here_y[k], dz = there_z - here_z[k];
      const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float pull = there_mass * inverse * inverse * inverse;
      ax[k] += pull * dx;
      ay[k] += pull * dy;
      az[k] += pull * dz;
    }
  }
  for (int k = 0; k < Strip; ++k) {
    const std::int64_t i = first + k;
    speed.x[i] = (speed.x[i] + ax[k] * nbody_time) * nbody_damping;
    speed.y[i] = (speed.y[i] + ay[k] * nbody_time) * nbody_damping;
    speed.z[i] = (speed.z[i] + az[k] * nbody_time) * nbody_damping;
    fresh.x[i] = here_x[k] + speed.x[i] * nbody_time;
    fresh.y[i] = here_y[k] + speed.y[i] * nbody_time;
    fresh.z[i] = here_z[k] + speed.z[i] * nbody_time;
    fresh.w[i] = mass[i];
  }
}

class nbody final : public threads_program {
 public:
  nbody(thread_team& team, const problem& p)
      : threads_program(team, p), bodies_(square_root(p.n)), old_(bodies_), fresh_(bodies_), velocity_(bodies_) {}

  void prepare() override {
    fill_four(old_, first_seed, 1);
    fill_four(velocity_, first_seed + 1, 0.1f);
  }
  void run() override {
    constexpr int strip = 16;
    for (int k = 0; k < nbody_steps; ++k) {
      parallel(bodies_, [this](std::int64_t begin, std::int64_t end) {
        for (; begin + strip <= end; begin += strip) pull_at<strip>(begin, old_, velocity_, fresh_);
        for (; begin < end; ++begin) pull_at<1>(begin, old_, velocity_, fresh_);
      });
      std::swap(old_, fresh_);
    }
  }
  std::vector<double> result() const override {
    std::vector<double> all;
    for (std::int64_t i = 0; i < bodies_; ++i) all.insert(all.end(), {old_.x[i], old_.y[i], old_.z[i], old_.w[i]});
    return all;
  }

 private:
  /// The numbers of arrays of four floats each.
  void fill_four(const bodies& b, std::uint32_t seed, float high) const {
    for (std::int64_t i = 0; i < bodies_; ++i) {
      b.x[i] = high * number(4 * i, seed);
      b.y[i] = high * number(4 * i + 1, seed);
      b.z[i] = high * number(4 * i + 2, seed);
      b.w[i] = high * number(4 * i + 3, seed);
    }
  }

  std::int64_t bodies_;
  bodies old_, fresh_, velocity_;
};

}  // namespace

std::unique_ptr<program> threads_nbody(thread_team& team, const problem& p) { return std::make_unique<nbody>(team, p); }

}  // namespace tessera::bench::paper
