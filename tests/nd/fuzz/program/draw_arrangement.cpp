#include "tests/nd/fuzz/program/draw_arrangement.h"

namespace tessera::fuzz {

void draw_arrangement(random_source& random, const plain_array& a, step& s) {
  s.arranged = static_cast<arrangement>(random.weighted({4, 2, 3, 3, 2, 2, 3, 2, 5, 1}));
  s.axis = a.rank() > 0 ? static_cast<int>(random.in(0, a.rank() - 1)) : 0;
  switch (s.arranged) {
    case arrangement::stack:
      s.axis = static_cast<int>(random.in(0, a.rank()));
      break;
    case arrangement::roll:
      s.numbers[0] = random.in(-9, 9);
      break;
    case arrangement::pad:
      s.numbers = {random.in(0, 3), random.in(0, 3), random.in(0, 1)};
      break;
    case arrangement::tile: {
      std::vector<std::int64_t> counts;
      for (int k = 0; k < a.rank(); ++k) counts.push_back(random.percent(60) ? 1 : random.in(0, 3));
      s.shape = extents_of(counts);
      break;
    }
    case arrangement::repeat:
      s.numbers[0] = random.in(1, 3);
      break;
    case arrangement::diff:
      s.numbers[0] = random.in(0, 2);
      break;
    case arrangement::redistribute:
      s.numbers[0] = random.in(1, 99999);
      break;
    default:
      break;
  }
}

}  // namespace tessera::fuzz
