#include "tessera/numeric/fft/long_line.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tessera/base/index.h"
#include "tessera/numeric/fft/lane_scratch.h"

namespace tessera::numeric {
namespace {

/// Factors of elements are products of two: one for each block of so many, one for the place in it.
constexpr std::int64_t twist_block = 16;
/// Elements of loops that threads share.
constexpr std::int64_t chunk = 4096;

template <class T>
std::complex<T> swapped(std::complex<T> z) {
  return {z.imag(), z.real()};
}
/// Without the rules of infinities, which would cost a call.
template <class T>
std::complex<T> product(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class Body>
void in_chunks(const parallel_loop& run, std::int64_t n, Body body) {
  run((n + chunk - 1) / chunk, [&](std::int64_t part) {
    for (std::int64_t k = part * chunk; k < std::min(n, (part + 1) * chunk); ++k) body(k);
  });
}

/// The factors of columns first, first + 1, ... of a split line, as `lane_job::twist` has them.
template <class T>
const T* make_twist(const root_table& roots, std::int64_t n, std::int64_t blocks, std::int64_t first, int count) {
  struct twist_tag {};
  const int lanes = fft_lanes<T>().lanes;
  const auto entries = static_cast<std::size_t>(blocks + twist_block);
  T* const made =
      reinterpret_cast<T*>(thread_scratch<twist_tag>(entries * 2 * static_cast<std::size_t>(lanes) * sizeof(T)));
  const auto fill = [&](T* to, std::int64_t steps, std::int64_t step, int lane) {
    std::int64_t power = 0;  // of the root, modulo n
    for (std::int64_t k = 0; k < steps; ++k) {
      const std::complex<double> root = roots.at(power);
      to[2 * k * lanes + lane] = static_cast<T>(root.real());
      to[(2 * k + 1) * lanes + lane] = static_cast<T>(root.imag());
      power += step;
      if (power >= n) power -= n;
    }
  };
  for (int l = 0; l < count; ++l) {
    const std::int64_t column = first + l;
    fill(made, blocks, column * twist_block % n, l);
    fill(made + 2 * blocks * lanes, twist_block, column, l);
  }
  for (int l = count; l < lanes; ++l)
    for (std::size_t k = 0; k < 2 * entries; ++k)
      made[k * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(l)] = 0;
  return made;
}

}  // namespace

template <class T>
void complex_line<T>::transform(strided_line<const std::complex<T>> from, strided_line<std::complex<T>> to,
                                bool backward, T scale, std::complex<T>* spare) const {
  if (plan_.form() == fft_plan<T>::way::split)
    split(from, to, backward, scale, spare);
  else
    chirp(from, to, backward, scale, spare);
}

/// Element (j, k) of a matrix of columns().length() rows is element j * rows().length() + k of the line.
template <class T>
void complex_line<T>::split(strided_line<const std::complex<T>> from, strided_line<std::complex<T>> to, bool backward,
                            T scale, std::complex<T>* spare) const {
  columns(from, spare, backward);
  if (plan_.rows().form() == fft_plan<T>::way::lanes) {
    rows(spare, to, backward, scale);
    return;
  }
  const std::int64_t high = plan_.columns().length(), length = plan_.rows().length();
  const complex_line<T> row(plan_.rows(), run_);
  for (std::int64_t k = 0; k < high; ++k)
    row.transform({spare + k * length, 1}, {to.data + k * to.stride, high * to.stride}, backward, scale,
                  spare + plan_.length());
}

template <class T>
void complex_line<T>::columns(strided_line<const std::complex<T>> from, std::complex<T>* to, bool backward) const {
  const lane_functions<T>& loops = fft_lanes<T>();
  const std::int64_t high = plan_.columns().length(), wide = plan_.rows().length();
  const std::int64_t blocks = (high + twist_block - 1) / twist_block;
  run_((wide + loops.lanes - 1) / loops.lanes, [&](std::int64_t group) {
    const std::int64_t first = group * loops.lanes;
    const int count = static_cast<int>(std::min<std::int64_t>(loops.lanes, wide - first));
    std::array<std::int64_t, 16> sources{}, targets{};
    for (int l = 0; l < count; ++l) {
      targets[index(l)] = first + l;
      sources[index(l)] = (first + l) * from.stride;
    }
    lane_job<T> job;
    job.plan = &plan_.columns().lanes();
    job.count = count;
    job.from = {lane_form::full, reinterpret_cast<const T*>(from.data), wide * from.stride, sources.data(),
                from.stride == 1};
    job.to = {lane_form::full, reinterpret_cast<T*>(to), wide, targets.data(), true};
    job.backward = backward;
    job.twist = make_twist<T>(plan_.roots(), plan_.length(), blocks, first, count);
    job.twist_block = twist_block;
    job.twist_blocks = blocks;
    job.scratch = lane_scratch<T>(plan_.columns().lanes().inner);
    loops.run(job);
  });
}

template <class T>
void complex_line<T>::rows(const std::complex<T>* from, strided_line<std::complex<T>> to, bool backward,
                           T scale) const {
  const lane_functions<T>& loops = fft_lanes<T>();
  const std::int64_t high = plan_.columns().length(), wide = plan_.rows().length();
  run_((high + loops.lanes - 1) / loops.lanes, [&](std::int64_t group) {
    const std::int64_t first = group * loops.lanes;
    const int count = static_cast<int>(std::min<std::int64_t>(loops.lanes, high - first));
    std::array<std::int64_t, 16> sources{}, targets{};
    for (int l = 0; l < count; ++l) {
      sources[index(l)] = (first + l) * wide;
      targets[index(l)] = (first + l) * to.stride;
    }
    lane_job<T> job;
    job.plan = &plan_.rows().lanes();
    job.count = count;
    job.from = {lane_form::full, reinterpret_cast<const T*>(from), 1, sources.data(), false};
    job.to = {lane_form::full, reinterpret_cast<T*>(to.data), high * to.stride, targets.data(), to.stride == 1};
    job.backward = backward;
    job.scale = scale;
    job.scratch = lane_scratch<T>(plan_.rows().lanes().inner);
    loops.run(job);
  });
}

template <class T>
void complex_line<T>::chirp(strided_line<const std::complex<T>> from, strided_line<std::complex<T>> to, bool backward,
                            T scale, std::complex<T>* spare) const {
  const std::int64_t n = plan_.length(), m = plan_.convolution().length();
  const auto& chirp = plan_.chirp();
  const auto& response = plan_.response();
  std::complex<T>* const a = spare;
  std::complex<T>* const b = spare + m;
  in_chunks(run_, m, [&](std::int64_t k) {
    if (k >= n) {
      a[k] = {};
      return;
    }
    const std::complex<T> z = from.data[k * from.stride];
    a[k] = product(backward ? swapped(z) : z, chirp[index(k)]);
  });
  const complex_line<T> convolution(plan_.convolution(), run_);
  const auto transform_all = [&](const std::complex<T>* source, std::complex<T>* target, bool back) {
    convolution.transform({source, 1}, {target, 1}, back, 1, spare + 2 * m);
  };
  transform_all(a, b, false);
  in_chunks(run_, m, [&](std::int64_t k) { b[k] = product(b[k], response[index(k)]); });
  transform_all(b, a, true);
  in_chunks(run_, n, [&](std::int64_t k) {
    const std::complex<T> z = product(a[k], chirp[index(k)]) * scale;
    to.data[k * to.stride] = backward ? swapped(z) : z;
  });
}

template <class T>
void long_line<T>::transform(const T* from, std::int64_t from_offset, T* to, std::int64_t to_offset,
                             std::complex<T>* spare) const {
  if (lines_.kind == fft_kind::real_to_half) {
    real_to_half(from + from_offset, reinterpret_cast<std::complex<T>*>(to) + to_offset, spare);
  } else if (lines_.kind == fft_kind::half_to_real) {
    half_to_real(reinterpret_cast<const std::complex<T>*>(from) + from_offset, to + to_offset, spare);
  } else {
    complex_line<T>(plan_, run_)
        .transform({reinterpret_cast<const std::complex<T>*>(from) + from_offset, lines_.inner},
                   {reinterpret_cast<std::complex<T>*>(to) + to_offset, lines_.inner}, lines_.backward,
                   static_cast<T>(lines_.scale), spare);
  }
}

template <class T>
void long_line<T>::real_to_half(const T* from, std::complex<T>* to, std::complex<T>* spare) const {
  const std::int64_t n = lines_.length, h = plan_.length(), stride = lines_.inner;
  const bool is_pairs = h != n;
  const auto scale = static_cast<T>(lines_.scale);
  std::complex<T>* const packed = spare;
  std::complex<T>* const z = spare + h;
  in_chunks(run_, h, [&](std::int64_t k) {
    packed[k] = is_pairs ? std::complex<T>(from[2 * k * stride], from[(2 * k + 1) * stride])
                         : std::complex<T>(from[k * stride], 0);
  });
  complex_line<T>(plan_, run_).transform({packed, 1}, {z, 1}, false, 1, spare + 2 * h);
  if (!is_pairs) {
    in_chunks(run_, n / 2 + 1, [&](std::int64_t k) { to[k * stride] = z[k] * scale; });
    return;
  }
  const root_table roots(n);
  in_chunks(run_, h + 1, [&](std::int64_t k) {
    const std::complex<T> a = z[k % h], b = std::conj(z[(h - k) % h]), difference = a - b;
    const std::complex<T> even = (a + b) * T(0.5),
                          odd = std::complex<T>(difference.imag(), -difference.real()) * T(0.5);
    to[k * stride] = (even + product(odd, std::complex<T>(roots.at(k)))) * scale;
  });
}

template <class T>
void long_line<T>::half_to_real(const std::complex<T>* from, T* to, std::complex<T>* spare) const {
  const std::int64_t n = lines_.length, h = plan_.length(), stride = lines_.inner;
  const bool is_pairs = h != n;
  const auto scale = static_cast<T>(lines_.scale);
  std::complex<T>* const packed = spare;
  std::complex<T>* const z = spare + h;
  const auto real_at = [&](std::int64_t k) { return std::complex<T>(from[k * stride].real(), 0); };
  if (is_pairs) {
    const root_table roots(n);
    in_chunks(run_, h, [&](std::int64_t k) {
      const std::complex<T> a = k == 0 ? real_at(0) : from[k * stride],
                            b = k == 0 ? real_at(h) : std::conj(from[(h - k) * stride]);
      const std::complex<T> odd = product(a - b, std::conj(std::complex<T>(roots.at(k))));
      packed[k] = a + b + std::complex<T>(-odd.imag(), odd.real());
    });
  } else {
    in_chunks(run_, n, [&](std::int64_t k) {
      packed[k] = k == 0 ? real_at(0) : k <= n / 2 ? from[k * stride] : std::conj(from[(n - k) * stride]);
    });
  }
  complex_line<T>(plan_, run_).transform({packed, 1}, {z, 1}, true, scale, spare + 2 * h);
  in_chunks(run_, h, [&](std::int64_t k) {
    if (is_pairs) {
      to[2 * k * stride] = z[k].real();
      to[(2 * k + 1) * stride] = z[k].imag();
    } else {
      to[k * stride] = z[k].real();
    }
  });
}

template class complex_line<float>;
template class complex_line<double>;
template class long_line<float>;
template class long_line<double>;

}  // namespace tessera::numeric
