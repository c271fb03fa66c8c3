#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <tuple>
#include <vector>

#include "tests/algo/fuzz/program/pool.h"
#include "tests/algo/fuzz/program/program.h"

namespace tessera::fuzz {

/// The containers of a program: `C<T, N>` for each type and number of axes.
template <template <class, int> class C>
class container_table {
 public:
  template <class T, int N>
  [[nodiscard]] C<T, N>& get(int slot) {
    return std::get<std::array<C<T, N>, slots>>(all_)[static_cast<std::size_t>(slot)];
  }
  template <class T>
  using of_type = std::tuple<std::array<C<T, 1>, slots>, std::array<C<T, 2>, slots>, std::array<C<T, 3>, slots>>;

 private:
  decltype(std::tuple_cat(of_type<unsigned>(), of_type<double>(), of_type<cell>())) all_;
};

/// Calls use.operator()<T, N>() for the type and the axes of a step.
template <class T, class Use>
auto with_axes(int axes, Use use) {
  if (axes == 1) return use.template operator()<T, 1>();
  if (axes == 2) return use.template operator()<T, 2>();
  return use.template operator()<T, 3>();
}
template <class Use>
auto with_type(value_kind type, int axes, Use use) {
  if (type == value_kind::number) return with_axes<unsigned>(axes, use);
  if (type == value_kind::real) return with_axes<double>(axes, use);
  return with_axes<cell>(axes, use);
}

/// What a step reads, as bytes.
class observation {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    for (const T& v : values) add(v);
  }
  template <class T>
  void add(const T& value) requires std::is_trivially_copyable_v<T> {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// What the verbs of skeletons mean by `form`.
enum class combination : std::uint8_t { plus, maximum, minimum };

}  // namespace tessera::fuzz
