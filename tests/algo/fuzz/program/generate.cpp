#include "tests/algo/fuzz/program/generate.h"

#include "tests/fuzz/frame/random.h"

namespace tessera::fuzz {
namespace {

/// A kind of container that many calls of a program use.
struct focus {
  value_kind type{};
  int axes = 1;
};

class generator {
 public:
  generator(random_source random, bool is_short_of_memory) : random_(random) {
    constexpr std::array<int, 4> devices{1, 2, 3, 7};
    constexpr std::array<std::int64_t, 4> portions{0, 64, 256, 1024};
    program_.devices = devices[static_cast<std::size_t>(random_.in(0, 3))];
    if (random_.percent(20)) {
      program_.ranks = static_cast<int>(random_.in(2, 3));
      program_.devices = static_cast<int>(random_.in(1, 2));
    }
    if (random_.percent(10) || is_short_of_memory) program_.budget = random_.in(2, 8) * (32 << 10);
    program_.portion = portions[static_cast<std::size_t>(random_.weighted({2, 2, 1, 1}))];
    program_.shares_all = random_.percent(85);
  }

  program make() {
    for (focus& each : focuses_) each = {random_type(), random_axes()};
    for (const focus& each : focuses_) create_all(each);
    for (std::int64_t left = random_.log_uniform(40); left > 0; --left) program_.operations.push_back(draw());
    return program_;
  }

 private:
  value_kind random_type() { return static_cast<value_kind>(random_.weighted({5, 2, 2})); }
  int random_axes() { return 1 + random_.weighted({5, 3, 2}); }

  std::int64_t size(int axes, int axis) {
    if (random_.percent(8)) return random_.in(0, 2);
    if (axes == 3) return random_.log_uniform(9);
    if (axes == 2) return axis == 0 ? random_.log_uniform(random_.percent(20) ? 150 : 40) : random_.log_uniform(40);
    const std::int64_t most = program_.budget > 0 ? 2000 : 13000;
    const std::int64_t limits[] = {40, 400, 2000};
    const int many = random_.weighted({6, 8, 4, 1});
    return many == 3 ? random_.in(most / 6, most) : random_.log_uniform(limits[many]);  // several chunks
  }
  void draw_sizes(operation& o) {
    for (int k = 0; k < 3; ++k) o.numbers[static_cast<std::size_t>(k)] = size(o.axes, k);
  }

  void create_all(const focus& each) {
    operation o;
    o.type = each.type;
    o.axes = each.axes;
    draw_sizes(o);
    const bool alike = random_.percent(60);
    for (int slot = 0; slot < slots; ++slot) {
      o.action = random_.percent(80) ? verb::create : verb::create_filled;
      o.slot[0] = slot;
      o.numbers[8] = random_.in(0, 99999);
      if (!alike) draw_sizes(o);
      program_.operations.push_back(o);
    }
  }

  operation draw() {
    operation o;
    o.action = static_cast<verb>(random_.weighted({
#define TESSERA_VERB(name, weight) weight,
#include "tests/algo/fuzz/program/verbs.def"
#undef TESSERA_VERB
    }));
    const focus& near = focuses_[static_cast<std::size_t>(random_.in(0, 1))];
    const bool stays = random_.percent(90);
    o.type = stays ? near.type : random_type();
    o.axes = stays ? near.axes : random_axes();
    for (int& slot : o.slot) slot = static_cast<int>(random_.in(0, slots - 1));
    o.whole = random_.percent(40);
    o.form = static_cast<int>(random_.in(0, 11));
    draw_sizes(o);
    for (std::size_t k = 3; k < 8; ++k) o.numbers[k] = random_.percent(25) ? random_.in(0, 3) : random_.in(0, 1 << 20);
    o.numbers[8] = random_.in(0, 99999);
    return o;
  }

  random_source random_;
  program program_;
  std::array<focus, 2> focuses_{};
};

}  // namespace

program generate(std::uint64_t seed, std::uint64_t index, bool is_short_of_memory) {
  return generator(random_source::of_program(seed, index), is_short_of_memory).make();
}

}  // namespace tessera::fuzz
