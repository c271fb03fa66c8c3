#pragma once

#include <sstream>
#include <string>

namespace tessera {

/// Joins the parts into one string, each written as `operator<<` writes it.
template <class... Parts>
[[nodiscard]] std::string cat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return std::move(out).str();
}

}  // namespace tessera
