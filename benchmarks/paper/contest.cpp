#include "benchmarks/paper/contest.h"

namespace tessera::bench::paper {

comparison contest(const session& s, const paper_program& p, program& ours, program& rival, const pairing& wanted) {
  for (program* side : {&ours, &rival}) {
    side->prepare();
    side->run();
  }
  require_agreement(p, ours.result(), rival.result());
  return compare([&] { return timed(ours); }, [&] { return timed(rival); }, s.scaled(wanted));
}

double median_time(program& p, int runs) {
  p.prepare();
  p.run();
  std::vector<double> times;
  for (int k = 0; k < runs; ++k) times.push_back(timed(p));
  return quantile(times, 0.5);
}

options on(const std::string& devices) {
  options settings;
  settings.devices = devices;
  return settings;
}

std::int64_t size_for(const session& s, const paper_program& p, std::int64_t paper_program::*size) {
  return s.quick() ? p.quick_n : p.*size;
}

}  // namespace tessera::bench::paper
