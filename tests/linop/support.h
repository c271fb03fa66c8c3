#pragma once

#include <tessera/linop.h>

#include <complex>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tessera/base/index.h"
#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

namespace ts = tessera;
namespace lin = tessera::linop;

namespace tessera::support {

using cf = std::complex<float>;
using cd = std::complex<double>;
using index_list = std::vector<std::int64_t>;

/// `quiet`, with at least so many bytes for each device where the environment asks for little memory.
inline options quiet_with(const std::string& devices, std::int64_t least) {
  options chosen = quiet(devices);
  if (std::getenv("TEST_MEMORY") != nullptr && chosen.device_memory.of(0) < least) chosen.device_memory = least;
  return chosen;
}

/// Calls `body` with contexts whose devices share every launch, however small, and have at least so many bytes where
/// the environment asks for little memory.
template <class Body>
void for_each_context(Body body, std::int64_t least_memory = 0) {
  setenv("TESSERA_SMALL", "0", 1);
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    body(context(quiet_with(devices, least_memory)));
  }
}

/// Numbers with their shape, for plain loops.
struct plain {
  extents shape;
  linop::host_values values;

  [[nodiscard]] cd at(const index_list& i) const {
    std::int64_t place = 0;
    for (int k = 0; k < shape.rank(); ++k) {
      if (i[index(k)] < 0 || i[index(k)] >= shape[k]) return 0;
      place = place * shape[k] + i[index(k)];
    }
    return values[index(place)];
  }
};

/// An array of this shape, element by element.
inline plain plain_of(const extents& shape, const std::function<cd(const index_list&)>& element) {
  plain made{shape, {}};
  index_list i(index(shape.rank()));
  const std::function<void(int)> fill = [&](int axis) {
    if (axis == shape.rank()) return made.values.push_back(element(i));
    for (std::int64_t n = 0; n < shape[axis]; ++n) {
      i[index(axis)] = n;
      fill(axis + 1);
    }
  };
  fill(0);
  return made;
}

inline plain random_plain(const extents& shape, scalar_kind kind, std::uint64_t seed = 1) {
  return {shape, linop::random_values(box::whole(shape).volume(), kind, seed)};
}

inline array_base array_of(const context& ctx, const plain& p, scalar_kind kind) {
  return linop::array_of(ctx, p.shape, kind, p.values);
}

inline double distance(const linop::host_values& a, const linop::host_values& b) {
  if (a.size() != b.size()) return 1e300;
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double gap = std::abs(a[k] - b[k]);
    if (!(gap <= most)) most = gap;
  }
  return most;
}

/// Checks that A x has these elements, and all properties of A; x is complex64.
inline void check_operator(const context& ctx, const linop::op& a, const plain& x,
                           const std::function<cd(const index_list&)>& element, const extents& shape,
                           const linop::check_options& given = {}) {
  CAPTURE(a.text());
  const array_base y = a(array_of(ctx, x, scalar_kind::complex64));
  CHECK(y.shape() == shape);
  if (!(y.shape() == shape)) return;
  CHECK(distance(linop::values_of(y), plain_of(shape, element).values) < 2e-5);
  for (const scalar_kind kind : {scalar_kind::complex64, scalar_kind::float64}) {
    linop::check_options options = given;
    options.kind = kind;
    const int batch = x.shape.rank() - static_cast<int>(a.ishape().size());
    for (int k = batch; k < x.shape.rank(); ++k)
      options.sizes.emplace_back(linop::to_string(a.ishape()[index(k - batch)]), x.shape[k]);
    options.batch = extents(std::span<const std::int64_t>(x.shape.begin(), index(batch)));
    const linop::check_report report = linop::check(a, options, ctx);
    CAPTURE(report.text());
    CHECK(report.passed());
  }
}

template <class Call>
std::string message_of(Call call) {
  try {
    if constexpr (std::is_void_v<decltype(call())>)
      call();
    else
      static_cast<void>(call());
  } catch (const error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tessera::support
