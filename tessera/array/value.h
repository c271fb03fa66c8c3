#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tessera/array/array.h"

namespace tessera {

/// What all values have in common, whatever their type.
class value_base {
 public:
  /// For the launch that takes it.
  [[nodiscard]] const array_base& kept() const;

 protected:
  value_base() = default;
  explicit value_base(array_base kept);
  /// Copies the element; waits for it the first time.
  void read(std::span<std::byte> to, call_site here) const;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// One element of an array as it was when `array::value()` was called: the same bits on every rank. A launch takes it
/// for a parameter of its type, and the kernel loads it where it runs: only `get()` waits for it. Copies share it.
/// Annotations cannot use it as an index: how a launch is cut must be known when it is made.
template <class T>
class value : public value_base {
 public:
  value() = default;

  /// The element; waits for what it depends on, nothing else. No call of the stream: ranks may differ in whether and
  /// when they make it. Throws what made the computation fail.
  [[nodiscard]] T get(call_site here = call_site::current()) const {
    T result;
    read(std::as_writable_bytes(std::span(&result, 1)), here);
    return result;
  }

 private:
  friend class array<T>;
  explicit value(array_base kept) : value_base(std::move(kept)) {}
};

template <class T>
value<T> array<T>::value(call_site here) const {
  return tessera::value<T>(kept(here));
}

}  // namespace tessera
