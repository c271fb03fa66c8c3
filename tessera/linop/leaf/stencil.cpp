#include "tessera/linop/leaf/stencil.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "tessera/array/context.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/runtime/array_record.h"

namespace tessera::linop {
namespace {

/// Small real weights as arrays of the contexts in which they are used.
class tap_list {
 public:
  explicit tap_list(std::vector<double> taps) : taps_(std::move(taps)) {}
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(taps_.size()); }

  [[nodiscard]] array_base in(context ctx, scalar_kind kind, call_site here) const {
    const std::lock_guard lock(mutex_);
    array_base& found = made_[{ctx.engine().get(), kind}];
    if (found.record()) return found;
    const std::vector<float> single(taps_.begin(), taps_.end());
    found = ctx.empty({size()}, dtype::make(kind), automatic(), here);
    found.write_bytes(kind == scalar_kind::float64 ? std::as_bytes(std::span(taps_)) : std::as_bytes(std::span(single)),
                      here);
    return found;
  }

 private:
  std::vector<double> taps_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<const void*, scalar_kind>, array_base> made_;
};

/// The window of an operator along one axis: elements i + shift + sign * k of x, for k below the width.
struct window {
  std::size_t place = 0;  ///< Of the axis in the input.
  std::int64_t width = 1, sign = 1;

  [[nodiscard]] std::int64_t shift() const { return -sign * (width / 2); }
  /// Elements on one side, at most.
  [[nodiscard]] std::int64_t reach() const { return width / 2; }
};

enum class mirror : std::uint8_t { none, low, high };

affine plus(affine a, std::int64_t n) {
  a.offset += n;
  return a;
}
affine turned(affine a, std::int64_t around) {
  for (std::int64_t& n : a.factors) n = -n;
  a.offset = around - a.offset;
  return a;
}

/// Where x is read along an axis of n elements, for axis `axis` of the result and element `sum` of the kernel. Forward,
/// t = i + shift + sign * k is mirrored to an element of x; backward, what is mirrored to element i is t, and y is read
/// at t - shift - sign * k.
affine index_of(step& s, const window& w, boundary edge, std::size_t axis, std::size_t sum, std::int64_t n,
                bool is_adjoint, mirror edge_side) {
  affine t = affine::of(axis, 1, is_adjoint ? 0 : w.shift());
  if (!is_adjoint) t.set(sum, w.sign);
  affine at = t;
  if (edge_side == mirror::low) {
    at = turned(t, 0);
    s.guards.push_back({plus(is_adjoint ? t : at, -1), n - 1});
  } else if (edge_side == mirror::high) {
    at = turned(t, 2 * (n - 1));
    s.guards.push_back({is_adjoint ? t : plus(t, -n), n - 1});
  }
  if (is_adjoint) {
    at.offset -= w.shift() + (planted("window_one_further") ? 1 : 0);
    at.set(sum, -w.sign);
  }
  if (edge == boundary::circular) {
    const std::size_t quotient = s.variables();
    s.quotients.push_back({at, n});
    at.set(quotient, -n);
  }
  return at;
}

/// Sums over windows of all their axes together, or, for a gradient, of one axis after the other.
class stencil_leaf final : public leaf {
 public:
  stencil_leaf(const std::string& name, const signature& s, const array_base& kernel, const convolution_options& o)
      : leaf(name, s), kernel_(kernel), edge_(o.edge) {
    if (!kernel.record() || !is_element_kind(kernel.type().kind) || kernel.type().lanes != 1)
      throw argument_error(cat("the kernel of ", text(), " holds no real or complex numbers"));
    if (kernel.rank() != static_cast<int>(s.in.size()))
      throw argument_error(
          cat("the kernel of ", text(), " has ", kernel.rank(), " axes, but ", s.in.size(), " are named"));
    for (int k = 0; k < kernel.rank(); ++k) windows_.push_back({index(k), kernel.shape()[k], o.correlates ? 1 : -1});
    know_all(o.sizes);
  }
  stencil_leaf(const std::string& name, const signature& s, const std::vector<std::size_t>& places,
               std::vector<double> taps, bool is_gradient, const derivative_options& o)
      : leaf(name, s), taps_(std::make_shared<tap_list>(std::move(taps))), edge_(o.edge), is_gradient_(is_gradient) {
    for (const std::size_t place : places) windows_.push_back({place, taps_->size(), 1});
    if (is_gradient) know(s.out.front(), static_cast<std::int64_t>(places.size()));
    know_all(o.sizes);
  }

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    for (const window& w : windows_) {
      const dim& d = dimensions().in[w.place];
      unify(sizes.of(d), sizes.of(dimensions().out[w.place + (is_gradient_ ? 1 : 0)]), to_string(d));
      const std::int64_t n = sizes[d];
      if (edge_ == boundary::reflect && n > 0 && w.reach() >= n)
        throw argument_error(cat(text(), " mirrors ", w.reach(), " elements of ", to_string(d), ", which has ", n));
    }
  }

  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool) const override {
    return kernel_.record() ? common_kind(from, kernel_.type().kind) : from;
  }

  [[nodiscard]] bool is_step() const override { return !is_gradient_; }
  void run(const leaf_call& call, bool is_adjoint) const override {
    if (kernel_.record() && kernel_.record()->owner != call.of.x.record()->owner)
      throw argument_error(cat("x and the kernel of ", text(), " belong to different contexts"));
    std::complex<double> beta = call.of.beta;
    if (!is_gradient_) return run_windows(call, is_adjoint, windows_, -1, beta);
    for (std::size_t t = 0; t < windows_.size(); ++t) {
      run_windows(call, is_adjoint, {windows_[t]}, static_cast<std::int64_t>(t), beta);
      if (is_adjoint) beta = 1;
    }
  }

 private:
  /// Mirrored edges are launches of their own: what is inside, below and above, for each axis.
  void run_windows(const leaf_call& call, bool is_adjoint, const std::vector<window>& windows, std::int64_t direction,
                   std::complex<double> beta) const {
    std::size_t variants = 1;
    if (edge_ == boundary::reflect)
      for (std::size_t k = 0; k < windows.size(); ++k) variants *= 3;
    for (std::size_t v = 0; v < variants; ++v) {
      step s = make_step(call, is_adjoint, windows, direction, v);
      s.beta = beta;
      call.run(std::move(s));
      beta = 1;
    }
  }

  /// With a direction, the result or x has an axis for it behind the batch.
  [[nodiscard]] step make_step(const leaf_call& call, bool is_adjoint, const std::vector<window>& windows,
                               std::int64_t direction, std::size_t variant) const {
    step s = call.make_step();
    const bool in_result = direction >= 0 && !is_adjoint, in_x = direction >= 0 && is_adjoint;
    if (in_result) {
      std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
      for (std::size_t k = 0; k < call.batch; ++k) ranges.emplace_back(0, s.shape[static_cast<int>(k)]);
      ranges.emplace_back(direction, direction + 1);
      s.result = call.of.y.slice(ranges);
    }
    const std::size_t first_axis = call.batch + (in_result ? 1 : 0), first_sum = s.axes();
    factor w{kernel_.record() ? kernel_
                              : taps_->in(context::of(call.of.x), real_of(call.of.x.type().kind), call.of.here)};
    w.is_conjugated = is_adjoint;
    factor f = call.batch_of_x();
    if (in_x) f.at.push_back(affine{{}, direction});
    const std::size_t first_of_x = f.at.size();
    for (std::size_t k = 0; k < dimensions().in.size(); ++k) f.at.push_back(affine::of(first_axis + k));
    for (const window& each : windows) s.sums.push_back(each.width);
    for (std::size_t k = 0; k < windows.size(); ++k) {
      const window& each = windows[k];
      const auto edge_side = edge_ == boundary::reflect ? static_cast<mirror>(variant % 3) : mirror::none;
      variant /= 3;
      const std::size_t axis = first_axis + each.place;
      w.at.push_back(affine::of(first_sum + k));
      f.at[first_of_x + each.place] = index_of(s, each, edge_, axis, first_sum + k,
                                               call.x_size(call.x[each.place + (in_x ? 1 : 0)]), is_adjoint, edge_side);
    }
    s.factors.push_back(std::move(w));
    s.factors.push_back(std::move(f));
    return s;
  }

  array_base kernel_;
  std::shared_ptr<const tap_list> taps_;
  boundary edge_;
  bool is_gradient_ = false;
  std::vector<window> windows_;
};

signature windowed(std::string_view text, const char* name) {
  auto [in, out] = parse_arrow(text, name);
  if (in.size() != out.size() || in.empty())
    throw argument_error(
        cat(name, "(", text, ") names ", in.size(), " inputs and ", out.size(), " outputs; each axis has one of both"));
  dims made;
  for (const dim& d : out) made.push_back(unused(d, in, made));
  return {in, made};
}

void require_spacing(const char* name, const derivative_options& options) {
  if (!(options.spacing > 0)) throw argument_error(cat(name, ": the spacing ", options.spacing, " is not positive"));
}

op derivative(const char* name, std::string_view dimension, std::vector<double> taps,
              const derivative_options& options) {
  require_spacing(name, options);
  const dims all = parse_dims(options.within.empty() ? dimension : options.within, name);
  const dim along = parse_dim(dimension);
  const int place = place_of(along, all);
  if (place < 0)
    throw argument_error(cat(name, ": within (", to_string(all), ") there is no ", dimension, suggestion(along, all)));
  signature s{all, all};
  s.out[index(place)] = unused(along, all, all);
  return make_leaf<stencil_leaf>(name, s, std::vector<std::size_t>{index(place)}, std::move(taps), false, options);
}

std::vector<double> first_taps(const derivative_options& options) {
  const double h = 1 / options.spacing;
  if (options.kind == difference::forward) return {0, -h, h};
  if (options.kind == difference::backward) return {-h, h, 0};
  return {-h / 2, 0, h / 2};
}

}  // namespace

op convolution(const array_base& kernel, std::string_view dimensions, const convolution_options& options) {
  return make_leaf<stencil_leaf>(options.correlates ? "correlation" : "convolution",
                                 windowed(dimensions, "convolution"), kernel, options);
}

op first_derivative(std::string_view dimension, const derivative_options& options) {
  return derivative("first_derivative", dimension, first_taps(options), options);
}

op second_derivative(std::string_view dimension, const derivative_options& options) {
  const double h = 1 / (options.spacing * options.spacing);
  return derivative("second_derivative", dimension, {h, -2 * h, h}, options);
}

op finite_difference(std::string_view dimension, std::string_view within, const named_sizes& sizes) {
  derivative_options options;
  options.edge = boundary::circular;
  options.within = std::string(within);
  options.sizes = sizes;
  return derivative("finite_difference", dimension, {0, -1, 1}, options);
}

op laplacian(std::string_view dimensions, const derivative_options& options) {
  const dims all = parse_dims(dimensions, "laplacian");
  if (all.empty()) throw argument_error("laplacian: no dimensions are named");
  derivative_options each = options;
  each.within = std::string(dimensions);
  op made = second_derivative(to_string(all[0]), each);
  for (std::size_t k = 1; k < all.size(); ++k) made = made + second_derivative(to_string(all[k]), each);
  return made;
}

op gradient(std::string_view dimensions, const derivative_options& options) {
  require_spacing("gradient", options);
  const auto [in, out] = parse_arrow(dimensions, "gradient");
  const bool fits = !in.empty() && out.size() == in.size() + 1 && place_of(out[0], in) < 0;
  if (!fits)
    throw argument_error(
        cat("gradient(", dimensions, "): name the axes, and one more in front of them: \"Nx Ny -> D Nx ", "Ny\""));
  dims named{out[0]};
  for (std::size_t k = 1; k < out.size(); ++k) named.push_back(unused(out[k], in, named));
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < in.size(); ++k) places.push_back(k);
  return make_leaf<stencil_leaf>("gradient", signature{in, named}, places, first_taps(options), true, options);
}

}  // namespace tessera::linop
