#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "tessera/algo/skeleton/reduce.h"
#include "tessera/algo/skeleton/scan.h"
#include "tessera/algo/skepu/skeletons.h"

/// SkePU's reductions and scans; see algo/skepu/skeletons.h. Those that return a number wait for it.
namespace skepu {

// clang-format off
enum class ReduceMode { RowWise, ColWise };
enum class ScanMode { Inclusive, Exclusive };
// clang-format on

namespace detail {

/// The value that a reduction begins with, of any type of numbers; none unless the program sets one.
class start_value : public instance {
 public:
  template <class T>
  void setStartValue(const T& start) {
    static_assert(std::is_arithmetic_v<T>, "a start value is a number");
    start_ = start;
  }

 protected:
  /// `result` with the start value in front of it.
  template <class T, class F>
  [[nodiscard]] T begun(const F& combine, const T& result) const {
    if constexpr (std::is_arithmetic_v<T>)
      return start_ ? static_cast<T>(combine(static_cast<T>(*start_), result)) : result;
    else
      return result;
  }
  [[nodiscard]] const std::optional<long double>& start() const { return start_; }

 private:
  std::optional<long double> start_;  // holds 64-bit integers and doubles exactly
};

template <class F>
class ReduceInstance : public start_value {
 public:
  explicit ReduceInstance(F f) : f_(std::move(f)) { require_text<F>(); }
  void setReduceMode(ReduceMode mode) { mode_ = mode; }

  /// All elements combined.
  template <container_like C>
  [[nodiscard]] element_t<C> operator()(const C& all) const {
    return begun<element_t<C>>(f_, tessera::reduce(all, f_).get());
  }
  template <iterator_like I>
  [[nodiscard]] element_t<I> operator()(const I& first, const I& last) const {
    return begun<element_t<I>>(f_, tessera::reduce(first, last, f_).get());
  }
  /// The rows, or columns, of a matrix, each combined.
  template <class T, container_like C>
  Vector<T>& operator()(Vector<T>& out, const C& matrix) const {
    return out = lines(matrix), out;
  }

 protected:
  template <class C>
  [[nodiscard]] tessera::vector<element_t<C>> lines(const C& matrix) const {
    return mode_ == ReduceMode::RowWise ? tessera::reduce_rows(matrix, f_) : tessera::reduce_columns(matrix, f_);
  }
  F f_;

 private:
  ReduceMode mode_ = ReduceMode::RowWise;
};

/// Rows, or columns, combined by one function and their results by another.
template <class F, class G>
class Reduce2DInstance : public ReduceInstance<F> {
 public:
  Reduce2DInstance(F f, G across) : ReduceInstance<F>(std::move(f)), across_(std::move(across)) {}
  template <container_like C>
  [[nodiscard]] element_t<C> operator()(const C& all) const {
    if constexpr (C::axes == 2)
      return this->template begun<element_t<C>>(across_, tessera::reduce(this->lines(all), across_).get());
    else
      return ReduceInstance<F>::operator()(all);
  }

 private:
  G across_;
};

template <class F, class G>
class MapReduceInstance : public start_value {
 public:
  MapReduceInstance(F f, G combine) : f_(std::move(f)), combine_(std::move(combine)) { require_text<F>(); }
  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    const auto result = tessera::map_reduce(f_, combine_)(args...).get();
    return begun(combine_, result);
  }

 private:
  F f_;
  G combine_;
};

template <class F>
class ScanInstance : public start_value {
 public:
  explicit ScanInstance(F f) : f_(std::move(f)) { require_text<F>(); }
  void setScanMode(ScanMode mode) { mode_ = mode; }
  template <class Out, class... Args>
  const Out& operator()(const Out& out, const Args&... args) const {
    with_output([&](const auto& to, const auto& from) { scan(to, from); }, out, args...);
    return out;
  }

 private:
  template <class To, class From>
  void scan(const To& to, const From& from) const {
    using T = element_t<From>;
    const auto call = tessera::call_site{"skepu::Scan", 0};
    if (mode_ == ScanMode::Exclusive)
      return tessera::algo::scan_into<T>(tessera::algo::operand_of(from), tessera::algo::operand_of(to), f_,
                                         std::optional<T>(start().value_or(0)), call);
    tessera::inclusive_scan_into(to, from, f_);
    if (start()) tessera::map(f_).into(to, static_cast<T>(*start()), to);
  }

  F f_;
  ScanMode mode_ = ScanMode::Inclusive;
};

}  // namespace detail

/// `Reduce(f)(x)` is a number; `Reduce(f)(vector, matrix)` reduces rows or columns.
template <class F>
[[nodiscard]] detail::ReduceInstance<F> Reduce(F f) {
  return detail::ReduceInstance<F>(std::move(f));
}
template <class F, class G>
[[nodiscard]] detail::Reduce2DInstance<F, G> Reduce(F f, G across) {
  return {std::move(f), std::move(across)};
}
/// `MapReduce<2>(f, g)(x, y)` is a number.
template <int Arity = -1, class F, class G>
[[nodiscard]] detail::MapReduceInstance<F, G> MapReduce(F f, G combine) {
  return {std::move(f), std::move(combine)};
}
/// `Scan(f)(out, x)`, inclusive unless `setScanMode` says otherwise.
template <class F>
[[nodiscard]] detail::ScanInstance<F> Scan(F f) {
  return detail::ScanInstance<F>(std::move(f));
}

}  // namespace skepu
