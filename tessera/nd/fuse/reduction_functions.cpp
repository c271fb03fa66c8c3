#include "tessera/nd/fuse/reduction_functions.h"

#include <algorithm>

#include "tessera/base/defects.h"

namespace tessera::nd {
namespace {

using kernels::expression;
using kernels::opcode;
using value = expression::value;
namespace sets = kernels::type_sets;

constexpr scalar_kind real = scalar_kind::float64;

value parameter(scalar_function& f, std::size_t place, scalar_kind type) {
  return f.body.parameter(static_cast<int>(place), type);
}

opcode operation_of(combiner by) {
  switch (by) {
    case combiner::product:
      return opcode::multiply;
    case combiner::minimum:
      return opcode::nan_minimum;
    case combiner::maximum:
      return opcode::nan_maximum;
    case combiner::any:
      return opcode::logical_or;
    case combiner::all:
      return opcode::logical_and;
    default:
      return opcode::add;
  }
}

bool is_argument(combiner by) { return by == combiner::argmin || by == combiner::argmax; }

/// Whether (b, its place) comes before (a, its place): the less or greater one, NaN first, the lower place of equals.
value comes_first(expression& e, combiner by, scalar_kind type, value a, value place_a, value b, value place_b) {
  const scalar_kind truth = scalar_kind::boolean;
  const value better =
      by == combiner::argmin ? e.apply(opcode::less, type, {b, a}) : e.apply(opcode::less, type, {a, b});
  const bool is_wrong = planted("last_tie_wins");
  const value lower =
      e.apply(opcode::less, scalar_kind::int64, {is_wrong ? place_a : place_b, is_wrong ? place_b : place_a});
  const value equal = e.apply(opcode::equal, type, {a, b});
  if (!kernels::contains(sets::floats, type))
    return e.apply(opcode::logical_or, truth, {better, e.apply(opcode::logical_and, truth, {equal, lower})});
  const value nan_a = e.apply(opcode::is_nan, type, {a}), nan_b = e.apply(opcode::is_nan, type, {b});
  const value alike = e.apply(opcode::logical_or, truth, {equal, e.apply(opcode::logical_and, truth, {nan_a, nan_b})});
  const value tie = e.apply(opcode::logical_and, truth, {alike, lower});
  const value wins = e.apply(opcode::logical_or, truth, {better, e.apply(opcode::logical_or, truth, {nan_b, tie})});
  // A NaN is only replaced by one at a lower place.
  const value keeps = e.apply(opcode::logical_and, truth, {nan_a, e.apply(opcode::logical_not, truth, {tie})});
  return e.apply(opcode::logical_and, truth, {wins, e.apply(opcode::logical_not, truth, {keeps})});
}

/// Writes the functions of one reduction behind those of others.
class writer {
 public:
  writer(reduction_functions& to, std::size_t lanes, std::size_t pieces, std::size_t squares)
      : to_(to), all_lanes_(lanes), all_pieces_(pieces), all_squares_(squares) {}

  void add(const reduction& r, std::int64_t count) {
    if (is_argument(r.spec.by)) return add_argument(r);
    if (r.spec.by == combiner::variance) return add_variance(r, count);
    const scalar_kind type = r.spec.computed;
    combine_plainly(to_.combine, lane_, all_lanes_, operation_of(r.spec.by), type);
    combine_plainly(to_.merge, piece_, all_pieces_, operation_of(r.spec.by), type);
    to_.piece.results.push_back(parameter(to_.piece, lane_, type));
    value whole = parameter(to_.finish, piece_, type);
    if (r.spec.by == combiner::mean) whole = divided(whole, type, static_cast<double>(count));
    to_.finish.results.push_back(converted(to_.finish.body, whole, r.result));
    ++lane_, ++piece_;
  }

 private:
  static value converted(expression& e, value v, scalar_kind type) {
    return e.type_of(v) == type ? v : e.apply(opcode::convert, type, {v});
  }
  static void combine_plainly(scalar_function& f, std::size_t at, std::size_t states, opcode operation,
                              scalar_kind type) {
    f.results.push_back(f.body.apply(operation, type, {parameter(f, at, type), parameter(f, states + at, type)}));
  }
  value divided(value v, scalar_kind type, double by) {
    expression& e = to_.finish.body;
    const value divisor = parameter(to_.finish, all_pieces_ + to_.divisors.size(), real);
    to_.divisors.push_back(by);
    return e.apply(opcode::divide, type, {v, converted(e, divisor, type)});
  }

  static void combine_arguments(scalar_function& f, std::size_t at, std::size_t states, combiner by, scalar_kind type) {
    const scalar_kind whole = scalar_kind::int64;
    const value a = parameter(f, at, type), place_a = parameter(f, at + 1, whole);
    const value b = parameter(f, states + at, type), place_b = parameter(f, states + at + 1, whole);
    const value first = comes_first(f.body, by, type, a, place_a, b, place_b);
    f.results.push_back(f.body.apply(opcode::select, type, {first, b, a}));
    f.results.push_back(f.body.apply(opcode::select, whole, {first, place_b, place_a}));
  }
  void add_argument(const reduction& r) {
    const scalar_kind type = r.spec.computed, whole = scalar_kind::int64;
    combine_arguments(to_.combine, lane_, all_lanes_, r.spec.by, type);
    combine_arguments(to_.merge, piece_, all_pieces_, r.spec.by, type);
    to_.piece.results.push_back(parameter(to_.piece, lane_, type));
    to_.piece.results.push_back(parameter(to_.piece, lane_ + 1, whole));
    to_.finish.results.push_back(parameter(to_.finish, piece_ + 1, whole));
    lane_ += 2, piece_ += 2;
  }

  void add_variance(const reduction& r, std::int64_t count) {
    const scalar_kind type = r.spec.computed, part = kernels::real_kind(type);
    combine_plainly(to_.combine, lane_, all_lanes_, opcode::add, type);
    combine_plainly(to_.add, square_, all_squares_, opcode::add, part);
    const value elements = parameter(to_.means, all_lanes_, real);
    to_.means.results.push_back(to_.means.body.apply(
        opcode::divide, type, {parameter(to_.means, lane_, type), converted(to_.means.body, elements, type)}));
    const value gap =
        to_.square.body.apply(opcode::subtract, type,
                              {parameter(to_.square, lane_, type), parameter(to_.square, all_lanes_ + square_, type)});
    to_.square.results.push_back(squared(to_.square.body, gap, type));

    expression& e = to_.piece.body;
    const value own = parameter(to_.piece, all_lanes_ + all_squares_, real);
    to_.piece.results.push_back(own);
    to_.piece.results.push_back(
        e.apply(opcode::divide, type, {parameter(to_.piece, lane_, type), converted(e, own, type)}));
    to_.piece.results.push_back(parameter(to_.piece, all_lanes_ + square_, part));
    merge_variances(type, part);
    const double divisor = static_cast<double>(count) - r.spec.correction;
    const value sum = parameter(to_.finish, piece_ + 2, part);
    to_.finish.results.push_back(converted(to_.finish.body, divided(sum, part, divisor > 0 ? divisor : 0), r.result));
    ++lane_, ++square_, piece_ += 3;
  }

  /// |v|^2
  static value squared(expression& e, value v, scalar_kind type) {
    if (!kernels::contains(sets::complexes, type)) return e.apply(opcode::multiply, type, {v, v});
    const scalar_kind part = kernels::real_kind(type);
    const value re = e.apply(opcode::real_part, type, {v}), im = e.apply(opcode::imaginary_part, type, {v});
    return e.apply(opcode::add, part,
                   {e.apply(opcode::multiply, part, {re, re}), e.apply(opcode::multiply, part, {im, im})});
  }

  /// Counts, means and sums of squares of two sets as those of both (Chan, Golub and LeVeque).
  void merge_variances(scalar_kind type, scalar_kind part) {
    scalar_function& f = to_.merge;
    expression& e = f.body;
    const auto state = [&](std::size_t side, std::size_t k, scalar_kind t) {
      return parameter(f, side * all_pieces_ + piece_ + k, t);
    };
    const value na = state(0, 0, real), nb = state(1, 0, real);
    const value n = e.apply(opcode::add, real, {na, nb});
    const value share = e.apply(opcode::divide, real, {nb, n});
    const value gap = e.apply(opcode::subtract, type, {state(1, 1, type), state(0, 1, type)});
    const value moved = e.apply(opcode::multiply, type, {gap, converted(e, share, type)});
    const value weight = converted(e, e.apply(opcode::multiply, real, {na, share}), part);
    const value between = e.apply(opcode::multiply, part, {squared(e, gap, type), weight});
    const value within = e.apply(opcode::add, part, {state(0, 2, part), state(1, 2, part)});
    f.results.push_back(n);
    f.results.push_back(e.apply(opcode::add, type, {state(0, 1, type), moved}));
    f.results.push_back(e.apply(opcode::add, part, {within, between}));
  }

  reduction_functions& to_;
  std::size_t all_lanes_, all_pieces_, all_squares_;
  std::size_t lane_ = 0, piece_ = 0, square_ = 0;
};

}  // namespace

reduction_functions::reduction_functions(std::span<const reduction> wanted, std::int64_t count) {
  for (const reduction& r : wanted) {
    const scalar_kind type = r.spec.computed;
    results.push_back(r.result);
    lanes.push_back(type);
    if (is_argument(r.spec.by)) lanes.push_back(scalar_kind::int64);
    if (r.spec.by == combiner::variance) {
      averages.push_back(type);
      squares.push_back(kernels::real_kind(type));
      pieces.insert(pieces.end(), {real, type, kernels::real_kind(type)});
    } else {
      pieces.push_back(type);
      if (is_argument(r.spec.by)) pieces.push_back(scalar_kind::int64);
    }
  }
  writer each(*this, lanes.size(), pieces.size(), squares.size());
  for (const reduction& r : wanted) each.add(r, count);
}

reduction_functions reduction_functions::of_pieces() const {
  reduction_functions made;
  made.lanes = made.pieces = pieces;
  made.results = results;
  made.combine = made.merge = merge;
  for (std::size_t k = 0; k < pieces.size(); ++k) made.piece.results.push_back(parameter(made.piece, k, pieces[k]));
  made.finish = finish;
  made.divisors = divisors;
  return made;
}

}  // namespace tessera::nd
