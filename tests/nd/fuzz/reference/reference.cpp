#include "tests/nd/fuzz/reference/reference.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "tessera/base/index.h"
#include "tests/nd/fuzz/reference/arrangements.h"
#include "tests/nd/fuzz/reference/element_functions.h"
#include "tests/nd/fuzz/reference/reductions.h"

namespace tessera::fuzz {
namespace {

/// Mostly small numbers, some of them often, and now and then those that are special to a type.
template <class T>
T datum(std::uint64_t bits) {
  const auto small = static_cast<std::int64_t>(bits >> 8) % 7;
  const bool is_special = bits % 16 == 0;
  if constexpr (is_complex_type<T>) {
    using part = typename T::value_type;
    return {datum<part>(bits), datum<part>(bits * 0x9E3779B97F4A7C15U)};
  } else if constexpr (std::is_same_v<T, bool>) {
    return (bits >> 9) % 2 == 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    constexpr T special[] = {
        T(0),  -T(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(), limits::denorm_min(),
        T(0.1)};
    if (is_special) return special[(bits >> 4) % 8];
    return static_cast<T>(static_cast<std::int64_t>(bits >> 16) % 97 - 48) * T(0.25);
  } else {
    using limits = std::numeric_limits<T>;
    constexpr T special[] = {T(0), limits::max(), limits::min(), static_cast<T>(limits::max() / 2)};
    if (is_special) return special[(bits >> 4) % 4];
    return static_cast<T>(small - (std::is_signed_v<T> ? 3 : 0));
  }
}

/// The elements where a mask is true, in their order.
plain_array chosen(const plain_array& a, const std::vector<bool>& mask) {
  const std::vector<std::byte> from = a.bytes();
  plain_array made = plain_array::made(a.type, {std::count(mask.begin(), mask.end(), true)});
  const std::size_t each = dtype::make(a.type).size;
  std::byte* to = made.memory->data();
  for (std::size_t n = 0; n < mask.size(); ++n)
    if (mask[n]) std::memcpy(std::exchange(to, to + each), &from[n * each], each);
  return made;
}

}  // namespace

std::vector<std::byte> data_of(scalar_kind type, std::int64_t count, std::int64_t seed) {
  return with_kind(type, [&]<class T>() {
    std::vector<std::byte> bytes(index(count) * sizeof(T));
    auto state = static_cast<std::uint64_t>(seed);
    for (std::size_t n = 0; n < index(count); ++n) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const T value = datum<T>((state ^ (state >> 29)) >> 11);
      std::memcpy(&bytes[n * sizeof(T)], &value, sizeof(T));
    }
    return bytes;
  });
}

std::int64_t arange_count(const std::array<std::int64_t, 3>& numbers) {
  const auto [first, last, step] = numbers;
  if (step == 0) throw invalid_step("a step of 0");
  std::int64_t count = 0;
  for (std::int64_t at = first; step > 0 ? at < last : at > last; at += step) ++count;
  return count;
}

plain_array reference::get(const part& p) const {
  plain_array a = slots_[index(p.slot)];
  if (a.is_null()) throw invalid_step("an empty slot");
  for (const view_call& call : p.views) a = seen(a, call);
  return a;
}

argument_value reference::argument_of(const part& p) const {
  if (p.is_number) return {true, p.number, {}};
  return {false, {}, get(p)};
}

plain_array reference::new_array(const step& s) const {
  std::vector<std::int64_t> shape = list_of(s.shape);
  plain_array made = plain_array::made(s.type, shape);
  const auto each = [&](auto value) {
    for (std::size_t n = 0; n < index(made.size()); ++n) {
      const std::vector<std::byte> element =
          element_of({plain_number::sort::integer, value(static_cast<std::int64_t>(n)), 0, 0}, s.type);
      std::memcpy(made.memory->data() + n * element.size(), element.data(), element.size());
    }
    return made;
  };
  switch (s.action) {
    case verb::full:
      if (!can_write(s.type, s.from[0].number)) throw invalid_step("a number that is none of a type");
      made.write(repeated(one_element(s.from[0].number, s.type), shape).bytes());
      return made;
    case verb::data:
      *made.memory = data_of(s.type, made.size(), s.numbers[0]);
      return made;
    case verb::arange:
      if (arange_count(s.numbers) != made.size()) throw invalid_step("another number of elements");
      return each([&](std::int64_t n) { return s.numbers[0] + n * s.numbers[2]; });
    case verb::eye:
      return each([&](std::int64_t n) { return n % shape[1] - n / shape[1] == s.numbers[0] ? 1 : 0; });
    default:
      break;
  }
  std::int64_t below = 1;
  for (std::size_t k = index(s.axis) + 1; k < shape.size(); ++k) below *= shape[k];
  return each([&](std::int64_t n) { return n / below % shape[index(s.axis)]; });
}

plain_array reference::called(const step& s) const {
  std::array<argument_value, 3> arguments;
  const auto count = index(operands_of(s.called));
  for (std::size_t k = 0; k < count; ++k) arguments[k] = argument_of(s.from[k]);
  return computed(s.called, std::span<const argument_value>(arguments).first(count));
}

plain_array reference::result_of(const step& s) const {
  switch (s.action) {
    case verb::compute:
      return called(s);
    case verb::reduce:
      return reduced(s.combined, get(s.from[0]), list_of(s.shape), s.numbers[0] != 0,
                     static_cast<double>(s.numbers[1]));
    case verb::scan:
      return scanned(s.combined, get(s.from[0]), s.axis, s.numbers[0] != 0);
    case verb::take:
      return taken(s);
    case verb::compress: {
      const plain_array a = get(s.from[0]);
      return chosen(a, mask_of(s.from[1], a));
    }
    case verb::arrange:
      return arranged_parts(s);
    case verb::cast:
      return converted(get(s.from[0]), s.type);
    case verb::copy:
      return get(s.from[0]).copied();
    case verb::view:
    case verb::alias:
      return get(s.from[0]);
    default:
      return new_array(s);
  }
}

plain_array reference::arranged_parts(const step& s) const {
  const bool joins = s.arranged == arrangement::concat || s.arranged == arrangement::stack;
  const std::array<plain_array, 2> from{get(s.from[0]), joins ? get(s.from[1]) : plain_array()};
  return arranged(s, from);
}

plain_array reference::taken(const step& s) const {
  const plain_array a = get(s.from[0]), places = converted(get(s.from[1]), scalar_kind::int64);
  if (s.axis >= a.rank() || a.shape[index(s.axis)] != s.numbers[0] || s.numbers[0] == 0 || a.size() == 0)
    throw invalid_step("places along no axis");
  std::vector<std::int64_t> shape(a.shape.begin(), a.shape.begin() + s.axis);
  const std::int64_t outer = volume_of(shape), n = a.shape[index(s.axis)], inner = a.size() / outer / n;
  shape.insert(shape.end(), places.shape.begin(), places.shape.end());
  shape.insert(shape.end(), a.shape.begin() + s.axis + 1, a.shape.end());
  constexpr std::int64_t most = 20000;
  if (volume_of(shape) > most || shape.size() > 5) throw invalid_step("a large array");
  const std::vector<std::byte> from = a.bytes(), at = places.bytes();
  plain_array made = plain_array::made(a.type, shape);
  std::byte* to = made.memory->data();
  const auto row = index(inner) * dtype::make(a.type).size;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::size_t k = 0; k < index(places.size()); ++k, to += row) {
      std::int64_t place = 0;
      std::memcpy(&place, &at[k * sizeof place], sizeof place);
      std::memcpy(to, &from[index(o * n + divided(place, n).rest) * row], row);
    }
  return made;
}

std::vector<bool> reference::mask_of(const part& mask, const plain_array& shown) const {
  const std::vector<std::byte> bytes = repeated(converted(get(mask), scalar_kind::boolean), shown.shape).bytes();
  std::vector<bool> made;
  for (const std::byte each : bytes) made.push_back(each != std::byte{0});
  return made;
}

void reference::assign(const plain_array& target, const argument_value& value, const std::vector<bool>* mask) {
  if (target.repeats()) throw refused_step("elements that are shown several times");
  if (value.is_number ? !can_write(target.type, value.number) : !can_write(target.type, value.array.type))
    throw refused_step("elements of another type");
  const plain_array fitting =
      value.is_number ? one_element(value.number, target.type) : converted(value.array, target.type);
  std::vector<std::byte> written = repeated(fitting, target.shape).bytes();
  if (mask != nullptr) {
    const std::vector<std::byte> old = target.bytes();
    const std::size_t each = dtype::make(target.type).size;
    for (std::size_t n = 0; n < mask->size(); ++n)
      if (!(*mask)[n]) std::memcpy(&written[n * each], &old[n * each], each);
  }
  target.write(written);
}

void reference::apply(const step& s) {
  switch (s.action) {
    case verb::drop:
      slots_[index(s.to)] = {};
      return;
    case verb::evaluate:
    case verb::fetch:
    case verb::read:
      static_cast<void>(get(s.target));
      return;
    case verb::assign:
      return assign(get(s.target), argument_of(s.from[0]));
    case verb::put_mask: {
      const plain_array target = get(s.target);
      const std::vector<bool> mask = mask_of(s.from[1], target);
      return assign(target, argument_of(s.from[0]), &mask);
    }
    case verb::assign_result:
      return assign(get(s.target), {false, {}, called(s)});
    case verb::engine_fill: {
      const plain_array whole = get(s.target);
      if (!whole.is_whole() || !can_write(whole.type, s.from[0].number)) throw invalid_step("a part of an array");
      return assign(whole, argument_of(s.from[0]));
    }
    case verb::in_place:
    case verb::repeat:
      for (std::int64_t n = 0; n < (s.action == verb::repeat ? s.numbers[0] : 1); ++n) {
        const std::array both{argument_value{false, {}, get(s.target)}, argument_of(s.from[0])};
        assign(both[0].array, {false, {}, computed(s.called, both)});
      }
      return;
    default:
      slots_[index(s.to)] = result_of(s);
  }
}

}  // namespace tessera::fuzz
