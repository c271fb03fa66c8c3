#pragma once

#include <string_view>

namespace tessera::algo {

/// The text of a file of algo/device/, by its name; kernels of skeletons are made of them.
[[nodiscard]] std::string_view embedded_text(std::string_view name);

}  // namespace tessera::algo
