#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tessera/kernel/source/features.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// What a kernel needs of its source. Decided by names: whatever is called like something that is needed, is needed.
struct reach {
  std::size_t kernel = 0;       ///< Index into `outline::declarations`.
  std::vector<bool> needed;     ///< One per declaration.
  std::vector<bool> recursive;  ///< One per declaration: a function that may call itself.
};

[[nodiscard]] reach find_reach(const outline& source, std::size_t kernel);

/// The features of the kernel and all it needs.
[[nodiscard]] feature_set find_features(const outline& source, const reach& needed);

/// The first word by which the threads of a block work together: a barrier, a warp function or shared memory.
[[nodiscard]] std::optional<token> find_block_word(const outline& source, const reach& needed);

/// Throws `compile_error` for what no backend can run unmodified: textures, grid-wide synchronisation, launches from
/// kernels, assembly that reads the grid, static variables of functions. `list` gives positions.
void refuse_unsupported(const outline& source, const reach& needed, const token_list& list);

/// threadIdx, blockIdx, blockDim or gridDim.
[[nodiscard]] bool is_index_name(std::string_view word);

/// True if `d` is a function whose qualifiers say `word` (`__global__`, `__device__`), also through a macro.
[[nodiscard]] bool has_qualifier(const outline& source, const declaration& d, std::string_view word);

}  // namespace tessera::kernels
