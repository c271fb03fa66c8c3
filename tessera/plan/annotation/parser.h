#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera::plan {

class annotation;

/// Several lines may be joined by line breaks. Throws `annotation_error` with the text, a caret under the column and
/// what was expected there. Length, nesting, constants, rules and expanded lets are limited, and so are time and
/// memory, whatever the text. `operations`: the names of those that the kernel registers, for `reduce(name)`.
[[nodiscard]] annotation parse_annotation(std::string_view text, std::span<const std::string> operations = {});

}  // namespace tessera::plan
