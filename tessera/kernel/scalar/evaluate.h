#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/kernel/scalar/expression.h"
#include "tessera/kernel/scalar/loops/loops.h"

namespace tessera::kernels {

/// Computes an expression for many elements without a compiler, with the bits of the printed text compiled for CPUs:
/// blocks of some hundred elements go through one typed loop after the other. Immutable; `run` may be called by several
/// threads.
class evaluator {
 public:
  /// Where the elements of a parameter lie. Without data they are the numbers first, first + stride, ... of type int64.
  struct source {
    const std::byte* data = nullptr;
    std::int64_t stride = 0;  ///< Bytes from one element to the next; 0: one element for all.
    std::int64_t first = 0;
  };
  struct target {
    std::byte* data = nullptr;
    std::int64_t stride = 0;
  };

  /// Throws `argument_error` for expressions with neighbours, and for operations that only kernels have.
  evaluator(const expression& body, std::span<const expression::value> results);

  /// One source per parameter, by place, and one target per result. `state` is the expression's or one of equal layout.
  /// A target may be a source with the same elements at the same places; otherwise they do not overlap.
  void run(std::span<const source> parameters, std::span<const std::byte> state, std::span<const target> results,
           std::int64_t count) const;

 private:
  struct instruction {
    scalar_loop loop = nullptr;
    std::uint16_t result = 0;  ///< Registers.
    std::array<std::uint16_t, 3> operands{};
  };
  struct loaded {
    std::uint16_t place = 0;
    std::uint16_t at = 0;  ///< Register.
    std::uint32_t size = 0;
  };
  struct constant {
    std::size_t offset = 0;  ///< In the state; a literal lies in `literals_`.
    bool literal = false;
    std::uint16_t at = 0;
    std::uint32_t size = 0;
  };
  struct result {
    std::uint16_t at = 0;
    std::uint32_t size = 0;
  };
  class builder;
  struct workspace;

  void load(std::span<const source> parameters, std::int64_t begin, std::int64_t n,
            const std::vector<std::byte*>& homes, std::vector<std::byte*>& registers) const;
  [[nodiscard]] bool store_directly(std::span<const target> results, std::int64_t begin,
                                    std::vector<std::byte*>& registers) const;

  std::vector<loaded> parameters_;
  std::vector<constant> constants_;
  std::vector<instruction> instructions_;
  std::vector<result> results_;
  std::vector<std::byte> literals_;
  std::uint16_t registers_ = 0;
  std::size_t element_bytes_ = 1;  ///< Of the widest register.
};

}  // namespace tessera::kernels
