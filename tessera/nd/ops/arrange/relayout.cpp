#include "tessera/nd/ops/arrange/relayout.h"

#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/apply.h"

namespace tessera::nd {

array resplit(const array& a, const layout& wanted, call_site here) {
  const layout placement = wanted.resolved(a.rank(here), here);
  return {a.owner(), record_copy(*a.owner(), a.expression(here), placement, here)};
}

array redistribute(const array& a, const distribution& wanted, call_site here) {
  a.require_assigned(here);
  return resplit(a, layout(wanted, a.shape(here), a.owner()->devices()), here);
}

array balance(const array& a, call_site here) { return resplit(a, a.split(here).balanced(a.shape()), here); }

}  // namespace tessera::nd
