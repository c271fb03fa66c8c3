#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "tessera/algo/device/algorithms.h"
#include "tessera/algo/exec/sort/sort_launch.h"
#include "tessera/algo/function/callable.h"
#include "tessera/algo/function/composed.h"
#include "tessera/algo/function/named.h"
#include "tessera/algo/sort/cpu_merge.h"
#include "tessera/algo/sort/cpu_radix.h"
#include "tessera/base/float16.h"

namespace tessera::algo {

template <class T>
[[nodiscard]] T key_at(const std::byte* bytes) {
  T key;
  std::memcpy(&key, bytes, sizeof key);
  return key;
}

/// `before` as it compares floats: by `less` and `greater` NaN goes last.
template <class T, class Before>
[[nodiscard]] auto total_order(const Before& before) {
  using library = library_operator_t<Before>;
  constexpr bool has_nan = std::is_floating_point_v<T> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
  if constexpr (has_nan && std::is_same_v<library, less>)
    return ascending();
  else if constexpr (has_nan && std::is_same_v<library, greater>)
    return descending();
  else
    return before;
}

/// What compares keys, without the kernels that a function of the host keeps: one of them may keep this.
template <class Before>
[[nodiscard]] auto comparison_of(const Before& before) {
  if constexpr (is_host_callable<Before>)
    return [function = before.function()](const auto& a, const auto& b) { return (*function)(a, b); };
  else
    return before;
}

/// The order of keys of type T that `given` gives, with values of `value_bytes` bytes, or none.
template <class T, class Before>
[[nodiscard]] key_order order_of(const Before& given, std::int64_t value_bytes, call_site here) {
  using library = library_operator_t<Before>;
  constexpr bool ascends = std::is_same_v<library, less>, descends = std::is_same_v<library, greater>;
  const auto before = total_order<T>(given);
  key_order made;
  if constexpr (std::is_same_v<std::remove_const_t<decltype(before)>, Before>)
    made.before = make_op<T, T>(before, here);
  else
    made.before = wrapped(ascends ? "tessera::algo::ascending" : "tessera::algo::descending", {}, {},
                          signature_for<bool, T, T>(), here);
  const auto compare = comparison_of(before);
  made.on_host = [compare](const std::byte* a, const std::byte* b) {
    return static_cast<bool>(compare(key_at<T>(a), key_at<T>(b)));
  };
  if ((ascends || descends) && has_radix_order(dtype_of<T>())) {
    made.by_bits = descends ? bit_order::descending : bit_order::ascending;
    made.number = std::string(descends ? "descending " : "ascending ") + type_name<T>();
    made.on_cpu = [value_bytes](const parallel_runner& run, int threads, std::int64_t count,
                                const sort_memory& memory) {
      radix_sort(run, threads, dtype_of<T>(), value_bytes, count, memory, descends);
    };
  } else {
    static const std::uint64_t number = next_host_number();
    std::uint64_t state = 0;
    if constexpr (is_host_callable<Before>)
      state = given.number();
    else
      state = state_number(given);
    made.number = std::to_string(number) + " " + std::to_string(state);
    made.on_cpu = [compare, value_bytes](const parallel_runner& run, int threads, std::int64_t count,
                                         const sort_memory& memory) {
      merge_sort(run, threads, reinterpret_cast<T*>(memory.keys), memory.values, value_bytes, count, memory, compare);
    };
  }
  return made;
}

}  // namespace tessera::algo
