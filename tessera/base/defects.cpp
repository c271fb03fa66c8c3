#include "tessera/base/defects.h"

#include <cstdlib>
#include <cstring>

namespace tessera {

#ifdef TESSERA_PLANT_DEFECTS
bool planted(const char* name) {
  static const char* const active = std::getenv("TESSERA_DEFECT");
  return active != nullptr && std::strcmp(active, name) == 0;
}
#endif

}  // namespace tessera
