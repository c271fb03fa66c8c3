#include "tessera/algo/container/operand.h"

#include "tessera/algo/container/index_check.h"
#include "tessera/algo/container/storage.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

operand part_between(storage* first, iterator_position lo, storage* last, iterator_position hi) {
  if (first == nullptr || first != last)
    throw argument_error("two iterators of different containers are no range of elements");
  first->require_current(lo.generation);
  first->require_current(hi.generation);
  if (lo.offset < 0 || hi.offset < lo.offset || hi.offset > first->size())
    throw argument_error(
        cat("the iterators ", lo.offset, " and ", hi.offset, " are no range of ", first->size(), " elements"));
  if (first->shape().rank() == 1) return {first->shared_from_this(), box({lo.offset}, {hi.offset})};
  if (lo.offset != 0 || hi.offset != first->size())
    throw argument_error(cat("iterators of a container of shape ", to_string(first->shape()),
                             " are a range only from begin() to end(); take a box of it"));
  return {first->shared_from_this(), first->whole()};
}

}  // namespace tessera::algo
