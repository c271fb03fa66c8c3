#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "tessera/numeric/lapack/factorisation.h"
#include "tessera/numeric/library/openblas.h"

namespace tessera::numeric {

/// LAPACK's functions for numbers of type T and matrices of one shape. Matrices are given by rows; LAPACK, which has
/// them by columns, sees their transposes. Functions return LAPACK's `info`.
template <class T>
class lapack_calls {
 public:
  using real = decltype(std::abs(T()));
  static constexpr bool is_complex = !std::is_same_v<T, real>;

  /// Numbers that calls need besides their matrices.
  struct workspace_sizes {
    std::int64_t numbers = 0, reals = 0, integers = 0;
    [[nodiscard]] std::int64_t bytes() const {
      return (numbers * static_cast<std::int64_t>(sizeof(T)) + reals * static_cast<std::int64_t>(sizeof(real)) +
              integers * static_cast<std::int64_t>(sizeof(int)) + 255) /
             256 * 256;
    }
  };
  [[nodiscard]] static workspace_sizes workspace_of(const factorisation& form) {
    const std::int64_t m = form.rows, n = form.columns, least = std::min(m, n), most = std::max(m, n);
    switch (form.kind) {
      case factorisation_kind::cholesky:
        return {};
      case factorisation_kind::determinant:
        return {n * n, 0, n};
      case factorisation_kind::inverse:
        return {work_of(form), 0, n};
      case factorisation_kind::solve:
        return {n * n + n * form.right_sides, 0, n};
      case factorisation_kind::qr:
        return {m * (form.full ? most : n) + least + work_of(form), 0, 0};
      case factorisation_kind::eigh:
        return {n * n + work_of(form), is_complex ? 1 + 5 * n + 2 * n * n : 0, 3 + 5 * n};
      case factorisation_kind::svd:
        return {m * n + work_of(form),
                is_complex
                    ? std::max(5 * least * least + 5 * least, 2 * most * least + 2 * least * least + least) + 2 * least
                    : 0,
                8 * least};
      case factorisation_kind::eig:
        return {2 * n * n + work_of(form), 2 * n, 0};
    }
    return {};
  }

  lapack_calls(const factorisation& form, std::byte* workspace)
      : form_(form),
        m_(static_cast<int>(form.rows)),
        n_(static_cast<int>(form.columns)),
        work_size_(static_cast<int>(work_of(form))) {
    const workspace_sizes sizes = workspace_of(form);
    numbers_ = reinterpret_cast<T*>(workspace);
    reals_ = reinterpret_cast<real*>(numbers_ + sizes.numbers);
    integers_ = reinterpret_cast<int*>(reals_ + sizes.reals);
  }

  int cholesky(const T* a, T* to) {
    // The lower triangle by rows is the upper one by columns, and a transposed factor that factor.
    static const auto potrf = function<void (*)(const char*, const int*, T*, const int*, int*, std::size_t)>("potrf");
    std::copy_n(a, square(), to);
    int info = 0;
    potrf(form_.upper ? "L" : "U", &n_, to, &n_, &info, 1);
    for (std::int64_t i = 0; i < n_; ++i) {
      if (form_.upper)
        std::fill_n(to + i * n_, i, T(0));
      else
        std::fill_n(to + i * n_ + i + 1, n_ - i - 1, T(0));
    }
    return info;
  }

  int determinant(const T* a, T* sign, real* logarithm, T* value) {
    T* const lu = take(square());
    std::copy_n(a, square(), lu);
    if (const int info = getrf()(&n_, &n_, lu, &n_, integers_); info < 0) return info;
    *sign = *value = T(1);
    *logarithm = 0;
    for (std::int64_t i = 0; i < n_; ++i) {
      const T u = integers_[i] == i + 1 ? lu[i * n_ + i] : -lu[i * n_ + i];
      const real size = std::abs(u);
      *value *= u;
      *sign = size > 0 || std::isnan(size) ? *sign * (u / size) : T(0);
      *logarithm += std::log(size);
    }
    return 0;
  }

  int inverse(const T* a, T* to) {
    static const auto getri = function<void (*)(const int*, T*, const int*, int*, T*, const int*, int*)>("getri");
    std::copy_n(a, square(), to);
    int info = getrf()(&n_, &n_, to, &n_, integers_);
    if (info == 0) getri(&n_, to, &n_, integers_, take(work_size_), &work_size_, &info);
    return info;
  }

  int solve(const T* a, const T* b, T* to) {
    static const auto getrs = function<void (*)(const char*, const int*, const int*, const T*, const int*, const int*,
                                                T*, const int*, int*, std::size_t)>("getrs");
    const int sides = static_cast<int>(form_.right_sides);
    T* const lu = take(square());
    T* const x = take(form_.rows * form_.right_sides);
    std::copy_n(a, square(), lu);
    int info = getrf()(&n_, &n_, lu, &n_, integers_);
    if (info != 0) return info;
    transpose(b, n_, sides, x);
    getrs("T", &n_, &sides, lu, &n_, integers_, x, &n_, &info, 1);
    transpose(x, sides, n_, to);
    return info;
  }

  int qr(const T* a, T* q, T* r) {
    using make_q = void (*)(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);
    static const auto geqrf =
        function<void (*)(const int*, const int*, T*, const int*, T*, T*, const int*, int*)>("geqrf");
    static const auto orgqr = function<make_q>(is_complex ? "ungqr" : "orgqr");
    const int least = std::min(m_, n_), wide = form_.full ? m_ : least;
    T* const by_columns = take(form_.rows * (form_.full ? std::max(form_.rows, form_.columns) : form_.columns));
    T* const factors = take(least);
    T* const work = take(work_size_);
    transpose(a, m_, n_, by_columns);
    int info = 0;
    geqrf(&m_, &n_, by_columns, &m_, factors, work, &work_size_, &info);
    if (info != 0) return info;
    for (std::int64_t i = 0; i < wide; ++i)
      for (std::int64_t j = 0; j < n_; ++j) r[i * n_ + j] = i <= j && i < least ? by_columns[j * m_ + i] : T(0);
    orgqr(&m_, &wide, &least, by_columns, &m_, factors, work, &work_size_, &info);
    transpose(by_columns, wide, m_, q);
    return info;
  }

  int eigh(const T* a, real* values, T* vectors) {
    T* const copy = take(square());
    T* const work = take(work_size_);
    std::copy_n(a, square(), copy);
    const int integers = 3 + 5 * n_;
    const char* const job = vectors != nullptr ? "V" : "N";
    int info = 0;
    if constexpr (is_complex) {
      static const auto heevd =
          function<void (*)(const char*, const char*, const int*, T*, const int*, real*, T*, const int*, real*,
                            const int*, int*, const int*, int*, std::size_t, std::size_t)>("heevd");
      const int reals = static_cast<int>(1 + 5 * form_.rows + 2 * square());
      heevd(job, "U", &n_, copy, &n_, values, work, &work_size_, reals_, &reals, integers_, &integers, &info, 1, 1);
    } else {
      static const auto syevd =
          function<void (*)(const char*, const char*, const int*, T*, const int*, real*, T*, const int*, int*,
                            const int*, int*, std::size_t, std::size_t)>("syevd");
      syevd(job, "U", &n_, copy, &n_, values, work, &work_size_, integers_, &integers, &info, 1, 1);
    }
    if (vectors == nullptr || info != 0) return info;
    transpose(copy, n_, n_, vectors);  // of the transposed, which is the conjugate matrix
    if constexpr (is_complex)
      for (std::int64_t k = 0; k < square(); ++k) vectors[k] = std::conj(vectors[k]);
    return 0;
  }

  /// The transposed matrix has v^T on the left and u^T on the right, whose columns are our rows.
  int svd(const T* a, T* u, real* values, T* v) {
    T* const copy = take(form_.rows * form_.columns);
    T* const work = take(work_size_);
    std::copy_n(a, form_.rows * form_.columns, copy);
    const char* const job = u == nullptr ? "N" : form_.full ? "A" : "S";
    const int u_step = form_.full ? m_ : std::min(m_, n_), one = 1;
    int info = 0;
    T none{};
    T* const left = u == nullptr ? &none : v;
    T* const right = u == nullptr ? &none : u;
    const int* const right_step = u == nullptr ? &one : &u_step;
    if constexpr (is_complex) {
      static const auto gesdd =
          function<void (*)(const char*, const int*, const int*, T*, const int*, real*, T*, const int*, T*, const int*,
                            T*, const int*, real*, int*, int*, std::size_t)>("gesdd");
      gesdd(job, &n_, &m_, copy, &n_, values, left, &n_, right, right_step, work, &work_size_, reals_, integers_, &info,
            1);
    } else {
      static const auto gesdd =
          function<void (*)(const char*, const int*, const int*, T*, const int*, real*, T*, const int*, T*, const int*,
                            T*, const int*, int*, int*, std::size_t)>("gesdd");
      gesdd(job, &n_, &m_, copy, &n_, values, left, &n_, right, right_step, work, &work_size_, integers_, &info, 1);
    }
    constexpr int has_nan = -4;
    return info == has_nan ? 1 : info;
  }

  int eig(const T* a, std::complex<real>* values, std::complex<real>* vectors) {
    T* const copy = take(square());
    T* const found = take(square());
    T* const work = take(work_size_);
    transpose(a, n_, n_, copy);
    const char* const job = vectors != nullptr ? "V" : "N";
    const int one = 1;
    int info = 0;
    if constexpr (is_complex) {
      static const auto geev =
          function<void (*)(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, T*, const int*,
                            T*, const int*, real*, int*, std::size_t, std::size_t)>("geev");
      geev("N", job, &n_, copy, &n_, values, nullptr, &one, found, &n_, work, &work_size_, reals_, &info, 1, 1);
      if (vectors != nullptr) transpose(found, n_, n_, vectors);
    } else {
      static const auto geev =
          function<void (*)(const char*, const char*, const int*, T*, const int*, T*, T*, T*, const int*, T*,
                            const int*, T*, const int*, int*, std::size_t, std::size_t)>("geev");
      real* const imaginary = reals_ + n_;
      geev("N", job, &n_, copy, &n_, reals_, imaginary, nullptr, &one, found, &n_, work, &work_size_, &info, 1, 1);
      for (std::int64_t j = 0; j < n_; ++j) values[j] = {reals_[j], imaginary[j]};
      if (vectors != nullptr && info == 0) put_pairs(found, imaginary, vectors);
    }
    return info;
  }

 private:
  /// Numbers of the `work` that LAPACK's functions ask for, blocks of 64 columns included.
  static std::int64_t work_of(const factorisation& form) {
    constexpr std::int64_t block = 64;
    const std::int64_t m = form.rows, n = form.columns, least = std::min(m, n), most = std::max(m, n);
    switch (form.kind) {
      case factorisation_kind::inverse:
        return block * n;
      case factorisation_kind::qr:
        return block * most;
      case factorisation_kind::eigh:
        return is_complex ? 2 * n + n * n + block * n : 1 + 6 * n + 2 * n * n + block * n;
      case factorisation_kind::svd:
        return is_complex ? least * least + 3 * least + most + block * (m + n)
                          : 4 * least * least + 7 * least + most + block * (m + n);
      case factorisation_kind::eig:
        return (block + 4) * n;
      default:
        return 0;
    }
  }

  template <class F>
  static F function(const std::string& name) {
    const char* const letter = std::is_same_v<T, float>      ? "s"
                               : std::is_same_v<T, double>   ? "d"
                               : std::is_same_v<real, float> ? "c"
                                                             : "z";
    return openblas::find().function<F>(letter + name);
  }
  static auto getrf() {
    static const auto found = function<void (*)(const int*, const int*, T*, const int*, int*, int*)>("getrf");
    return [](const int* m, const int* n, T* a, const int* step, int* pivots) {
      int info = 0;
      found(m, n, a, step, pivots, &info);
      return info;
    };
  }
  [[nodiscard]] std::int64_t square() const { return form_.rows * form_.columns; }
  T* take(std::int64_t count) {
    T* const taken = numbers_;
    numbers_ += count;
    return taken;
  }
  /// to[columns, rows] = from[rows, columns]^T, in squares that fit in a cache.
  template <class To>
  static void transpose(const T* from, std::int64_t rows, std::int64_t columns, To* to) {
    constexpr std::int64_t side = 32;
    for (std::int64_t i = 0; i < rows; i += side)
      for (std::int64_t j = 0; j < columns; j += side)
        for (std::int64_t r = i; r < std::min(rows, i + side); ++r)
          for (std::int64_t c = j; c < std::min(columns, j + side); ++c) to[c * rows + r] = from[r * columns + c];
  }
  /// Real matrices: of a pair of conjugate eigenvalues, one column has the real parts, the next the imaginary ones.
  void put_pairs(const T* found, const real* imaginary, std::complex<real>* vectors) const {
    for (std::int64_t j = 0; j < n_; ++j) {
      const bool is_pair = imaginary[j] > 0 && j + 1 < n_;
      for (std::int64_t i = 0; i < n_; ++i) {
        const T re = found[j * n_ + i], im = is_pair ? found[(j + 1) * n_ + i] : T(0);
        vectors[i * n_ + j] = std::complex<real>(std::real(re), std::real(im));
        if (is_pair) vectors[i * n_ + j + 1] = std::complex<real>(std::real(re), -std::real(im));
      }
      if (is_pair) ++j;
    }
  }

  const factorisation& form_;
  int m_, n_, work_size_;
  T* numbers_;
  real* reals_;
  int* integers_;
};

}  // namespace tessera::numeric
