// N-body and SPH: every particle is moved by all others, from one container into another.
#include <cmath>
#include <cstring>
#include <utility>

#include "benchmarks/skepu/applications/application.h"

namespace ts = tessera;

// clang-format off
namespace tessera::bench::skepu {
TS_DEVICE(
/// A number from 0 to below 1 without any pattern; the same on every device.
inline float scattered(long long i, unsigned salt) {
  unsigned h = (unsigned)i * 2654435761u + salt * 40503u;
  h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; h *= 3266489917u; h ^= h >> 16;
  return (float)(h >> 8) / 16777216.0f;
}
struct body { float x, y, z, vx, vy, vz, m; };
inline body new_body(ts::index1 i) {
  return {scattered(i, 1), scattered(i, 2), scattered(i, 3), 0, 0, 0, 0.5f + scattered(i, 4)};
}
inline body moved_body(ts::index1, body b, ts::vec<body> all, float dt) {
  float ax = 0, ay = 0, az = 0;
  for (long long j = 0; j < all.size(); ++j) {
    const body o = all[j];
    const float dx = o.x - b.x, dy = o.y - b.y, dz = o.z - b.z, r = dx * dx + dy * dy + dz * dz + 1e-2f;
    const float f = o.m / (r * sqrtf(r));
    ax += f * dx; ay += f * dy; az += f * dz;
  }
  return {b.x + dt * b.vx, b.y + dt * b.vy, b.z + dt * b.vz, b.vx + dt * ax, b.vy + dt * ay, b.vz + dt * az, b.m};
}

/// `density` is that of the step before, so that one call does a step and forces are symmetric.
struct particle { float x, y, z, vx, vy, vz, density, m; };
inline particle new_particle(ts::index1 i, float side) {
  const long long k = (long long)side;
  const float h = 1.0f / side;
  return {h * ((float)(i % k) + 0.3f * scattered(i, 5)), h * ((float)(i / k % k) + 0.3f * scattered(i, 6)),
          h * ((float)(i / k / k) + 0.3f * scattered(i, 7)), 0, 0, 0, 1, h * h * h};
}
/// The particle a step later, and its energy. Forces of pressure fall off linearly within the radius `h`.
inline ts::tuple<particle, double> moved_particle(ts::index1, particle p, ts::vec<particle> all, float h, float dt) {
  const float own = (p.density - 1) / (p.density * p.density);
  float density = 0, ax = 0, ay = 0, az = 0;
  for (long long j = 0; j < all.size(); ++j) {
    const particle o = all[j];
    const float dx = p.x - o.x, dy = p.y - o.y, dz = p.z - o.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= h * h) continue;
    const float near = h * h - r2;
    density += o.m * near * near * near;
    if (r2 == 0) continue;
    const float r = sqrtf(r2), push = o.m * (own + (o.density - 1) / (o.density * o.density)) * (h - r) / r;
    ax += push * dx; ay += push * dy; az += push * dz;
  }
  const float scale = 1.566681f / (h * h * h * h * h * h * h * h * h);
  const particle later = {p.x + dt * p.vx, p.y + dt * p.vy, p.z + dt * p.vz, p.vx + dt * ax, p.vy + dt * ay,
                          p.vz + dt * az, scale * density, p.m};
  const double vx = later.vx, vy = later.vy, vz = later.vz;
  return {later, 0.5 * later.m * (vx * vx + vy * vy + vz * vz)};
})
}  // namespace tessera::bench::skepu
// clang-format on

namespace tessera::bench::skepu {
namespace {

/// So many pairs of particles a plain loop on the host does in a moment.
constexpr double few_pairs = 2e7;
constexpr std::int64_t samples = 8;

/// Particles are floats.
template <class P>
bool are_near(const P& a, const P& b) {
  constexpr std::size_t count = sizeof(P) / sizeof(float);
  float of_a[count], of_b[count];
  std::memcpy(of_a, &a, sizeof(P));
  std::memcpy(of_b, &b, sizeof(P));
  for (std::size_t k = 0; k < count; ++k)
    if (!(std::abs(of_a[k] - of_b[k]) <= 1e-3f * (1 + std::abs(of_b[k])))) return false;
  return true;
}

/// Throws unless the last step of a run that ended with `after` was right: `next` is one step of one element.
template <class P, class Next>
void check_step(const std::vector<P>& before, const std::vector<P>& after, std::int64_t every, bool is_rounded_once,
                const Next& next) {
  const ts::vec<P> all{before.data(), std::ssize(before)};
  for (std::int64_t i = 0; i < std::ssize(before); i += every) {
    const auto k = static_cast<std::size_t>(i);
    const P expected = next(ts::index1{i}, before[k], all);
    const bool is_equal = std::memcmp(&expected, &after[k], sizeof(P)) == 0;
    require(is_equal || (is_rounded_once && are_near(expected, after[k])),
            "particle " + std::to_string(i) + " moved elsewhere");
  }
}

/// Throws unless the particles' momentum is nothing compared with the sum of its amounts.
template <class P>
void check_momentum(const std::vector<P>& particles) {
  double total[3] = {}, amount = 0;
  for (const P& p : particles) {
    const double part[3] = {double{p.m} * p.vx, double{p.m} * p.vy, double{p.m} * p.vz};
    for (int k = 0; k < 3; ++k) total[k] += part[k], amount += std::abs(part[k]);
  }
  for (const double t : total) require(std::abs(t) <= 1e-4 * amount, "momentum is not kept");
}

class nbody final : public application {
 public:
  explicit nbody(const run_settings& s) : application(s) {
    for (int k = 0; k < s.states; ++k) states_.emplace_back(s.size, s.where);
  }
  void prepare() override {
    begin_log(settings().states, {settings().size, sizeof(body)});
    ts::map<new_body>().into(states_[0]);
    called({{0, operand_use::written}});
  }
  void run() override {
    loop_begins();
    const auto step = ts::map<moved_body>();
    for (int t = 0; t < settings().steps; ++t) {
      step.into(state(t + 1), state(t), state(t), time_step);
      called({{at(t), operand_use::whole}, {at(t), operand_use::elements}, {at(t + 1), operand_use::written}});
    }
    const auto seen = state(settings().steps).host(ts::read, 0, settings().size / 2);
    require(seen.empty() || std::isfinite(seen[0].x), "the first body is nowhere");
    looked_at(at(settings().steps), 0, settings().size / 2);
  }
  void check() const override {
    const auto next = [](ts::index1 i, const body& b, ts::vec<body> all) { return moved_body(i, b, all, time_step); };
    const int last = settings().steps;
    const bool is_small = std::pow(double(settings().size), 2) <= few_pairs;
    for (int t = std::max(0, last - settings().states + 1); t < last; ++t)
      check_step(state(t).to_host(), state(t + 1).to_host(), is_small ? 1 : settings().size / samples,
                 is_rounded_once(), next);
    check_momentum(state(last).to_host());
  }
  [[nodiscard]] std::vector<std::byte> result() const override {
    std::vector<std::byte> all;
    for (const ts::vector<body>& v : states_) {
      const std::vector<std::byte> bytes = bytes_of_all(v.to_host());
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
  }

 private:
  static constexpr float time_step = 1e-3f;
  [[nodiscard]] int at(int t) const { return t % settings().states; }
  [[nodiscard]] ts::vector<body>& state(int t) { return states_[static_cast<std::size_t>(at(t))]; }
  [[nodiscard]] const ts::vector<body>& state(int t) const { return states_[static_cast<std::size_t>(at(t))]; }
  void flush(int container) override { states_[static_cast<std::size_t>(container)].flush(); }

  std::vector<ts::vector<body>> states_;
};

class sph final : public application {
 public:
  explicit sph(const run_settings& s)
      : application(s),
        side_(std::ceil(std::cbrt(static_cast<float>(s.size)))),
        radius_(2.2f / side_),
        states_{ts::vector<particle>(s.size, s.where), ts::vector<particle>(s.size, s.where)},
        energy_(s.size, s.where) {}
  void prepare() override {
    begin_log(2, {settings().size, sizeof(particle)});
    add_to_log({settings().size, sizeof(double)});
    ts::map<new_particle>().into(states_[0], side_);
    called({{0, operand_use::written}});
  }
  void run() override {
    loop_begins();
    const auto step = ts::map<moved_particle>();
    for (int t = 0; t < settings().steps; ++t) {
      const int from = t % 2, to = 1 - from;
      step.into(states_[to], energy_, states_[from], states_[from], radius_, time_step);
      called({{from, operand_use::whole},
              {from, operand_use::elements},
              {to, operand_use::written},
              {2, operand_use::written}});
    }
    const auto seen = last().host(ts::read, 0, settings().size / 2);
    require(seen.empty() || std::isfinite(seen[0].x), "the first particle is nowhere");
    looked_at(settings().steps % 2, 0, settings().size / 2);
  }
  void check() const override {
    const auto next = [&](ts::index1 i, const particle& p, ts::vec<particle> all) {
      return get<0>(moved_particle(i, p, all, radius_, time_step));
    };
    const std::vector<particle> after = last().to_host();
    const bool is_small = std::pow(double(settings().size), 2) <= few_pairs;
    check_step(states_[1 - settings().steps % 2].to_host(), after, is_small ? 1 : settings().size / samples,
               is_rounded_once(), next);
    check_momentum(after);
    double expected = 0;
    for (const particle& p : after)
      expected += 0.5 * p.m * (double{p.vx} * p.vx + double{p.vy} * p.vy + double{p.vz} * p.vz);
    const double total = ts::reduce(energy_).get();
    require(total > 0 && std::abs(total - expected) <= 1e-9 * expected, "the energies do not add up");
  }
  [[nodiscard]] std::vector<std::byte> result() const override {
    std::vector<std::byte> all = bytes_of_all(last().to_host());
    const std::vector<std::byte> energies = bytes_of_all(energy_.to_host());
    all.insert(all.end(), energies.begin(), energies.end());
    return all;
  }

 private:
  static constexpr float time_step = 2e-3f;
  [[nodiscard]] const ts::vector<particle>& last() const { return states_[settings().steps % 2]; }
  void flush(int container) override {
    if (container == 2)
      energy_.flush();
    else
      states_[container].flush();
  }

  float side_, radius_;
  ts::vector<particle> states_[2];
  ts::vector<double> energy_;
};

}  // namespace

std::unique_ptr<application> make_nbody(const run_settings& settings) { return std::make_unique<nbody>(settings); }
std::unique_ptr<application> make_sph(const run_settings& settings) { return std::make_unique<sph>(settings); }

}  // namespace tessera::bench::skepu
