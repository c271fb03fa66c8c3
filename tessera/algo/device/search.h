#pragma once

// Functors that look for places in whole containers: bisection, owners of places, shuffles. Host code and device text,
// as device/operators.h; kernels of algorithms begin with it.
namespace tessera::algo {

/// The first place among first <= i < last of a sorted container whose element does not come before `wanted`.
template <class Before>
struct lower_place {
  Before before;
  template <class V, class Q>
  constexpr long long operator()(V all, Q wanted, long long first, long long last) const {
    while (first < last) {
      const long long middle = first + (last - first) / 2;
      if (before(all[middle], wanted))
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }
  template <class V, class Q>
  constexpr long long operator()(V all, Q wanted) const {
    return (*this)(all, wanted, 0, all.size());
  }
};
/// The first place whose element comes behind `wanted`; `before` is asked with `wanted` first.
template <class Before>
struct upper_place {
  Before before;
  template <class V, class Q>
  constexpr long long operator()(V all, Q wanted, long long first, long long last) const {
    while (first < last) {
      const long long middle = first + (last - first) / 2;
      if (before(wanted, all[middle]))
        last = middle;
      else
        first = middle + 1;
    }
    return first;
  }
  template <class V, class Q>
  constexpr long long operator()(V all, Q wanted) const {
    return (*this)(all, wanted, 0, all.size());
  }
};
/// Whether an element is neither before nor behind `wanted`.
template <class Before, class Behind>
struct is_found {
  lower_place<Before> lower;
  Behind behind;
  template <class V, class Q>
  constexpr bool operator()(V all, Q wanted, long long first, long long last) const {
    const long long at = lower(all, wanted, first, last);
    return at < last && !behind(wanted, all[at]);
  }
  template <class V, class Q>
  constexpr bool operator()(V all, Q wanted) const {
    return (*this)(all, wanted, 0, all.size());
  }
};
/// The part of a sorted container in which `place` finds what is wanted; `fences` are the first elements of its parts.
template <class Place>
struct owner_by_fences {
  Place place;
  template <class V, class Q>
  constexpr long long operator()(V fences, Q wanted) const {
    return place(fences, wanted, 1, fences.size()) - 1;
  }
};

/// A place as one of 0 <= i < n: those outside become the nearest one, so that nothing outside is touched.
struct nearest_place {
  template <class I>
  constexpr long long operator()(I at, long long n) const {
    const long long i = (long long)at;
    return i < 0 ? 0 : i < n ? i : n - 1;
  }
};
struct is_outside {
  template <class I>
  constexpr bool operator()(I at, long long n) const {
    const long long i = (long long)at;
    return i < 0 || i >= n;
  }
  template <class I, class B>
  constexpr bool operator()(I at, long long n, B holds) const {
    return holds && (*this)(at, n);
  }
};
/// The part in which a place lies: `begins` are where parts begin, and behind them how many elements there are. Below 0
/// for places outside, and for those that `holds` is false for.
struct owner_of_place {
  template <class V, class I>
  constexpr long long operator()(V begins, I at) const {
    const long long parts = begins.size() - 1, i = (long long)at;
    if (i < 0 || i >= begins[parts]) return -1;
    long long first = 1, last = parts;
    while (first < last) {
      const long long middle = first + (last - first) / 2;
      if (begins[middle] <= i)
        first = middle + 1;
      else
        last = middle;
    }
    return first - 1;
  }
  template <class V, class I, class B>
  constexpr long long operator()(V begins, I at, B holds) const {
    return holds ? (*this)(begins, at) : -1;
  }
};
/// As `owner_of_place`; places outside belong to the part of the nearest one.
struct owner_of_nearest {
  template <class V, class I>
  constexpr long long operator()(V begins, I at) const {
    return owner_of_place{}(begins, nearest_place{}(at, begins[begins.size() - 1]));
  }
  template <class V, class I, class B>
  constexpr long long operator()(V begins, I at, B holds) const {
    return holds ? (*this)(begins, at) : -1;
  }
};
/// The element at a place, or at the nearest one.
struct nearest_element {
  template <class V, class I>
  constexpr auto operator()(V all, I at) const {
    return all[nearest_place{}(at, all.size())];
  }
  template <class V, class I>
  constexpr auto operator()(V all, I at, long long, long long) const {
    return all[at];
  }
};
/// That as one of type To where `holds`, else what was there before.
template <class To>
struct nearest_element_where {
  template <class V, class I, class B>
  constexpr To operator()(V all, I at, B holds, To before) const {
    return holds ? static_cast<To>(all[nearest_place{}(at, all.size())]) : before;
  }
};

/// A permutation of 0 <= i < n that `seed` chooses: Feistel rounds on two halves of `half` bits, again and again until
/// the number is below n. Takes no more than 4 times on average, and no memory.
struct shuffled_place {
  constexpr long long operator()(long long i, long long n, long long half, unsigned long long seed) const {
    const unsigned long long mask = (1ull << half) - 1;
    unsigned long long x = (unsigned long long)i;
    do {
      unsigned long long left = x >> half, right = x & mask;
      for (int round = 0; round < 10; ++round) {
        unsigned long long mixed = right + seed + 0x9e3779b97f4a7c15ull * (unsigned long long)(round + 1);
        mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdull;
        mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53ull;
        mixed ^= mixed >> 33;
        const unsigned long long next = left ^ (mixed & mask);
        left = right;
        right = next;
      }
      x = left << half | right;
    } while (x >= (unsigned long long)n);
    return (long long)x;
  }
};

}  // namespace tessera::algo
