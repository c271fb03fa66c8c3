#pragma once

#include <cstdint>

#include "tessera/base/dtype.h"
#include "tessera/base/float16.h"

namespace tessera {

/// Calls f with a zero of the C++ type that `kind` stands for; false, without a call, for kinds that are no real
/// numbers.
template <class F>
bool with_number(scalar_kind kind, F f) {
  switch (kind) {
    case scalar_kind::boolean:
      f(bool{});
      return true;
    case scalar_kind::int8:
      f(std::int8_t{});
      return true;
    case scalar_kind::int16:
      f(std::int16_t{});
      return true;
    case scalar_kind::int32:
      f(std::int32_t{});
      return true;
    case scalar_kind::int64:
      f(std::int64_t{});
      return true;
    case scalar_kind::uint8:
      f(std::uint8_t{});
      return true;
    case scalar_kind::uint16:
      f(std::uint16_t{});
      return true;
    case scalar_kind::uint32:
      f(std::uint32_t{});
      return true;
    case scalar_kind::uint64:
      f(std::uint64_t{});
      return true;
    case scalar_kind::float16:
      f(float16(0));
      return true;
    case scalar_kind::bfloat16:
      f(bfloat16(0));
      return true;
    case scalar_kind::float32:
      f(float{});
      return true;
    case scalar_kind::float64:
      f(double{});
      return true;
    default:
      return false;
  }
}

}  // namespace tessera
