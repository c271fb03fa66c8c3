#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tessera/algo/sort/records.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Elements on their way to many places of an array. They wait in lines of 64 bytes, one for each place, and leave a
/// line at a time, past the caches where the processor can: an array much larger than these is then written once and
/// not read before.
namespace tessera::algo::sorting {

constexpr std::int64_t line_bytes = 64;

inline void write_line(void* to, const void* line, bool aligned) {
#if defined(__SSE2__)
  if (aligned) {
    for (int k = 0; k < 4; ++k)
      _mm_stream_si128(static_cast<__m128i*>(to) + k, _mm_load_si128(static_cast<const __m128i*>(line) + k));
    return;
  }
#endif
  static_cast<void>(aligned);
  std::memcpy(to, line, static_cast<std::size_t>(line_bytes));
}

/// To be called when all lines are written, before other threads read them.
inline void end_of_lines() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

template <class Element>
class line_stream {
 public:
  static constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(Element));

  /// `lines` has a line for each bucket and is aligned to lines.
  line_stream(Element* to, std::byte* lines) : to_(to), lines_(lines) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    aligned_ = address % sizeof(Element) == 0;
    offset_ = aligned_ ? static_cast<std::int64_t>(address % line_bytes / sizeof(Element)) : 0;
  }

  /// Element `index` of the array, behind those of its bucket from `first` on.
  void put(std::size_t bucket, std::int64_t index, const std::int64_t& first, const Element& e) {
    const std::int64_t place = index + offset_, slot = place & (per_line - 1);
    std::byte* const line = lines_ + bucket * line_bytes;
    std::memcpy(line + slot * static_cast<std::int64_t>(sizeof(Element)), &e, sizeof(Element));
    if (slot == per_line - 1) write(line, place - slot, first + offset_);
  }

  /// Writes what is left of a bucket that ends before `end`.
  void finish(std::size_t bucket, std::int64_t first, std::int64_t end) {
    const std::int64_t place = end + offset_, rest = place & (per_line - 1), line = place - rest;
    const std::int64_t begin = line < first + offset_ ? first + offset_ : line;
    if (begin < place) copy_part(lines_ + bucket * line_bytes, line, begin, place);
  }

 private:
  void write(const std::byte* line, std::int64_t begin, std::int64_t first) {
    if (begin >= first)
      write_line(to_ + (begin - offset_), line, aligned_);
    else
      copy_part(line, begin, first, begin + per_line);
  }
  void copy_part(const std::byte* line, std::int64_t line_begin, std::int64_t begin, std::int64_t end) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(Element));
    std::memcpy(to_ + (begin - offset_), line + (begin - line_begin) * size,
                static_cast<std::size_t>((end - begin) * size));
  }

  Element* to_;
  std::int64_t offset_;  // elements from the beginning of a line of memory to the array
  bool aligned_;
  std::byte* lines_;
};

/// Values on their way with keys: none, some in lines, or of any size, which do not wait.
template <class Values>
class value_stream;

template <>
class value_stream<no_values> {
 public:
  static constexpr std::int64_t line_bytes_each = 0;
  value_stream(const no_values&, std::byte*) {}
  void put(std::size_t, std::int64_t, const std::int64_t&, const no_values&, std::int64_t) {}
  void finish(std::size_t, std::int64_t, std::int64_t) {}
};

template <int Bytes>
class value_stream<fixed_values<Bytes>> {
 public:
  static constexpr std::int64_t line_bytes_each = line_bytes;
  value_stream(const fixed_values<Bytes>& to, std::byte* lines) : stream_(to.data, lines) {}
  void put(std::size_t bucket, std::int64_t index, const std::int64_t& first, const fixed_values<Bytes>& from,
           std::int64_t at) {
    stream_.put(bucket, index, first, from.data[at]);
  }
  void finish(std::size_t bucket, std::int64_t first, std::int64_t end) { stream_.finish(bucket, first, end); }

 private:
  line_stream<typename fixed_values<Bytes>::value> stream_;
};

template <>
class value_stream<sized_values> {
 public:
  static constexpr std::int64_t line_bytes_each = 0;
  value_stream(const sized_values& to, std::byte*) : to_(to) {}
  void put(std::size_t, std::int64_t index, const std::int64_t&, const sized_values& from, std::int64_t at) {
    to_.put(index, from, at);
  }
  void finish(std::size_t, std::int64_t, std::int64_t) {}

 private:
  sized_values to_;
};

}  // namespace tessera::algo::sorting
