#include "tessera/algo/sort/cpu_radix.h"

#include <algorithm>
#include <limits>

#include "tessera/algo/sort/places.h"
#include "tessera/algo/sort/radix/radix_sorter.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

using sorting::fixed_values;
using sorting::no_values;
using sorting::sized_values;

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
      if (value_bytes == 4) return sort_fixed<4>();
      if (value_bytes == 8) return sort_fixed<8>();
      if (value_bytes == 16) return sort_fixed<16>();
      if (sorting::worth_places(sizeof(key), value_bytes, count_)) return sort_places(value_bytes);
    }
    sort(sized_values{memory_.values, value_bytes}, sized_values{memory_.spare_values, value_bytes});
  }

 private:
  template <class Values>
  [[nodiscard]] auto sorter(const Values& values, const Values& spare) const {
    return sorting::radix_sorter<Codes, Values>(run_, threads_, codes_, count_, {keys_, values}, {spare_keys_, spare});
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

  void sort_places(std::int64_t value_bytes) {
    if (sorter(no_values{}, no_values{}).is_sorted()) return;
    const fixed_values<sorting::place_bytes> any{};
    sorting::sort_by_places(run_, threads_, value_bytes, count_, memory_, [&](std::byte* places, std::byte* spare) {
      sort(any.in_bytes(places), any.in_bytes(spare));
    });
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
  call(sorting::integer_codes<Bits>{static_cast<Bits>((is_signed ? sign : Bits{0}) ^ (descending ? all : Bits{0}))});
}
template <class Bits, class Call>
void with_floats(Bits infinity, bool descending, const Call& call) {
  call(sorting::float_codes<Bits>{infinity, descending ? std::numeric_limits<Bits>::max() : Bits{0}});
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
