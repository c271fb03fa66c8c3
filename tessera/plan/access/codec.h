#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// Access patterns as bytes, for the task stream. Equal patterns give equal bytes, on every machine.
struct access_codec {
  static void encode(const access_pattern& pattern, std::vector<std::byte>& out);
  [[nodiscard]] static std::vector<std::byte> encode(const access_pattern& pattern);

  /// As `encode`, with a hash in place of the rows of each table, which may be many.
  [[nodiscard]] static std::vector<std::byte> code_of(const access_pattern& pattern);

  /// Takes one pattern from the front of `in`. Throws `argument_error` where the bytes are cut short or do not
  /// describe a pattern that can be evaluated; never allocates more than a fixed multiple of what `in` holds.
  [[nodiscard]] static access_pattern decode(std::span<const std::byte>& in);
};

}  // namespace tessera::plan
