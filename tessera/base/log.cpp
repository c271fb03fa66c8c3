#include "tessera/base/log.h"

#include <array>
#include <atomic>
#include <cstdio>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

constexpr std::array<std::string_view, 5> names{"off", "error", "warning", "info", "debug"};
std::atomic<int> current{static_cast<int>(log_level::warning)};

}  // namespace

void set_log_level(log_level level) { current.store(static_cast<int>(level), std::memory_order_relaxed); }

log_level parse_log_level(std::string_view text) {
  if (text.empty()) return log_level::warning;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<log_level>(i);
  throw argument_error(cat("the log level is '", text, "'; off, error, warning, info or debug is expected"));
}

std::string_view to_string(log_level level) { return names[static_cast<std::size_t>(level)]; }

bool log_enabled(log_level level) noexcept {
  return static_cast<int>(level) <= current.load(std::memory_order_relaxed) && level != log_level::off;
}

void log(log_level level, std::string_view message) {
  if (!log_enabled(level)) return;
  const std::string line = cat("tessera: ", names[static_cast<std::size_t>(level)], ": ", message, "\n");
  std::fputs(line.c_str(), stderr);
}

}  // namespace tessera
