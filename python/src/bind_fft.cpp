#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/apply.h"
#include "python/src/convert/dtype_object.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;
namespace fft = nd::fft;

fft::norm to_norm(const std::string& name) {
  if (name == "backward") return fft::norm::backward;
  if (name == "ortho") return fft::norm::ortho;
  if (name == "forward") return fft::norm::forward;
  throw argument_error(cat("fft: norm='", name, "'; it is 'backward', 'ortho' or 'forward'"));
}

using line_transform = nd::array (*)(const nd::array&, std::optional<std::int64_t>, int, fft::norm, call_site);
void bind_line(nb::module_& m, const char* name, line_transform function) {
  m.def(
      name,
      [function](nb::handle a, std::optional<std::int64_t> n, int axis, const std::string& norm) {
        const fft::norm by = to_norm(norm);
        return of_array(a, [&](const nd::array& x, call_site here) { return function(x, n, axis, by, here); });
      },
      nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
}

using grid_transform = nd::array (*)(const nd::array&, const fft::lengths&, const nd::axis_list&, fft::norm, call_site);
void bind_grid(nb::module_& m, const char* name, grid_transform function) {
  m.def(
      name,
      [function](nb::handle a, const fft::lengths& s, nb::handle axes, const std::string& norm) {
        const fft::norm by = to_norm(norm);
        const nd::axis_list along = to_axes(axes);
        return of_array(a, [&](const nd::array& x, call_site here) { return function(x, s, along, by, here); });
      },
      nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg());
}

using frequencies = nd::array (*)(std::int64_t, double, scalar_kind, const nd::array_options&, call_site);
void bind_frequencies(nb::module_& m, const char* name, frequencies function) {
  m.def(
      name,
      [function](std::int64_t n, double d, nb::handle type, nb::handle device) {
        const scalar_kind kind = to_kind(type);
        const nd::array_options where = to_options(device, nb::none());
        return to_python(in_turn([&](call_site here) { return function(n, d, kind, where, here); }));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
}

using shift = nd::array (*)(const nd::array&, const nd::axis_list&, call_site);
void bind_shift(nb::module_& m, const char* name, shift function) {
  m.def(
      name,
      [function](nb::handle a, nb::handle axes) {
        const nd::axis_list along = to_axes(axes);
        return of_array(a, [&](const nd::array& x, call_site here) { return function(x, along, here); });
      },
      nb::arg(), nb::arg().none());
}

}  // namespace

void bind_fft(nb::module_& module) {
  bind_line(module, "fft", fft::fft);
  bind_line(module, "ifft", fft::ifft);
  bind_line(module, "rfft", fft::rfft);
  bind_line(module, "irfft", fft::irfft);
  bind_line(module, "hfft", fft::hfft);
  bind_line(module, "ihfft", fft::ihfft);
  bind_grid(module, "fftn", fft::fftn);
  bind_grid(module, "ifftn", fft::ifftn);
  bind_grid(module, "rfftn", fft::rfftn);
  bind_grid(module, "irfftn", fft::irfftn);
  bind_frequencies(module, "fftfreq", fft::fftfreq);
  bind_frequencies(module, "rfftfreq", fft::rfftfreq);
  bind_shift(module, "fftshift", fft::fftshift);
  bind_shift(module, "ifftshift", fft::ifftshift);
}

}  // namespace tessera::python
