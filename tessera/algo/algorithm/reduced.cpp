#include "tessera/algo/algorithm/reduced.h"

#include <limits>

namespace tessera::algo {

array_base combined(const sequence& all, const op& combine, const std::string& type, const dtype& element) {
  const call bound = all.bound("reduce");
  const skeleton_options options = resolved(skeleton_options(), bound, {});
  return elements_for_reading(reduce_all({bound, combine, type, element, options}, all.ctx()), all.site);
}

std::int64_t first_place_where(const sequence& holds, bool wanted, call_site here) {
  if (holds.size == 0) return 0;
  wrapped_signature signature = signature_for<std::int64_t, bool, std::int64_t>();
  const op_result& flag = holds.function.text->results.at(0);
  signature.parameters[0].type = flag.type;
  signature.parameters[0].element = flag.element;
  const op place =
      wrapped(wanted ? "tessera::algo::place_where" : "tessera::algo::place_unless", {}, {}, signature, here);
  const sequence found = applied(place, {holds, places(holds.size, here)}, here);
  const std::int64_t first = reduced<std::int64_t>(found, minimum(), here).get(here);
  return first < holds.size ? first : holds.size;
}

}  // namespace tessera::algo
