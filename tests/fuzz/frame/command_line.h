#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "tests/fuzz/frame/campaign.h"

namespace tessera::fuzz {

/// A command line that makes no sense; the message says why.
class usage_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct command {
  campaign_options campaign;
  std::optional<std::uint64_t> show;  ///< Print this program and run none.
  bool help = false;                  ///< Print the usage text and run none.
};

/// What the words behind the program's name ask for; options of the subject are set in it, in the order given.
[[nodiscard]] command parse_command_line(std::span<const char* const> words, subject& tested);

/// All options: those of every fuzzer and those of the subject.
[[nodiscard]] std::string usage_of(subject& tested);

/// All that the main function of a fuzzer does. Returns 0 if all programs passed, 1 if one failed, 2 if the command
/// line makes no sense; ends the process itself where work that was given up could keep it from ending.
[[nodiscard]] int run_fuzzer(int argc, char** argv, subject& tested);

}  // namespace tessera::fuzz
