#pragma once

// What algorithms make of a program's functions, and values that they combine. Host code and device text, as
// device/operators.h; kernels of algorithms begin with it.
namespace tessera::algo {

/// T{}, also of a type whose name has several words.
template <class T>
constexpr T nothing() {
  return T{};
}

/// An element and where it stands.
template <class T>
struct indexed {
  T value;
  long long at;
};

/// `<` and `>` as orders of floats that have NaN at the end.
struct ascending {
  template <class T>
  constexpr bool operator()(T a, T b) const {
    return a < b || (b != b && a == a);
  }
};
struct descending {
  template <class T>
  constexpr bool operator()(T a, T b) const {
    return b < a || (b != b && a == a);
  }
};

/// Whether the bytes of two values differ.
struct differs {
  template <class T>
  constexpr bool operator()(T a, T b) const {
    for (unsigned k = 0; k < sizeof(T); ++k)
      if (((const unsigned char*)&a)[k] != ((const unsigned char*)&b)[k]) return true;
    return false;
  }
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
/// A value as one of type T.
template <class T>
struct as_type {
  template <class A>
  constexpr T operator()(A a) const {
    return static_cast<T>(a);
  }
};
/// 1 for what is true.
struct truth {
  template <class B>
  constexpr long long operator()(B holds) const {
    return holds ? 1 : 0;
  }
};
struct chosen {
  template <class B, class T>
  constexpr T operator()(B first, T a, T b) const {
    return first ? a : b;
  }
};
/// What `change` makes of an element, or where `holds` is false what was there.
template <class Change, class Holds>
struct changed_where {
  Change change;
  Holds holds;
  template <class A, class S, class T>
  constexpr T operator()(A a, S stencil, T before) const {
    return holds(stencil) ? static_cast<T>(change(a)) : before;
  }
};
struct progression {
  template <class T>
  constexpr T operator()(T first, T step, long long i) const {
    return static_cast<T>(first + static_cast<T>(i) * step);
  }
};
/// `subtract` of an element and the one in front of it; the first element itself.
template <class Subtract>
struct difference {
  Subtract subtract;
  template <class T>
  constexpr auto operator()(T a, T before, long long i) const {
    using result = decltype(subtract(a, before));
    return i == 0 ? static_cast<result>(a) : subtract(a, before);
  }
};
/// The place, or one behind all places.
struct place_where {
  template <class B>
  constexpr long long operator()(B holds, long long at) const {
    return holds ? at : 0x7fffffffffffffffll;
  }
};
struct place_unless {
  template <class B>
  constexpr long long operator()(B holds, long long at) const {
    return holds ? 0x7fffffffffffffffll : at;
  }
};
/// A value of a segment and whether it, or one that has been combined into it, is the first of its segment.
template <class T>
struct headed {
  T value;
  bool has_head;
};
/// True for the first element of a segment of equal keys.
template <class Same>
struct is_head {
  Same same;
  template <class K>
  constexpr bool operator()(K before, K own, long long i) const {
    return i == 0 || !same(before, own);
  }
};
/// That from whether keys equal the ones in front of them.
struct unlike_before {
  template <class B>
  constexpr bool operator()(B is_like, long long i) const {
    return i == 0 || !is_like;
  }
};
/// True for the last element of a segment, of which `behind` elements of all come after it.
template <class Same>
struct is_end {
  Same same;
  template <class K>
  constexpr bool operator()(K own, K next, long long behind) const {
    return behind == 0 || !same(own, next);
  }
};
/// That from whether keys equal the next ones.
struct unlike_next {
  template <class B>
  constexpr bool operator()(B is_like, long long behind) const {
    return behind == 0 || !is_like;
  }
};
/// How far it is to the next of some places, of which `behind` come after this one, or to the end of all.
struct distance_to_next {
  constexpr long long operator()(long long own, long long next, long long behind, long long end) const {
    return (behind == 0 ? end : next) - own;
  }
};
struct make_headed {
  template <class B, class T>
  constexpr headed<T> operator()(B head, T value) const {
    return {value, head ? true : false};
  }
};
/// What an exclusive scan combines: `start` at heads, else the value in front.
struct make_headed_behind {
  template <class B, class T>
  constexpr headed<T> operator()(B head, T before, T start) const {
    return {head ? start : before, head ? true : false};
  }
};
/// Two neighbouring runs of elements: a segment that begins in the second one has nothing of the first. Associative.
template <class Combine>
struct combined_within {
  Combine combine;
  template <class T>
  constexpr headed<T> operator()(headed<T> a, headed<T> b) const {
    return {b.has_head ? b.value : static_cast<T>(combine(a.value, b.value)), a.has_head || b.has_head};
  }
};
/// The value as one of type To.
template <class To>
struct value_as {
  template <class T>
  constexpr To operator()(headed<T> a) const {
    return static_cast<To>(a.value);
  }
};
/// The number of the bin that has `a`, -1 if none has.
struct even_bin {
  template <class T>
  constexpr long long operator()(T a, T lo, T hi, double per_unit, long long bins) const {
    if (!(a >= lo && a < hi)) return -1;
    const long long bin = (long long)(((double)a - (double)lo) * per_unit);
    return bin < bins ? bin : bins - 1;
  }
};
/// True if a sorted range `other` has more elements equal to `a`, which stands at place i of the sorted range `own`,
/// than `own` has in front of place i.
template <class Before>
struct has_partner {
  Before before;
  template <class T, class V>
  constexpr bool operator()(T a, long long i, V own, V other) const {
    long long equal = i, step = 1;  // the first of the elements that equal `a` is at most here
    while (equal >= step && !before(own[equal - step], a)) equal -= step, step *= 2;
    for (; step > 0; step /= 2)
      if (equal >= step && !before(own[equal - step], a)) equal -= step;
    long long lo = 0, hi = other.size();
    while (lo < hi) {
      const long long middle = lo + (hi - lo) / 2;
      if (before(other[middle], a))
        lo = middle + 1;
      else
        hi = middle;
    }
    const long long partner = lo + (i - equal);
    return partner < other.size() && !before(a, other[partner]);
  }
};
/// Of two elements the one that comes first by `before`, and of equal ones that at the lower place.
template <class Before>
struct least {
  Before before;
  template <class T>
  constexpr indexed<T> operator()(indexed<T> a, indexed<T> b) const {
    if (before(a.value, b.value)) return a;
    if (before(b.value, a.value)) return b;
    return a.at < b.at ? a : b;
  }
};
template <class Before>
struct most {
  Before before;
  template <class T>
  constexpr indexed<T> operator()(indexed<T> a, indexed<T> b) const {
    if (before(a.value, b.value)) return b;
    if (before(b.value, a.value)) return a;
    return a.at < b.at ? a : b;
  }
};

}  // namespace tessera::algo
