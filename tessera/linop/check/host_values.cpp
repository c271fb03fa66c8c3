#include "tessera/linop/check/host_values.h"

#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/node/node.h"

namespace tessera::linop {
namespace {

/// Calls `use` with a value of the type of elements `kind`.
template <class Use>
auto with_kind(scalar_kind kind, Use use) {
  switch (kind) {
    case scalar_kind::float32:
      return use(float{});
    case scalar_kind::float64:
      return use(double{});
    case scalar_kind::complex64:
      return use(std::complex<float>{});
    case scalar_kind::complex128:
      return use(std::complex<double>{});
    default:
      throw argument_error(cat("elements of type ", to_string(dtype::make(kind)), " are no numbers of operators"));
  }
}

template <class T>
T narrowed(std::complex<double> z) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(z.real());
  else
    return T(static_cast<typename T::value_type>(z.real()), static_cast<typename T::value_type>(z.imag()));
}

}  // namespace

host_values values_of(const array_base& a, call_site here) {
  return with_kind(a.type().kind, [&](auto sample) {
    using element = decltype(sample);
    const std::vector<std::byte> bytes = a.size() == 0 ? std::vector<std::byte>{} : a.read_bytes(here);
    host_values values(bytes.size() / sizeof(element));
    for (std::size_t k = 0; k < values.size(); ++k) {
      element e;
      std::memcpy(&e, bytes.data() + k * sizeof e, sizeof e);
      values[k] = e;
    }
    return values;
  });
}

array_base array_of(context ctx, const extents& shape, scalar_kind kind, const host_values& values, call_site here) {
  const array_base made = ctx.empty(shape, dtype::make(kind), automatic(), here);
  if (made.size() == 0) return made;
  with_kind(kind, [&](auto sample) {
    using element = decltype(sample);
    std::vector<element> elements;
    elements.reserve(values.size());
    for (const std::complex<double>& z : values) elements.push_back(narrowed<element>(z));
    made.write_bytes(std::as_bytes(std::span(std::as_const(elements))), here);
    return 0;
  });
  return made;
}

host_values random_values(std::int64_t count, scalar_kind kind, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;
  const auto next = [&] {  // splitmix64
    std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31U)) >> 40U) / (1 << 23) - 1;  // 24 bits: exact in float
  };
  host_values values(index(count));
  for (std::complex<double>& z : values) {
    const double re = next();
    z = {re, is_complex_kind(kind) ? next() : 0};
  }
  return values;
}

}  // namespace tessera::linop
