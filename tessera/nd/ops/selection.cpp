#include "tessera/nd/ops/selection.h"

#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/index/index.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {

const array& selection::elements() const {
  if (!elements_)
    elements_ = by_.type(site_) == scalar_kind::boolean ? compress(by_, from_, site_) : take(from_, by_, 0, site_);
  return *elements_;
}

void selection::require_mask(call_site here) const {
  if (by_.type(here) != scalar_kind::boolean)
    refuse(here, "elements chosen by an array of ", to_string(dtype::make(by_.type())),
           " cannot be written; those chosen by a mask can");
}

void selection::operator=(const operand_here& value) const {
  require_mask(value.site);
  if (value.is_number())
    put_mask(from_, by_, value.value(), value.site);
  else
    put_mask(from_, by_, value.elements(), value.site);
}

#define TESSERA_ND_IN_PLACE(symbol, function)                             \
  void selection::operator symbol(const operand_here& value) const {      \
    require_mask(value.site);                                             \
    put_mask(from_, by_, function(from_, value, value.site), value.site); \
  }
TESSERA_ND_IN_PLACE(+=, add)
TESSERA_ND_IN_PLACE(-=, subtract)
TESSERA_ND_IN_PLACE(*=, multiply)
TESSERA_ND_IN_PLACE(/=, divide)
TESSERA_ND_IN_PLACE(%=, remainder)
TESSERA_ND_IN_PLACE(&=, bitwise_and)
TESSERA_ND_IN_PLACE(|=, bitwise_or)
TESSERA_ND_IN_PLACE(^=, bitwise_xor)
#undef TESSERA_ND_IN_PLACE

}  // namespace tessera::nd
