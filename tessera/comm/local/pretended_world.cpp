#include "tessera/comm/local/pretended_world.h"

#include <algorithm>

namespace tessera::comm {

void pretended_rank::send(node_id, std::uint64_t number, payload data) {
  if (number != 1) return;
  const std::lock_guard lock(mutex_);
  description_.assign(data.bytes.begin(), data.bytes.end());
}

event pretended_rank::receive(node_id, std::uint64_t number, payload into) {
  if (number != 1) return {};
  const std::lock_guard lock(mutex_);
  if (description_.size() == into.bytes.size()) std::copy(description_.begin(), description_.end(), into.bytes.begin());
  return {};
}

std::shared_ptr<transport> make_pretended(int ranks) { return std::make_shared<pretended_rank>(ranks); }

}  // namespace tessera::comm
