#include "tessera/device/cuda/private_results.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/copy.h"
#include "tessera/device/cuda/driver.h"

namespace tessera::device::cuda {
namespace {

constexpr std::int64_t most_scratch = std::int64_t{256} << 20;
constexpr std::int64_t most_blocks = 65536;
constexpr std::int64_t alignment = 256;
constexpr std::int64_t fan = 32;  // results that one step of the tree combines

// Mirrored in builtin_kernels.cu.
struct device_group {
  std::int64_t lo[8];
  std::int64_t count[8];
  std::int64_t total;
  std::int64_t first;
  std::int64_t blocks;
};

/// What is on the host while a wave is made, in the layout it has on the device.
class table {
 public:
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + (values.size() * sizeof(T) + 15) / 16 * 16);
    if (!values.empty()) std::memcpy(bytes_.data() + at, values.data(), values.size() * sizeof(T));
    return at;
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Blocks that declare the same box, in the order of the wave; all of them, or those that follow each other.
struct group {
  box elements;
  std::vector<std::size_t> blocks;
};

/// One result of one wave.
struct wave_result {
  const private_result* spec = nullptr;
  std::vector<group> groups;
  std::vector<std::int64_t> begins;  // of each block's box in its piece, or -1
  std::int64_t piece = alignment;    // bytes of scratch per block
  std::int64_t most_blocks = 1;
  std::int64_t most_elements = 1;
  bool overlapping = false;
  std::size_t addresses = 0, ordered = 0, descriptors = 0, strides = 0;  // places in the table
};

bool overlap(std::vector<group>& groups) {
  if (groups.empty() || groups.front().elements.rank() == 0) return groups.size() > 1;
  std::vector<const box*> sorted;
  for (const group& g : groups) sorted.push_back(&g.elements);
  std::sort(sorted.begin(), sorted.end(), [](const box* a, const box* b) { return a->lo[0] < b->lo[0]; });
  std::vector<const box*> open;  // those that reach the current position on the first axis
  for (const box* b : sorted) {
    std::erase_if(open, [&](const box* o) { return o->hi[0] <= b->lo[0]; });
    for (const box* o : open)
      if (!intersect(*o, *b).empty()) return true;
    open.push_back(b);
  }
  return false;
}

/// Groups blocks by their boxes; only those that follow each other unless `all` with one box are to be together.
std::vector<group> grouped(const std::vector<std::pair<std::size_t, box>>& blocks, bool all) {
  std::vector<group> groups;
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (const auto& [n, b] : blocks) {
    std::vector<std::int64_t> key(b.lo.begin(), b.lo.end());
    key.insert(key.end(), b.hi.begin(), b.hi.end());
    const auto [at, fresh] = known.try_emplace(std::move(key), groups.size());
    if (fresh || (!all && at->second + 1 != groups.size())) {
      at->second = groups.size();
      groups.push_back({b, {}});
    }
    groups[at->second].blocks.push_back(n);
  }
  return groups;
}

class wave {
 public:
  wave(stream_queue& on, builtin_kernels& builtins, const launch_desc& launch, const extents& begin, const extents& end)
      : on_(on), builtins_(builtins), launch_(launch), begin_(begin), end_(end) {
    for (const private_result& r : launch.results) results_.push_back(prepare(r));
  }

  [[nodiscard]] std::int64_t blocks() const {
    return (end_[0] - begin_[0]) * (end_[1] - begin_[1]) * (end_[2] - begin_[2]);
  }
  [[nodiscard]] std::int64_t scratch_bytes() const {
    std::int64_t sum = 0;
    for (const wave_result& r : results_) sum += r.piece * blocks();
    return sum;
  }
  /// At most, of its tables.
  [[nodiscard]] std::int64_t table_bytes() const {
    constexpr std::int64_t per_group = sizeof(device_group), per_block = 2 * sizeof(CUdeviceptr);
    std::int64_t sum = 0;
    for (const wave_result& r : results_) sum += per_block * blocks() + per_group * std::ssize(r.groups);
    return sum;
  }

  template <class Enqueue>
  void enqueue(const Enqueue& kernel, std::vector<std::pair<std::byte*, std::int64_t>>& pinned) {
    const CUdeviceptr scratch = allocate(scratch_bytes());
    const table t = make_table(scratch);
    const CUdeviceptr tables = upload(t, pinned);
    CUdeviceptr at = scratch;
    for (const wave_result& r : results_) {
      const std::int64_t elements = r.piece * blocks() / r.spec->type.size;
      builtins_.fill(
          on_.stream(),
          {{reinterpret_cast<std::byte*>(at), {r.spec->type.size}}, {elements}, identity_of(r.spec->op, r.spec->type)});
      at += static_cast<CUdeviceptr>(r.piece * blocks());
    }
    kernel(begin_, end_, tables + parameters_);
    for (const wave_result& r : results_) combine(r, tables);
    check(driver().cuMemFreeAsync(scratch, on_.stream()), "giving back scratch memory");
    check(driver().cuMemFreeAsync(tables, on_.stream()), "giving back scratch memory");
  }

 private:
  wave_result prepare(const private_result& r) const;
  /// The groups, begins and size of pieces where all blocks declare one box, and where they do not.
  void add_uniform(wave_result& result) const;
  void add_blocks(wave_result& result) const;
  static std::int64_t piece_bytes(const private_result& r, const box& elements);
  table make_table(CUdeviceptr scratch);
  CUdeviceptr allocate(std::int64_t bytes) const;
  CUdeviceptr upload(const table& t, std::vector<std::pair<std::byte*, std::int64_t>>& pinned) const;
  void combine(const wave_result& r, CUdeviceptr tables) const;

  stream_queue& on_;
  builtin_kernels& builtins_;
  const launch_desc& launch_;
  extents begin_, end_;
  std::vector<wave_result> results_;
  std::size_t parameters_ = 0;  // place of the table of tables
};

wave_result wave::prepare(const private_result& r) const {
  wave_result result;
  result.spec = &r;
  if (r.elements.is_uniform())
    add_uniform(result);
  else
    add_blocks(result);
  for (const group& g : result.groups) {
    result.most_blocks = std::max(result.most_blocks, static_cast<std::int64_t>(g.blocks.size()));
    result.most_elements = std::max(result.most_elements, g.elements.volume());
  }
  return result;
}

std::int64_t wave::piece_bytes(const private_result& r, const box& elements) {
  return (span_bytes(r.strides, elements, r.type.size) + 2 * alignment - 1) / alignment * alignment;
}

void wave::add_uniform(wave_result& result) const {
  const private_result& r = *result.spec;
  const box elements = r.elements.of(begin_);
  const auto count = static_cast<std::size_t>(blocks());
  result.begins.assign(count, elements.empty() ? -1 : offset_of(r.strides, elements.lo));
  if (elements.empty()) return;
  result.piece = std::max(result.piece, piece_bytes(r, elements));
  result.groups.push_back({elements, std::vector<std::size_t>(count)});
  std::iota(result.groups.back().blocks.begin(), result.groups.back().blocks.end(), std::size_t{0});
}

void wave::add_blocks(wave_result& result) const {
  const private_result& r = *result.spec;
  std::vector<std::pair<std::size_t, box>> boxes;
  std::size_t n = 0;
  for (std::int64_t z = begin_[2]; z < end_[2]; ++z)
    for (std::int64_t y = begin_[1]; y < end_[1]; ++y)
      for (std::int64_t x = begin_[0]; x < end_[0]; ++x, ++n) {
        const box b = r.elements.of({x, y, z});
        result.begins.push_back(b.empty() ? -1 : offset_of(r.strides, b.lo));
        if (b.empty()) continue;
        result.piece = std::max(result.piece, piece_bytes(r, b));
        boxes.emplace_back(n, b);
      }
  result.groups = grouped(boxes, true);
  result.overlapping = overlap(result.groups);
  if (result.overlapping && launch_.in_order) result.groups = grouped(boxes, false);
}

table wave::make_table(CUdeviceptr scratch) {
  table t;
  for (wave_result& r : results_) {
    std::vector<CUdeviceptr> addresses, ordered;
    const auto origin = reinterpret_cast<CUdeviceptr>(r.spec->origin);
    for (std::size_t n = 0; n < r.begins.size(); ++n) {
      const CUdeviceptr piece = scratch + static_cast<CUdeviceptr>(r.piece) * n;
      // Elements keep the alignment they have in the array.
      const auto begin = static_cast<CUdeviceptr>(std::max<std::int64_t>(0, r.begins[n]));
      addresses.push_back(piece + (origin + begin) % alignment - begin);
    }
    std::vector<device_group> descriptors;
    for (const group& g : r.groups) {
      device_group d{};
      for (int k = 0; k < g.elements.rank(); ++k) d.lo[k] = g.elements.lo[k], d.count[k] = g.elements.extent(k);
      d.total = g.elements.volume();
      d.first = static_cast<std::int64_t>(ordered.size());
      d.blocks = static_cast<std::int64_t>(g.blocks.size());
      for (const std::size_t n : g.blocks) ordered.push_back(addresses[n]);
      descriptors.push_back(d);
    }
    scratch += static_cast<CUdeviceptr>(r.piece) * r.begins.size();
    r.addresses = t.add(addresses);
    r.ordered = t.add(ordered);
    r.descriptors = t.add(descriptors);
    r.strides = t.add(std::vector<std::int64_t>(r.spec->strides.begin(), r.spec->strides.end()));
  }
  parameters_ = t.add(std::vector<CUdeviceptr>(launch_.arguments.size()));
  return t;
}

CUdeviceptr wave::allocate(std::int64_t bytes) const {
  CUdeviceptr p = 0;
  const CUresult result = driver().cuMemAllocAsync(&p, static_cast<std::size_t>(bytes), on_.stream());
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    throw out_of_memory(cat("no room for ", bytes, " bytes of private results on GPU ", on_.hardware().ordinal));
  check(result, "taking scratch memory");
  return p;
}

/// The table on the device, with the addresses of its own parts filled in.
CUdeviceptr wave::upload(const table& t, std::vector<std::pair<std::byte*, std::int64_t>>& pinned) const {
  const auto bytes = static_cast<std::int64_t>(t.bytes().size());
  const CUdeviceptr place = allocate(bytes);
  std::byte* const buffer = on_.hardware().pinned.take(bytes);
  pinned.emplace_back(buffer, bytes);
  std::memcpy(buffer, t.bytes().data(), t.bytes().size());
  auto* const parameters = reinterpret_cast<CUdeviceptr*>(buffer + parameters_);
  for (const wave_result& r : results_) parameters[r.spec->parameter] = place + r.addresses;
  check(driver().cuMemcpyAsync(place, reinterpret_cast<CUdeviceptr>(buffer), t.bytes().size(), on_.stream()),
        "copying a table");
  return place;
}

void wave::combine(const wave_result& r, CUdeviceptr tables) const {
  if (r.groups.empty()) return;
  const CUfunction f = builtins_.function(cat("tessera_combine_", static_cast<int>(r.spec->type.kind)));
  std::byte* target = r.spec->origin;
  CUdeviceptr addresses = tables + r.ordered, groups = tables + r.descriptors, strides = tables + r.strides;
  auto count = static_cast<std::int64_t>(r.groups.size());
  int rank = r.spec->strides.rank(), op = static_cast<int>(r.spec->op), last = 0;
  std::int64_t stride = 1, width = fan;
  void* arguments[] = {&target, &addresses, &groups, &count, &strides, &rank, &stride, &width, &op, &last};
  const auto step = [&](std::int64_t items) {
    const auto rows = static_cast<unsigned>(std::min<std::int64_t>(count, 32768));
    const auto columns = std::min(blocks_for(on_.hardware(), items), std::max(1U, (1U << 20) / rows));
    launch_builtin(f, on_.stream(), {columns, rows}, arguments);
  };
  for (; stride < r.most_blocks && !launch_.in_order; stride *= fan)
    step((r.most_blocks + stride * fan - 1) / (stride * fan) * r.most_elements);
  last = 1;
  if (!r.overlapping) return step(r.most_elements);
  count = 1;
  for (std::size_t g = 0; g < r.groups.size(); ++g, groups += sizeof(device_group)) step(r.most_elements);
}

}  // namespace

std::function<void()> launch_private(stream_queue& on, builtin_kernels& builtins, const launch_desc& launch,
                                     const std::function<void(const extents&, const extents&, CUdeviceptr)>& enqueue) {
  auto pinned = std::make_shared<std::vector<std::pair<std::byte*, std::int64_t>>>();
  // Waves are boxes of whole blocks, so the slowest axis is cut first.
  const std::function<void(const extents&, const extents&, std::int64_t)> run =
      [&](const extents& begin, const extents& end, std::int64_t most) {
        const extents slow_first{end[2] - begin[2], end[1] - begin[1], end[0] - begin[0]};
        for_each_chunk(slow_first, 1, most, [&](const extents& lo, const extents& size) {
          const extents first{begin[0] + lo[2], begin[1] + lo[1], begin[2] + lo[0]};
          const extents last{first[0] + size[2], first[1] + size[1], first[2] + size[0]};
          wave w(on, builtins, launch, first, last);
          if (w.scratch_bytes() + w.table_bytes() > std::min(most_scratch, launch.workspace) && w.blocks() > 1)
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
