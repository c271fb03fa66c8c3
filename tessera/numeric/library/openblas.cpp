#include "tessera/numeric/library/openblas.h"

#include <cstdlib>
#include <vector>

namespace tessera::numeric {
namespace {

std::vector<std::string> files() {
  const char* const named = std::getenv("TESSERA_OPENBLAS");
  if (named != nullptr && *named != '\0') return {named};
  return {"libopenblas.so.0", "libopenblas.so", "liblapack.so.3"};
}

}  // namespace

const openblas& openblas::find() {
  static const openblas* const found = new openblas;  // used by threads that outlive static objects
  return *found;
}

openblas::openblas()
    : library_("LAPACK", files(),
               "install OpenBLAS (Debian: libopenblas0; PyPI: scipy-openblas32, whose file TESSERA_OPENBLAS names)") {
  void* function = nullptr;
  if (!library_.find(function, "dgetrf_") && library_.find(function, "scipy_dgetrf_")) prefix_ = "scipy_";
  if (library_.find(set_threads_, prefix_ + "openblas_set_num_threads")) set_threads_(1);
}

}  // namespace tessera::numeric
