#pragma once

#include <cstdint>

#include "tessera/numeric/instructions.h"

/// What the loops of a transform (lanes.inc) are told: plain data, because they are compiled once per instruction set
/// and must bring no inline functions of their own.
namespace tessera::numeric {

/// A pass over `radix * count * stride` elements: transforms of `radix` elements, each times a root of unity.
template <class T>
struct fft_pass {
  int radix = 0;
  std::int64_t count = 0;    ///< Of groups with different roots.
  std::int64_t stride = 1;   ///< Elements that share roots.
  const T* roots = nullptr;  ///< radix - 1 complex numbers per group; not used if there is one group.
};

/// A transform of one line that is done in a core's cache.
template <class T>
struct lane_plan {
  std::int64_t length = 0;
  std::int64_t inner = 0;  ///< What the passes transform: `length`, or that of the convolution.
  const fft_pass<T>* passes = nullptr;
  int pass_count = 0;
  const T* chirp = nullptr;     ///< `length` complex numbers where the line is transformed by a convolution; else null.
  const T* response = nullptr;  ///< `inner` complex numbers.
};

/// How the elements of a line are found and what they are. Offsets and strides are in elements: complex or real
/// numbers.
enum class lane_form : std::uint8_t {
  full,          ///< `length` complex numbers.
  reals,         ///< `length` real numbers; stored, the imaginary parts are lost.
  pairs,         ///< 2 * `length` real numbers: a line of real numbers as complex ones of half the length.
  half,          ///< The first length / 2 + 1 of `length` complex numbers, whose others are the conjugates of these.
  half_of_pairs  ///< length + 1 complex numbers: the half that belongs to `pairs`.
};

template <class T>
struct lane_side {
  lane_form form = lane_form::full;
  T* data = nullptr;
  std::int64_t stride = 1;                ///< From one element of a line to the next.
  const std::int64_t* offsets = nullptr;  ///< Of each line's first element.
  bool side_by_side = false;              ///< Whether each line begins one element behind the one before it.
};

/// Up to `lanes` lines at a time.
template <class T>
struct lane_job {
  const lane_plan<T>* plan = nullptr;
  int count = 0;  ///< Lines.
  lane_side<const T> from;
  lane_side<T> to;
  bool backward = false;
  T scale = 1;
  /// For `pairs` and `half_of_pairs`: the roots of unity of order 2 * length, length / 2 + 1 complex numbers.
  const T* half_roots = nullptr;
  /// If not null, element k of lane l is multiplied by twist[k / block][l] * twist[blocks + k % block][l], each a
  /// complex number with the real parts of all lanes first.
  const T* twist = nullptr;
  std::int64_t twist_block = 1, twist_blocks = 0;
  T* scratch = nullptr;  ///< 2 * (inner + 1) vectors of complex numbers, aligned to 64 bytes.
};

template <class T>
struct lane_functions {
  int lanes = 0;
  void (*run)(const lane_job<T>&) = nullptr;
};

/// Those for a processor that has these instructions.
template <class T>
[[nodiscard]] const lane_functions<T>& fft_lanes_for(instruction_set wanted);
template <>
[[nodiscard]] const lane_functions<float>& fft_lanes_for<float>(instruction_set wanted);
template <>
[[nodiscard]] const lane_functions<double>& fft_lanes_for<double>(instruction_set wanted);
/// Those for the processor that this is.
template <class T>
[[nodiscard]] const lane_functions<T>& fft_lanes();

}  // namespace tessera::numeric
