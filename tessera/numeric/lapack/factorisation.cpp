#include "tessera/numeric/lapack/factorisation.h"

#include <algorithm>
#include <complex>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/numeric/lapack/lapack_calls.h"

namespace tessera::numeric {
namespace {

using kind = factorisation_kind;

scalar_kind real_part(scalar_kind type) {
  return type == scalar_kind::float32 || type == scalar_kind::complex64 ? scalar_kind::float32 : scalar_kind::float64;
}
scalar_kind complex_of(scalar_kind type) {
  return real_part(type) == scalar_kind::float32 ? scalar_kind::complex64 : scalar_kind::complex128;
}

template <class T>
int run(const factorisation& form, std::span<const std::byte* const> operands, std::span<std::byte* const> results,
        std::byte* workspace) {
  lapack_calls<T> calls(form, workspace);
  const auto* const a = reinterpret_cast<const T*>(operands[0]);
  using real = typename lapack_calls<T>::real;
  const auto result = [&](std::size_t k) { return reinterpret_cast<T*>(results[k]); };
  const auto reals = [&](std::size_t k) { return reinterpret_cast<real*>(results[k]); };
  using number = std::complex<real>;
  switch (form.kind) {
    case kind::cholesky:
      return calls.cholesky(a, result(0));
    case kind::determinant:
      return calls.determinant(a, result(0), reals(1), result(2));
    case kind::inverse:
      return calls.inverse(a, result(0));
    case kind::solve:
      return calls.solve(a, reinterpret_cast<const T*>(operands[1]), result(0));
    case kind::qr:
      return calls.qr(a, result(0), result(1));
    case kind::eigh:
      return calls.eigh(a, reals(0), form.vectors ? result(1) : nullptr);
    case kind::svd:
      return form.vectors ? calls.svd(a, result(0), reals(1), result(2)) : calls.svd(a, nullptr, reals(0), nullptr);
    case kind::eig:
      return calls.eig(a, reinterpret_cast<number*>(results[0]),
                       form.vectors ? reinterpret_cast<number*>(results[1]) : nullptr);
  }
  return 0;
}

template <class T>
void fill_nan(std::byte* to, std::int64_t count) {
  const T nan(std::numeric_limits<decltype(std::abs(T()))>::quiet_NaN());
  std::fill_n(reinterpret_cast<T*>(to), count, nan);
}

void fill_nan(scalar_kind type, std::byte* to, std::int64_t count) {
  if (type == scalar_kind::float32) fill_nan<float>(to, count);
  if (type == scalar_kind::float64) fill_nan<double>(to, count);
  if (type == scalar_kind::complex64) fill_nan<std::complex<float>>(to, count);
  if (type == scalar_kind::complex128) fill_nan<std::complex<double>>(to, count);
}

}  // namespace

std::vector<std::int64_t> factorisation::operand_sizes() const {
  if (kind == factorisation_kind::solve) return {rows * columns, rows * right_sides};
  return {rows * columns};
}

std::vector<std::int64_t> factorisation::result_sizes() const {
  const std::int64_t n = columns, least = std::min(rows, columns);
  switch (kind) {
    case kind::determinant:
      return {1, 1, 1};
    case kind::solve:
      return {n * right_sides};
    case kind::qr:
      return {rows * (full ? rows : least), (full ? rows : least) * n};
    case kind::eigh:
    case kind::eig:
      return vectors ? std::vector<std::int64_t>{n, n * n} : std::vector<std::int64_t>{n};
    case kind::svd:
      if (!vectors) return {least};
      return {rows * (full ? rows : least), least, (full ? n : least) * n};
    default:
      return {n * n};
  }
}

std::vector<scalar_kind> factorisation::result_types() const {
  const scalar_kind real = real_part(type), complex = complex_of(type);
  switch (kind) {
    case kind::determinant:
      return {type, real, type};
    case kind::qr:
      return {type, type};
    case kind::eigh:
      return vectors ? std::vector{real, type} : std::vector{real};
    case kind::eig:
      return vectors ? std::vector{complex, complex} : std::vector{complex};
    case kind::svd:
      return vectors ? std::vector{type, real, type} : std::vector{real};
    default:
      return {type};
  }
}

std::int64_t factorisation::workspace_bytes() const {
  switch (type) {
    case scalar_kind::float32:
      return lapack_calls<float>::workspace_of(*this).bytes();
    case scalar_kind::float64:
      return lapack_calls<double>::workspace_of(*this).bytes();
    case scalar_kind::complex64:
      return lapack_calls<std::complex<float>>::workspace_of(*this).bytes();
    default:
      return lapack_calls<std::complex<double>>::workspace_of(*this).bytes();
  }
}

void factorisation::require_countable() const {
  constexpr std::int64_t most = 16'384;  // LAPACK counts workspace of 5 n^2 numbers in 32 bits
  const std::int64_t largest = kind == kind::qr || kind == kind::svd ? std::min(rows, columns) : rows;
  const bool squares = kind == kind::eigh || kind == kind::svd;
  constexpr std::int64_t most_rows = std::numeric_limits<int>::max() / 128;
  if (std::max({rows, columns, right_sides}) > most_rows || (squares && largest > most))
    throw argument_error(cat("a matrix of ", rows, " rows and ", columns, " columns is larger than LAPACK can count"));
}

int factorise(const factorisation& form, std::span<const std::byte* const> operands,
              std::span<std::byte* const> results, std::byte* workspace, int cores) {
  int info = 0;
  openblas::find().with_threads(cores, [&] {
    switch (form.type) {
      case scalar_kind::float32:
        info = run<float>(form, operands, results, workspace);
        break;
      case scalar_kind::float64:
        info = run<double>(form, operands, results, workspace);
        break;
      case scalar_kind::complex64:
        info = run<std::complex<float>>(form, operands, results, workspace);
        break;
      default:
        info = run<std::complex<double>>(form, operands, results, workspace);
        break;
    }
  });
  if (info < 0) throw device_error(cat("LAPACK does not take argument ", -info, " of a call"));
  if (info > 0) {
    const auto sizes = form.result_sizes();
    const auto types = form.result_types();
    for (std::size_t k = 0; k < sizes.size(); ++k) fill_nan(types[k], results[k], sizes[k]);
  }
  return info;
}

}  // namespace tessera::numeric
