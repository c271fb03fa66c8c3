#pragma once

#include <functional>
#include <optional>

#include "tests/algo/fuzz/program/functions.h"
#include "tests/algo/fuzz/program/state.h"

namespace tessera::fuzz {

template <class T, int N>
using device_container = std::conditional_t<N == 1, vector<T>, std::conditional_t<N == 2, matrix<T>, tensor<T, N>>>;

/// The containers of a program as the library has them, and its steps as calls of the library.
class tested {
 public:
  /// `block`: bytes of a block of host windows; 0: as usual.
  tested(const context& ctx, std::int64_t portion);

  /// Does the step; what it reads.
  observation apply(const step& s);
  /// All elements of a container.
  template <class T, int N>
  [[nodiscard]] std::vector<T> contents(int slot) {
    return get<T, N>(slot).to_host();
  }
  template <class T, int N>
  [[nodiscard]] device_container<T, N>& get(int slot) {
    return containers_.get<T, N>(slot);
  }

 private:
  template <class T, int N>
  [[nodiscard]] device_container<T, N> make(const extents& shape, const std::vector<T>& values) const;
  template <class T, int N>
  void change(const step& s, observation& seen);
  template <class T>
  void vector_change(const step& s);
  template <class T, int N>
  void elements(const step& s, observation& seen);
  template <class T, int N>
  void exchange(const step& s, observation& seen);
  template <class T, int N>
  void own(const step& s, observation& seen);
  template <class T, int N>
  void hold(const step& s, observation& seen);

  template <class T, int N>
  void map_step(const step& s);
  template <class T, int N>
  void one_step(const step& s);
  template <int N>
  void number_map_step(const step& s);
  template <class T, int N>
  void reduce_step(const step& s, observation& seen);
  template <class T>
  void scan_step(const step& s);
  template <class T, int N>
  void stencil_step(const step& s);

  template <class T>
  void algorithm_step(const step& s, observation& seen);
  template <class T>
  void algorithm_result(const step& s);
  template <class T>
  void turn_round(const step& s);
  template <class T>
  void found(const step& s, observation& seen);

  template <class T, int N>
  [[nodiscard]] container_part<T, N> part(const step& s, std::size_t place) {
    return {get<T, N>(s.slot[place]).as_operand().elements, s.part[place]};
  }

  context ctx_;
  container_options options_;
  container_table<device_container> containers_;
  std::function<void(observation&)> release_;  // ends the guard that is held
};

}  // namespace tessera::fuzz
