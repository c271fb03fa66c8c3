#pragma once

#include <string>

#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

/// Containers and skeletons: random container programs, or random expressions.
class algo_subject final : public subject {
 public:
  [[nodiscard]] std::string_view name() const override { return "tessera_fuzz_algo"; }
  [[nodiscard]] std::string_view about() const override;
  [[nodiscard]] std::unique_ptr<random_program> draw(std::uint64_t seed, std::uint64_t index) const override;
  [[nodiscard]] std::vector<option> options() override;
  void prepare_soak() override { is_short_of_memory_ = true; }

 private:
  bool has_expressions_ = false;
  bool is_short_of_memory_ = false;
  std::string kind_ = "cpu";  // of devices
};

}  // namespace tessera::fuzz
