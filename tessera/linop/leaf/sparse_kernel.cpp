#include "tessera/linop/leaf/sparse_kernel.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/node/node.h"
#include "tessera/linop/step/text.h"

namespace tessera::linop {
namespace {

std::string load_text(const char* name, const std::string& element, scalar_kind kind, bool conjugated) {
  if (!is_complex_kind(kind)) return cat("    const R ", name, "r = (R)", element, ", ", name, "i = 0;\n");
  return cat("    const R ", name, "r = (R)", element, ".x, ", name, "i = ", conjugated ? "-" : "", "(R)", element,
             ".y;\n");
}

}  // namespace

bool rows_form::is_wide() const {
  const auto wide = [](scalar_kind k) { return real_of(k) == scalar_kind::float64; };
  return wide(x) || wide(y) || (has_values && wide(values));
}

/// A thread for each row, along x, and each element of the batch, along y.
std::string rows_text(const rows_form& form) {
  const bool complex_y = is_complex_kind(form.y);
  std::string text =
      cat("__global__ void linop_rows(long long rows, long long columns, long long batch, double2 alpha, ",
          "double2 beta, ", type_text(form.y), "* y, const ", type_text(form.x),
          "* x, const long long* offsets, const long long* places",
          form.has_values ? cat(", const ", type_text(form.values), "* values") : "", ") {\n  typedef ",
          form.is_wide() ? "double" : "float", " R;\n",
          "  const long long r = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
          "  const long long b = blockIdx.y * (long long)blockDim.y + threadIdx.y;\n"
          "  if (r >= rows || b >= batch) return;\n  R sr = 0, si = 0;\n"
          "  for (long long k = offsets[r]; k < offsets[r + 1]; ++k) {\n");
  text += load_text("x", "x[b * columns + places[k]]", form.x, false);
  if (form.has_values)
    text += load_text("v", "values[k]", form.values, form.conjugated) +
            "    sr += xr * vr - xi * vi;\n    si += xr * vi + xi * vr;\n  }\n";
  else
    text += "    sr += xr;\n    si += xi;\n  }\n";
  text += cat("  const R ar = (R)alpha.x, ai = (R)alpha.y;\n  R yr = ar * sr - ai * si, yi = ar * si + ai * sr;\n  ",
              type_text(form.y), "* const to = y + (b * rows + r);\n");
  if (form.reads_y)
    text += cat("  const R br = (R)beta.x, bi = (R)beta.y;\n  const R zr = (R)", complex_y ? "to->x" : "*to",
                ", zi = ", complex_y ? "(R)to->y" : "0", ";\n  yr += br * zr - bi * zi;\n  yi += br * zi + bi * zr;\n");
  const char* real = real_of(form.y) == scalar_kind::float64 ? "double" : "float";
  text += complex_y ? cat("  to->x = (", real, ")yr;\n  to->y = (", real, ")yi;\n}\n")
                    : cat("  *to = (", real, ")yr;\n  (void)yi;\n}\n");
  return text;
}

namespace {

enum parameter : int { p_rows, p_columns, p_batch, p_alpha, p_beta, p_y, p_x, p_offsets, p_places, p_values };

template <class R>
struct number {
  R re = 0, im = 0;
};

template <class R>
number<R> load(const native_call& call, int which, std::int64_t at, scalar_kind kind) {
  switch (kind) {
    case scalar_kind::float64:
      return {static_cast<R>(call.data<const double>(which)[at]), 0};
    case scalar_kind::complex64:
      return {static_cast<R>(call.data<const float>(which)[2 * at]),
              static_cast<R>(call.data<const float>(which)[2 * at + 1])};
    case scalar_kind::complex128:
      return {static_cast<R>(call.data<const double>(which)[2 * at]),
              static_cast<R>(call.data<const double>(which)[2 * at + 1])};
    default:
      return {static_cast<R>(call.data<const float>(which)[at]), 0};
  }
}

template <class R>
void store(const native_call& call, std::int64_t at, scalar_kind kind, const number<R>& z) {
  switch (kind) {
    case scalar_kind::float64:
      call.data<double>(p_y)[at] = static_cast<double>(z.re);
      return;
    case scalar_kind::complex64:
      call.data<float>(p_y)[2 * at] = static_cast<float>(z.re);
      call.data<float>(p_y)[2 * at + 1] = static_cast<float>(z.im);
      return;
    case scalar_kind::complex128:
      call.data<double>(p_y)[2 * at] = static_cast<double>(z.re);
      call.data<double>(p_y)[2 * at + 1] = static_cast<double>(z.im);
      return;
    default:
      call.data<float>(p_y)[at] = static_cast<float>(z.re);
  }
}

template <class R>
number<R> pair_of(const native_call& call, int which) {
  std::array<double, 2> parts{};
  std::memcpy(parts.data(), call.scalar_bytes(which).data(), sizeof parts);
  return {static_cast<R>(parts[0]), static_cast<R>(parts[1])};
}

/// What `rows_text` does, bit for bit.
template <class R>
void run_on_cpu(const rows_form& form, const native_call& call) {
  const auto rows = call.scalar<long long>(p_rows), columns = call.scalar<long long>(p_columns),
             batch = call.scalar<long long>(p_batch);
  const number<R> alpha = pair_of<R>(call, p_alpha), beta = pair_of<R>(call, p_beta);
  const auto *offsets = call.data<const long long>(p_offsets), *places = call.data<const long long>(p_places);
  for (std::int64_t b = call.points().lo[1]; b < std::min<std::int64_t>(call.points().hi[1], batch); ++b)
    for (std::int64_t r = call.points().lo[0]; r < std::min<std::int64_t>(call.points().hi[0], rows); ++r) {
      number<R> s;
      for (long long k = offsets[r]; k < offsets[r + 1]; ++k) {
        const number<R> x = load<R>(call, p_x, b * columns + places[k], form.x);
        if (!form.has_values) {
          s = {s.re + x.re, s.im + x.im};
          continue;
        }
        number<R> v = load<R>(call, p_values, k, form.values);
        if (form.conjugated && is_complex_kind(form.values)) v.im = -v.im;
        s.re += x.re * v.re - x.im * v.im;
        s.im += x.re * v.im + x.im * v.re;
      }
      number<R> y{alpha.re * s.re - alpha.im * s.im, alpha.re * s.im + alpha.im * s.re};
      if (form.reads_y) {
        const number<R> z = load<R>(call, p_y, b * rows + r, form.y);
        y.re += beta.re * z.re - beta.im * z.im;
        y.im += beta.re * z.im + beta.im * z.re;
      }
      store(call, b * rows + r, form.y, y);
    }
}

kernel kernel_of(context ctx, const rows_form& form) {
  kernel_options options;
  options.is_generated = true;
  options.fused = false;
  options.annotation = cat("global [r, b] => ", form.reads_y ? "readwrite" : "write",
                           " y as [batch, rows] [b, r], read x as [batch, columns] [b, reach(r)], "
                           "read offsets[r : r + 1], read places[entries(r)]",
                           form.has_values ? ", read values[entries(r)]" : "");
  options.meanwhile = [form](native_call& call) {
    if (form.is_wide())
      run_on_cpu<double>(form, call);
    else
      run_on_cpu<float>(form, call);
  };
  return ctx.compile(rows_text(form), "linop_rows", options);
}

argument pair_argument(std::complex<double> z) {
  return {argument::scalar{dtype::make(scalar_kind::float64, 2), bytes_of(std::array<double, 2>{z.real(), z.imag()})}};
}

}  // namespace

void run_rows(const sparse_rows& matrix, bool conjugated, std::complex<double> alpha, const array_base& x,
              std::complex<double> beta, const array_base& y, call_site here) {
  rows_form form{x.type().kind, y.type().kind, {}, matrix.values.record() != nullptr, conjugated, beta != 0.0};
  if (form.has_values) form.values = matrix.values.type().kind;
  const std::int64_t batch = y.size() / matrix.rows;
  launch_options settings;
  settings.threads = {matrix.rows, batch};
  settings.block = {32, 1};
  settings.tables = {{"reach", matrix.reach}, {"entries", matrix.entries}};
  settings.file = here.file;
  settings.line = here.line;
  std::vector<argument> args{argument::from(static_cast<long long>(matrix.rows)),
                             argument::from(static_cast<long long>(matrix.columns)),
                             argument::from(static_cast<long long>(batch)),
                             pair_argument(alpha),
                             pair_argument(beta),
                             argument::from(y),
                             argument::from(x),
                             argument::from(matrix.offsets),
                             argument::from(matrix.places)};
  if (form.has_values) args.push_back(argument::from(matrix.values));
  kernel_of(context::of(y), form).launch_with(settings, args);
}

}  // namespace tessera::linop
