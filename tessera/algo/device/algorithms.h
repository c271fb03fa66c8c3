#pragma once

// What algorithms make of a program's functions, and values that they combine. Host code and device text, as
// device/operators.h; kernels of algorithms begin with it.
namespace tessera {

/// An element and where it stands.
template <class T>
struct indexed {
  T value;
  long long at;
};

struct first_of {
  template <class A, class B>
  constexpr A operator()(A a, B) const {
    return a;
  }
};
struct second_of {
  template <class A, class B>
  constexpr B operator()(A, B b) const {
    return b;
  }
};
struct make_indexed {
  template <class T>
  constexpr indexed<T> operator()(T value, long long at) const {
    return {value, at};
  }
};
/// The element of a whole container at a place.
struct element_at {
  template <class V, class I>
  constexpr auto operator()(V all, I at) const {
    return all[at];
  }
};
/// 1 where the predicate holds.
template <class Predicate>
struct counted {
  Predicate holds;
  template <class... T>
  constexpr long long operator()(T... values) const {
    return holds(values...) ? 1 : 0;
  }
};

}  // namespace tessera
