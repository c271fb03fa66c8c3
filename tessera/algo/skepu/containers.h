#pragma once

#include <cstdint>
#include <random>

#include "tessera/algo/container/matrix.h"
#include "tessera/algo/container/tensor.h"
#include "tessera/algo/container/vector.h"

/// SkePU's containers: ours with its spellings. Elements are right at any time, so that none of the calls that move
/// data is needed.
namespace skepu {

/// `Base` with the names that all containers of SkePU have.
template <class Base>
class SmartContainer : public Base {
 public:
  using Base::Base;
  SmartContainer() = default;
  SmartContainer(Base other) : Base(std::move(other)) {}  // NOLINT: skeletons return containers of ours

  void updateHost() const { this->update_host(); }
  void invalidateDeviceData() { this->invalidate_device(); }
  void updateHostAndInvalidateDevice() { this->invalidate_device(); }
  void releaseDeviceAllocations() { this->release_device(); }
  void updateHostAndReleaseDeviceAllocations() { this->release_device(); }

  /// Numbers from `least` to `most`; the same in every run and on every rank.
  void randomize(int least = 0, int most = 32767) {
    static std::mt19937 random;
    std::uniform_int_distribution<int> numbers(least, most);
    for (auto& element : this->host(tessera::write)) element = static_cast<typename Base::value_type>(numbers(random));
  }
};

template <class T>
class Vector : public SmartContainer<tessera::vector<T>> {
  using base = SmartContainer<tessera::vector<T>>;

 public:
  using base::base;
  Vector() = default;
  Vector(tessera::vector<T> other) : base(std::move(other)) {}  // NOLINT

  void init(std::int64_t size, const T& value = {}) { this->assign(size, value); }
  [[nodiscard]] auto operator()(std::int64_t i) { return (*this)[i]; }
  [[nodiscard]] T operator()(std::int64_t i) const { return (*this)[i]; }
};

template <class T>
class Matrix : public SmartContainer<tessera::matrix<T>> {
  using base = SmartContainer<tessera::matrix<T>>;

 public:
  using base::base;
  Matrix() = default;
  Matrix(tessera::matrix<T> other) : base(std::move(other)) {}  // NOLINT

  [[nodiscard]] std::int64_t total_rows() const { return this->rows(); }
  [[nodiscard]] std::int64_t total_cols() const { return this->columns(); }
  [[nodiscard]] std::int64_t size_i() const { return this->rows(); }
  [[nodiscard]] std::int64_t size_j() const { return this->columns(); }
};

template <class T>
class Tensor3 : public SmartContainer<tessera::tensor<T, 3>> {
  using base = SmartContainer<tessera::tensor<T, 3>>;

 public:
  using base::base;
  Tensor3(tessera::tensor<T, 3> other) : base(std::move(other)) {}  // NOLINT
  Tensor3(std::int64_t i, std::int64_t j, std::int64_t k, const T& value = {})
      : base(tessera::tensor<T, 3>({i, j, k}, value)) {}
  [[nodiscard]] std::int64_t size_i() const { return this->extent(0); }
  [[nodiscard]] std::int64_t size_j() const { return this->extent(1); }
  [[nodiscard]] std::int64_t size_k() const { return this->extent(2); }
};

template <class T>
class Tensor4 : public SmartContainer<tessera::tensor<T, 4>> {
  using base = SmartContainer<tessera::tensor<T, 4>>;

 public:
  using base::base;
  Tensor4(tessera::tensor<T, 4> other) : base(std::move(other)) {}  // NOLINT
  Tensor4(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l, const T& value = {})
      : base(tessera::tensor<T, 4>({i, j, k, l}, value)) {}
  [[nodiscard]] std::int64_t size_i() const { return this->extent(0); }
  [[nodiscard]] std::int64_t size_j() const { return this->extent(1); }
  [[nodiscard]] std::int64_t size_k() const { return this->extent(2); }
  [[nodiscard]] std::int64_t size_l() const { return this->extent(3); }
};

}  // namespace skepu
