#pragma once

#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "tessera/algo/container/container.h"
#include "tessera/base/bytes/value_bytes.h"

namespace tessera {

/// std::vector on all devices of all ranks: the same names and meanings, see `algo::container` for what is shared with
/// matrices. `v[i]` reads and writes single elements through the host window; `data()` is what `host(mode)` gives.
template <class T>
class vector : public algo::container<T, 1> {
  using base = algo::container<T, 1>;

 public:
  using base::host;
  using base::size;
  using typename base::const_iterator;
  using typename base::iterator;
  using typename base::reference;

  vector() = default;
  /// For skeletons: a vector of these elements.
  explicit vector(std::shared_ptr<algo::storage> elements) : base(std::move(elements)) {}
  explicit vector(const container_options& options) : vector(0, options) {}
  explicit vector(std::int64_t size, const container_options& options = {}) : vector(size, T{}, options) {}
  vector(std::int64_t size, const T& value, const container_options& options = {})
      : base(options, {size}, bytes_of(value)) {}
  vector(std::initializer_list<T> values, const container_options& options = {})
      : vector(values.begin(), values.end(), options) {}
  vector(const std::vector<T>& values, const container_options& options = {})  // NOLINT: it is a vector
      : vector(values.begin(), values.end(), options) {}
  explicit vector(std::span<const T> values, const container_options& options = {})
      : vector(values.begin(), values.end(), options) {}
  template <std::input_iterator I>
  vector(I first, I last, const container_options& options = {}) : vector(0, options) {
    assign(first, last);
  }
  vector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  [[nodiscard]] std::int64_t capacity() const { return core().capacity(); }
  void reserve(std::int64_t capacity, call_site here = call_site::current()) { core().reserve(capacity, here); }
  void shrink_to_fit(call_site here = call_site::current()) { core().shrink_to_fit(here); }
  void resize(std::int64_t size, call_site here = call_site::current()) { resize(size, T{}, here); }
  void resize(std::int64_t size, const T& value, call_site here = call_site::current()) {
    core().resize(size, bytes_of(value), here);
  }
  void clear(call_site here = call_site::current()) { resize(0, here); }

  /// Throws `argument_error` where the check of the window finds that there is no element i.
  [[nodiscard]] reference operator[](std::int64_t i) { return at_offset(i); }
  [[nodiscard]] T operator[](std::int64_t i) const { return value_at(i); }
  [[nodiscard]] reference at(std::int64_t i) { return at_offset(algo::checked_index(i, size(), "at")); }
  [[nodiscard]] T at(std::int64_t i) const { return value_at(algo::checked_index(i, size(), "at")); }
  [[nodiscard]] reference front() { return at(0); }
  [[nodiscard]] T front() const { return at(0); }
  [[nodiscard]] reference back() { return at(size() - 1); }
  [[nodiscard]] T back() const { return at(size() - 1); }
  /// Element i where the host window has it, without any check: between `update_host()` and the next launch it may be
  /// read, and what is written there counts from `invalidate_device()` on.
  [[nodiscard]] T& unchecked(std::int64_t i) { return core().template unchecked<T>(i); }
  [[nodiscard]] const T& unchecked(std::int64_t i) const { return core().template unchecked<T>(i); }

  /// All elements, or lo <= i < hi, as host memory: the guard has `data()`.
  template <access Mode>
  [[nodiscard]] auto data(access_tag<Mode> mode, call_site here = call_site::current()) const {
    return host(mode, here);
  }
  template <access Mode>
  [[nodiscard]] auto host(access_tag<Mode> mode, std::int64_t lo, std::int64_t hi,
                          call_site here = call_site::current()) const {
    return host(mode, box({lo}, {hi}), here);
  }
  [[nodiscard]] container_part<T, 1> part(std::int64_t lo, std::int64_t hi) const {
    return {this->shared(), box({lo}, {hi})};
  }

  void assign(std::int64_t count, const T& value, call_site here = call_site::current()) {
    core().resize(count, bytes_of(value), here);
    core().fill(bytes_of(value), here);
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <std::input_iterator I>
  void assign(I first, I last, call_site here = call_site::current()) {
    if constexpr (std::forward_iterator<I>) {
      core().resize(std::distance(first, last), bytes_of(T{}), here);
      std::copy(first, last, host(write, here).begin());
    } else {
      const std::vector<T> values(first, last);
      assign(values.begin(), values.end(), here);
    }
  }
  /// Another element; collected on the host until the next launch.
  void push_back(const T& value, call_site here = call_site::current()) {
    if (core().append(value)) return;
    const T kept = value;
    core().extend(here);
    core().template set<T>(size() - 1, kept, core().generation());
  }
  template <class... Args>
  reference emplace_back(Args&&... args) {
    push_back(T(std::forward<Args>(args)...));
    return back();
  }
  void pop_back(call_site here = call_site::current()) {
    core().erase(algo::checked_index(size() - 1, size(), "pop_back"), 1, here);
  }

  iterator insert(const_iterator before, const T& value, call_site here = call_site::current()) {
    return insert(before, 1, value, here);
  }
  iterator insert(const_iterator before, std::int64_t count, const T& value, call_site here = call_site::current()) {
    const T kept = value;
    return insert_with(before, count, here, [&](T* to) { std::fill_n(to, count, kept); });
  }
  iterator insert(const_iterator before, std::initializer_list<T> values, call_site here = call_site::current()) {
    return insert(before, values.begin(), values.end(), here);
  }
  template <std::input_iterator I>
  iterator insert(const_iterator before, I first, I last, call_site here = call_site::current()) {
    const std::vector<T> values(first, last);  // they may be elements of this vector
    return insert_with(before, std::ssize(values), here, [&](T* to) { std::copy(values.begin(), values.end(), to); });
  }
  iterator erase(const_iterator at, call_site here = call_site::current()) { return erase(at, at + 1, here); }
  iterator erase(const_iterator first, const_iterator last, call_site here = call_site::current()) {
    const algo::operand removed = algo::operand_of(first, last);
    core().erase(removed.part.lo[0], removed.size(), here);
    return this->begin() + removed.part.lo[0];
  }

 private:
  using base::at_offset;
  using base::core;
  using base::value_at;

  template <class Fill>
  iterator insert_with(const_iterator before, std::int64_t count, call_site here, Fill fill) {
    const std::int64_t at = algo::operand_of(before, const_iterator(this->end())).part.lo[0];
    std::byte* to = core().insert(at, count, here);
    if (count > 0) fill(reinterpret_cast<T*>(to));
    return this->begin() + at;
  }
};

template <class T>
void swap(vector<T>& a, vector<T>& b) noexcept {
  a.swap(b);
}

}  // namespace tessera
