// The model of SkePU's memory management against the figures of its paper and by hand.
#include <doctest/doctest.h>

#include "benchmarks/skepu/byte_model/byte_model.h"

using namespace tessera::bench::skepu;

namespace {

constexpr std::int64_t unit = 1000;  // bytes of one vector

/// Two vectors; the first is written by the devices, then `steps` calls read all of one and write the other, and the
/// host looks at the first half of the last.
call_log ping_pong(int steps, bool reads_elements, std::int64_t second_output = 0) {
  call_log log{{{100, unit / 100}, {100, unit / 100}, {100, second_output / 100}}, {}};
  log.call({{0, operand_use::written}});
  log.loop_begins();
  for (int t = 0; t < steps; ++t) {
    std::vector<call_operand> operands{{t % 2, operand_use::whole}};
    if (reads_elements) operands.push_back({t % 2, operand_use::elements});
    operands.push_back({1 - t % 2, operand_use::written});
    if (second_output > 0) operands.push_back({2, operand_use::written});
    log.call(operands);
  }
  log.host_read(steps % 2, 0, 50);
  return log;
}

double total(const call_log& log, mechanism kind) { return static_cast<double>(replay(log, kind, 2).total()); }

}  // namespace

TEST_CASE("the model gives the N-body row of the paper's Table 1") {
  const call_log log = ping_pong(11, true);
  CHECK(replay(log, mechanism::initial, 2) == traffic{33 * unit, 0, 0, 12 * unit, 66 * unit});
  CHECK(replay(log, mechanism::updated, 2) == traffic{11 * unit, 11 * unit, 0, 23 * unit / 2, 6 * unit});
  CHECK(replay(log, mechanism::updated_with_peers, 2) == traffic{0, 11 * unit, 11 * unit, unit / 2, 6 * unit});
}

TEST_CASE("the model gives the ratios of the totals of LU and SPH in Table 1") {
  const call_log lu = ping_pong(81, false), sph = ping_pong(50, true, unit / 4);
  const double lu_best = total(lu, mechanism::updated_with_peers), sph_best = total(sph, mechanism::updated_with_peers);
  CHECK(total(lu, mechanism::initial) / lu_best == doctest::Approx(179.9 / 119.7).epsilon(0.01));
  CHECK(total(lu, mechanism::updated) / lu_best == doctest::Approx(179.2 / 119.7).epsilon(0.01));
  CHECK(total(sph, mechanism::initial) / sph_best == doctest::Approx(143.9 / 67.7).epsilon(0.01));
  CHECK(total(sph, mechanism::updated) / sph_best == doctest::Approx(101.5 / 67.7).epsilon(0.01));
}

TEST_CASE("on more devices the mechanism with peers copies p - 1 vectors between devices and one within them") {
  for (const int devices : {2, 4, 5}) {
    const traffic moved = replay(ping_pong(4, true), mechanism::updated_with_peers, devices);
    CHECK(moved.between_devices == 4 * (devices - 1) * unit);
    CHECK(moved.within_device == 4 * unit);
    CHECK(moved.host_to_device == 0);
  }
}

TEST_CASE("a vector that the host has goes once to each device that reads it, and a second read moves nothing") {
  for (const mechanism kind : {mechanism::updated, mechanism::updated_with_peers}) {
    call_log log{{{100, 10}}, {}};
    log.loop_begins();
    log.call({{0, operand_use::whole}});
    log.call({{0, operand_use::whole}});
    CHECK(replay(log, kind, 2) == traffic{2 * unit, 0, 0, 0, 2 * unit});
    log.call({{0, operand_use::elements}});
    CHECK(replay(log, kind, 2) == traffic{2 * unit, unit, 0, 0, 3 * unit});
  }
}

TEST_CASE("a look of the host brings the copies that overlap it; the flush of the initial mechanism brings all") {
  call_log log{{{100, 10}}, {}};
  log.call({{0, operand_use::written}});
  log.host_read(0, 60, 61);
  CHECK(replay(log, mechanism::updated, 2).device_to_host == unit / 2);
  CHECK(replay(log, mechanism::initial, 2).device_to_host == unit);
}
