#include "tessera/nd/fft/fft.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tessera/base/index.h"
#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/join.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/opaque.h"
#include "tessera/nd/refuse.h"
#include "tessera/numeric/launch.h"

namespace tessera::nd::fft {
namespace {

using numeric::fft_kind;
using numeric::fft_lines;
namespace sets = kernels::type_sets;

/// The type that elements are transformed in: real or complex numbers of this precision.
scalar_kind real_type(scalar_kind type) {
  if (kernels::contains(sets::bits, type)) return scalar_kind::float64;
  const scalar_kind real = kernels::real_kind(type);
  return real == scalar_kind::float64 ? real : scalar_kind::float32;
}
scalar_kind complex_type(scalar_kind type) {
  return real_type(type) == scalar_kind::float64 ? scalar_kind::complex128 : scalar_kind::complex64;
}

norm swapped(norm by) {
  if (by == norm::ortho) return by;
  return by == norm::backward ? norm::forward : norm::backward;
}

double scale_of(std::int64_t n, bool backward, norm by) {
  if (by == norm::ortho) return 1 / std::sqrt(static_cast<double>(n));
  return (by == norm::backward) == backward ? 1 / static_cast<double>(n) : 1;
}

/// With `n` elements along an axis: the first ones, or zeros behind them.
array resized(const array& a, std::int64_t n, int axis, call_site here) {
  const std::int64_t has = a.shape()[axis];
  if (has == n) return a;
  if (has > n) return a.seen_through(slice_map(a.shape(), axis, {0, n, 1}, here), here);
  std::vector<pad_width> widths(index(a.rank()));
  widths[index(axis)].second = n - has;
  return pad(a, widths, pad_mode::constant, here);
}

template <class T>
void transform_here(const fft_lines& lines, std::int64_t outer, const std::byte* from, std::byte* to) {
  std::vector<std::byte> spare(index(numeric::fft_spare_bytes(lines, sizeof(T))));
  numeric::transform_lines<T>(lines, {0, outer, 0, lines.inner}, reinterpret_cast<const T*>(from),
                              reinterpret_cast<T*>(to), spare.data(), numeric::run_in_order);
}

/// Transforms lines along an axis, which has the elements that `kind` wants.
array transform(const array& a, fft_kind kind, std::int64_t n, int axis, bool backward, norm by, call_site here) {
  fft_lines lines{.kind = kind, .length = n, .backward = backward, .scale = scale_of(n, backward, by)};
  std::int64_t outer = 1;
  for (int k = 0; k < axis; ++k) outer *= a.shape()[k];
  for (int k = axis + 1; k < a.rank(); ++k) lines.inner *= a.shape()[k];
  lines.lines = outer * lines.inner;
  extents shape = a.shape();
  shape[axis] = lines.elements_to();
  const scalar_kind type = kind == fft_kind::half_to_real ? real_type(a.type()) : complex_type(a.type());
  if (lines.lines == 0) return full(shape, 0, type, {layout(), a.owner()->ctx()}, here);

  const opaque_operation work({&a, 1}, here);
  const std::array<std::pair<extents, scalar_kind>, 1> wanted{{{shape, type}}};
  if (work.is_here(wanted)) {
    const std::vector<std::byte> from = work.elements(0);
    auto made = std::make_shared<host_value>(index(element_count(shape)) * size_of(type));
    if (real_type(a.type()) == scalar_kind::float64)
      transform_here<double>(lines, outer, from.data(), made->data());
    else
      transform_here<float>(lines, outer, from.data(), made->data());
    return work.result(shape, type, std::move(made));
  }
  context& ctx = work.owner().ctx();
  const double later = numeric::fft_scales(ctx) ? 1 : std::exchange(lines.scale, 1);
  const array_base to = work.make(shape, type);
  const std::vector<array_base> from = work.stored();
  numeric::launch_fft(ctx, to, from[0], lines, here);
  ++work.owner().counters().launches;
  const array made = work.result(to);
  return later == 1 ? made : multiply(made, later, here);
}

void require_length(std::int64_t n, call_site here) {
  if (n < 1) refuse(here, "a transform of ", n, " elements");
}

array along_axis(const array& a, std::optional<std::int64_t> n, int axis, bool backward, norm by, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  const std::int64_t length = n.value_or(a.shape()[along]);
  require_length(length, here);
  const array x = resized(as_type(a, complex_type(a.type()), here), length, along, here);
  return transform(x, fft_kind::complex, length, along, backward, by, here);
}

/// The axes of a transform along several, and their lengths; -1: that of the array.
struct several {
  axis_list axes;
  std::vector<std::int64_t> lengths;
};
several axes_of(const array& a, const lengths& s, const axis_list& axes, call_site here) {
  several made;
  if (axes.is_given()) {
    made.axes = axes.resolved(a.rank(here), here);
  } else {
    const int count = s ? static_cast<int>(s->size()) : a.rank(here);
    if (count > a.rank()) refuse(here, count, " lengths for an array with ", a.rank(), " axes");
    std::vector<int> list;
    for (int k = a.rank() - count; k < a.rank(); ++k) list.push_back(k);
    made.axes = axis_list(list, here);
  }
  if (s && s->size() != made.axes.size())
    refuse(here, s->size(), " lengths for a transform along ", made.axes.size(), " axes");
  for (std::size_t k = 0; k < made.axes.size(); ++k)
    made.lengths.push_back(s && (*s)[k] != -1 ? (*s)[k] : a.shape()[made.axes[k]]);
  return made;
}

array along_several(const array& a, const several& along, std::size_t count, bool backward, norm by, call_site here) {
  array made = as_type(a, complex_type(a.type()), here);
  for (std::size_t k = count; k-- > 0;) made = along_axis(made, along.lengths[k], along.axes[k], backward, by, here);
  return made;
}

}  // namespace

array fft(const array& a, std::optional<std::int64_t> n, int axis, norm by, call_site here) {
  return along_axis(a, n, axis, false, by, here);
}
array ifft(const array& a, std::optional<std::int64_t> n, int axis, norm by, call_site here) {
  return along_axis(a, n, axis, true, by, here);
}

array rfft(const array& a, std::optional<std::int64_t> n, int axis, norm by, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  if (kernels::contains(sets::complexes, a.type()))
    refuse<type_error>(here, "rfft takes real numbers; fft takes complex ones");
  const std::int64_t length = n.value_or(a.shape()[along]);
  require_length(length, here);
  const array x = resized(as_type(a, real_type(a.type()), here), length, along, here);
  return transform(x, fft_kind::real_to_half, length, along, false, by, here);
}

array irfft(const array& a, std::optional<std::int64_t> n, int axis, norm by, call_site here) {
  const int along = resolve_axis(axis, a.rank(here), here);
  const std::int64_t length = n.value_or(2 * (a.shape()[along] - 1));
  require_length(length, here);
  const array x = resized(as_type(a, complex_type(a.type()), here), length / 2 + 1, along, here);
  return transform(x, fft_kind::half_to_real, length, along, true, by, here);
}

array hfft(const array& a, std::optional<std::int64_t> n, int axis, norm by, call_site here) {
  return irfft(conj(a, here), n, axis, swapped(by), here);
}
array ihfft(const array& a, std::optional<std::int64_t> n, int axis, norm by, call_site here) {
  return conj(rfft(a, n, axis, swapped(by), here), here);
}

array fftn(const array& a, const lengths& s, const axis_list& axes, norm by, call_site here) {
  const several along = axes_of(a, s, axes, here);
  return along_several(a, along, along.axes.size(), false, by, here);
}
array ifftn(const array& a, const lengths& s, const axis_list& axes, norm by, call_site here) {
  const several along = axes_of(a, s, axes, here);
  return along_several(a, along, along.axes.size(), true, by, here);
}

array rfftn(const array& a, const lengths& s, const axis_list& axes, norm by, call_site here) {
  const several along = axes_of(a, s, axes, here);
  if (along.axes.size() == 0) refuse(here, "rfftn along no axis");
  const std::size_t last = along.axes.size() - 1;
  return along_several(rfft(a, along.lengths[last], along.axes[last], by, here), along, last, false, by, here);
}

array irfftn(const array& a, const lengths& s, const axis_list& axes, norm by, call_site here) {
  several along = axes_of(a, s, axes, here);
  if (along.axes.size() == 0) refuse(here, "irfftn along no axis");
  const std::size_t last = along.axes.size() - 1;
  if (!s || s->back() == -1) along.lengths[last] = 2 * (a.shape()[along.axes[last]] - 1);
  return irfft(along_several(a, along, last, true, by, here), along.lengths[last], along.axes[last], by, here);
}

namespace {

array frequencies(const array& places, std::int64_t n, double d, scalar_kind type, call_site here) {
  if (type != scalar_kind::float64 && type != scalar_kind::float32)
    refuse<type_error>(here, "frequencies are float64 or float32, not ", to_string(dtype::make(type)));
  const double step = 1 / (static_cast<double>(n) * d);
  return as_type(multiply(as_type(places, scalar_kind::float64, here), step, here), type, here);
}

array shifted(const array& a, const axis_list& axes, bool back, call_site here) {
  std::vector<int> list;
  for (int k = 0; k < a.rank(here); ++k) list.push_back(k);
  const axis_list along = axes.is_given() ? axes.resolved(a.rank(), here) : axis_list(list, here);
  extents distances;
  for (const int axis : along) {
    const std::int64_t half = a.shape()[axis] / 2;
    distances = with_extent(distances, distances.rank(), back ? -half : half);
  }
  return roll(a, distances, along, here);
}

}  // namespace

array fftfreq(std::int64_t n, double d, scalar_kind type, const array_options& options, call_site here) {
  require_length(n, here);
  const array places = arange(n, options, here);
  return frequencies(where(less(places, (n + 1) / 2, here), places, subtract(places, n, here), here), n, d, type, here);
}
array rfftfreq(std::int64_t n, double d, scalar_kind type, const array_options& options, call_site here) {
  require_length(n, here);
  return frequencies(arange(n / 2 + 1, options, here), n, d, type, here);
}

array fftshift(const array& a, const axis_list& axes, call_site here) { return shifted(a, axes, false, here); }
array ifftshift(const array& a, const axis_list& axes, call_site here) { return shifted(a, axes, true, here); }

}  // namespace tessera::nd::fft
