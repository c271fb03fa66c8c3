#include "tessera/array/scalar.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/base/float16.h"
#include "tessera/base/number.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

/// True if `value` can be given to a parameter of type To: integers must keep their value, floating point may lose
/// precision as in C++, and a floating-point value becomes an integer only if it is one. Numbers of 16 bits end so soon
/// that what they cannot hold is refused instead of becoming infinity.
template <class To, class From>
bool fits(From value) {
  if constexpr (is_float<To> && sizeof(To) == 2)
    return !std::isinf(static_cast<float>(To(+value))) || std::isinf(static_cast<double>(value));
  if constexpr (is_float<To>) return true;
  if constexpr (std::is_same_v<To, bool>) return value == From(0) || value == From(1);
  if constexpr (is_float<From>) {
    constexpr double limit = 9007199254740992.0;  // 2^53: beyond, a double says nothing about single integers
    const double v = static_cast<double>(value);
    if (v != std::floor(v) || std::abs(v) > limit) return false;
    return fits<To>(static_cast<std::int64_t>(v));
  } else if constexpr (std::is_same_v<From, bool>) {
    return true;
  } else if constexpr (!is_float<To> && !std::is_same_v<To, bool>) {
    return std::in_range<To>(value);
  }
  return true;
}

}  // namespace

std::vector<std::byte> convert_scalar(const argument::scalar& value, const dtype& type,
                                      const std::function<std::string()>& name) {
  if (value.type == type ||
      (interchangeable(value.type, type) &&
       (type.lanes > 1 || type.kind == scalar_kind::structure || value.type.kind == scalar_kind::structure)))
    return value.bytes;
  std::vector<std::byte> result;
  if (type.lanes == 1 && value.type.lanes == 1)
    with_number(value.type.kind, [&](auto from) {
      std::memcpy(&from, value.bytes.data(), sizeof from);
      with_number(type.kind, [&](auto to) {
        if (!fits<decltype(to)>(from))
          throw argument_error(cat(name(), " is ", +from, ", which does not fit into ", to_string(type)));
        to = static_cast<decltype(to)>(+from);
        result.resize(sizeof to);
        std::memcpy(result.data(), &to, sizeof to);
      });
    });
  if (result.empty())
    throw argument_error(cat(name(), " is ", to_string(type), ", but the argument is ", to_string(value.type)));
  return result;
}

}  // namespace tessera
