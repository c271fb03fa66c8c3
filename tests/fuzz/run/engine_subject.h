#pragma once

#include "tests/fuzz/frame/subject.h"
#include "tests/fuzz/generate/program.h"

namespace tessera::fuzz {

/// Random programs of arrays and launches on Tessera, against a sequential interpreter. In a job of several processes
/// they are programs for its ranks.
class engine_subject final : public subject {
 public:
  engine_subject();

  [[nodiscard]] std::string_view name() const override { return "tessera_fuzz"; }
  [[nodiscard]] std::string_view about() const override;
  [[nodiscard]] std::unique_ptr<random_program> draw(std::uint64_t seed, std::uint64_t index) const override;
  [[nodiscard]] std::vector<option> options() override;
  /// Programs at a tenth of the memory they use.
  void prepare_soak() override;

 private:
  generator_limits limits_;
};

}  // namespace tessera::fuzz
