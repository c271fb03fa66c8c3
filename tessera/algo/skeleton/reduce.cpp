#include "tessera/algo/skeleton/reduce.h"

#include "tessera/algo/container/storage.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

array_base elements_for_reading(const operand& part, call_site here) {
  return part.elements->for_launch(access::read, part.part, here);
}

void throw_nothing_to_reduce(call_site here) {
  throw argument_error(
      cat(label_of("reduce", here),
          " of no elements has no value, unless the operator is one of the library's with an identity"));
}

}  // namespace tessera::algo
