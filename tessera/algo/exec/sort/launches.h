#pragma once

#include <span>
#include <vector>

#include "tessera/algo/container/access.h"
#include "tessera/algo/exec/sort/sort_launch.h"
#include "tessera/array/context.h"
#include "tessera/plan/machine.h"

namespace tessera::algo {

/// Keys and values in arrays, whole or parts.
struct element_arrays {
  array_base keys, values;

  [[nodiscard]] element_arrays part(std::int64_t lo, std::int64_t hi) const {
    return {keys.slice({{lo, hi}}), values.record() == nullptr ? values : values.slice({{lo, hi}})};
  }
};
/// The elements for a launch; throws `argument_error` if a guard excludes it.
[[nodiscard]] element_arrays for_launch(const keyed_elements& all, access mode, call_site here);
void require_free(const keyed_elements& all, access mode, call_site here);
/// Where runs are, as a layout.
[[nodiscard]] plan::layout layout_of(std::span<const device_part> runs);
[[nodiscard]] sort_types types_of(const keyed_elements& all, const key_order& order);

/// The launches that sorts and merges are made of.
class sort_launches {
 public:
  sort_launches(const context& ctx, const sort_types& types, const key_order& order, call_site here);

  [[nodiscard]] const plan::machine_table& machine() const;
  [[nodiscard]] std::int64_t element_bytes() const { return types_.key_bytes() + types_.value_bytes(); }
  /// Elements that one step merges.
  [[nodiscard]] std::int64_t tile() const;

  /// Memory for as many elements as `like` has, in the parts that `runs` have.
  [[nodiscard]] element_arrays spare(const element_arrays& like, std::span<const device_part> runs);
  /// Sorts each run of `all`; the results stand in `all`, or in `spare`.
  void sort_runs(const element_arrays& all, const element_arrays& spare, std::span<const device_part> runs,
                 bool to_spare);
  /// Samples of sorted runs of `keys`, one every `spacing` elements.
  [[nodiscard]] array_base sample(const array_base& keys, std::span<const device_part> runs,
                                  const sample_plan& samples);
  /// Where each splitter cuts each run; run 0 is run `first_run` of those that the splitters name.
  [[nodiscard]] array<std::int64_t> cut(const array_base& keys, std::span<const device_part> runs,
                                        const key_samples& samples, std::span<const splitter> splitters,
                                        std::int64_t first_run);
  /// The steps of a merge of elements of `left` and `right` into `to`.
  void merge(const element_arrays& left, const element_arrays& right, const element_arrays& to,
             const merge_round& round);

 private:
  [[nodiscard]] bool is_on_cpu(int device) const;
  [[nodiscard]] argument numbers(const std::vector<std::int64_t>& all);
  void add_order(std::vector<argument>& list) const;
  /// A launch of one thread block per run, where the run is.
  [[nodiscard]] launch_options settings(const char* name, std::span<const device_part> runs) const;
  void sort_on_cpus(const element_arrays& all, const element_arrays& spare, const std::vector<device_part>& runs,
                    bool to_spare);
  /// True if what a sort leaves in its spare memory must have had contents before, for checks of results to see it; the
  /// memory gets some.
  bool keeps_spare(const element_arrays& spare);
  /// By CUB, where it can; else thread blocks sort tiles, and neighbouring tiles are merged until one run is left.
  void sort_on_gpu(const element_arrays& run, const element_arrays& spare, const device_part& of, bool to_spare);
  bool sort_by_cub(const element_arrays& run, const element_arrays& spare, const device_part& of, bool to_spare);

  context ctx_;
  const sort_types& types_;
  const key_order& order_;
  call_site site_;
};

/// In how many parts `n` elements are put in order: one per device unless there is too little to share, and as many as
/// it takes for eight of them to fit into the memory of a device: both sides of a merge and its results, in whole
/// pages.
struct part_sizes {
  std::int64_t most = 1;  ///< Elements of a part.
  std::int64_t parts = 1;

  part_sizes(const sort_launches& launches, std::int64_t n);
};

/// Elements as runs where they are.
[[nodiscard]] std::vector<device_part> runs_of(const part_sizes& sizes, const operand& keys);
/// The device of each of `parts` parts of the result, the first one on device `first` of those that take part.
[[nodiscard]] std::vector<int> devices_of_parts(const sort_launches& launches, std::int64_t parts, int first = 0);

}  // namespace tessera::algo
