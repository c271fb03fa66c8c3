#include "tessera/kernel/scalar/opcode.h"

#include <iterator>

namespace tessera::kernels {
namespace {

using enum result_rule;
using namespace type_sets;

constexpr operation_facts facts[] = {
#define TESSERA_LEAF(name) {#name},
#define TESSERA_CONVERSION(name) {#name, 1},
#define TESSERA_OPCODE(name, operands, result, types, text) {#name, operands, result, types, #text},
#include "tessera/kernel/scalar/opcode.def"
};

}  // namespace

const operation_facts& facts_of(opcode operation) { return facts[static_cast<std::size_t>(operation)]; }

scalar_kind computed_kind(opcode operation, scalar_kind kind) {
  if (operation == opcode::select) return kind;
  if (kind == scalar_kind::float16 || kind == scalar_kind::bfloat16) return scalar_kind::float32;
  if (facts_of(operation).result != result_rule::wrapped || !contains(integers, kind)) return kind;
  const bool wide = kind == scalar_kind::int64 || kind == scalar_kind::uint64;
  return wide ? scalar_kind::uint64 : scalar_kind::uint32;
}

const char* spelling(scalar_kind type) {
  static constexpr const char* names[] = {"bool",
                                          "signed char",
                                          "short",
                                          "int",
                                          "long long",
                                          "unsigned char",
                                          "unsigned short",
                                          "unsigned int",
                                          "unsigned long long",
                                          "__half",
                                          "__nv_bfloat16",
                                          "float",
                                          "double",
                                          "tessera::scalar::complex<float>",
                                          "tessera::scalar::complex<double>",
                                          ""};
  static_assert(std::size(names) == static_cast<std::size_t>(scalar_kind::structure) + 1);
  return names[static_cast<std::size_t>(type)];
}

}  // namespace tessera::kernels
