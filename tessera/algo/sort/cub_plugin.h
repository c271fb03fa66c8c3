#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tessera/algo/sort/sort_memory.h"
#include "tessera/base/dtype.h"

struct tessera_cub_calls;

namespace tessera::algo {

/// A sort on the GPU whose context is current; its memory is the GPU's.
struct cub_sort {
  dtype key;
  std::int64_t value_bytes = 0;
  std::int64_t count = 0;
  bool descending = false;
  sort_memory memory;
};

/// Enough scratch for a sort on any GPU, whatever the plugin: a byte or two for each of the first 2^28 keys and some
/// more. A pure function, so that all ranks make launches fit alike.
[[nodiscard]] std::int64_t cub_scratch_bytes(const dtype& key, std::int64_t value_bytes, std::int64_t count);

/// CUB's radix sorts, in a plugin that is opened at run time: `cmake --build ... --target tessera_cub` makes it where
/// nvcc is. Thread-safe.
class cub_plugin {
 public:
  /// The plugin of this process, looked for once: where TESSERA_CUB_PLUGIN says, or else beside what was built and
  /// where it is installed.
  [[nodiscard]] static const cub_plugin& find();
  /// Opens the first of `paths` that is a plugin of this version.
  explicit cub_plugin(const std::vector<std::string>& paths);

  [[nodiscard]] bool available() const { return calls_ != nullptr; }
  /// The file that was opened; else why there is none, and what to do.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// Whether it sorts such keys with values of so many bytes. Where there is no plugin, the first question also gives a
  /// warning that says why.
  [[nodiscard]] bool sorts(const dtype& key, std::int64_t value_bytes) const;
  /// Puts a sort, which `sorts` allows, on the stream `queue`: stable, the result in `keys` and `values`. -0 equals +0;
  /// NaN comes last in either order, and has one bit pattern afterwards. Throws `device_error`.
  void sort(const cub_sort& s, std::span<std::byte> scratch, void* queue) const;

 private:
  const tessera_cub_calls* calls_ = nullptr;
  std::string text_;
  mutable std::once_flag warned_;
};

}  // namespace tessera::algo
