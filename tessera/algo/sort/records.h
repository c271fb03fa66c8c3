#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// Keys and the values that go with them, each in an array of its own. `put` copies one from another array, `put_all`
/// the first `count` of one that lies elsewhere.
namespace tessera::algo::sorting {

/// Keys alone.
struct no_values {
  [[nodiscard]] static std::int64_t bytes_each() { return 0; }
  [[nodiscard]] no_values from(std::int64_t) const { return {}; }
  [[nodiscard]] no_values in_bytes(std::byte*) const { return {}; }
  void put(std::int64_t, const no_values&, std::int64_t) const {}
  void put_all(const no_values&, std::int64_t) const {}
};

/// Values of a size that the compiler knows, whatever they are aligned to.
template <int Bytes>
struct fixed_values {
  using value = std::array<std::byte, Bytes>;
  value* data;

  [[nodiscard]] static std::int64_t bytes_each() { return Bytes; }
  [[nodiscard]] fixed_values from(std::int64_t first) const { return {data + first}; }
  [[nodiscard]] fixed_values in_bytes(std::byte* memory) const { return {reinterpret_cast<value*>(memory)}; }
  void put(std::int64_t to, const fixed_values& other, std::int64_t at) const { data[to] = other.data[at]; }
  void put_all(const fixed_values& other, std::int64_t count) const {
    std::memcpy(data, other.data, static_cast<std::size_t>(count * Bytes));
  }
};

/// Values of any size.
struct sized_values {
  std::byte* data;
  std::int64_t bytes;

  [[nodiscard]] std::int64_t bytes_each() const { return bytes; }
  [[nodiscard]] sized_values from(std::int64_t first) const { return {data + first * bytes, bytes}; }
  [[nodiscard]] sized_values in_bytes(std::byte* memory) const { return {memory, bytes}; }
  void put(std::int64_t to, const sized_values& other, std::int64_t at) const {
    if (bytes == 4)
      std::memcpy(data + to * 4, other.data + at * 4, 4);  // the most frequent size, without a call
    else
      std::memcpy(data + to * bytes, other.data + at * bytes, static_cast<std::size_t>(bytes));
  }
  void put_all(const sized_values& other, std::int64_t count) const {
    std::memcpy(data, other.data, static_cast<std::size_t>(count * bytes));
  }
};

template <class Key, class Values>
struct records {
  Key* keys;
  Values values;

  [[nodiscard]] std::int64_t bytes_each() const { return static_cast<std::int64_t>(sizeof(Key)) + values.bytes_each(); }
  [[nodiscard]] records from(std::int64_t first) const { return {keys + first, values.from(first)}; }
  /// `count` records of this kind in other memory.
  [[nodiscard]] records in_bytes(std::byte* memory, std::int64_t count) const {
    return {reinterpret_cast<Key*>(memory), values.in_bytes(memory + count * static_cast<std::int64_t>(sizeof(Key)))};
  }
  void put(std::int64_t to, const records& other, std::int64_t at) const {
    keys[to] = other.keys[at];
    values.put(to, other.values, at);
  }
  void put_all(const records& other, std::int64_t count) const {
    std::memcpy(keys, other.keys, static_cast<std::size_t>(count) * sizeof(Key));
    values.put_all(other.values, count);
  }
};

}  // namespace tessera::algo::sorting
