#pragma once

#include <string>

#include "tessera/algo/exec/sort/sort_text.h"

namespace tessera::algo {

/// The beginning of a kernel of a sort: definitions, its head, and the names that its text uses: `key_type`,
/// `value_type`, `before` where it compares keys, `tile` and `in_shared` on GPUs.
struct text_head {
  const sort_types& types;
  const char* name;
  std::string parameters;

  [[nodiscard]] std::string text(bool compares, bool for_gpus) const;
  [[nodiscard]] std::string all_parameters(bool compares) const;
};

/// What a thread block of a GPU does to merge elements `begin` to `begin + count - 1` of `left` and `right`, of
/// `left_count` and `right_count` elements, into `to`; with values from `value_left` and `value_right` into
/// `value_to`. Ends the kernel.
[[nodiscard]] std::string block_merge_text(bool has_values);

}  // namespace tessera::algo
