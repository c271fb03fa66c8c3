#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/algo/container/operand.h"
#include "tessera/algo/function/callable.h"
#include "tessera/algo/function/named.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// True if the context checks programs (TESSERA_CHECK), at some cost.
[[nodiscard]] bool is_checked(const context& ctx);
/// Throws `argument_error`: elements `place` to `place` + 2 show it.
[[noreturn]] void refuse_operator(const char* call, const std::string& name, std::int64_t place, call_site here);

/// The context of elements, and their bytes; waits for them.
[[nodiscard]] context home_of(const operand& elements);
void read_elements(const operand& elements, std::span<std::byte> to, call_site here);

/// Operators of the library that are associative.
template <class G>
inline constexpr bool is_known_associative =
    std::is_same_v<library_operator_t<G>, plus> || std::is_same_v<library_operator_t<G>, multiplies> ||
    std::is_same_v<library_operator_t<G>, minimum> || std::is_same_v<library_operator_t<G>, maximum>;

/// True if values of type R are equal exactly if their bytes are. Floats are left out: sums of them are rounded.
template <class R>
inline constexpr bool is_told_by_bytes = std::is_integral_v<R> ||
                                         (std::is_class_v<R> && std::has_unique_object_representations_v<R>);

/// Throws `argument_error` for the first three neighbours for which `combine` is not associative.
template <class R, class G>
void require_associative(const char* call, const std::vector<R>& values, const G& combine, call_site here) {
  const auto both = [&](const R& a, const R& b) {
    if constexpr (is_host_callable<G>)
      return static_cast<R>((*combine.function())(a, b));
    else
      return static_cast<R>(combine(a, b));
  };
  for (std::size_t k = 0; k + 2 < values.size(); ++k) {
    const R &a = values[k], &b = values[k + 1], &c = values[k + 2];
    const R left = both(both(a, b), c), right = both(a, both(b, c));
    if (std::memcmp(&left, &right, sizeof left) != 0)
      refuse_operator(call, make_op<R, R>(combine, here).text->name, static_cast<std::int64_t>(k), here);
  }
}

/// That where programs are checked, for what `values()` gives, of type R; waits for it.
template <class R, class G, class Values>
void check_associative(const char* call, const context& ctx, Values values, const G& combine, call_site here) {
  if constexpr (!is_known_associative<G> && is_told_by_bytes<R>)
    if (is_checked(ctx)) require_associative<R>(call, values(), combine, here);
}
/// That for elements of a container.
template <class R, class G>
void check_associative(const char* call, const operand& elements, const G& combine, call_site here) {
  const auto values = [&] {
    std::vector<R> all(static_cast<std::size_t>(elements.size()));
    read_elements(elements, std::as_writable_bytes(std::span(all)), here);
    return all;
  };
  check_associative<R>(call, home_of(elements), values, combine, here);
}

}  // namespace tessera::algo
