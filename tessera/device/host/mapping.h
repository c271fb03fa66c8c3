#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace tessera::device {

/// Memory of this process between inaccessible pages, aligned to a page, and to a huge one from 8 MiB on. Null if there
/// is none.
[[nodiscard]] std::byte* map_pages(std::size_t bytes) noexcept;
void unmap_pages(std::byte* data, std::size_t bytes) noexcept;

/// Mappings that nothing uses, with the memory behind them: the next allocation of that size takes one as it is,
/// instead of having new pages mapped, cleared and given back. Not thread-safe.
class kept_mappings {
 public:
  struct mapping {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::int64_t resident = 0;     ///< Bytes that may have memory behind them.
    std::vector<bool> has_memory;  ///< By page of the owner; empty where all has.
  };

  kept_mappings() = default;
  ~kept_mappings();
  kept_mappings(const kept_mappings&) = delete;
  kept_mappings& operator=(const kept_mappings&) = delete;

  void keep(mapping unused);
  /// The one of as many bytes, rounded up to pages, that was kept last.
  [[nodiscard]] std::optional<mapping> take(std::size_t bytes) noexcept;
  /// Gives the one that was kept first back to the system. There is one.
  void release_oldest() noexcept;

  [[nodiscard]] bool empty() const { return kept_.empty(); }
  [[nodiscard]] std::int64_t resident() const { return resident_; }

 private:
  std::deque<mapping> kept_;  // oldest first
  std::int64_t resident_ = 0;
};

}  // namespace tessera::device
