#include "tessera/nd/linalg/linalg.h"

#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd::linalg {

array diagonal(const array& a, std::int64_t offset, call_site here) {
  if (a.rank(here) < 2) refuse(here, "the diagonal of an array with ", a.rank(), " axes");
  return nd::diagonal(a, offset, -2, -1, here);
}

array trace(const array& a, std::int64_t offset, call_site here) { return nd::trace(a, offset, here); }

}  // namespace tessera::nd::linalg
