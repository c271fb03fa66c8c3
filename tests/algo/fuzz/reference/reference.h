#pragma once

#include <optional>

#include "tests/algo/fuzz/program/state.h"
#include "tests/algo/fuzz/reference/plain.h"

namespace tessera::fuzz {

/// The containers of a program as plain memory, and what its steps do to them, in plain loops.
class reference {
 public:
  /// A guard that the program holds.
  struct held_guard {
    value_kind type{};
    int axes = 1;
    int slot = 0;
    box part;
    bool writes = false;
  };

  /// Does the step; what it reads.
  observation apply(const step& s);

  template <class T, int N>
  [[nodiscard]] plain<T, N>& get(int slot) {
    return containers_.get<T, N>(slot);
  }
  [[nodiscard]] const std::optional<held_guard>& held() const { return held_; }

 private:
  template <class T, int N>
  void host(const step& s, observation& seen);
  template <class T>
  void vector_change(const step& s);

  // Skeletons: the elements of their results.
  template <class T, int N>
  void skeleton(const step& s, observation& seen);
  template <class T, int N>
  std::vector<T> result_of(const step& s);
  template <class T, int N>
  void store(const step& s, std::size_t place, std::vector<T> values);
  template <int N>
  void several(const step& s);
  template <class T, int N>
  std::vector<T> elementwise(const step& s);
  template <int N>
  std::vector<unsigned> positional(const step& s);
  template <class T, int N>
  std::vector<T> stencil(const step& s);
  template <class T>
  std::vector<T> lines(const step& s);
  template <class T>
  std::vector<T> scanned(const step& s);
  template <class T>
  std::vector<T> all_pairs(const step& s);
  // Algorithms.
  template <class T>
  void algorithm(const step& s, observation& seen);
  template <class T>
  void reorder(const step& s, observation& seen);
  template <class T>
  std::vector<T> made_by_algorithm(const step& s);
  void reduced_keys(const step& s);
  template <class T>
  void found(const step& s, observation& seen);

  template <class T, int N>
  std::vector<T> part_of(const step& s, std::size_t place) {
    return elements_of(get<T, N>(s.slot[place]), s.part[place]);
  }

  container_table<plain> containers_;
  std::optional<held_guard> held_;
};

}  // namespace tessera::fuzz
