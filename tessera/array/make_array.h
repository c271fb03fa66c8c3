#pragma once

#include <memory>

#include "tessera/array/array.h"
#include "tessera/plan/layout.h"

namespace tessera {

/// What decides how an array is made (see `array_record`).
struct array_blueprint {
  extents shape;
  extents plan_shape;
  dtype type;
  plan::layout home;
  bool is_value = false;
};

[[nodiscard]] array_base make_array(const std::shared_ptr<runtime::engine>& engine, const array_blueprint& what,
                                    call_site here);

}  // namespace tessera
