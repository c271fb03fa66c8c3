#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <random>

#include "cpu_kernel.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/compile/builtin_source.h"
#include "tessera/device/cuda/result_wave.h"
#include "tessera/kernel/source/signature.h"

/// The built-in kernels for private results, which GPUs run, compiled for the CPU: what they do is compared with
/// `block_boxes::of`, block by block.
namespace tessera::device::cuda {
namespace {

using support::cpu_kernel;

struct alignas(16) value {
  unsigned char bytes[128];
};

/// The kernels for floats: those of the built-in operations, or those of a registered one, which is a sum.
struct float_kernels {
  bool registered = false;
  cpu_kernel prepare =
      make("prepare",
           "const tessera_slots s, u64 parameters, int parameter, int clear, unsigned lanes, const tessera_value v",
           "s, (const u64**)parameters, parameter, clear, lanes, v");
  cpu_kernel combine =
      make("combine", "const tessera_slots s, const tessera_combination c, u8* partial, const tessera_value v",
           "s, c, partial, v");
  cpu_kernel combine_few =
      make("combine_few", "const tessera_slots s, const tessera_combination c, u8* partial, const tessera_value v",
           "s, c, partial, v");
  cpu_kernel finish = make(
      "finish",
      "const tessera_slots s, const tessera_combination c, const u8* partial, unsigned lanes, const tessera_value v",
      "s, c, partial, lanes, v");

  cpu_kernel make(const std::string& name, const std::string& parameters, const std::string& passed) const {
    constexpr const char* operation = R"(
using namespace __tessera_private;
struct sum {
  typedef float __tessera_type;
  static __device__ float __tessera_identity() { return 0.0f; }
  static __device__ void __tessera_combine(float& a, const float& b) { a += b; }
};
)";
    const std::string text =
        cat("#define __grid_constant__\n",
            registered ? registered_kernels() + operation : private_kernels(scalar_kind::float32), "__global__ void ",
            name, "_float(", parameters, ") { ",
            registered ? cat("__tessera_kernels<sum>::__tessera_", name) : cat(name, "<float>"), "(", passed, "); }\n");
    return {kernels::parse_kernel(text, "private_kernels.cu", name + "_float"), kernels::tier::fiber, {256, 1, 1}};
  }
};

/// Boxes of blocks as annotations give them: affine bounds, steps, limits and lists.
class random_boxes {
 public:
  explicit random_boxes(std::uint32_t seed) : random_(seed) {}

  std::int64_t draw(std::int64_t lo, std::int64_t hi) { return std::uniform_int_distribution(lo, hi)(random_); }

  block_boxes make(const extents& shape, const extents& begin, const extents& end) {
    block_boxes boxes;
    if (shape.rank() > 0 && draw(0, 2) == 0) {
      const int k = static_cast<int>(draw(0, 2));
      boxes.limit[index(k)] = draw(begin[k], end[k]);
    }
    for (int a = 0; a < shape.rank(); ++a) boxes.axes.push_back(axis(shape[a], begin, end, boxes.limit));
    return boxes;
  }

 private:
  block_boxes::axis axis(std::int64_t extent, const extents& begin, const extents& end,
                         const std::array<std::int64_t, 3>& limit) {
    block_boxes::axis a;
    a.extent = extent;
    if (draw(0, 5) == 0) return listed(a, begin, end);
    a.lo.constant = draw(-3, 3);
    a.hi.constant = a.lo.constant + draw(1, 4);
    if (draw(0, 3) == 0) a.lo.constant = 0, a.hi.constant = extent;
    for (int k = 0; k < 3; ++k) {
      if (draw(0, 1) == 0) continue;
      a.lo.factor[index(k)] = a.hi.factor[index(k)] = draw(-2, 6);
      if (draw(0, 5) == 0) ++a.hi.factor[index(k)];
      if (limit[index(k)] != block_boxes::no_limit && draw(0, 1) == 0)
        a.lo.at_limit[index(k)] = draw(0, 1), a.hi.at_limit[index(k)] = -draw(0, 2);
    }
    a.step = draw(0, 4) == 0 ? 2 : 1;
    return a;
  }
  block_boxes::axis listed(block_boxes::axis a, const extents& begin, const extents& end) {
    block_boxes::listing list;
    std::int64_t entries = 1;
    for (int k = 0; k < 3; ++k) {
      list.first[index(k)] = begin[k];
      if (draw(0, 1) == 0 || end[k] - begin[k] == 1) continue;
      list.stride[index(k)] = entries;
      entries *= end[k] - begin[k];
    }
    for (std::int64_t i = 0; i < entries; ++i) {
      const std::int64_t lo = draw(0, a.extent - 1);
      list.ranges.push_back({lo, draw(lo, a.extent)});
    }
    a.listed = std::make_shared<const block_boxes::listing>(std::move(list));
    return a;
  }

  std::mt19937 random_;
};

struct wave_run {
  const float_kernels& kernels;
  private_result result;
  extents begin, end;
  bool in_order;
  std::vector<float> target;
  wave_result wave{};
  std::vector<std::uint64_t> addresses{};
  std::vector<std::byte> memory{}, partial{};
  value identity{};

  std::int64_t blocks() const { return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]); }

  template <class Visit>
  void for_each_block(Visit visit) const {
    std::size_t slot = 0;
    for (std::int64_t z = begin[2]; z < end[2]; ++z)
      for (std::int64_t y = begin[1]; y < end[1]; ++y)
        for (std::int64_t x = begin[0]; x < end[0]; ++x) visit(slot++, result.elements.of({x, y, z}));
  }
  template <class Visit>
  static void for_each_element(const box& b, const extents& strides, Visit visit) {
    if (b.empty()) return;
    for (extents at = b.lo;;) {
      visit(offset_of(strides, at));
      int a = b.rank() - 1;
      while (a >= 0 && ++at[a] == b.hi[a]) at[a] = b.lo[a], --a;
      if (a < 0) return;
    }
  }

  void prepare() {
    result.origin = reinterpret_cast<std::byte*>(target.data());
    wave = plan_wave(result, begin, end, in_order);
    addresses.assign(index(blocks()), 0);
    memory.assign(index(wave.slots.bytes * blocks() + 256), std::byte{0x55});
    partial.assign(index(std::max<std::int64_t>(wave.partial_bytes, 1)), std::byte{0x55});
    wave.slots.address = reinterpret_cast<unsigned long long*>(addresses.data());
    wave.slots.memory = (reinterpret_cast<std::uintptr_t>(memory.data()) + 255) / 256 * 256;
    for (int a = 0; a < wave.slots.rank; ++a)
      if (const auto& list = result.elements.axes[index(a)].listed)
        wave.slots.axes[a].listed = reinterpret_cast<const tessera_range*>(list->ranges.data());
    const std::vector<std::byte> e = identity_of(result.op, result.type);
    std::memcpy(identity.bytes, e.data(), e.size());
    const std::uint64_t* table[3] = {nullptr, nullptr, nullptr};
    const std::uint64_t** tables = table;
    int parameter = 1, clear = 3;
    unsigned lanes = slot_lanes(wave);
    kernels.prepare.run({3, 1, 1}, {&wave.slots, &tables, &parameter, &clear, &lanes, &identity});
    CHECK(table[0] == nullptr);
    CHECK(table[1] == addresses.data());
    CHECK(table[2] == nullptr);
  }

  void combine() {
    std::byte* sums = partial.data();
    const cpu_kernel& k = has_few_items(wave) ? kernels.combine_few : kernels.combine;
    if (wave.combination.items > 0) k.run({3, 1, 1}, {&wave.slots, &wave.combination, &sums, &identity});
    if (wave.combination.items == 0 || wave.combination.runs == 1) return;
    unsigned lanes = has_few_items(wave) ? 256 : 1;
    kernels.finish.run({3, 1, 1}, {&wave.slots, &wave.combination, &sums, &lanes, &identity});
  }
};

/// Runs one wave and compares it with folding block by block.
bool agrees(wave_run run, std::uint32_t seed) {
  run.prepare();
  std::vector<float> expected = run.target;
  std::mt19937 random(seed);
  bool fresh = true;
  const auto base = [&](std::size_t slot) { return run.addresses[slot]; };
  run.for_each_block([&](std::size_t slot, const box& b) {
    wave_run::for_each_element(b, run.result.strides, [&](std::int64_t offset) {
      const std::uint64_t address = base(slot) + static_cast<std::uint64_t>(offset);
      const std::uint64_t begin = run.wave.slots.memory + slot * static_cast<std::uint64_t>(run.wave.slots.bytes);
      if (address < begin || address + 4 > begin + static_cast<std::uint64_t>(run.wave.slots.bytes)) fresh = false;
      const auto target = reinterpret_cast<std::uintptr_t>(run.result.origin) + static_cast<std::uintptr_t>(offset);
      if (address % 16 != target % 16) fresh = false;
      if (std::memcmp(reinterpret_cast<const void*>(address), run.identity.bytes, 4) != 0) fresh = false;
    });
  });
  if (!fresh) return false;
  run.for_each_block([&](std::size_t slot, const box& b) {
    wave_run::for_each_element(b, run.result.strides, [&](std::int64_t offset) {
      // Sums of whole numbers are exact; in order, the bits tell the order.
      const float x = static_cast<float>(random() % 1000) * (run.in_order ? 0.1F : 1.0F);
      std::memcpy(reinterpret_cast<void*>(base(slot) + static_cast<std::uint64_t>(offset)), &x, 4);
      float& e = expected[index(offset / 4)];
      combine(run.result.op, run.result.type, reinterpret_cast<std::byte*>(&e), reinterpret_cast<const std::byte*>(&x),
              1);
    });
  });
  run.combine();
  return run.target == expected;
}

/// Draws waves and compares each with folding block by block.
void compare_waves(const float_kernels& kernels, std::uint32_t waves) {
  int groups = 0, elements = 0, several_runs = 0;
  for (std::uint32_t seed = 1; seed <= waves; ++seed) {
    random_boxes random(seed);
    extents begin{random.draw(0, 3), random.draw(0, 3), random.draw(0, 2)}, end = begin;
    for (int k = 0; k < 3; ++k) end[k] += random.draw(1, k == 0 ? 40 : 6);
    extents shape = extents::uniform(static_cast<int>(random.draw(0, 3)), 0);
    for (int a = 0; a < shape.rank(); ++a) shape[a] = random.draw(1, 24);
    extents strides = shape;
    std::int64_t total = 4;
    for (int a = shape.rank() - 1; a >= 0; --a) strides[a] = total, total *= shape[a];
    private_result result;
    result.strides = strides;
    result.type = dtype_of<float>();
    result.op = random.draw(0, 1) == 0 || kernels.registered ? reduce_op::add : reduce_op::max;
    result.elements = random.make(shape, begin, end);
    wave_run run{kernels, result, begin, end, random.draw(0, 3) == 0, std::vector<float>(index(total / 4), 5)};
    const wave_result planned = plan_wave(run.result, begin, end, run.in_order);
    groups += planned.combination.by_group;
    elements += 1 - planned.combination.by_group;
    several_runs += planned.combination.runs > 1 ? 1 : 0;
    INFO("seed ", seed);
    REQUIRE(agrees(run, seed));
  }
  CHECK(groups > 50);
  CHECK(elements > 50);
  CHECK(several_runs > 20);
}

TEST_CASE("slots of thread blocks are made and combined on the device as the boxes of blocks say") {
  compare_waves({}, 400);
}

TEST_CASE("registered operations combine the slots of thread blocks in the same way") { compare_waves({true}, 400); }

TEST_CASE("elements that are too large for shared memory are combined by one thread to an item") {
  private_result result;
  result.type = dtype::structure(136, 8);
  result.strides = {136};
  result.elements = block_boxes::uniform(box({0}, {1}));
  CHECK_FALSE(has_few_items(plan_wave(result, {0, 0, 0}, {1000, 1, 1}, false)));
  CHECK_FALSE(has_few_items(plan_wave(result, {0, 0, 0}, {1000, 1, 1}, true)));
  result.type = dtype::structure(128, 8);
  CHECK(has_few_items(plan_wave(result, {0, 0, 0}, {1000, 1, 1}, false)));
  result.type = dtype::structure(32, 32);
  CHECK(plan_wave(result, {0, 0, 0}, {2, 1, 1}, false).slots.alignment == 256);
}

TEST_CASE("what the host does for private results does not grow with thread blocks") {
  private_result result;
  result.type = dtype_of<float>();
  result.strides = {4};
  result.elements = block_boxes::uniform(box({0}, {1}));
  const wave_result many = plan_wave(result, {0, 0, 0}, {1 << 20, 1, 1}, false);
  CHECK(many.slots.bytes == 16);
  CHECK(many.combination.items == 1);
  CHECK(many.combination.runs == 256);
  // sums[by * width + bx]: each block has an element of its own.
  block_boxes::axis own;
  own.lo = {0, {1, 1000, 0}, {}};
  own.hi = {1, {1, 1000, 0}, {}};
  own.extent = 1000 * 1000;
  result.elements.axes = {own};
  const wave_result apart = plan_wave(result, {0, 0, 0}, {1000, 1000, 1}, false);
  CHECK(apart.combination.by_group == 1);
  CHECK(apart.combination.items == 1000 * 1000);
  CHECK(apart.candidates == 1e6);
}

}  // namespace
}  // namespace tessera::device::cuda
