#include "tessera/linop/leaf/einsum.h"

#include <algorithm>
#include <string>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/leaf/identity.h"
#include "tessera/linop/leaf/product.h"
#include "tessera/runtime/array_record.h"

namespace tessera::linop {
namespace {

void require_weight(const array_base& weight, const dims& names, const std::string& name) {
  if (!weight.record()) throw argument_error(cat("the weight of ", name, " was not created"));
  if (weight.type().lanes != 1 || !is_element_kind(weight.type().kind))
    throw argument_error(cat("the weight of ", name, " holds ", to_string(weight.type()),
                             "; operators take float32, float64, complex64 and complex128"));
  if (weight.rank() != static_cast<int>(names.size()))
    throw argument_error(cat("the weight of ", name, " has ", weight.rank(), " axes, but (", to_string(names),
                             ") names ", names.size()));
}

/// y[o] = sum of weight * x over what y does not have; copies along what x and the weight do not have.
class einsum_leaf final : public leaf {
 public:
  einsum_leaf(const std::string& name, const signature& s) : leaf(name, s) {}
  einsum_leaf(const std::string& name, const signature& s, const array_base& weight, const dims& weight_dims,
              const dense_options& options, bool is_squared = false)
      : leaf(name, s), weight_(weight), weight_dims_(weight_dims), options_(options), is_squared_(is_squared) {
    require_weight(weight, weight_dims, text());
    for (std::size_t k = 0; k < weight_dims.size(); ++k) know(weight_dims[k], weight.shape()[static_cast<int>(k)]);
  }

  using leaf::know_all;

  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool) const override {
    return weight_.record() ? common_kind(from, weight_.type().kind) : from;
  }

  void run(const leaf_call& call, bool is_adjoint) const override {
    require_context(call);
    if (weight_.record() && !is_squared_ && call.part == nullptr)
      if (const std::optional<matrix_form> form = matrix_form_of(call, weight_, weight_dims_))
        return run_product(call, weight_, *form, is_adjoint);
    step s = call.make_step();
    dims loops = call.y;  // behind the batch; summed ones follow
    const auto add_sum = [&](const dim& d, std::int64_t n) {
      if (place_of(d, loops) >= 0) return;
      loops.push_back(d);
      s.sums.push_back(n);
    };
    for (const dim& d : call.x) add_sum(d, call.x_range(d).count());  // of x, what the call has
    for (std::size_t k = 0; k < weight_dims_.size(); ++k)
      add_sum(weight_dims_[k], weight_.shape()[static_cast<int>(k)]);
    const auto variable = [&](const dim& d) {
      const bool is_summed = place_of(d, call.y) < 0 && place_of(d, call.x) >= 0;
      return affine::of(call.batch + index(place_of(d, loops)), 1, is_summed ? call.x_range(d).lo : 0);
    };
    if (weight_.record()) {
      factor w{weight_};
      for (const dim& d : weight_dims_) w.at.push_back(variable(d));
      w.is_conjugated = is_adjoint && !planted("conjugate_lost");
      if (is_squared_) {
        s.factors.push_back(w);
        w.is_conjugated = !is_adjoint;
      }
      s.factors.push_back(std::move(w));
    }
    factor f = call.batch_of_x();
    for (const dim& d : call.x) f.at.push_back(variable(d));
    s.factors.push_back(std::move(f));
    call.run(std::move(s));
  }

  [[nodiscard]] std::optional<op> normal(bool is_adjoint) const override {
    const bool is_pointwise = dimensions().in == dimensions().out && !is_squared_ && weight_.record();
    if (is_pointwise) return make_leaf<einsum_leaf>("squared", dimensions(), weight_, weight_dims_, options_, true);
    if (options_.normal == normal_form::gram && !is_adjoint) return gram();
    return std::nullopt;
  }
  [[nodiscard]] bool is_self_adjoint() const override { return is_squared_; }
  [[nodiscard]] bool is_step() const override { return true; }

  /// This sum with a part of the weight, which is not copied.
  [[nodiscard]] std::shared_ptr<const leaf> narrowed(
      const std::vector<std::pair<dim, axis_range>>& ranges) const override {
    const auto range_of = [&](const dim& d) -> const axis_range* {
      for (const auto& [name, r] : ranges)
        if (name == d) return &r;
      return nullptr;
    };
    if (weight_.record()) {
      std::vector<std::pair<std::int64_t, std::int64_t>> part;
      for (std::size_t k = 0; k < weight_dims_.size(); ++k) {
        const axis_range* r = range_of(weight_dims_[k]);
        part.emplace_back(r != nullptr ? r->lo : 0, r != nullptr ? r->hi : weight_.shape()[static_cast<int>(k)]);
      }
      return std::make_shared<einsum_leaf>(name(), dimensions(), weight_.slice(part), weight_dims_, options_,
                                           is_squared_);
    }
    auto made = std::make_shared<einsum_leaf>(name(), dimensions());
    for (const dims& names : {dimensions().in, dimensions().out})
      for (const dim& d : names) {
        const std::optional<std::int64_t> whole = known(d);
        const axis_range* r = range_of(d);
        if (r != nullptr || whole) made->know(d, r != nullptr ? r->count() : *whole);
      }
    return made;
  }

 private:
  void require_context(const leaf_call& call) const {
    if (weight_.record() && weight_.record()->owner != call.of.x.record()->owner)
      throw argument_error(cat("x and the weight of ", text(), " belong to different contexts"));
  }

  /// W^H W as a dense operator.
  [[nodiscard]] op gram() const {
    // A^H applied to the weight itself, of which the summed dimensions `d` of W are renamed to `d'`.
    dims renamed = weight_dims_, in, gram_dims, out = dimensions().in;
    std::vector<std::pair<dim, dim>> turned;
    for (dim& d : renamed)
      if (place_of(d, dimensions().in) >= 0 && place_of(d, dimensions().out) < 0) {
        const dim other = unused(d, weight_dims_, dimensions().in);
        turned.emplace_back(d, other);
        d = other;
      }
    for (const dim& d : weight_dims_)
      if (place_of(d, dimensions().in) >= 0) in.push_back(d);
    for (const auto& [d, other] : turned) in.push_back(other);
    const op matrix = make_leaf<einsum_leaf>("gram", signature{in, renamed}, weight_, weight_dims_, dense_options{});
    const array_base product = matrix.H()(weight_);
    // Its axes are `in`: rows d, columns d'. Rows are the outputs.
    for (const dim& d : in) {
      dim name = d;
      for (const auto& [a, b] : turned) name = d == a ? b : d == b ? a : name;
      gram_dims.push_back(name);
    }
    for (dim& d : out)
      for (const auto& [a, b] : turned)
        if (d == a) {
          d = b;
          break;
        }
    return make_leaf<einsum_leaf>("gram", signature{dimensions().in, out}, product, gram_dims, dense_options{});
  }

  array_base weight_;
  dims weight_dims_;
  dense_options options_;
  bool is_squared_ = false;
};

op make_einsum(const std::string& name, const signature& s, const named_sizes& sizes) {
  auto made = std::make_shared<einsum_leaf>(name, s);
  made->know_all(sizes);
  return make_op(made);
}

void require_all(const dims& needed, const dims& there, const std::string& sentence) {
  for (const dim& d : needed)
    if (place_of(d, there) < 0) throw argument_error(cat(sentence, to_string(d), suggestion(d, there)));
}

}  // namespace

op diagonal(const array_base& weight, std::string_view dimensions) { return diagonal(weight, dimensions, dimensions); }

op diagonal(const array_base& weight, std::string_view weight_dimensions, std::string_view dimensions) {
  const dims all = parse_dims(dimensions, "diagonal"), of_weight = parse_dims(weight_dimensions, "diagonal");
  require_all(of_weight, all, cat("diagonal(", dimensions, ") has no dimension "));
  return make_leaf<einsum_leaf>("diagonal", signature{all, all}, weight, of_weight, dense_options{});
}

op dense(const array_base& weight, std::string_view dimensions, const dense_options& options) {
  const std::size_t comma = dimensions.find(','), arrow = dimensions.find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || arrow < comma ||
      dimensions.find(',', comma + 1) != std::string_view::npos)
    throw argument_error(cat("dense: \"", dimensions, "\" is not of the form \"W X, X Z -> W Z\": the axes of the ",
                             "weight, of x and of y"));
  const dims of_weight = parse_dims(dimensions.substr(0, comma), "dense"),
             in = parse_dims(dimensions.substr(comma + 1, arrow - comma - 1), "dense"),
             out = parse_dims(dimensions.substr(arrow + 2), "dense");
  dims known = of_weight;
  known.insert(known.end(), in.begin(), in.end());
  require_all(out, known, cat("dense(", dimensions, "): neither weight nor x have "));
  return make_leaf<einsum_leaf>("dense", signature{in, out}, weight, of_weight, options);
}

op sum_reduce(std::string_view dimensions, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimensions, "sum_reduce");
  require_all(out, in, cat("sum_reduce(", dimensions, "): the input has no "));
  return make_einsum("sum_reduce", {in, out}, sizes);
}

op repeat(std::string_view dimensions, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimensions, "repeat");
  require_all(in, out, cat("repeat(", dimensions, "): the output has no "));
  return make_einsum("repeat", {in, out}, sizes);
}

op rearrange(std::string_view dimensions) {
  const auto [in, out] = parse_arrow(dimensions, "rearrange");
  require_all(in, out, cat("rearrange(", dimensions, "): the output has no "));
  require_all(out, in, cat("rearrange(", dimensions, "): the input has no "));
  return make_einsum("rearrange", {in, out}, {});
}

}  // namespace tessera::linop
