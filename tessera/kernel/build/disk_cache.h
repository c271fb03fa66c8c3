#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/file_descriptor.h"

namespace tessera::kernels {

/// $XDG_CACHE_HOME/tessera, else ~/.cache/tessera; empty if neither is known.
[[nodiscard]] std::string default_cache_directory();

/// Binaries kept between runs, in a directory that only this user can write. Several threads and processes may use one
/// directory. Nothing here throws: a cache that cannot be used is one that finds nothing.
class disk_cache {
 public:
  static constexpr std::int64_t default_max_bytes = std::int64_t{1} << 30;

  /// Opens `directory`, and creates it if it is missing; empty means `default_cache_directory()`. Refused, which
  /// `enabled` and `reason` tell: a symbolic link, another user's directory, one that others may write.
  explicit disk_cache(std::string directory = {}, std::int64_t max_bytes = default_max_bytes);
  disk_cache(disk_cache&&) noexcept;
  disk_cache& operator=(disk_cache&&) noexcept;
  ~disk_cache();

  [[nodiscard]] bool enabled() const noexcept { return state_ != nullptr; }
  /// Why the cache is not used, as a warning to show once; empty if it is.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  /// What was stored under `key`. An entry that is damaged, or that another user could have written, is removed and not
  /// found.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(const digest& key) noexcept;

  /// Keeps `bytes` for later runs, whole or not at all. Now and then removes the entries unused for longest, so that
  /// all of them stay within the limit.
  void store(const digest& key, std::span<const std::byte> bytes) noexcept;

  /// Says that the caller makes the entry of `key`, so that others need not: of many ranks one compiles. Valid until
  /// the result or its process ends. Empty if another process has claimed it, or if the file system has no locks.
  [[nodiscard]] file_descriptor claim(const digest& key) noexcept;
  /// Whether another process makes the entry of `key` now.
  [[nodiscard]] bool is_claimed(const digest& key) noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
  std::string reason_;
};

}  // namespace tessera::kernels
