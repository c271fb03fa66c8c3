#pragma once

// Operators with names, for every type that has them. Host code and device text: no macros, which the reader of kernels
// does not look into.
namespace tessera {

struct plus {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a + b;
  }
};
struct minus {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a - b;
  }
};
struct multiplies {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a * b;
  }
};
struct divides {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a / b;
  }
};
struct modulus {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a % b;
  }
};
struct bit_and {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a & b;
  }
};
struct bit_or {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a | b;
  }
};
struct bit_xor {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a ^ b;
  }
};
struct equal_to {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a == b;
  }
};
struct not_equal_to {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a != b;
  }
};
struct less {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a < b;
  }
};
struct greater {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return b < a;
  }
};
struct less_equal {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a <= b;
  }
};
struct greater_equal {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a >= b;
  }
};
struct logical_and {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a && b;
  }
};
struct logical_or {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return a || b;
  }
};
struct negate {
  template <class A>
  constexpr auto operator()(A a) const {
    return -a;
  }
};
struct logical_not {
  template <class A>
  constexpr auto operator()(A a) const {
    return !a;
  }
};
struct bit_not {
  template <class A>
  constexpr auto operator()(A a) const {
    return ~a;
  }
};
struct identity {
  template <class A>
  constexpr auto operator()(A a) const {
    return a;
  }
};

/// The first of two that are equal, as std::min and std::max.
struct minimum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct maximum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

}  // namespace tessera
