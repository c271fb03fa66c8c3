#pragma once

#include <string>
#include <string_view>

namespace tessera::device {

/// NVRTC's messages laid out as other compilers' are: "file:line:column: error: ...", the column where one is known,
/// and no warnings, excerpts of the text or sums. What is not understood stays as it is.
[[nodiscard]] std::string lay_out_nvrtc_messages(std::string_view log);

}  // namespace tessera::device
