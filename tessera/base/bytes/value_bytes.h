#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace tessera {

/// The bytes of a value. Those between its members are zero where the compiler can tell which these are (GCC), so that
/// equal values are the same to ranks that compare their calls.
template <class T>
[[nodiscard]] std::vector<std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::byte> bytes(sizeof value);
#if __has_builtin(__builtin_clear_padding)
  std::remove_cv_t<T> copy = value;
  __builtin_clear_padding(&copy);
  std::memcpy(bytes.data(), &copy, sizeof copy);
#else
  std::memcpy(bytes.data(), &value, sizeof value);
#endif
  return bytes;
}

}  // namespace tessera
