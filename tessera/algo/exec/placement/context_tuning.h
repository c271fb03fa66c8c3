#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tessera/algo/exec/placement/estimate.h"
#include "tessera/algo/exec/placement/tuning_table.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// What placement knows of a context. Immutable: `ts::tune` puts another one in its place.
struct context_tuning {
  std::vector<kind_facts> kinds;  ///< The one that launches choose by themselves first.
  tuning_table table;             ///< Of rank 0.
};

/// The kinds of devices of a context, without a table.
[[nodiscard]] std::vector<kind_facts> kinds_of(const context& ctx);
/// Of `ctx`; the first time, the table comes from the cache directory of rank 0, and all ranks make the call.
[[nodiscard]] std::shared_ptr<const context_tuning> tuning_of(const context& ctx);
/// Adds rows that rank 0 has measured to the table of `ctx`, and to the one in the cache directory; all ranks make the
/// call.
void add_rows(const context& ctx, const std::vector<tuning_row>& rows);

}  // namespace tessera::algo
