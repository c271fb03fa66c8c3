#pragma once

#include <cstdint>

#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

struct campaign_options {
  std::uint64_t programs = 1000;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  ///< Number of the first program.
  int jobs = 0;             ///< Programs at a time; 0: one per core.
  int seconds = 0;          ///< Begin no more programs after this time; 0: no limit.
  int hang_seconds = 20;    ///< A program that takes longer is a failure and ends the process.
  bool stop = false;        ///< Begin no more programs after the first failure.
  bool shrink = true;       ///< Make the first failing program smaller before it is printed.
  bool silent = false;      ///< Print nothing but failures.
  bool soak = false;        ///< One program at a time for `seconds`, and afterwards nothing may have grown (soak.h).
};

struct campaign_result {
  std::uint64_t passed = 0, failed = 0;
};

/// Runs programs first, first + 1, ... and prints seed, progress, the first failing program as its subject prints it,
/// and at the end "N passed, M failed". A program that hangs or crashes is named before the process ends.
/// In a job of several processes all ranks run the same programs, one after the other, and the first that fails ends
/// the process.
[[nodiscard]] campaign_result run_campaign(const subject& tested, const campaign_options& options);

}  // namespace tessera::fuzz
