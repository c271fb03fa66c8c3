#include "tests/linop/fuzz/program.h"

#include <algorithm>

#include "tests/fuzz/frame/random.h"

namespace tessera::fuzz {
namespace {

bool is_leaf(verb v) { return v < verb::scale; }

}  // namespace

std::int64_t volume(const shape& s) {
  std::int64_t n = 1;
  for (const std::int64_t e : s) n *= e;
  return n;
}

std::vector<std::int64_t> numbers_of(std::uint64_t seed, std::int64_t count) {
  random_source draw(seed);
  std::vector<std::int64_t> made;
  for (std::int64_t k = 0; k < count; ++k) made.push_back(draw.in(-3, 3));
  return made;
}

std::optional<decoded> decode(const stage& s, const shape& from, const shape& to) {
  decoded d{s.action, to, to, s.numbers[0], s.numbers[1], s.numbers[2], s.seed};
  const std::int64_t n = to.empty() ? 0 : to.back();
  std::int64_t& last = d.out.empty() ? d.a : d.out.back();
  switch (s.action) {
    case verb::dense:
      last = 1 + s.numbers[0] % 5;
      break;
    case verb::sum:
      if (to.size() < 2) return std::nullopt;
      d.out.erase(d.out.begin());
      break;
    case verb::repeat:
      if (to.size() > 2) return std::nullopt;
      d.out.insert(d.out.begin(), 1 + s.numbers[0] % 3);
      break;
    case verb::pad:
      d.a = s.numbers[0] % 3;
      d.b = s.numbers[1] % 3;
      last = n + d.a + d.b;
      break;
    case verb::crop:
      d.a = s.numbers[0] % n;
      d.b = s.numbers[1] % (n - d.a);
      last = n - d.a - d.b;
      break;
    case verb::slice:
      d.c = 1 + s.numbers[2] % 3;
      d.a = s.numbers[0] % n;
      d.b = d.a + 1 + s.numbers[1] % (n - d.a);
      last = (d.b - d.a + d.c - 1) / d.c;
      break;
    case verb::embed:  // element k at a + c * k of b
      d.c = 1 + s.numbers[2] % 2;
      d.a = s.numbers[0] % 3;
      last = d.b = d.a + d.c * (n - 1) + 1 + s.numbers[1] % 3;
      break;
    case verb::blocks:
      if (to.size() != 1) return std::nullopt;
      d.a = 1 + s.numbers[0] % n;  // the size of a block
      d.b = 1 + s.numbers[1] % 3;  // the stride
      d.out = {(n - d.a) / d.b + 1, d.a};
      break;
    case verb::merge:
      if (to.size() < 2) return std::nullopt;
      d.out = {volume(to)};
      break;
    case verb::convolution:
      d.a = s.numbers[0] % 3;      // the edge
      d.b = 1 + s.numbers[1] % 4;  // the width
      if (d.a == 2 && d.b / 2 >= n) return std::nullopt;
      break;
    case verb::derivative:
      d.a = s.numbers[0] % static_cast<std::int64_t>(to.size());
      d.b = s.numbers[1] % 2;  // circular
      break;
    case verb::gradient:
      if (to.size() > 2) return std::nullopt;
      d.out.insert(d.out.begin(), static_cast<std::int64_t>(to.size()));
      d.b = s.numbers[1] % 2;
      break;
    case verb::sparse:
      d.out = {1 + s.numbers[0] % 6};
      break;
    case verb::fft:
      d.a = s.numbers[0] % 2;  // centred
      d.b = s.numbers[1] % 2;  // divided
      break;
    case verb::split: {
      const shape& side = s.numbers[0] % 2 == 0 ? from : to;
      d.a = s.numbers[0] % 2;
      d.b = s.numbers[1] % static_cast<std::int64_t>(side.size());
      d.c = s.numbers[2];
      break;
    }
    default:
      break;
  }
  if (is_leaf(s.action) && volume(d.out) > most_elements) return std::nullopt;
  return d;
}

program generate(std::uint64_t seed, std::uint64_t index, const wanted_programs& wanted) {
  random_source draw = random_source::of_program(seed, index);
  program p;
  const std::int64_t axes = draw.in(1, 3);
  for (std::int64_t k = 0; k < axes; ++k) p.in.push_back(draw.in(1, axes == 1 ? 12 : 4));
  const std::int64_t stages = draw.in(1, 6);
  for (std::int64_t k = 0; k < stages; ++k) {
    stage s;
    const bool changes = draw.percent(35);
    const auto first = static_cast<std::int64_t>(changes ? verb::scale : verb::diagonal),
               last = static_cast<std::int64_t>(changes ? verb::count : verb::scale) - 1;
    s.action = static_cast<verb>(draw.in(first, last));
    for (std::int64_t& n : s.numbers) n = draw.in(0, 59);
    s.seed = draw.bits();
    p.stages.push_back(s);
  }
  p.devices = static_cast<int>(draw.in(1, 4));
  p.ranks = draw.percent(10) ? static_cast<int>(draw.in(2, 3)) : 1;
  p.batch = draw.percent(30) ? draw.in(1, 3) : 0;
  if (wanted.is_short_of_memory || draw.percent(10)) p.budget = 64 << 10;
  p.is_compiled = wanted.is_compiled;
  return p;
}

}  // namespace tessera::fuzz
