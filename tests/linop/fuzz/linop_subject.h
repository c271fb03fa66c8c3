#pragma once

#include "tests/fuzz/frame/subject.h"
#include "tests/linop/fuzz/program.h"

namespace tessera::fuzz {

/// Random expressions of operators against matrices.
class linop_subject final : public subject {
 public:
  linop_subject();
  [[nodiscard]] std::string_view name() const override { return "tessera_fuzz_linop"; }
  [[nodiscard]] std::string_view about() const override;
  [[nodiscard]] std::unique_ptr<random_program> draw(std::uint64_t seed, std::uint64_t index) const override;
  [[nodiscard]] std::vector<option> options() override;

 private:
  wanted_programs wanted_;
  std::string compiler_;
};

}  // namespace tessera::fuzz
