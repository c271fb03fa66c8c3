#include "tessera/algo/skeleton/associative.h"

#include "tessera/algo/algorithm/reduced.h"
#include "tessera/base/error.h"
#include "tessera/base/settings/check_list.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {

bool is_checked(const context& ctx) { return ctx.engine()->checks() != check_list{}; }

void refuse_operator(const char* call, const std::string& name, std::int64_t place, call_site here) {
  throw argument_error(cat(label_of(call, here), ": '", name, "' is not associative: of elements ", place, " to ",
                           place + 2, " it makes one thing from the left and another from the right"));
}

void require_associative(const char* call, const sequence& all, const op& combine, call_site here) {
  const op_result& r = combine.text->results.at(0);
  const sequence stored = stored_elements(all), a = part_of(stored, 0, all.size - 2),
                 b = part_of(stored, 1, all.size - 1), c = part_of(stored, 2, all.size);
  const auto both = [&](const sequence& x, const sequence& y) { return applied(combine, {x, y}, here); };
  const op_parameter element{parameter_kind::plain, r.type, r.element, 0};
  const op differs =
      wrapped("tessera::algo::differs", {}, {}, {{element, element}, {{type_name<bool>(), dtype_of<bool>()}}}, here);
  const std::int64_t place =
      first_place_where(applied(differs, {both(both(a, b), c), both(a, both(b, c))}, here), true, here);
  if (place < a.size) refuse_operator(call, combine.text->name, place, here);
}

}  // namespace tessera::algo
