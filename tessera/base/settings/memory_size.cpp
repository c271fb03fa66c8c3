#include "tessera/base/settings/memory_size.h"

#include <array>
#include <charconv>
#include <utility>

#include "tessera/base/checked.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

std::int64_t unit_of(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 12> units{{{"", 1},
                                                                             {"B", 1},
                                                                             {"KiB", std::int64_t{1} << 10},
                                                                             {"MiB", std::int64_t{1} << 20},
                                                                             {"GiB", std::int64_t{1} << 30},
                                                                             {"TiB", std::int64_t{1} << 40},
                                                                             {"KB", 1000},
                                                                             {"MB", 1000'000},
                                                                             {"GB", 1000'000'000},
                                                                             {"TB", 1000'000'000'000},
                                                                             {"M", std::int64_t{1} << 20},
                                                                             {"G", std::int64_t{1} << 30}}};
  for (const auto& [name, bytes] : units)
    if (name == unit) return bytes;
  return 0;
}

}  // namespace

memory_size::memory_size(std::int64_t bytes) : bytes_(bytes) {
  if (bytes < 1) throw argument_error(cat("a size of memory cannot be ", bytes, " bytes"));
}

memory_size::memory_size(std::string_view text) {
  if (text.empty()) return;
  std::int64_t number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const bool percent = unit == "%";
  if (status != std::errc{} || number <= 0 || (percent ? number > 100 : unit_of(unit) == 0))
    throw argument_error(cat("'", text, "' is no size of memory; a size such as 512MiB, 2GiB or 50% is expected"));
  if (percent)
    percent_ = static_cast<int>(number);
  else
    bytes_ = checked_multiply(number, unit_of(unit), "a size in bytes");
}

std::string memory_size::text() const {
  if (percent_ > 0) return cat(percent_, "%");
  return bytes_ > 0 ? std::to_string(bytes_) : std::string();
}

}  // namespace tessera
