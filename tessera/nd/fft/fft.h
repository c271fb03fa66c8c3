#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/nd/array.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/shape/axis_list.h"

/// Discrete Fourier transforms with the names and defaults of the Array API standard. They are carried out when they
/// are called, without waiting; lines that are transformed are shared by all devices, and brought whole to one of them.
/// float32 and complex64 are transformed as such, float16 and bfloat16 as float32, integers as float64. On CPUs results
/// have the same bits on any number of devices and ranks. Throw `argument_error` for axes that an array does not have,
/// lengths below 1, and types that a transform does not take.
namespace tessera::nd::fft {

/// What is divided by the number of elements: the way back, both by its square root, or the way there.
enum class norm : std::uint8_t { backward, ortho, forward };

/// Along one axis, after cutting it to `n` elements or appending zeros up to that.
[[nodiscard]] array fft(const array& a, std::optional<std::int64_t> n = {}, int axis = -1, norm by = norm::backward,
                        call_site here = call_site::current());
[[nodiscard]] array ifft(const array& a, std::optional<std::int64_t> n = {}, int axis = -1, norm by = norm::backward,
                         call_site here = call_site::current());
/// Of real numbers: the first n / 2 + 1 numbers of the spectrum, of which the others are the conjugates.
[[nodiscard]] array rfft(const array& a, std::optional<std::int64_t> n = {}, int axis = -1, norm by = norm::backward,
                         call_site here = call_site::current());
/// The way back, to `n` real numbers: if left out, 2 (m - 1) of m elements.
[[nodiscard]] array irfft(const array& a, std::optional<std::int64_t> n = {}, int axis = -1, norm by = norm::backward,
                          call_site here = call_site::current());
/// As `rfft` and `irfft`, with spectrum and line exchanged.
[[nodiscard]] array hfft(const array& a, std::optional<std::int64_t> n = {}, int axis = -1, norm by = norm::backward,
                         call_site here = call_site::current());
[[nodiscard]] array ihfft(const array& a, std::optional<std::int64_t> n = {}, int axis = -1, norm by = norm::backward,
                          call_site here = call_site::current());

/// Lengths along several axes; left out: those of the array.
using lengths = std::optional<std::vector<std::int64_t>>;
/// Along several axes: those given, else the last as many as there are lengths, else all. `rfftn` and `irfftn` have
/// real numbers along the last of them.
[[nodiscard]] array fftn(const array& a, const lengths& s = {}, const axis_list& axes = {}, norm by = norm::backward,
                         call_site here = call_site::current());
[[nodiscard]] array ifftn(const array& a, const lengths& s = {}, const axis_list& axes = {}, norm by = norm::backward,
                          call_site here = call_site::current());
[[nodiscard]] array rfftn(const array& a, const lengths& s = {}, const axis_list& axes = {}, norm by = norm::backward,
                          call_site here = call_site::current());
[[nodiscard]] array irfftn(const array& a, const lengths& s = {}, const axis_list& axes = {}, norm by = norm::backward,
                           call_site here = call_site::current());

/// The frequencies of the elements of a transform of `n` elements at distances `d`: 0, 1, ..., -2, -1 over n d; for
/// `rfft` 0, 1, ..., n / 2. Of type float64 or, if given, float32.
[[nodiscard]] array fftfreq(std::int64_t n, double d = 1, scalar_kind type = scalar_kind::float64,
                            const array_options& options = {}, call_site here = call_site::current());
[[nodiscard]] array rfftfreq(std::int64_t n, double d = 1, scalar_kind type = scalar_kind::float64,
                             const array_options& options = {}, call_site here = call_site::current());
/// With frequency 0 in the middle of the axes, all if none are given; and the way back.
[[nodiscard]] array fftshift(const array& a, const axis_list& axes = {}, call_site here = call_site::current());
[[nodiscard]] array ifftshift(const array& a, const axis_list& axes = {}, call_site here = call_site::current());

}  // namespace tessera::nd::fft
