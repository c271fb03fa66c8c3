#pragma once

#include "benchmarks/frame/harness.h"
#include "benchmarks/paper/programs.h"

/// What the rows share.
namespace tessera::bench::paper {

[[nodiscard]] inline double timed(program& p) {
  return seconds_of([&] { p.run(); });
}

/// Both from the beginning, so that they do the same work; what they leave must agree.
[[nodiscard]] comparison contest(const session& s, const paper_program& p, program& ours, program& rival,
                                 const pairing& wanted);

/// The median of so many runs, behind one that does not count.
[[nodiscard]] double median_time(program& p, int runs);

/// What some devices may use, and all else as is chosen without a word.
[[nodiscard]] options on(const std::string& devices);

[[nodiscard]] std::int64_t size_for(const session& s, const paper_program& p, std::int64_t paper_program::*size);

}  // namespace tessera::bench::paper
