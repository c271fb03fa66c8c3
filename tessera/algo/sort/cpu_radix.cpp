#include "tessera/algo/sort/cpu_radix.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tessera/algo/sort/radix/radix_sorter.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

using radix::fixed_values;
using radix::no_values;
using radix::records;
using radix::sized_values;

/// Calls `body(begin, end)` for ranges that make up [0, count).
void for_ranges(const parallel_runner& run, int threads, std::int64_t count,
                const std::function<void(std::int64_t, std::int64_t)>& body) {
  run(threads, [&](std::int64_t k) { body(count * k / threads, count * (k + 1) / threads); });
}

/// One call of `radix_sort`.
template <class Codes>
class typed_sort {
 public:
  using key = typename Codes::bits;

  typed_sort(const parallel_runner& run, int threads, const Codes& codes, std::int64_t count, const sort_memory& memory)
      : run_(run),
        threads_(threads),
        codes_(codes),
        count_(count),
        memory_(memory),
        keys_(reinterpret_cast<key*>(memory.keys)),
        spare_keys_(reinterpret_cast<key*>(memory.spare_keys)) {}

  void sort(std::int64_t value_bytes) {
    if (value_bytes == 0) return sort(no_values{}, no_values{});
    if constexpr (sizeof(key) >= sizeof(std::uint32_t)) {  // smaller keys take one or two passes, whatever the values
      constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
      if (value_bytes == 4) return sort_fixed<4>();
      if (value_bytes == 8) return sort_fixed<8>();
      if (value_bytes == 16) return sort_fixed<16>();
      if (value_bytes > 8 && count_ <= most) return sort_places(value_bytes);
    }
    sort(sized_values{memory_.values, value_bytes}, sized_values{memory_.spare_values, value_bytes});
  }

 private:
  template <class Values>
  [[nodiscard]] auto sorter(const Values& values, const Values& spare) const {
    return radix::radix_sorter<Codes, Values>(run_, threads_, codes_, count_, {keys_, values}, {spare_keys_, spare});
  }

  template <class Values>
  void sort(const Values& values, const Values& spare) {
    sorter(values, spare).sort();
  }

  template <int Bytes>
  void sort_fixed() {
    const fixed_values<Bytes> any{};
    sort(any.in_bytes(memory_.values), any.in_bytes(memory_.spare_values));
  }

  /// Sorts the places of the values, then brings each value there once. The places stand where spare values will, then
  /// where spare keys were.
  void sort_places(std::int64_t value_bytes) {
    using place = std::uint32_t;
    constexpr auto place_bytes = static_cast<std::int64_t>(sizeof(place));
    const fixed_values<sizeof(place)> any{};
    const auto places = any.in_bytes(memory_.spare_values);
    auto with_places = sorter(places, places.from(count_));
    if (with_places.is_sorted()) return;
    for_ranges(run_, threads_, count_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto number = static_cast<place>(i);
        std::memcpy(places.data + i, &number, sizeof number);
      }
    });
    with_places.sort();
    const auto copy = [&](std::byte* to, const std::byte* from, std::int64_t bytes_each) {
      for_ranges(run_, threads_, count_, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(to + begin * bytes_each, from + begin * bytes_each,
                    static_cast<std::size_t>((end - begin) * bytes_each));
      });
    };
    copy(memory_.spare_keys, memory_.spare_values, place_bytes);
    const sized_values from{memory_.values, value_bytes}, to{memory_.spare_values, value_bytes};
    for_ranges(run_, threads_, count_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        place number = 0;
        std::memcpy(&number, memory_.spare_keys + i * place_bytes, sizeof number);
        to.put(i, from, number);
      }
    });
    copy(memory_.values, memory_.spare_values, value_bytes);
  }

  const parallel_runner& run_;
  int threads_;
  Codes codes_;
  std::int64_t count_;
  sort_memory memory_;
  key* keys_;
  key* spare_keys_;
};

/// `call(codes)` with the codes of a type of keys.
template <class Bits, class Call>
void with_integers(bool is_signed, bool descending, const Call& call) {
  constexpr Bits all = std::numeric_limits<Bits>::max(), sign = static_cast<Bits>(all / 2 + 1);
  call(radix::integer_codes<Bits>{static_cast<Bits>((is_signed ? sign : Bits{0}) ^ (descending ? all : Bits{0}))});
}
template <class Bits, class Call>
void with_floats(Bits infinity, bool descending, const Call& call) {
  call(radix::float_codes<Bits>{infinity, descending ? std::numeric_limits<Bits>::max() : Bits{0}});
}

template <class Call>
void with_codes(scalar_kind kind, bool descending, const Call& call) {
  switch (kind) {
    case scalar_kind::boolean:
    case scalar_kind::uint8:
      return with_integers<std::uint8_t>(false, descending, call);
    case scalar_kind::int8:
      return with_integers<std::uint8_t>(true, descending, call);
    case scalar_kind::uint16:
      return with_integers<std::uint16_t>(false, descending, call);
    case scalar_kind::int16:
      return with_integers<std::uint16_t>(true, descending, call);
    case scalar_kind::uint32:
      return with_integers<std::uint32_t>(false, descending, call);
    case scalar_kind::int32:
      return with_integers<std::uint32_t>(true, descending, call);
    case scalar_kind::uint64:
      return with_integers<std::uint64_t>(false, descending, call);
    case scalar_kind::int64:
      return with_integers<std::uint64_t>(true, descending, call);
    case scalar_kind::float16:
      return with_floats<std::uint16_t>(0x7c00, descending, call);
    case scalar_kind::bfloat16:
      return with_floats<std::uint16_t>(0x7f80, descending, call);
    case scalar_kind::float32:
      return with_floats<std::uint32_t>(0x7f800000, descending, call);
    case scalar_kind::float64:
      return with_floats<std::uint64_t>(0x7ff0000000000000, descending, call);
    default:
      return;
  }
}

}  // namespace

bool has_radix_order(const dtype& keys) { return keys.lanes == 1 && keys.kind <= scalar_kind::float64; }

void radix_sort(const parallel_runner& run, int threads, const dtype& key, std::int64_t value_bytes, std::int64_t count,
                const sort_memory& memory, bool descending) {
  if (!has_radix_order(key))
    throw argument_error(cat("keys of type ", to_string(key), " have no order that bits give"));
  if (count < 2) return;
  with_codes(key.kind, descending, [&](const auto& codes) {
    typed_sort(run, std::max(threads, 1), codes, count, memory).sort(memory.values == nullptr ? 0 : value_bytes);
  });
}

}  // namespace tessera::algo
