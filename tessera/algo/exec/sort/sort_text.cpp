#include "tessera/algo/exec/sort/sort_text.h"

#include <string_view>

#include "tessera/algo/exec/pattern.h"
#include "tessera/algo/exec/sort/text_head.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

constexpr std::string_view gpu_sample = R"(
  const long long block = blockIdx.x, count = bounds[block + 1] - bounds[block], first = places_at[block];
  const long long wanted = places_at[block + 1] - first;
  for (long long k = threadIdx.x; k < wanted; k += blockDim.x)
    samples[first + k] = keys[bounds[block] + (k + 1 < wanted ? k * spacing : count - 1)];
}
)";
constexpr std::string_view cpu_sample = R"(
  for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {
    const long long count = bounds[block + 1] - bounds[block], first = places_at[block];
    const long long wanted = places_at[block + 1] - first;
    for (long long k = 0; k < wanted; ++k)
      samples[first + k] = keys[bounds[block] + (k + 1 < wanted ? k * spacing : count - 1)];
  }
}
)";

/// Elements that come before a splitter: equal ones of earlier runs do, of later runs do not.
constexpr std::string_view one_cut = R"(
    const key_type splitter = splitters[q];
    const long long run = marks[2 * q];
    cuts[block * count + q] = run == block ? marks[2 * q + 1]
                              : run > block ? tessera::algo::upper_place<order_type>{before}(own, splitter, 0, own_count)
                                            : tessera::algo::lower_place<order_type>{before}(own, splitter, 0, own_count);
)";
/// The loop over splitters, which has this end.
std::string cut_loop(std::string_view begin, std::string_view end) {
  std::string body(one_cut);
  if (planted("tie_on_other_side")) body = replaced(body, "run > block", "run < block");
  return cat(begin, body, end);
}
constexpr std::string_view gpu_cut = R"(
  const long long block = blockIdx.x;
  const key_type* const own = keys + bounds[block];
  const long long own_count = bounds[block + 1] - bounds[block];
  for (long long q = threadIdx.x; q < count; q += blockDim.x) {)";
constexpr std::string_view cpu_cut = R"(
  for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {
    const key_type* const own = keys + bounds[block];
    const long long own_count = bounds[block + 1] - bounds[block];
    for (long long q = 0; q < count; ++q) {)";

constexpr std::string_view gpu_step = R"(
  const long long* const step = merges + blockIdx.x / tiles * 5;
  const long long left_count = step[1], right_count = step[3], size = left_count + right_count;
  const long long begin = blockIdx.x % tiles * tile_size;
  if (begin >= size) return;
  const long long count = begin + tile_size < size ? tile_size : size - begin;
  const key_type* left = left_keys + step[0];
  const key_type* right = right_keys + step[2];
  key_type* const to = keys + step[4] + begin;
)";
constexpr std::string_view cpu_step = R"(
  for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {
    const long long* const step = merges + block / tiles * 5;
    const long long left_count = step[1], right_count = step[3], size = left_count + right_count;
    const long long begin = block % tiles * tile_size;
    if (begin >= size) continue;
    const long long count = begin + tile_size < size ? tile_size : size - begin;
    const key_type* const left = left_keys + step[0];
    const key_type* const right = right_keys + step[2];
    key_type* const to = keys + step[4] + begin;
)";
/// Behind the beginning of a step, on either kind of device.
constexpr std::string_view step_values = R"(
  const value_type* const value_left = left_values + step[0];
  const value_type* const value_right = right_values + step[2];
  value_type* const value_to = values + step[4] + begin;
)";
/// A step of the merge on a CPU: one element after the other, without a branch on the keys.
constexpr std::string_view cpu_merge = R"(
    long long l = tessera::algo::merge_path(left, left_count, right, right_count, begin, before), r = begin - l;
    long long k = 0;
    for (; k < count && l < left_count && r < right_count; ++k) {
      const bool takes_right = before(right[r], left[l]);
      to[k] = takes_right ? right[r] : left[l];
@V      value_to[k] = takes_right ? value_right[r] : value_left[l];
      r += takes_right ? 1 : 0;
      l += takes_right ? 0 : 1;
    }
    for (; k < count && l < left_count; ++k, ++l) {
      to[k] = left[l];
@V      value_to[k] = value_left[l];
    }
    for (; k < count; ++k, ++r) {
      to[k] = right[r];
@V      value_to[k] = value_right[r];
    }
  }
}
)";

/// `text` with the lines that begin with "@V" only where there are values.
std::string with_values(std::string_view text, bool has_values) {
  std::string made;
  while (!text.empty()) {
    const std::size_t end = text.find('\n') + 1;
    const std::string_view line = text.substr(0, end);
    if (!line.starts_with("@V"))
      made += line;
    else if (has_values)
      made += line.substr(2);
    text.remove_prefix(end);
  }
  return made;
}

}  // namespace

kernel_text sample_text(const sort_types& types) {
  const text_head head{types, "sample_kernel",
                       cat("long long spacing, const ", types.key, "* keys, const long long* bounds, const long long* ",
                           "places_at, ", types.key, "* samples")};
  return {"sample_kernel", "block b => read keys[runs(b)], read bounds, read places_at, write samples[places(b)]",
          head.text(false, false) + std::string(gpu_sample), head.text(false, false) + std::string(cpu_sample),
          head.all_parameters(false)};
}

kernel_text cut_text(const sort_types& types) {
  const text_head head{types, "cut_kernel",
                       cat("long long count, const ", types.key, "* keys, const long long* bounds, const ", types.key,
                           "* splitters, const long long* marks, long long* cuts")};
  return {"cut_kernel",
          "block b => read keys[runs(b)], read bounds, read splitters, read marks, write cuts[b * count : b * count + "
          "count - 1]",
          cat(head.text(true, false), cut_loop(gpu_cut, "  }\n}\n")),
          cat(head.text(true, false), cut_loop(cpu_cut, "    }\n  }\n}\n")), head.all_parameters(true)};
}

kernel_text merge_text(const sort_types& types) {
  const bool values = types.has_values();
  std::string parameters = cat("long long tiles, long long tile_size, const long long* merges, const ", types.key,
                               "* left_keys, const ", types.key, "* right_keys, ", types.key, "* keys");
  std::string rules =
      "block b => read merges[b / tiles, :], read left_keys[left(b / tiles)], read right_keys[right(b / tiles)], "
      "write keys[made(b / tiles)]";
  if (values) {
    parameters +=
        cat(", const ", types.value, "* left_values, const ", types.value, "* right_values, ", types.value, "* values");
    rules += ", read left_values[left(b / tiles)], read right_values[right(b / tiles)], write values[made(b / tiles)]";
  }
  const text_head head{types, "merge_kernel", parameters};
  return {"merge_kernel", rules,
          cat(head.text(true, true), gpu_step, values ? step_values : "", block_merge_text(values)),
          cat(head.text(true, false), cpu_step, values ? step_values : "", with_values(cpu_merge, values)),
          head.all_parameters(true)};
}

}  // namespace tessera::algo
