#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/build/disk_cache.h"

namespace tessera::runtime {

/// What was measured on this machine and is kept in the cache directory for later runs: bytes under a name. Machines
/// that share a home directory have notes of their own. Nothing is found, and nothing kept, where the cache is not
/// used.
class machine_notes {
 public:
  /// As `options::cache_dir`.
  explicit machine_notes(const std::string& cache_directory) : cache_(cache_directory) {}

  [[nodiscard]] std::optional<std::vector<std::byte>> find(std::string_view name) const;
  void store(std::string_view name, std::span<const std::byte> contents);

 private:
  mutable kernels::disk_cache cache_;
};

}  // namespace tessera::runtime
