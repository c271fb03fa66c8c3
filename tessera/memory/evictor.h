#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::memory {

struct tracked_page;

/// What the policy knows of one page that could lose its memory. Positions are those of the instruction stream.
struct eviction_candidate {
  tracked_page* subject = nullptr;  ///< Not looked at.
  std::int64_t bytes = 0;           ///< That its eviction frees.
  std::uint64_t next_use = 0;       ///< Planned or expected (see `use_times::next`).
  std::uint64_t last_use = 0;       ///< Issued.
  bool in_use = false;              ///< Work that was issued has not ended.
  bool clean = false;               ///< The contents are kept elsewhere, or there are none: eviction costs no copy.
};

/// Why pages are evicted.
enum class eviction_time : std::uint8_t {
  now,   ///< A reservation waits for the memory.
  ahead  ///< A later one is likely to want it.
};

/// Chooses which pages of a device that is short of memory are evicted (rule E4). A pure policy: the answer depends on
/// the candidates and their order alone. It keeps its storage from one choice to the next, so it belongs to one thread;
/// no lock of its own.
///
/// Pages that nothing uses are evicted by their next use, the farthest first; those in use by their last use, because
/// what was issued first ends first. Those in use come last if the memory is wanted now; else before those of the
/// others that will be wanted sooner than any of them. Of equal ones a clean page is evicted first, then the one that
/// was added first.
class evictor {
 public:
  void add(const eviction_candidate& c);
  /// The first of the candidates, best first, that hold `bytes` together, or all if they hold less; then there are no
  /// candidates any more. Valid until the next choice. Linear in the candidates, but for those that are chosen.
  [[nodiscard]] std::span<const eviction_candidate> choose(std::int64_t bytes, eviction_time time);

 private:
  struct ranked {
    int group;
    std::uint64_t rank;  // within the group, the highest first
    std::size_t order;   // in which they were added
    eviction_candidate candidate;
  };
  [[nodiscard]] static bool is_after(const ranked& a, const ranked& b);

  std::vector<ranked> waiting_;
  std::vector<eviction_candidate> chosen_;
};

}  // namespace tessera::memory
