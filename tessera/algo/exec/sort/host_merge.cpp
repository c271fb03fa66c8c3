#include "tessera/algo/exec/sort/host_merge.h"

#include <algorithm>
#include <cstring>

#include "tessera/algo/device/merging.h"
#include "tessera/algo/device/search.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// Elements of a size that is known at run time only.
struct byte_elements {
  const std::byte* data = nullptr;
  std::int64_t bytes = 1;
  const std::byte* operator[](std::int64_t k) const { return data + k * bytes; }
};

void copy_in_pieces(native_call& native, std::byte* to, const std::byte* from, std::int64_t bytes) {
  constexpr std::int64_t piece = std::int64_t{1} << 20;
  native.parallel_for(ceil_div(bytes, piece), [&](std::int64_t k) {
    std::memcpy(to + k * piece, from + k * piece, static_cast<std::size_t>(std::min(piece, bytes - k * piece)));
  });
}

}  // namespace

kernel_text run_sort(const sort_types& types, const key_order& order, bool spare_is_kept) {
  const char* const spare = spare_is_kept ? "readwrite" : "write";
  kernel_text made;
  made.name = "sort_runs";
  made.annotation = cat("block b => read bounds, readwrite keys[runs(b)], ", spare, " spare[runs(b)]");
  made.parameters = cat("long long to_spare, const long long* bounds, ", types.key, "* keys, ", types.key, "* spare");
  if (types.has_values()) {
    made.annotation += cat(", readwrite values[runs(b)], ", spare, " spare_values[runs(b)]");
    made.parameters += cat(", ", types.value, "* values, ", types.value, "* spare_values");
  }
  made.host = [sort = order.on_cpu, key_bytes = types.key_bytes(),
               value_bytes = types.value_bytes()](native_call& native) {
    const bool to_spare = native.scalar<std::int64_t>(0) != 0;
    const std::int64_t* const bounds = native.data<std::int64_t>(1);
    const parallel_runner run = [&](std::int64_t count, const std::function<void(std::int64_t)>& body) {
      native.parallel_for(count, body);
    };
    for (std::int64_t b = native.points().lo[0]; b < native.points().hi[0]; ++b) {
      const std::int64_t first = bounds[b], count = bounds[b + 1] - first;
      sort_memory memory{native.array(2).data + first * key_bytes, nullptr, native.array(3).data + first * key_bytes,
                         nullptr};
      if (value_bytes > 0) {
        memory.values = native.array(4).data + first * value_bytes;
        memory.spare_values = native.array(5).data + first * value_bytes;
      }
      sort(run, native.cores(), count, memory);
      if (!to_spare) continue;
      copy_in_pieces(native, memory.spare_keys, memory.keys, count * key_bytes);
      if (value_bytes > 0) copy_in_pieces(native, memory.spare_values, memory.values, count * value_bytes);
    }
  };
  return made;
}

native_kernel host_cut(const key_order& order, std::int64_t key_bytes) {
  return [before = order.on_host, key_bytes](native_call& native) {
    const auto count = native.scalar<std::int64_t>(0);
    const std::int64_t *const bounds = native.data<std::int64_t>(2), *const marks = native.data<std::int64_t>(4);
    const byte_elements splitters{native.array(3).data, key_bytes};
    const std::int64_t first = native.points().lo[0] / sort_threads;
    native.parallel_for(ceil_div(native.points().hi[0], std::int64_t{sort_threads}) - first, [&](std::int64_t k) {
      const std::int64_t b = first + k;
      const byte_elements own{native.array(1).data + bounds[b] * key_bytes, key_bytes};
      const std::int64_t own_count = bounds[b + 1] - bounds[b];
      for (std::int64_t q = 0; q < count; ++q) {
        const std::int64_t run = marks[2 * q];
        native.data<std::int64_t>(5)[b * count + q] =
            run == b  ? marks[2 * q + 1]
            : run > b ? upper_place<key_comparison>{before}(own, splitters[q], 0, own_count)
                      : lower_place<key_comparison>{before}(own, splitters[q], 0, own_count);
      }
    });
  };
}

native_kernel host_merge(const key_order& order, const sort_types& types) {
  return
      [before = order.on_host, key_bytes = types.key_bytes(), value_bytes = types.value_bytes()](native_call& native) {
        const auto tiles = native.scalar<std::int64_t>(0), tile = native.scalar<std::int64_t>(1);
        const auto* const merges = reinterpret_cast<const merge_step*>(native.array(2).data);
        const std::int64_t first = native.points().lo[0] / sort_threads;
        native.parallel_for(ceil_div(native.points().hi[0], std::int64_t{sort_threads}) - first, [&](std::int64_t k) {
          const merge_step& step = merges[(first + k) / tiles];
          const std::int64_t begin = (first + k) % tiles * tile, end = std::min(begin + tile, step.size());
          if (begin >= end) return;
          const byte_elements left{native.array(3).data + step.left * key_bytes, key_bytes};
          const byte_elements right{native.array(4).data + step.right * key_bytes, key_bytes};
          std::int64_t l = merge_path(left, step.left_count, right, step.right_count, begin, before), r = begin - l;
          for (std::int64_t at = step.to + begin; at < step.to + end; ++at) {
            const bool takes_right = l >= step.left_count || (r < step.right_count && before(right[r], left[l]));
            const std::int64_t from = takes_right ? r++ : l++;
            std::memcpy(native.array(5).data + at * key_bytes, takes_right ? right[from] : left[from],
                        static_cast<std::size_t>(key_bytes));
            if (value_bytes > 0)
              std::memcpy(native.array(8).data + at * value_bytes,
                          native.array(takes_right ? 7 : 6).data +
                              ((takes_right ? step.right : step.left) + from) * value_bytes,
                          static_cast<std::size_t>(value_bytes));
          }
        });
      };
}

}  // namespace tessera::algo
