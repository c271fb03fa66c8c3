#include "tessera/numeric/fft/lanes.h"

#include <array>

#include "tessera/base/index.h"

namespace tessera::numeric {

// One per instruction set: lanes.inc.
void fill_plain_lanes(lane_functions<float>& single, lane_functions<double>& wide);
void fill_wide_lanes(lane_functions<float>& single, lane_functions<double>& wide);
void fill_widest_lanes(lane_functions<float>& single, lane_functions<double>& wide);

namespace {

struct all_lanes {
  std::array<lane_functions<float>, 3> single;
  std::array<lane_functions<double>, 3> wide;
  all_lanes() {
    fill_plain_lanes(single[0], wide[0]);
    fill_wide_lanes(single[1], wide[1]);
    fill_widest_lanes(single[2], wide[2]);
  }
};

const all_lanes& functions() {
  static const all_lanes all;
  return all;
}

}  // namespace

template <>
const lane_functions<float>& fft_lanes_for<float>(instruction_set wanted) {
  return functions().single[index(static_cast<int>(wanted))];
}
template <>
const lane_functions<double>& fft_lanes_for<double>(instruction_set wanted) {
  return functions().wide[index(static_cast<int>(wanted))];
}

template <class T>
const lane_functions<T>& fft_lanes() {
  static const lane_functions<T>& best = fft_lanes_for<T>(best_instructions());
  return best;
}
template const lane_functions<float>& fft_lanes<float>();
template const lane_functions<double>& fft_lanes<double>();

}  // namespace tessera::numeric
