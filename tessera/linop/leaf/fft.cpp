#include "tessera/linop/leaf/fft.h"

#include <cmath>

#include "tessera/array/context.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/leaf/identity.h"
#include "tessera/linop/step/prepare.h"
#include "tessera/numeric/launch.h"

namespace tessera::linop {
namespace {

/// Shared by both transforms: lines along the axes of one application.
class transform_leaf : public leaf {
 public:
  transform_leaf(const std::string& name, const signature& s, const fft_options& options)
      : leaf(name, s), options_(options) {
    if (s.in.size() != s.out.size() || s.in.empty())
      throw argument_error(cat(name, "(", to_string(s), ") names ", s.in.size(), " inputs and ", s.out.size(),
                               " outputs; each axis has one of both"));
    know_all(options.sizes);
  }

 protected:
  [[nodiscard]] std::size_t axes() const { return dimensions().in.size(); }
  [[nodiscard]] const fft_options& options() const { return options_; }

  /// What results are multiplied by, for transforms of this shape.
  [[nodiscard]] double scale_of(const extents& whole, std::size_t batch) const {
    if (options_.norm == fft_norm::none) return 1;
    double elements = 1;
    for (std::size_t k = 0; k < axes(); ++k) elements *= static_cast<double>(whole[static_cast<int>(batch + k)]);
    return 1 / std::sqrt(elements);
  }

  /// The lines along axis `axis` of arrays of this shape.
  static numeric::fft_lines lines_of(const extents& shape, std::size_t axis, bool backward) {
    numeric::fft_lines lines;
    lines.length = shape[static_cast<int>(axis)];
    lines.backward = backward;
    for (int k = 0; k < shape.rank(); ++k) {
      if (k != static_cast<int>(axis)) lines.lines *= shape[k];
      if (k > static_cast<int>(axis)) lines.inner *= shape[k];
    }
    return lines;
  }

  /// Complex transforms along axes [first, last), the last one first, from one new array to another.
  static array_base transformed(array_base now, std::size_t first, std::size_t last, bool backward, call_site here) {
    for (std::size_t axis = last; axis-- > first;) {
      const array_base next = make_array(now, now.shape(), now.type().kind, here);
      numeric::launch_fft(context::of(now), next, now, lines_of(now.shape(), axis, backward), here);
      now = next;
    }
    return now;
  }

 private:
  fft_options options_;
};

class fft_leaf final : public transform_leaf {
 public:
  fft_leaf(const signature& s, const fft_options& options) : transform_leaf("fft", s, options) {}

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    for (std::size_t k = 0; k < axes(); ++k)
      unify(sizes.of(dimensions().in[k]), sizes.of(dimensions().out[k]), to_string(dimensions().in[k]));
  }
  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool) const override { return complex_of(from); }

  void run(const leaf_call& call, bool is_adjoint) const override {
    const application& of = call.of;
    const scalar_kind kind = complex_of(of.x.type().kind);
    const bool is_ready = of.x.type().kind == kind && is_contiguous(of.x) && !options().centered;
    const array_base first = is_ready ? of.x : shifted_copy(call, kind);
    const double scale = scale_of(of.x.shape(), call.batch);
    // The last transform goes to y itself where nothing is to be done behind it.
    const bool scales = scale == 1 || numeric::fft_scales(context::of(of.x));
    const bool goes_to_y = call.is_plain(kind) && is_contiguous(of.y) && !options().centered && scales;
    const array_base now = transformed(first, call.batch + 1, call.batch + axes(), is_adjoint, of.here);
    numeric::fft_lines lines = lines_of(now.shape(), call.batch, is_adjoint);
    if (goes_to_y) lines.scale = scale;
    const array_base to = goes_to_y ? of.y : make_array(of.x, now.shape(), kind, of.here);
    numeric::launch_fft(context::of(of.x), to, now, lines, of.here);
    if (goes_to_y) return;
    step s = call.make_step();
    s.alpha *= scale;
    s.factors.push_back(shifted(call, to, -1, s));
    run_step(std::move(s), of.here);
  }

  [[nodiscard]] std::optional<op> normal(bool is_adjoint) const override {
    if (options().norm != fft_norm::ortho) return std::nullopt;
    return identity(to_string(is_adjoint ? dimensions().out : dimensions().in));
  }

 private:
  /// An array of the call's shape, with the middle of each axis moved to its beginning, or back.
  [[nodiscard]] factor shifted(const leaf_call& call, const array_base& a, int direction, step& s) const {
    factor f{a};
    for (std::size_t k = 0; k < call.batch; ++k) f.at.push_back(affine::of(k));
    for (std::size_t k = 0; k < axes(); ++k) {
      const std::size_t axis = call.batch + k;
      const std::int64_t n = a.shape()[static_cast<int>(axis)];
      affine at = affine::of(axis, 1, options().centered ? direction * (n / 2) : 0);
      if (options().centered) {
        const std::size_t quotient = s.variables();
        s.quotients.push_back({at, n});
        at.set(quotient, -n);
      }
      f.at.push_back(at);
    }
    return f;
  }

  [[nodiscard]] array_base shifted_copy(const leaf_call& call, scalar_kind kind) const {
    step s;
    s.result = make_array(call.of.x, call.of.x.shape(), kind, call.of.here);
    s.shape = s.result.shape();
    s.factors.push_back(shifted(call, call.of.x, 1, s));
    const array_base made = s.result;
    run_step(std::move(s), call.of.here);
    return made;
  }
};

class rfft_leaf final : public transform_leaf {
 public:
  rfft_leaf(const signature& s, const fft_options& options) : transform_leaf("rfft", s, options) {
    if (options.centered) throw argument_error(cat("rfft(", to_string(s), ") cannot be centred; use fft"));
  }

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    for (std::size_t k = 0; k + 1 < axes(); ++k)
      unify(sizes.of(dimensions().in[k]), sizes.of(dimensions().out[k]), to_string(dimensions().in[k]));
    if (const std::int64_t n = sizes[dimensions().in.back()]; n >= 0)
      sizes.set(dimensions().out.back(), n == 0 ? 0 : n / 2 + 1, text());
  }

  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool is_adjoint) const override {
    if (is_adjoint) return real_of(from);
    if (is_complex_kind(from))
      throw argument_error(cat(text(), " takes real numbers, not ", to_string(dtype::make(from)), "; use fft"));
    return complex_of(from);
  }
  [[nodiscard]] bool is_complex_linear() const override { return false; }

  void run(const leaf_call& call, bool is_adjoint) const override {
    if (is_adjoint)
      run_adjoint(call);
    else
      run_forward(call);
  }

 private:
  void run_forward(const leaf_call& call) const {
    const application& of = call.of;
    const scalar_kind kind = complex_of(of.x.type().kind);
    const std::size_t last = call.batch + axes() - 1;
    const array_base from = is_contiguous(of.x) ? of.x : copy_of(of.x, of.x.type().kind, of.here);
    const array_base half = make_array(of.x, of.y.shape(), kind, of.here);
    numeric::fft_lines lines = lines_of(of.x.shape(), last, false);
    lines.kind = numeric::fft_kind::real_to_half;
    numeric::launch_fft(context::of(of.x), half, from, lines, of.here);
    const array_base done = transformed(half, call.batch, last, false, of.here);
    run_axpby(of.alpha * scale_of(of.x.shape(), call.batch), done, of.beta, of.y, of.here);
  }

  /// Elements whose conjugates are left out count half in the way back, which counts them twice.
  void run_adjoint(const leaf_call& call) const {
    const application& of = call.of;
    const scalar_kind kind = complex_of(of.x.type().kind);
    const std::size_t last = call.batch + axes() - 1;
    const std::int64_t n = of.y.shape()[static_cast<int>(last)];
    const bool is_ready = of.x.type().kind == kind && is_contiguous(of.x);
    const array_base from = is_ready ? of.x : copy_of(of.x, kind, of.here);
    const array_base lines_done = transformed(from, call.batch, last, true, of.here);
    const array_base halved = make_array(of.x, of.x.shape(), kind, of.here);
    run_axpby(0.5, lines_done, 0, halved, of.here);
    keep(lines_done, halved, last, 0, of.here);
    if (n % 2 == 0) keep(lines_done, halved, last, n / 2, of.here);
    const array_base whole = make_array(of.x, of.y.shape(), real_of(kind), of.here);
    numeric::fft_lines lines = lines_of(of.y.shape(), last, true);
    lines.kind = numeric::fft_kind::half_to_real;
    numeric::launch_fft(context::of(of.x), whole, halved, lines, of.here);
    run_axpby(of.alpha * scale_of(of.y.shape(), call.batch), whole, of.beta, of.y, of.here);
  }

  /// Element `at` of the last axis as it was.
  static void keep(const array_base& from, const array_base& to, std::size_t axis, std::int64_t at, call_site here) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (std::size_t k = 0; k < axis; ++k) ranges.emplace_back(0, from.shape()[static_cast<int>(k)]);
    ranges.emplace_back(at, at + 1);
    run_axpby(1, from.slice(ranges), 0, to.slice(ranges), here);
  }

  static array_base copy_of(const array_base& x, scalar_kind kind, call_site here) {
    const array_base made = make_array(x, x.shape(), kind, here);
    run_axpby(1, x, 0, made, here);
    return made;
  }
};

signature transform_signature(std::string_view text, const char* name) {
  const auto [in, out] = parse_arrow(text, name);
  dims made;
  for (const dim& d : out) made.push_back(unused(d, in, made));
  return {in, made};
}

}  // namespace

op fft(std::string_view dimensions, const fft_options& options) {
  return make_leaf<fft_leaf>(transform_signature(dimensions, "fft"), options);
}
op rfft(std::string_view dimensions, const fft_options& options) {
  return make_leaf<rfft_leaf>(transform_signature(dimensions, "rfft"), options);
}

}  // namespace tessera::linop
