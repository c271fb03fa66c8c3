#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tessera/array/kernel.h"

namespace tessera {

/// `value` as bytes of `type`. Throws `argument_error` that begins with what `name` says if it does not fit.
[[nodiscard]] std::vector<std::byte> convert_scalar(const argument::scalar& value, const dtype& type,
                                                    const std::function<std::string()>& name);

}  // namespace tessera
