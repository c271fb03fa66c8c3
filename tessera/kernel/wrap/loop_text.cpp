#include "tessera/kernel/wrap/loop_text.h"

#include "tessera/base/text.h"

namespace tessera::kernels {

void replace_sums(const index_use& use, text_edits& edits) {
  for (const direct_sum& sum : use.direct) {
    edits.insert_before(sum.first, "((decltype(");
    edits.insert_after(sum.last,
                       cat(sum.wide ? "" : ", 0LL", "))__tessera_at.", "xyz"[static_cast<std::size_t>(sum.axis)], ")"));
  }
}

}  // namespace tessera::kernels
