#include "benchmarks/paper/rows.h"

#include <algorithm>
#include <cmath>

#include "tessera/base/text.h"

namespace tessera::bench::paper {
namespace {

double timed(program& p) {
  return seconds_of([&] { p.run(); });
}

/// Both from the beginning, so that they do the same work; what they leave must agree.
comparison contest(const session& s, const paper_program& p, program& ours, program& rival, const pairing& wanted) {
  for (program* side : {&ours, &rival}) {
    side->prepare();
    side->run();
  }
  require_agreement(p, ours.result(), rival.result());
  return compare([&] { return timed(ours); }, [&] { return timed(rival); }, s.scaled(wanted));
}

options on(const std::string& devices) {
  options settings;
  settings.devices = devices;
  return settings;
}

std::int64_t size_for(const session& s, const paper_program& p, std::int64_t paper_program::*size) {
  return s.quick() ? p.quick_n : p.*size;
}

void measure_in_memory(session& s, const paper_program& p, const rival_side& side) {
  const problem size{size_for(s, p, side.size)};
  const auto ours = p.ours(context(on(s.devices())), size);
  const auto rival = side.make(p, size);
  const comparison times = contest(s, p, *ours, *rival, {.pairs = 15, .seconds = 2});
  s.add_times("paper." + p.name, times, side.name, 1e3, "ms", side.target);
  s.add({cat("paper.", p.name, ".throughput"),
         static_cast<double>(size.n) / times.ours,
         0,
         "",
         p.unit + "/s",
         0,
         0,
         0,
         {}});
  const kernel_lines lines = lines_of(p);
  s.add({cat("paper.", p.name, ".annotation_lines"),
         static_cast<double>(lines.annotations),
         0,
         "",
         cat("of ", lines.code, " lines, none changed"),
         0,
         0,
         0,
         {}});
}

/// Figures 11 to 13: from a thousandth of the size in memory on.
void measure_sizes(session& s, const paper_program& p, const rival_side& side) {
  const std::int64_t largest = size_for(s, p, side.size);
  for (const std::int64_t n : size_steps(std::max<std::int64_t>(1, largest / 1000), largest, s.quick() ? 32 : 4)) {
    const auto ours = p.ours(context(on(s.devices())), {n});
    const auto rival = side.make(p, {n});
    s.add_point("paper.sizes." + p.name, n, contest(s, p, *ours, *rival, {.pairs = 7, .seconds = 0.3}), side.name, 1e3,
                "ms");
  }
}

/// Our own run on one device, with all the memory that it wants.
struct alone {
  alone(const session& s, const paper_program& p, const problem& size) : made(p.ours(context(on(s.devices())), size)) {}
  std::unique_ptr<our_program> made;
};

void measure_devices(session& s, const paper_program& p, std::int64_t paper_program::*size) {
  const problem wanted{size_for(s, p, size)};
  alone one(s, p, wanted);
  const auto several = p.ours(context(on(s.devices(4))), wanted);
  const comparison times = contest(s, p, *several, *one.made, {.pairs = 9, .seconds = 1});
  s.add_times("paper.devices." + p.name, times, "on one device", 1e3, "ms", 0.9);
}

/// A context whose device holds only this part of the program's arrays.
context with_part_of_memory(const session& s, const paper_program& p, std::int64_t n, double part) {
  options settings = on(s.devices());
  settings.device_memory = static_cast<std::int64_t>(p.bytes(n) * part);
  return context(settings);
}

/// Figure 12 beyond the first bar: throughput with data of twice the device's memory.
void measure_beyond(session& s, const std::string& name, double part, std::int64_t paper_program::*size,
                    double target) {
  const paper_program& p = paper_program_named(name);
  const problem wanted{size_for(s, p, size)};
  alone one(s, p, wanted);
  const auto small = p.ours(with_part_of_memory(s, p, wanted.n, part), wanted);
  const comparison times = contest(s, p, *small, *one.made, {.pairs = 9, .seconds = 1});
  s.add_times("paper.beyond." + p.name, times, cat("in memory; here ", static_cast<int>(100 * part), " % of it"), 1e3,
              "ms", target);
}

/// Figure 10: parts of different sizes, the data just beyond the device's memory, against the fastest of them.
void measure_chunks(session& s, std::int64_t paper_program::*size) {
  const paper_program& p = paper_program_named("kmeans");
  const std::int64_t n = size_for(s, p, size);
  struct point {
    std::int64_t chunk;
    double seconds;
  };
  std::vector<point> points;
  const auto whole = static_cast<std::int64_t>(p.bytes(n));
  for (const std::int64_t chunk : size_steps(std::max<std::int64_t>(whole / 256, 1 << 16), whole / 2, 2)) {
    const auto ours = p.ours(with_part_of_memory(s, p, n, 0.9), {n, chunk});
    ours->prepare();
    ours->run();
    std::vector<double> runs;
    for (int k = 0; k < (s.quick() ? 3 : 5); ++k) runs.push_back(timed(*ours));
    points.push_back({chunk, quantile(runs, 0.5)});
  }
  const auto best =
      std::min_element(points.begin(), points.end(), [](auto a, auto b) { return a.seconds < b.seconds; });
  for (const point& q : points) {
    row r;
    r.name = cat("paper.chunks.", q.chunk);
    r.ours = q.seconds * 1e3;
    r.rival = best->seconds * 1e3;
    r.rival_name = "the best size of parts";
    r.unit = "ms";
    r.ratio = r.low = r.high = best->seconds / q.seconds;
    r.series = "paper.chunks";
    r.size = static_cast<double>(q.chunk);
    s.add(r);
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

std::vector<benchmark> against_one_device_rows(std::int64_t paper_program::*size) {
  std::vector<benchmark> all;
  for (const paper_program& p : paper_programs())
    all.push_back({"paper.devices." + p.name, [&p, size](session& s) { measure_devices(s, p, size); }});
  all.push_back({"paper.beyond.correlator", [size](session& s) { measure_beyond(s, "correlator", 0.9, size, 0.95); }});
  for (const char* name : {"kmeans", "gemm"})
    all.push_back({cat("paper.beyond.", name), [name, size](session& s) { measure_beyond(s, name, 0.5, size, 0.90); }});
  all.push_back({"paper.chunks", [size](session& s) { measure_chunks(s, size); }});
  return all;
}

}  // namespace tessera::bench::paper
