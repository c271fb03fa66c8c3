#include "tessera/base/geometry/box.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {

void throw_rank_too_large(std::size_t rank) {
  throw argument_error(cat("a shape has ", rank, " axes; at most ", max_rank, " are supported"));
}

std::string to_string(const extents& e) {
  std::string text = "{";
  for (int a = 0; a < e.rank(); ++a) text += cat(a == 0 ? "" : ", ", e[a]);
  return text + "}";
}

std::string to_string(const box& b) {
  std::string text = "[";
  for (int a = 0; a < b.rank(); ++a) text += cat(a == 0 ? "" : ", ", b.lo[a], ":", b.hi[a]);
  return text + "]";
}

}  // namespace tessera
