#pragma once

#include <string>
#include <string_view>

namespace tessera {

enum class log_level : int { off, error, warning, info, debug };

/// Messages to standard error, one line each, of at least the process-wide level. Thread-safe.
void set_log_level(log_level level);
[[nodiscard]] log_level parse_log_level(std::string_view text);
[[nodiscard]] std::string_view to_string(log_level level);
[[nodiscard]] bool log_enabled(log_level level) noexcept;
void log(log_level level, std::string_view message);

}  // namespace tessera
