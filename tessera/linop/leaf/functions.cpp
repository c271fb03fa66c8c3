#include "tessera/linop/leaf/functions.h"

#include <array>
#include <functional>
#include <string>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/step/prepare.h"

namespace tessera::linop {
namespace {

/// What both kinds share: a result of its own where y is not a plain array for it.
class own_leaf : public leaf {
 public:
  own_leaf(const std::string& name, const signature& s, const function_options& options)
      : leaf(name, s), options_(options) {
    know_all(options.sizes);
  }
  [[nodiscard]] bool is_complex_linear() const override { return options_.is_complex_linear; }
  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool is_adjoint) const override {
    return options_.result_kind ? options_.result_kind(from, is_adjoint) : from;
  }

  void run(const leaf_call& call, bool is_adjoint) const override {
    const application& of = call.of;
    array_base x = of.x;
    if (!is_contiguous(x)) {
      x = make_array(of.x, of.x.shape(), of.x.type().kind, of.here);
      run_axpby(1, of.x, 0, x, of.here);
    }
    const scalar_kind kind = result_kind(x.type().kind, is_adjoint);
    if (call.is_plain(kind) && is_contiguous(of.y)) return compute(call, x, of.y, is_adjoint);
    const array_base y = make_array(of.x, of.y.shape(), kind, of.here);
    compute(call, x, y, is_adjoint);
    call.finish(y);
  }

 protected:
  virtual void compute(const leaf_call& call, const array_base& x, const array_base& y, bool is_adjoint) const = 0;

 private:
  function_options options_;
};

class function_leaf final : public own_leaf {
 public:
  function_leaf(const signature& s, operator_function forward, operator_function adjoint, const function_options& o)
      : own_leaf("from_functions", s, o), forward_(std::move(forward)), adjoint_(std::move(adjoint)) {
    if (!forward_) throw argument_error(cat(text(), " was given no function"));
  }

 protected:
  void compute(const leaf_call&, const array_base& x, const array_base& y, bool is_adjoint) const override {
    if (is_adjoint && !adjoint_)
      throw argument_error(cat(text(), " has no adjoint; give from_functions a second function"));
    (is_adjoint ? adjoint_ : forward_)(x, y);
  }

 private:
  operator_function forward_, adjoint_;
};

class kernel_leaf final : public own_leaf {
 public:
  struct side {
    kernel code;
    kernel_launch launch;
    dims threads;
  };
  kernel_leaf(const signature& s, side forward, side adjoint, const function_options& o)
      : own_leaf("from_kernels", s, o), sides_{std::move(forward), std::move(adjoint)} {
    dims all = s.in;
    all.insert(all.end(), s.out.begin(), s.out.end());
    for (side& each : sides_) {
      each.threads = parse_dims(each.launch.threads, text());
      if (each.threads.empty() || each.threads.size() > 3)
        throw argument_error(
            cat(text(), ": .threads names ", each.threads.size(), " dimensions; give those along x, y and z"));
      for (const dim& d : each.threads) require(d, all, ".threads");
      for (const kernel_argument& a : each.launch.args)
        if (a.from == kernel_argument::kind::size) require(a.of, all, ".args");
    }
  }

 protected:
  /// A kernel sees arrays of the operator's own axes: with a batch it is launched for copies of each element of it.
  void compute(const leaf_call& call, const array_base& x, const array_base& y, bool is_adjoint) const override {
    if (call.batch == 0) return launch(call, x, y, is_adjoint);
    const extents x_shape = behind(x.shape(), call.batch), y_shape = behind(y.shape(), call.batch);
    const array_base from = make_array(x, x_shape, x.type().kind, call.of.here),
                     to = make_array(x, y_shape, y.type().kind, call.of.here);
    std::vector<std::int64_t> at(call.batch, 0);
    for (bool more = true; more; more = next(at, x.shape())) {
      copy(x, at, from, true, call.of.here);
      launch(call, from, to, is_adjoint);
      copy(to, at, y, false, call.of.here);
    }
  }

 private:
  void require(const dim& d, const dims& all, const char* where) const {
    if (place_of(d, all) < 0)
      throw argument_error(
          cat(text(), ": ", where, " names ", to_string(d), ", which it does not have", suggestion(d, all)));
  }

  static extents behind(const extents& shape, std::size_t batch) {
    return extents(std::span<const std::int64_t>(shape.begin() + batch, shape.end()));
  }
  static bool next(std::vector<std::int64_t>& at, const extents& shape) {
    for (std::size_t k = at.size(); k-- > 0;) {
      if (++at[k] < shape[static_cast<int>(k)]) return true;
      at[k] = 0;
    }
    return false;
  }

  /// Copies the element `at` of a batch of `from` to `to`, or `from` to that of `to`.
  static void copy(const array_base& from, const std::vector<std::int64_t>& at, const array_base& to, bool out_of_batch,
                   call_site here) {
    step s;
    factor f{from};
    if (out_of_batch) {
      s.result = to;
      for (const std::int64_t n : at) f.at.push_back(affine{{}, n});
      for (int k = 0; k < to.rank(); ++k) f.at.push_back(affine::of(index(k)));
    } else {
      std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
      for (const std::int64_t n : at) ranges.emplace_back(n, n + 1);
      s.result = to.slice(ranges);
      for (int k = 0; k < from.rank(); ++k) f.at.push_back(affine::of(at.size() + index(k)));
    }
    s.factors.push_back(std::move(f));
    run_step(std::move(s), here);
  }

  void launch(const leaf_call& call, const array_base& x, const array_base& y, bool is_adjoint) const {
    const side& which = sides_[is_adjoint ? 1 : 0];
    const auto size_of = [&](const dim& d) { return place_of(d, call.y) >= 0 ? call.y_size(d) : call.x_size(d); };
    launch_options settings;
    std::vector<std::int64_t> threads;
    for (const dim& d : which.threads) threads.push_back(size_of(d));
    settings.threads = extents(std::span<const std::int64_t>(threads));
    settings.block = which.launch.block;
    settings.file = call.of.here.file;
    settings.line = call.of.here.line;
    std::vector<argument> args;
    for (const kernel_argument& a : which.launch.args) switch (a.from) {
        case kernel_argument::kind::in:
          args.push_back(argument::from(x));
          break;
        case kernel_argument::kind::out:
          args.push_back(argument::from(y));
          break;
        case kernel_argument::kind::size:
          args.push_back(argument::from(static_cast<long long>(size_of(a.of))));
          break;
        case kernel_argument::kind::given:
          args.push_back(a.value);
      }
    which.code.launch_with(settings, args);
  }

  std::array<side, 2> sides_;
};

}  // namespace

op from_functions(operator_function forward, operator_function adjoint, std::string_view dimensions,
                  const function_options& options) {
  const auto [in_dims, out_dims] = parse_arrow(dimensions, "from_functions");
  return make_leaf<function_leaf>(signature{in_dims, out_dims}, std::move(forward), std::move(adjoint), options);
}

op from_kernels(const kernel& forward, const kernel& adjoint, std::string_view dimensions, const kernel_launch& launch,
                const function_options& options) {
  return from_kernels(forward, adjoint, dimensions, launch, launch, options);
}

op from_kernels(const kernel& forward, const kernel& adjoint, std::string_view dimensions, const kernel_launch& launch,
                const kernel_launch& adjoint_launch, const function_options& options) {
  const auto [in_dims, out_dims] = parse_arrow(dimensions, "from_kernels");
  return make_leaf<kernel_leaf>(signature{in_dims, out_dims}, kernel_leaf::side{forward, launch, {}},
                                kernel_leaf::side{adjoint, adjoint_launch, {}}, options);
}

}  // namespace tessera::linop
