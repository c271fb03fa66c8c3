#include "tessera/algo/exec/sort/cub_launch.h"

#include "tessera/algo/sort/cub_plugin.h"
#include "tessera/base/text.h"

namespace tessera::algo {

std::optional<kernel> cub_kernel(context ctx, const sort_types& types, const key_order& order, bool spare_is_kept) {
  if (order.by_bits == bit_order::none || !cub_plugin::find().sorts(types.key_element, types.value_bytes()))
    return std::nullopt;
  const dtype key = types.key_element;
  const std::int64_t value_bytes = types.value_bytes();
  const bool descending = order.by_bits == bit_order::descending;
  const char* const spare = spare_is_kept ? "readwrite" : "write";
  native_definition made;
  made.name = cat("sort_by_cub_", to_string(key), "_", value_bytes, descending ? "_descending" : "");
  made.parameters = cat(types.key, "* keys, ", types.key, "* spare");
  made.annotation = cat("single => readwrite keys, ", spare, " spare");
  if (value_bytes > 0) {
    made.parameters += cat(", ", types.value, "* values, ", types.value, "* spare_values");
    made.annotation += cat(", readwrite values, ", spare, " spare_values");
  }
  made.workspace = [key, value_bytes](const box& points) {
    return cub_scratch_bytes(key, value_bytes, points.volume());
  };
  made.functions["cuda"] = [key, value_bytes, descending](native_call& native) {
    cub_sort sort{key, value_bytes, native.points().volume(), descending, {}};
    sort.memory.keys = native.array(0).data;
    sort.memory.spare_keys = native.array(1).data;
    if (value_bytes > 0) {
      sort.memory.values = native.array(2).data;
      sort.memory.spare_values = native.array(3).data;
    }
    cub_plugin::find().sort(sort, native.workspace(), native.queue());
  };
  return ctx.native(std::move(made));
}

}  // namespace tessera::algo
