#include "tessera/runtime/array_record.h"

#include "tessera/runtime/engine.h"

namespace tessera::runtime {

array_record::~array_record() { owner->drop(id); }

}  // namespace tessera::runtime
