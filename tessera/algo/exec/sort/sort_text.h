#pragma once

#include <string>

#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/function/op.h"

namespace tessera::algo {

/// What the kernels of sorts and merges are printed for: the types of keys and of what travels with them, and the
/// operator that says which of two keys comes first.
struct sort_types {
  std::string key;
  dtype key_element{};
  std::string value{};  ///< Empty: keys alone.
  dtype value_element{};
  const op* before = nullptr;

  [[nodiscard]] bool has_values() const { return !value.empty(); }
  [[nodiscard]] std::int64_t key_bytes() const { return key_element.size; }
  [[nodiscard]] std::int64_t value_bytes() const { return has_values() ? value_element.size : 0; }
  /// Tells the kernels of these types apart from others.
  [[nodiscard]] std::string number() const;
};

inline constexpr int sort_threads = 256;
/// Elements that a thread block sorts, or merges, on a GPU: as many as find room in its shared memory.
[[nodiscard]] std::int64_t gpu_tile_elements(const sort_types& types);
/// Elements that are merged by one step on a CPU.
inline constexpr std::int64_t cpu_tile_elements = 32768;

/// Block b copies every `spacing`-th key of its run, and its last one, to `samples[places(b)]`.
[[nodiscard]] kernel_text sample_text(const sort_types& types);
/// Block b finds in its run where each of `count` splitters cuts it: `cuts[b * count + q]` elements come before
/// splitter q, the key `splitters[q]` at place `marks[2 * q + 1]` of run `marks[2 * q]`.
[[nodiscard]] kernel_text cut_text(const sort_types& types);
/// Block b makes tile b % tiles of the merge that row b / tiles of `merges` describes (`merge_step`), if it has so
/// many.
[[nodiscard]] kernel_text merge_text(const sort_types& types);
/// The merge of two sorted runs, written from `to` on.
struct merge_step {
  std::int64_t left = 0, left_count = 0;
  std::int64_t right = 0, right_count = 0;
  std::int64_t to = 0;

  [[nodiscard]] std::int64_t size() const { return left_count + right_count; }
};
inline constexpr std::int64_t merge_step_numbers = 5;
static_assert(sizeof(merge_step) == merge_step_numbers * sizeof(std::int64_t));

}  // namespace tessera::algo
