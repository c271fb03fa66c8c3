#include "tessera/plan/access/bound_accesses.h"

#include "tessera/base/bytes/hash.h"
#include "tessera/plan/access/codec.h"

namespace tessera::plan {

std::shared_ptr<const bound_accesses> bind_accesses(access_pattern pattern) {
  auto bound = std::make_shared<bound_accesses>();
  bound->pattern = std::move(pattern);
  bound->code = access_codec::code_of(bound->pattern);
  bound->tables = tables_of(bound->pattern);
  bound->hash = hash_of(bound->code);
  return bound;
}

}  // namespace tessera::plan
