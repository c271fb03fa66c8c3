#pragma once

// What merges stand on. Host code and device text, as device/operators.h.
namespace tessera::algo {

/// How many of the first `diagonal` elements of the merge of two sorted sequences come from the left one, whose
/// elements go first where they are equal to those of the right one.
template <class Left, class Right, class Before>
constexpr long long merge_path(const Left& left, long long left_count, const Right& right, long long right_count,
                               long long diagonal, const Before& before) {
  long long low = diagonal > right_count ? diagonal - right_count : 0;
  long long high = diagonal < left_count ? diagonal : left_count;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (before(right[diagonal - 1 - middle], left[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace tessera::algo
