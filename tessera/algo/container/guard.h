#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "tessera/algo/container/storage.h"

namespace tessera {

/// Elements of a container as host memory, given back when the guard is destroyed or by `give_back()`: `v.host(mode)`.
/// T is const for `ts::read`. Elements lie densely, row by row. What a `ts::write` guard does not write is undefined.
/// A launch that uses the elements, unless both only read, and a second guard that writes them are `argument_error`s
/// with both lines as long as the guard is there.
template <class T, int N = 1>
class host_guard {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using iterator = T*;

  host_guard(std::shared_ptr<algo::storage> elements, const algo::storage::held& held, const extents& shape)
      : elements_(std::move(elements)),
        ticket_(held.ticket),
        data_(reinterpret_cast<T*>(held.data)),
        size_(static_cast<std::size_t>(held.bytes) / sizeof(T)),
        shape_(shape),
        row_(shape[0] > 0 ? size_ / static_cast<std::size_t>(shape[0]) : 0) {}
  host_guard(host_guard&& other) noexcept { swap(other); }
  host_guard& operator=(host_guard&& other) noexcept {
    host_guard(std::move(other)).swap(*this);
    return *this;
  }
  ~host_guard() {
    try {
      give_back();
    } catch (...) {  // NOLINT: what stopped the engine is thrown again by the next call
    }
  }

  /// Ends the access; the span must not be used any more.
  void give_back() {
    data_ = nullptr;
    size_ = 0;
    if (const auto elements = std::exchange(elements_, nullptr)) elements->give_back(ticket_);
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const extents& shape() const { return shape_; }
  [[nodiscard]] T* begin() const { return data_; }
  [[nodiscard]] T* end() const { return data_ + size_; }
  [[nodiscard]] operator std::span<T>() const { return {data_, size_}; }  // NOLINT: it is one
  /// Element k of a vector; else all elements of index k of the first axis: `h[i][j]` of a matrix.
  [[nodiscard]] decltype(auto) operator[](std::size_t k) const {
    if constexpr (N == 1)
      return (data_[k]);
    else
      return std::span<T>(data_ + k * row_, row_);
  }

 private:
  void swap(host_guard& other) noexcept {
    std::swap(elements_, other.elements_);
    std::swap(ticket_, other.ticket_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(shape_, other.shape_);
    std::swap(row_, other.row_);
  }

  std::shared_ptr<algo::storage> elements_;
  std::uint64_t ticket_ = 0;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  extents shape_;
  std::size_t row_ = 0;  // elements of one index of the first axis
};

}  // namespace tessera
