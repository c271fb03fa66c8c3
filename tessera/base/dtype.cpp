#include "tessera/base/dtype.h"

#include <array>

#include "tessera/base/text.h"

namespace tessera {
namespace {

struct kind_row {
  const char* name;
  std::uint32_t size;
  std::uint32_t alignment;
};

constexpr std::array<kind_row, 15> kinds{{
    {"bool", 1, 1},
    {"int8", 1, 1},
    {"int16", 2, 2},
    {"int32", 4, 4},
    {"int64", 8, 8},
    {"uint8", 1, 1},
    {"uint16", 2, 2},
    {"uint32", 4, 4},
    {"uint64", 8, 8},
    {"float16", 2, 2},
    {"bfloat16", 2, 2},
    {"float32", 4, 4},
    {"float64", 8, 8},
    {"complex64", 8, 4},
    {"complex128", 16, 8},
}};

/// Complex numbers as the pairs that kernels have for them.
dtype as_parts(const dtype& type) {
  if (!type.is_complex()) return type;
  return dtype::make(type.kind == scalar_kind::complex64 ? scalar_kind::float32 : scalar_kind::float64, 2);
}

}  // namespace

dtype dtype::make(scalar_kind kind, int lanes) {
  const kind_row& row = kinds.at(static_cast<std::size_t>(kind));
  const auto count = static_cast<std::uint32_t>(lanes);
  // CUDA aligns vectors of 2 and 4 to their size, at most 16 bytes; vectors of 1 and 3 as the scalar.
  const std::uint32_t natural = row.size * count;
  const std::uint32_t alignment = count == 2 || count == 4 ? (natural < 16 ? natural : 16) : row.alignment;
  return {kind, static_cast<std::uint8_t>(lanes), natural, alignment};
}

std::string to_string(const dtype& type) {
  if (type.kind == scalar_kind::structure) return cat("struct of ", type.size, " bytes");
  std::string name = kinds.at(static_cast<std::size_t>(type.kind)).name;
  return type.lanes == 1 ? name : cat(name, "x", static_cast<int>(type.lanes));
}

bool interchangeable(const dtype& a, const dtype& b) {
  const bool by_size = a.kind == scalar_kind::structure || b.kind == scalar_kind::structure;
  const dtype x = as_parts(a), y = as_parts(b);
  return by_size ? a.size == b.size : x.kind == y.kind && x.lanes == y.lanes;
}

}  // namespace tessera
