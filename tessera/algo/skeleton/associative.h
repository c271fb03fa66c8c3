#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/algo/function/callable.h"
#include "tessera/algo/function/named.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// True if the context checks programs (TESSERA_CHECK), at some cost.
[[nodiscard]] bool is_checked(const context& ctx);
/// Throws `argument_error`: elements `place` to `place` + 2 show it.
[[noreturn]] void refuse_operator(const char* call, const std::string& name, std::int64_t place, call_site here);
/// Throws `argument_error` for the first three neighbours for which `combine`, which runs on devices, is not
/// associative: their bytes differ. Waits.
void require_associative(const char* call, const sequence& all, const op& combine, call_site here);

/// Operators of the library that are associative.
template <class G>
inline constexpr bool is_known_associative =
    std::is_same_v<library_operator_t<G>, plus> || std::is_same_v<library_operator_t<G>, multiplies> ||
    std::is_same_v<library_operator_t<G>, minimum> || std::is_same_v<library_operator_t<G>, maximum>;

/// True if values of type R are equal exactly if their bytes are. Floats are left out: sums of them are rounded.
template <class R>
inline constexpr bool is_told_by_bytes = std::is_integral_v<R> ||
                                         (std::is_class_v<R> && std::has_unique_object_representations_v<R>);

/// That for a function of the host.
template <class R, class F>
void require_associative(const char* call, const std::vector<R>& values, const F& combine, const std::string& name,
                         call_site here) {
  const auto both = [&](const R& a, const R& b) { return static_cast<R>(combine(a, b)); };
  for (std::size_t k = 0; k + 2 < values.size(); ++k) {
    const R left = both(both(values[k], values[k + 1]), values[k + 2]),
            right = both(values[k], both(values[k + 1], values[k + 2]));
    if (std::memcmp(&left, &right, sizeof left) != 0) refuse_operator(call, name, static_cast<std::int64_t>(k), here);
  }
}

/// Where programs are checked: throws `argument_error` for the first three neighbours, of elements of type R, for which
/// `combine` is not associative. Waits then.
template <class R, class G>
void check_associative(const char* call, const sequence& all, const G& combine, call_site here) {
  if constexpr (!is_known_associative<G> && is_told_by_bytes<R>) {
    if (all.size < 3 || !is_checked(all.ctx())) return;
    const op both = make_op<R, R>(combine, here);
    if constexpr (is_host_callable<G>)
      require_associative<R>(call, lazy<R>(all).to_host(here), *combine.function(), both.text->name, here);
    else if constexpr (std::is_same_v<call_result_t<G, R, R>, R>)
      require_associative(call, all, both, here);
  }
}
template <class R, class G>
void check_associative(const char* call, const operand& elements, const G& combine, call_site here) {
  check_associative<R>(call, sequence_of_elements(elements, type_name<R>(), here), combine, here);
}

}  // namespace tessera::algo
