#include "tessera/linop/leaf/cumsum.h"

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {
namespace {

/// Elements that are summed one by one; sums of these are summed likewise.
constexpr std::int64_t chunk = 32;

class cumsum_leaf final : public leaf {
 public:
  cumsum_leaf(const signature& s, const named_sizes& sizes) : leaf("cumsum", s) { know_all(sizes); }
  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    unify(sizes.of(dimensions().in[0]), sizes.of(dimensions().out[0]), to_string(dimensions().in[0]));
  }
  void run(const leaf_call& call, bool is_adjoint) const override {
    run_sums(call.make_step(), call.of.x, is_adjoint ? -1 : 1, call.of.here);
  }

 private:
  /// `s.result` gets sums of x from its beginning on, or up to its end for direction -1.
  static void run_sums(step s, const array_base& x, std::int64_t direction, call_site here) {
    const std::size_t axis = index(x.rank() - 1);
    const std::int64_t n = x.shape()[static_cast<int>(axis)];
    if (n > chunk) add_carry(s, sums_of_chunks(x, direction, here), direction, here);
    // Elements i, i - 1, ... of the chunk that i is in; i + 1, ... for direction -1.
    s.sums = {chunk};
    const std::size_t sum = s.axes(), quotient = sum + 1;
    s.quotients = {{affine::of(axis), chunk}};
    affine at = affine::of(axis);
    at.set(sum, -direction);
    affine in_chunk = at;
    in_chunk.set(quotient, -chunk);
    s.guards = {{in_chunk, chunk}};
    factor f{x};
    for (std::size_t k = 0; k < axis; ++k) f.at.push_back(affine::of(k));
    f.at.push_back(at);
    s.factors.push_back(std::move(f));
    run_step(std::move(s), here);
  }

  /// The sums of chunks, each with those before (or behind) it.
  static array_base sums_of_chunks(const array_base& x, std::int64_t direction, call_site here) {
    const std::size_t axis = index(x.rank() - 1);
    extents shape = x.shape();
    shape[static_cast<int>(axis)] = (shape[static_cast<int>(axis)] + chunk - 1) / chunk;
    step s;
    s.result = make_array(x, shape, x.type().kind, here);
    s.shape = shape;
    s.sums = {chunk};
    factor f{x};
    for (std::size_t k = 0; k < axis; ++k) f.at.push_back(affine::of(k));
    affine at = affine::of(axis, chunk);
    at.set(axis + 1, 1);
    f.at.push_back(at);
    s.factors.push_back(std::move(f));
    const array_base totals = s.result;
    run_step(std::move(s), here);
    step sums;
    sums.result = make_array(x, shape, x.type().kind, here);
    sums.shape = shape;
    const array_base made = sums.result;
    run_sums(std::move(sums), totals, direction, here);
    return made;
  }

  /// Adds the sum of the chunks before (or behind) the one of each element; `s` then adds to that.
  static void add_carry(step& s, const array_base& carries, std::int64_t direction, call_site here) {
    const std::size_t axis = s.axes() - 1;
    step carry = s;
    carry.quotients = {{affine::of(axis), chunk}};
    factor f{carries};
    for (std::size_t k = 0; k < axis; ++k) f.at.push_back(affine::of(k));
    f.at.push_back(affine::of(axis + 1, 1, planted("carry_of_own_chunk") ? 0 : -direction));
    carry.factors.push_back(std::move(f));
    run_step(std::move(carry), here);
    s.beta = 1;
  }
};

}  // namespace

op cumsum(std::string_view dimension, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimension, "cumsum");
  if (in.size() != 1 || out.size() != 1)
    throw argument_error(cat("cumsum(", dimension, ") is along one axis, the last one"));
  return make_leaf<cumsum_leaf>(signature{in, {unused(out[0], in, in)}}, sizes);
}

}  // namespace tessera::linop
