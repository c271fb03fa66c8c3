#pragma once

#include <cstdint>
#include <optional>

#include "tessera/array/context.h"
#include "tessera/array/distribution.h"

namespace tessera {

/// Asks for a host window in ordinary memory where there are GPUs, too.
struct pageable_tag {};
inline constexpr pageable_tag pageable{};

/// Where a container is; made of a context, of `ts::pageable`, or of both: `ts::vector<int> v(n, 0, {ctx,
/// ts::pageable})`.
struct container_options {
  std::optional<context> ctx{};  ///< None: the default context.
  bool pageable = false;         ///< The host window is not page-locked.
  /// Bytes of a portion of the host window, the unit in which element reads fetch; below 64 portions it is one.
  std::int64_t portion = std::int64_t{1} << 20;
  std::optional<plan::layout> home{};  ///< Where its parts rest; none: see algo/container/placement.h.

  container_options() = default;
  container_options(const context& given) : ctx(given) {}  // NOLINT: `ts::vector<int> v(n, 0, ctx)` is the notation
  container_options(pageable_tag) : pageable(true) {}      // NOLINT
  container_options(const context& given, pageable_tag) : ctx(given), pageable(true) {}
  container_options(const context& given, const plan::layout& parts) : ctx(given), home(parts) {}
};

}  // namespace tessera
