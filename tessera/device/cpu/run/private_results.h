#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cpu/run/launch.h"

namespace tessera::device {

/// A box of an array in memory of its own, with the array's strides and the array's alignment modulo 256 bytes.
class box_buffer {
 public:
  /// Bytes that alignment may add.
  static constexpr std::int64_t extra = 256;
  /// At most what `elements` of `of` take.
  [[nodiscard]] static std::int64_t bytes(const private_result& of, const box& elements);
  /// Makes room for `elements` of `of` and sets them to `identity`. Memory is kept from one use to the next.
  void prepare(const private_result& of, const box& elements, std::span<const std::byte> identity);
  /// Address that element 0 of the array would have.
  [[nodiscard]] std::byte* origin() const { return origin_; }
  [[nodiscard]] const box& elements() const { return elements_; }

 private:
  struct release {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, release> room_;
  std::size_t size_ = 0;
  std::byte* origin_ = nullptr;
  box elements_;
};

/// A launch whose blocks own private results. The blocks, in x-fastest order, are cut into as many runs as the device
/// has cores, or a few times as many if results are small, or fewer if they would take more memory than the launch may;
/// the blocks of a run are combined in order, then the runs in order. So the result depends on the launch, that limit
/// and the number of cores alone. A launch that is `in_order` has its blocks dealt out one by one, and each is combined
/// when those before it have been. Where the kernel reaches all results by atomics alone, and no order is asked for,
/// the blocks of a run share the run's result. Target contents take part in the combination: they are never
/// overwritten.
class private_launch {
 public:
  /// `launch` outlives this object, and so does `watch`, which may be null.
  private_launch(launch_desc& launch, tessera_cpu_entry entry, int cores, const observer* watch);

  [[nodiscard]] std::int64_t runs() const { return runs_; }
  /// Runs may be done beside each other, each once.
  void do_run(std::int64_t run);
  /// After all runs.
  void combine_runs();

 private:
  struct result {
    const private_result* spec;
    std::vector<std::byte> identity;
  };

  [[nodiscard]] bool fits(std::int64_t runs) const;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> blocks_of(std::int64_t run, std::int64_t runs) const;
  [[nodiscard]] box elements(const result& r, std::int64_t block) const;
  /// A box around those of the blocks first, ..., last - 1; there is at least one.
  [[nodiscard]] box elements(const result& r, std::int64_t first, std::int64_t last) const;
  /// The results, as `tessera_cpu_launch::own` names them.
  [[nodiscard]] unsigned long long own_parameters() const;
  void prepare_accumulators(std::int64_t run, std::int64_t first, std::int64_t last);
  /// Runs blocks on private results of their own; `combine(block, results)` follows each.
  template <class Next, class Combine>
  void run_each(Next next, Combine combine);
  void do_blocks_in_turn();
  /// Runs the blocks first, ..., last - 1 on the run's own results.
  void do_shared_run(std::int64_t run, std::int64_t first, std::int64_t last);
  bool await_turn(std::int64_t block) const;
  static void combine_into(const result& r, std::byte* target_origin, const box_buffer& from);

  launch_desc& launch_;
  tessera_cpu_entry entry_;
  const observer* watch_;
  block_range range_;
  std::int64_t runs_;
  bool shared_ = false;  // the blocks of a run share its results
  std::vector<result> results_;
  std::atomic<std::int64_t> next_{0}, turn_{0};  // of blocks in order
  std::atomic<bool> failed_{false};
  std::vector<std::vector<box_buffer>> accumulators_;  // of each run but the first, which uses the target itself
};

}  // namespace tessera::device
