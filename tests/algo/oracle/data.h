#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "tests/algo/algorithm/support.h"
#include "tests/algo/oracle/elements.h"

namespace oracle {

/// What a call gives, one thing after the other.
class observation {
 public:
  template <class U>
  void add(const std::vector<U>& values) {
    append(std::as_bytes(std::span(values)), std::is_same_v<U, float>);
  }
  void add(const std::vector<bool>& values) { add(std::vector<unsigned char>(values.begin(), values.end())); }
  template <class U>
  void add(const U& value) requires std::is_trivially_copyable_v<U> {
    append(std::as_bytes(std::span(&value, 1)), std::is_same_v<U, float>);
  }
  template <class U>
  void add(const ts::vector<U>& all) {
    add(all.to_host());
  }
  template <class U, class V>
  void add(const std::pair<U, V>& both) {
    add(both.first);
    add(both.second);
  }

  /// What only the library knows: it must be the same wherever it runs.
  template <class U>
  void choose(const std::vector<U>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    chosen_.insert(chosen_.end(), bytes.begin(), bytes.end());
  }

  bool operator==(const observation&) const = default;
  /// Bits are the same; or, if `rounded`, those of what is no float, and floats are about the same.
  [[nodiscard]] bool equals(const observation& other, bool rounded) const {
    if (!rounded || parts_.size() != other.parts_.size()) return parts_ == other.parts_;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      if (!parts_[k].is_near(other.parts_[k])) return false;
    return true;
  }

 private:
  struct part {
    std::vector<std::byte> bytes;
    bool floats;
    bool operator==(const part&) const = default;
    [[nodiscard]] bool is_near(const part& other) const {
      if (!floats) return *this == other;
      if (bytes.size() != other.bytes.size()) return false;
      for (std::size_t k = 0; k < bytes.size(); k += sizeof(float)) {
        float x, y;
        std::memcpy(&x, &bytes[k], sizeof x);
        std::memcpy(&y, &other.bytes[k], sizeof y);
        if (!(std::abs(x - y) <= 1e-3f * (1 + std::abs(x)))) return false;
      }
      return true;
    }
  };
  void append(std::span<const std::byte> bytes, bool floats) {
    parts_.push_back({{bytes.begin(), bytes.end()}, floats});
  }
  std::vector<part> parts_;
  std::vector<std::byte> chosen_;
};

/// What calls are given, on the host: depends on the type and the number of elements alone.
template <class T>
struct host_data {
  std::int64_t n;
  std::vector<T> x, y, sorted_x, sorted_y, parted;
  std::vector<int> keys, sorted_keys, map;
  std::vector<std::int64_t> offsets;
  T value = element<T>(9);

  explicit host_data(std::int64_t size) : n(size) {
    const auto numbers = [&](std::uint64_t seed) {
      std::vector<T> all;
      for (const auto k : tessera::support::numbers_below<std::int64_t>(n, 1 << 20, seed)) all.push_back(element<T>(k));
      return all;
    };
    x = numbers(1);
    y = numbers(2);
    sorted_x = x;
    sorted_y = y;
    parted = x;
    std::stable_sort(sorted_x.begin(), sorted_x.end(), earlier<T>());
    std::stable_sort(sorted_y.begin(), sorted_y.end(), earlier<T>());
    std::stable_partition(parted.begin(), parted.end(), chosen<T>());
    // Runs of all lengths, one of them over several parts.
    for (std::int64_t k = 0; k < n; ++k)
      keys.push_back(k > n / 3 && k < n - n / 4 ? 5 : static_cast<int>(k / (1 + k % 977 / 50) % 11));
    sorted_keys = keys;
    std::sort(sorted_keys.begin(), sorted_keys.end());
    std::int64_t step = 1 + n / 3;
    while (std::gcd(step, std::max<std::int64_t>(n, 1)) != 1) ++step;
    for (std::int64_t k = 0; k < n; ++k) map.push_back(static_cast<int>(k * step % n));
    offsets = {0, n / 90, n / 90, n / 7, n - n / 5, n};
  }
};

/// How the elements of a container lie on devices.
enum class parts { even, uneven, gaps, single };
inline constexpr parts all_parts[] = {parts::even, parts::uneven, parts::gaps, parts::single};

inline std::vector<std::int64_t> sizes_of(parts form, std::int64_t n, std::int64_t devices) {
  std::vector<std::int64_t> weights;
  for (std::int64_t k = 0; k < devices; ++k)
    weights.push_back(form == parts::uneven ? 1 + k * k % 7 : form == parts::gaps ? k % 2 : k + 1 == devices ? 1 : 0);
  std::int64_t left = std::accumulate(weights.begin(), weights.end(), std::int64_t{0}), rest = n;
  std::vector<std::int64_t> sizes;
  for (const std::int64_t weight : weights) {
    sizes.push_back(left > 0 ? rest * weight / left : 0);
    rest -= sizes.back();
    left -= weight;
  }
  sizes.back() += rest;
  return sizes;
}

/// The data of the host in containers. Each call makes a new one; the second and the third range lie in other parts
/// than the first.
template <class T>
struct device_data {
  const host_data<T>& host;
  ts::context ctx;
  std::int64_t devices;
  parts form;

  template <class U>
  [[nodiscard]] ts::vector<U> make(const std::vector<U>& values, int range = 0) const {
    const parts own = all_parts[(static_cast<int>(form) + range) % 4];
    if (own == parts::even || devices == 1) return ts::vector<U>(values, ctx);
    return ts::from_parts(values, sizes_of(own, std::ssize(values), devices), ctx);
  }
  [[nodiscard]] std::int64_t n() const { return host.n; }
  [[nodiscard]] ts::vector<T> x() const { return make(host.x); }
  [[nodiscard]] ts::vector<T> y() const { return make(host.y, 1); }
  [[nodiscard]] ts::vector<T> sorted_x() const { return make(host.sorted_x); }
  [[nodiscard]] ts::vector<T> sorted_y() const { return make(host.sorted_y, 1); }
  [[nodiscard]] ts::vector<int> keys() const { return make(host.keys, 1); }
  [[nodiscard]] ts::vector<int> map() const { return make(host.map, 2); }
  /// An output, which has contents.
  [[nodiscard]] ts::vector<T> out() const { return make(host.y, 2); }
};

}  // namespace oracle
