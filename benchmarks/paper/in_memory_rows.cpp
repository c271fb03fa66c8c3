// The paper's programs in memory on one device against the rival's.
#include <algorithm>

#include "benchmarks/paper/contest.h"
#include "benchmarks/paper/rows.h"
#include "tessera/base/text.h"

namespace tessera::bench::paper {
namespace {

/// A row that is only reported.
row reported(const std::string& name, double value, const std::string& unit) {
  row r;
  r.name = name;
  r.ours = value;
  r.unit = unit;
  return r;
}

/// The least processor time of five runs.
double least_processor_time(program& p) {
  double least = 0;
  for (int k = 0; k < 5; ++k) {
    const double begin = processor_time();
    p.run();
    const double seconds = processor_time() - begin;
    least = k == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

void measure_in_memory(session& s, const paper_program& p, const rival_side& side) {
  const problem size{size_for(s, p, side.size)};
  const auto ours = p.ours(context(on(s.devices())), size);
  const auto rival = side.make(p, size);
  const comparison times = contest(s, p, *ours, *rival, {.pairs = 9, .seconds = 2});
  s.add_times("paper." + p.name, times, side.name, 1e3, "ms", side.target);
  if (side.processor)
    s.add_figures(cat("paper.", p.name, ".processor"), least_processor_time(*ours) * 1e3,
                  least_processor_time(*rival) * 1e3, side.name, "ms", side.target);
  s.add(reported(cat("paper.", p.name, ".throughput"), static_cast<double>(size.n) / times.ours, p.unit + "/s"));
  const kernel_lines lines = lines_of(p);
  s.add(reported(cat("paper.", p.name, ".annotation_lines"), lines.annotations,
                 cat("of ", lines.code, " lines, none changed")));
}

/// Figures 11 and 12: from a thousandth of the size in memory on.
void measure_sizes(session& s, const paper_program& p, const rival_side& side) {
  const std::int64_t largest = size_for(s, p, side.size);
  for (const std::int64_t n : size_steps(std::max<std::int64_t>(1, largest / 1000), largest, s.quick() ? 32 : 4)) {
    const auto ours = p.ours(context(on(s.devices())), {n});
    const auto rival = side.make(p, {n});
    const comparison times = contest(s, p, *ours, *rival, {.pairs = 5, .warm_up = 1, .seconds = 0.3});
    s.add_point("paper.sizes." + p.name, n, times, side.name, 1e3, "ms");
  }
}

}  // namespace

std::vector<benchmark> in_memory_rows(const rival_side& rival) {
  std::vector<benchmark> all;
  for (const paper_program& p : paper_programs())
    all.push_back({"paper." + p.name, [&p, rival](session& s) { measure_in_memory(s, p, rival); }});
  for (const paper_program& p : paper_programs())
    all.push_back({"paper.sizes." + p.name, [&p, rival](session& s) { measure_sizes(s, p, rival); }});
  return all;
}

}  // namespace tessera::bench::paper
