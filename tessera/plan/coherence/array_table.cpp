#include "tessera/plan/coherence/array_table.h"

namespace tessera::plan {

void array_table::create(array_id id, const extents& shape, const dtype& type, const partition_ptr& home) {
  arrays_.try_emplace(id, shape, type, home, memories_);
}

std::size_t array_table::tracked() const {
  std::size_t sum = 0;
  for (const auto& [id, a] : arrays_) sum += a.tracked();
  return sum;
}

}  // namespace tessera::plan
