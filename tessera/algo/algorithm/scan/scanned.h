#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/device/algorithms.h"
#include "tessera/base/bytes/value_bytes.h"

namespace tessera::algo {

/// How a scan combines: `combine` is associative, `start` the bytes of the value that comes first (exclusive scans have
/// one), `last` is applied to what is stored.
struct scan_form_of_values {
  op combine;
  std::optional<std::vector<std::byte>> start{};
  std::optional<op> last{};
};

/// The running combination of the elements of `all` in `to`, which may be one of the containers that gives them,
/// element for element. Throws `argument_error` for other overlaps and sizes.
void store_scan(const sequence& all, const scan_form_of_values& form, const operand& to);

/// What makes a value of type To of one of type R, beside operators like G; nothing if they are one type.
template <class To, class R, class G>
[[nodiscard]] std::optional<op> conversion_beside(call_site here) {
  if constexpr (std::is_same_v<To, R>)
    return std::nullopt;
  else if constexpr (is_host_callable<G>)
    return make_op_beside<G, R>(as_type<To>(), here);
  else
    return wrapped("tessera::algo::as_type", {}, {type_name<To>()}, signature_for<To, R>(), here);
}

/// The running combination of elements of type R in `to`, whose elements are of type To.
template <class R, class To, class G>
void scan_as(const sequence& all, const operand& to, const G& combine, const std::optional<R>& start, call_site here) {
  check_associative<R>("scan", all, combine, here);
  sequence elements = all;
  if constexpr (is_host_callable<G>) {
    elements = stored_elements(all);
    elements.function = make_op_beside<G, R>(identity(), here);
  }
  scan_form_of_values form{make_op<R, R>(combine, here), {}, conversion_beside<To, R, G>(here)};
  if (start) form.start = bytes_of(*start);
  store_scan(elements, form, to);
}
/// That in a new vector.
template <class R, class G>
[[nodiscard]] vector<R> scanned(const sequence& all, const G& combine, const std::optional<R>& start, call_site here) {
  vector<R> result = new_output<R, 1>({all.size}, all.ctx());
  scan_as<R, R>(all, operand_of(result), combine, start, here);
  return result;
}
/// That in an output.
template <class R, output_like Out, class G>
void scan_to(const sequence& all, const Out& out, const G& combine, const std::optional<R>& start, call_site here) {
  scan_as<R, element_t<Out>>(all, output_operand(out, {all.size}), combine, start, here);
}

}  // namespace tessera::algo
