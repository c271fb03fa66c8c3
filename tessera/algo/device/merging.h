#pragma once

// Searches in sorted elements, which merges and sorts stand on. Host code and device text, as device/operators.h.
namespace tessera::algo {

/// The number of elements of `sorted` in front of which `key` could not stand: those that come before it.
template <class Elements, class T, class Before>
constexpr long long lower_place(const Elements& sorted, long long count, const T& key, const Before& before) {
  long long low = 0, high = count;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (before(sorted[middle], key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
/// The number of elements of `sorted` that come before `key` or are equal to it.
template <class Elements, class T, class Before>
constexpr long long upper_place(const Elements& sorted, long long count, const T& key, const Before& before) {
  long long low = 0, high = count;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (before(key, sorted[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
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
