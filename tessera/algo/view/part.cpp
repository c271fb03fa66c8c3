#include "tessera/algo/view/part.h"

namespace tessera::algo {

argument whole_argument(storage& elements, const box& part, call_site here) {
  return {elements.for_launch(access::readwrite, part, here)};
}

}  // namespace tessera::algo
