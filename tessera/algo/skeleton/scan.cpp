#include "tessera/algo/skeleton/scan.h"

#include "tessera/algo/container/storage.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

void require_output(const operand& from, const operand& to, call_site here) {
  if (from.size() != to.size())
    throw argument_error(cat(label_of("scan", here), ": an output of ", to.size(), " elements for ", from.size()));
  if (from.elements->type() != to.elements->type())
    throw argument_error(cat(label_of("scan", here), ": the output holds ", to_string(to.elements->type()),
                             ", the input ", to_string(from.elements->type())));
  if (!is_contiguous(to)) throw argument_error(cat(label_of("scan", here), ": the output is a box with gaps"));
  if (from.elements == to.elements && from.part != to.part && !intersect(from.part, to.part).empty())
    throw argument_error(cat(label_of("scan", here), ": the output is also an input at other elements"));
}

}  // namespace tessera::algo
