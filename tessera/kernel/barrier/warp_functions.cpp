#include "tessera/kernel/barrier/warp_functions.h"

#include <algorithm>
#include <array>

namespace tessera::kernels {
namespace {

constexpr std::array<warp_function, 25> functions = {{
    {"__shfl_sync", "shuffle_index", 3, 4, 1, ""},
    {"__shfl_up_sync", "shuffle_up", 3, 4, 1, ""},
    {"__shfl_down_sync", "shuffle_down", 3, 4, 1, ""},
    {"__shfl_xor_sync", "shuffle_xor", 3, 4, 1, ""},
    {"__shfl", "old_shuffle_index", 2, 3, 0, ""},
    {"__shfl_up", "old_shuffle_up", 2, 3, 0, ""},
    {"__shfl_down", "old_shuffle_down", 2, 3, 0, ""},
    {"__shfl_xor", "old_shuffle_xor", 2, 3, 0, ""},
    {"__ballot_sync", "ballot", 2, 2, 1, "unsigned"},
    {"__any_sync", "any", 2, 2, 1, "int"},
    {"__all_sync", "all", 2, 2, 1, "int"},
    {"__ballot", "old_ballot", 1, 1, 0, "unsigned"},
    {"__any", "old_any", 1, 1, 0, "int"},
    {"__all", "old_all", 1, 1, 0, "int"},
    {"__activemask", "active_mask", 0, 0, no_operand, "unsigned"},
    {"__reduce_add_sync", "reduce_add", 2, 2, 1, ""},
    {"__reduce_min_sync", "reduce_min", 2, 2, 1, ""},
    {"__reduce_max_sync", "reduce_max", 2, 2, 1, ""},
    {"__reduce_and_sync", "reduce_and", 2, 2, 1, "unsigned"},
    {"__reduce_or_sync", "reduce_or", 2, 2, 1, "unsigned"},
    {"__reduce_xor_sync", "reduce_xor", 2, 2, 1, "unsigned"},
    {"__match_any_sync", "match_any", 2, 2, 1, "unsigned"},
    {"__syncthreads_count", "block_count", 1, 1, 0, "int", true},
    {"__syncthreads_and", "block_and", 1, 1, 0, "int", true},
    {"__syncthreads_or", "block_or", 1, 1, 0, "int", true},
}};

}  // namespace

const warp_function* find_warp_function(std::string_view name) {
  if (!name.starts_with("__")) return nullptr;
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const warp_function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

bool meets_warp(std::string_view name) { return name == "__syncwarp" || find_warp_function(name) != nullptr; }

}  // namespace tessera::kernels
