#pragma once

#include <string>

#include "tests/fuzz/frame/subject.h"
#include "tests/nd/fuzz/program/generate.h"

namespace tessera::fuzz {

/// Arrays as in NumPy: random programs on them.
class nd_subject final : public subject {
 public:
  /// Until an option says otherwise, this process has no compiler: kernels run as functions.
  nd_subject();

  [[nodiscard]] std::string_view name() const override { return "tessera_fuzz_nd"; }
  [[nodiscard]] std::string_view about() const override;
  [[nodiscard]] std::unique_ptr<random_program> draw(std::uint64_t seed, std::uint64_t index) const override;
  [[nodiscard]] std::vector<option> options() override;
  void prepare_soak() override { wanted_.is_short_of_memory = true; }

 private:
  /// Kernels are compiled from now on.
  void compile();

  generate_options wanted_;
  std::string compiler_;  // what TESSERA_CXX said
};

}  // namespace tessera::fuzz
