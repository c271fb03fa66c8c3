#include "tessera/algo/skeleton/map.h"

namespace tessera::algo {

context context_of(const std::vector<call_argument>& given) {
  for (const call_argument& a : given)
    if (a.as == call_argument::kind::elements) return a.elements.elements->ctx();
  return default_context();
}

}  // namespace tessera::algo
