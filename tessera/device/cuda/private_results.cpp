#include "tessera/device/cuda/private_results.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/compile/reduction_code.h"
#include "tessera/device/cuda/copy.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/cuda/result_wave.h"

namespace tessera::device::cuda {
namespace {

constexpr std::int64_t most_scratch = std::int64_t{256} << 20;
constexpr std::int64_t most_blocks = std::int64_t{1} << 22;
constexpr double most_candidates = 1e9;  // that one wave looks at: some milliseconds
constexpr std::int64_t alignment = 256;

using pinned_list = std::vector<std::pair<std::byte*, std::int64_t>>;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// The blocks [begin, end) of a launch with the scratch memory that their results take, in one piece: the table of the
/// kernel's parameters, then for each result addresses, lists of ranges, sums of runs and slots.
class wave {
 public:
  wave(stream_queue& on, builtin_kernels& builtins, const launch_desc& launch, const extents& begin, const extents& end)
      : on_(on), builtins_(builtins), launch_(launch), begin_(begin), end_(end) {
    for (const private_result& r : launch.results)
      if (!r.by_atomics || launch.in_order)
        specs_.push_back(&r), results_.push_back(plan_wave(r, begin, end, launch.in_order));
  }

  [[nodiscard]] std::int64_t blocks() const {
    return (end_[0] - begin_[0]) * (end_[1] - begin_[1]) * (end_[2] - begin_[2]);
  }

  [[nodiscard]] std::int64_t scratch_bytes() const {
    std::int64_t sum = table_bytes();
    for (std::size_t r = 0; r < results_.size(); ++r) sum += result_bytes(r);
    return sum;
  }

  [[nodiscard]] bool is_too_large() const {
    double candidates = 0;
    for (const wave_result& r : results_) candidates += r.candidates;
    return blocks() > 1 && (candidates > most_candidates * static_cast<double>(results_.size()) ||
                            scratch_bytes() > std::min(most_scratch, launch_.workspace));
  }

  template <class Enqueue>
  void enqueue(const Enqueue& kernel, pinned_list& pinned) {
    const CUdeviceptr scratch = allocate(scratch_bytes());
    CUdeviceptr at = scratch + static_cast<CUdeviceptr>(table_bytes());
    std::vector<CUdeviceptr> partial;
    for (std::size_t r = 0; r < results_.size(); ++r) {
      partial.push_back(place(r, at, pinned));
      at += static_cast<CUdeviceptr>(result_bytes(r));
      prepare(r, scratch);
    }
    kernel(begin_, end_, scratch);
    for (std::size_t r = 0; r < results_.size(); ++r) combine(r, partial[r]);
    check(driver().cuMemFreeAsync(scratch, on_.stream()), "giving back scratch memory");
  }

 private:
  [[nodiscard]] std::int64_t table_bytes() const {
    return aligned(std::ssize(launch_.arguments) * static_cast<std::int64_t>(sizeof(CUdeviceptr)));
  }
  [[nodiscard]] std::int64_t address_bytes() const {
    return aligned(blocks() * static_cast<std::int64_t>(sizeof(CUdeviceptr)));
  }
  [[nodiscard]] static std::int64_t list_bytes(const block_boxes::axis& a) {
    return a.listed ? aligned(std::ssize(a.listed->ranges) * static_cast<std::int64_t>(sizeof(tessera_range))) : 0;
  }
  [[nodiscard]] std::int64_t result_bytes(std::size_t r) const {
    std::int64_t sum =
        address_bytes() + aligned(results_[r].partial_bytes) + aligned(results_[r].slots.bytes * blocks());
    for (const block_boxes::axis& a : specs_[r]->elements.axes) sum += list_bytes(a);
    return sum;
  }

  [[nodiscard]] CUdeviceptr allocate(std::int64_t bytes) const;
  /// Gives a result its part of the scratch memory, from `at` on; returns the place of its sums of runs.
  CUdeviceptr place(std::size_t r, CUdeviceptr at, pinned_list& pinned);
  void upload(CUdeviceptr to, const std::vector<block_boxes::range>& ranges, pinned_list& pinned) const;
  void prepare(std::size_t r, CUdeviceptr table);
  void combine(std::size_t r, CUdeviceptr partial);
  /// The built-in kernel `name`, or `own` of a registered operation.
  [[nodiscard]] CUfunction function(const std::string& name, CUfunction reduction_code::*own, std::size_t r) const {
    const reduction_code* const code = specs_[r]->code;
    return code != nullptr ? code->*own : builtins_.private_function(specs_[r]->type.kind, name);
  }
  /// Kernels of registered operations do not look at it.
  [[nodiscard]] device_value identity(std::size_t r) const {
    if (specs_[r]->code != nullptr) return {};
    const std::vector<std::byte> bytes = identity_of(specs_[r]->op, specs_[r]->type);
    device_value value{};
    std::memcpy(value.bytes, bytes.data(), bytes.size());
    return value;
  }

  stream_queue& on_;
  builtin_kernels& builtins_;
  const launch_desc& launch_;
  extents begin_, end_;
  std::vector<const private_result*> specs_;  // of results that blocks do not share
  std::vector<wave_result> results_;
};

CUdeviceptr wave::allocate(std::int64_t bytes) const {
  CUdeviceptr p = 0;
  const CUresult result = driver().cuMemAllocAsync(&p, static_cast<std::size_t>(bytes), on_.stream());
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    throw out_of_memory(cat("no room for ", bytes, " bytes of private results on GPU ", on_.hardware().ordinal));
  check(result, "taking scratch memory");
  return p;
}

CUdeviceptr wave::place(std::size_t r, CUdeviceptr at, pinned_list& pinned) {
  tessera_slots& s = results_[r].slots;
  s.address = reinterpret_cast<unsigned long long*>(at);
  at += static_cast<CUdeviceptr>(address_bytes());
  for (int a = 0; a < s.rank; ++a) {
    const block_boxes::axis& from = specs_[r]->elements.axes[static_cast<std::size_t>(a)];
    if (!from.listed) continue;
    s.axes[a].listed = reinterpret_cast<const tessera_range*>(at);
    upload(at, from.listed->ranges, pinned);
    at += static_cast<CUdeviceptr>(list_bytes(from));
  }
  const CUdeviceptr partial = at;
  s.memory = at + static_cast<CUdeviceptr>(aligned(results_[r].partial_bytes));
  return partial;
}

void wave::upload(CUdeviceptr to, const std::vector<block_boxes::range>& ranges, pinned_list& pinned) const {
  static_assert(sizeof(block_boxes::range) == sizeof(tessera_range));
  const auto bytes = std::ssize(ranges) * static_cast<std::int64_t>(sizeof(tessera_range));
  if (bytes == 0) return;
  std::byte* const buffer = on_.hardware().pinned.take(bytes);
  pinned.emplace_back(buffer, bytes);
  std::memcpy(buffer, ranges.data(), static_cast<std::size_t>(bytes));
  check(
      driver().cuMemcpyAsync(to, reinterpret_cast<CUdeviceptr>(buffer), static_cast<std::size_t>(bytes), on_.stream()),
      "copying a table");
}

void wave::prepare(std::size_t r, CUdeviceptr table) {
  tessera_slots& s = results_[r].slots;
  int parameter = specs_[r]->parameter;
  int clear = r == 0 ? static_cast<int>(launch_.arguments.size()) : 0;
  unsigned lanes = slot_lanes(results_[r]);
  device_value value = identity(r);
  void* arguments[] = {&s, &table, &parameter, &clear, &lanes, &value};
  launch_builtin(function("tessera_prepare", &reduction_code::prepare, r), on_.stream(),
                 {blocks_for(on_.hardware(), blocks() * lanes), 1}, arguments);
}

void wave::combine(std::size_t r, CUdeviceptr partial) {
  tessera_slots& s = results_[r].slots;
  tessera_combination& c = results_[r].combination;
  if (c.items == 0) return;
  device_value value = identity(r);
  const bool few = has_few_items(results_[r]);
  void* arguments[] = {&s, &c, &partial, &value};
  const unsigned grid =
      blocks_for(on_.hardware(), few ? c.items * c.runs * std::int64_t{builtin_block} : c.items * c.runs);
  const CUfunction f = few ? function("tessera_combine_few", &reduction_code::combine_few, r)
                           : function("tessera_combine", &reduction_code::combine, r);
  launch_builtin(f, on_.stream(), {grid, 1}, arguments);
  if (c.runs == 1) return;
  unsigned lanes = few ? builtin_block : 1;
  void* rest[] = {&s, &c, &partial, &lanes, &value};
  launch_builtin(function("tessera_finish", &reduction_code::finish, r), on_.stream(),
                 {blocks_for(on_.hardware(), c.items * lanes), 1}, rest);
}

}  // namespace

std::function<void()> launch_private(stream_queue& on, builtin_kernels& builtins, const launch_desc& launch,
                                     const std::function<void(const extents&, const extents&, CUdeviceptr)>& enqueue) {
  auto pinned = std::make_shared<pinned_list>();
  // Waves are boxes of whole blocks, so the slowest axis is cut first.
  const std::function<void(const extents&, const extents&, std::int64_t)> run =
      [&](const extents& begin, const extents& end, std::int64_t most) {
        const extents slow_first{end[2] - begin[2], end[1] - begin[1], end[0] - begin[0]};
        for_each_chunk(slow_first, 1, most, [&](const extents& lo, const extents& size) {
          const extents first{begin[0] + lo[2], begin[1] + lo[1], begin[2] + lo[0]};
          const extents last{first[0] + size[2], first[1] + size[1], first[2] + size[0]};
          wave w(on, builtins, launch, first, last);
          if (w.is_too_large())
            run(first, last, (w.blocks() + 1) / 2);
          else
            w.enqueue(enqueue, *pinned);
        });
      };
  run(launch.begin, launch.end, most_blocks);
  return [pinned, &pool = on.hardware().pinned] {
    for (const auto& [buffer, bytes] : *pinned) pool.give(buffer, bytes);
  };
}

}  // namespace tessera::device::cuda
