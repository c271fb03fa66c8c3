#include "tessera/linop/solve/solve.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <memory>

#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/solve/scalars.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {
namespace {

using name = iteration_scalars::name;
using phase = iteration_scalars::phase;

/// States of iterations that the program has not looked at yet: it is so many behind what it submits.
class status_watch {
 public:
  explicit status_watch(const iteration_scalars& scalars) : scalars_(scalars) {}

  /// Whether all systems have stopped four iterations ago.
  bool is_done(call_site here) {
    constexpr std::size_t behind = 4;
    auto now = std::make_unique<entry>();
    now->numbers.resize(index(3 * scalars_.systems()));
    now->arrival = scalars_.state().read_bytes_async(std::as_writable_bytes(std::span(now->numbers)), here);
    entries_.push_back(std::move(now));
    if (entries_.size() <= behind) return false;
    const std::unique_ptr<entry> old = std::move(entries_.front());
    entries_.pop_front();
    old->arrival.wait();
    for (std::int64_t k = 0; k < scalars_.systems(); ++k)
      if (old->numbers[index(k)] == 0) return false;
    return true;
  }
  /// Waits for those that are under way.
  ~status_watch() {
    for (const auto& each : entries_) try {
        each->arrival.wait();
      } catch (const error&) {  // is thrown where results are looked at
      }
  }

 private:
  struct entry {
    std::vector<double> numbers;
    transfer arrival;
  };
  const iteration_scalars& scalars_;
  std::deque<std::unique_ptr<entry>> entries_;
};

void require_count(const solve_options& options, const char* solver, call_site here) {
  if (options.iterations < 0 || !(options.tolerance >= 0))
    throw argument_error(cat(here.file, ":", here.line, ": ", solver, " with ", options.iterations,
                             " iterations and a tolerance of ", options.tolerance));
}

array_base zero_like(const array_base& like, const extents& shape, scalar_kind kind, call_site here) {
  const array_base made = make_array(like, shape, kind, here);
  const std::vector<std::byte> zero(made.type().size);
  made.fill_bytes(zero, here);
  return made;
}

array_base first_x(const solve_options& options, const array_base& b, const extents& shape, scalar_kind kind,
                   const char* solver, call_site here) {
  const array_base x = zero_like(b, shape, kind, here);
  if (!options.start.record()) return x;
  if (!(options.start.shape() == shape))
    throw argument_error(cat(here.file, ":", here.line, ": the start of ", solver, " has the shape ",
                             to_string(options.start.shape()), ", but x has ", to_string(shape)));
  run_axpby(1, options.start, 0, x, here);
  return x;
}

/// Throws unless the operator gives what it takes.
void require_square(const op& a, const array_base& b, const char* solver, call_site here) {
  const extents shape = result_shape(*a, b.shape());
  bool same = shape == b.shape() && a.ishape().size() == a.oshape().size();
  for (std::size_t k = 0; same && k < a.ishape().size(); ++k) same = a.ishape()[k].name == a.oshape()[k].name;
  if (!same)
    throw argument_error(cat(here.file, ":", here.line, ": ", solver, " needs a square operator, but ", a.text(),
                             " is (", to_string((*a).dimensions()), "); use its N(), or cgls"));
}

/// What an iteration reads and changes: the result, the residual, and what the next direction is made of.
struct iterate {
  const array_base &x, &r, &steepest;
};

/// Goes along direction p, whose image is q, measures, and turns to the next direction.
template <class Measure>
void advance(const iteration_scalars& s, const iterate& at, const array_base& q, array_base& p, array_base& spare,
             const Measure& measure, call_site here) {
  s.update(phase::step);
  s.add(1, name::step, p, 1, at.x);
  s.add(-1, name::step, q, 1, at.r);
  measure();
  s.update(phase::turn);
  s.add(1, name::turn, p, 0, spare);
  run_axpby(1, at.steepest, 1, spare, here);
  std::swap(p, spare);
}

}  // namespace

std::string to_string(solve_status status) {
  return status == solve_status::converged ? "converged" : status == solve_status::limit ? "limit" : "breakdown";
}

std::vector<system_state> solution::systems(call_site here) const {
  const std::vector<std::byte> bytes = state_.read_bytes(here);
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  const std::size_t n = numbers.size() / 3;
  std::vector<system_state> made(n);
  for (std::size_t k = 0; k < n; ++k) {
    made[k].status = numbers[k] == 1   ? solve_status::converged
                     : numbers[k] == 2 ? solve_status::breakdown
                                       : solve_status::limit;
    made[k].iterations = static_cast<std::int64_t>(numbers[n + k]);
    made[k].residual = std::sqrt(numbers[2 * n + k]);
  }
  return made;
}

solve_status solution::status(call_site here) const {
  solve_status worst = solve_status::converged;
  for (const system_state& each : systems(here)) worst = std::max(worst, each.status);
  return worst;
}

solution cg(const op& a, const array_base& b, const solve_options& options, call_site here) {
  require_count(options, "cg", here);
  require_square(a, b, "cg", here);
  const scalar_kind kind = (*a).result_kind(b.type().kind);
  const iteration_scalars s(b, index(b.rank()) - a.ishape().size(), here);
  const array_base x = first_x(options, b, b.shape(), kind, "cg", here);
  const bool has_m = options.preconditioner.tree() != nullptr;
  const array_base r = make_array(b, b.shape(), kind, here), q = make_array(b, b.shape(), kind, here);
  array_base p = make_array(b, b.shape(), kind, here), spare = make_array(b, b.shape(), kind, here);
  const array_base z = has_m ? make_array(b, b.shape(), kind, here) : r;
  const auto measure = [&] {
    if (has_m) options.preconditioner.apply(1, r, 0, z, fwd, here);
    s.dot(name::next, z, r);
    s.dot(name::rr, r, r);
  };
  run_axpby(1, b, 0, r, here);
  if (options.start.record()) a.apply(-1, x, 1, r, fwd, here);
  s.dot(name::limit, b, b, options.tolerance * options.tolerance);
  measure();
  s.update(phase::start);
  run_axpby(1, z, 0, p, here);
  status_watch watch(s);
  for (std::int64_t k = 0; k < options.iterations; ++k) {
    a.apply(1, p, 0, q, fwd, here);
    s.dot(name::pap, q, p);
    advance(s, {x, r, z}, q, p, spare, measure, here);
    if (watch.is_done(here)) break;
  }
  return {x, s.state()};
}

solution cgls(const op& a, const array_base& b, const solve_options& options, call_site here) {
  require_count(options, "cgls", here);
  const op back = a.H();
  const extents shape = result_shape(*back, b.shape());
  const scalar_kind kind = (*back).result_kind(b.type().kind),
                    of_r = common_kind(b.type().kind, (*a).result_kind(kind));
  const iteration_scalars s(b, index(b.rank()) - a.oshape().size(), here);
  const array_base x = first_x(options, b, shape, kind, "cgls", here);
  const array_base r = make_array(b, b.shape(), of_r, here), q = make_array(b, b.shape(), of_r, here),
                   g = make_array(b, shape, kind, here);
  array_base p = make_array(b, shape, kind, here), spare = make_array(b, shape, kind, here);
  const double damping = options.damping * options.damping;
  const auto measure = [&] {
    back.apply(1, r, 0, g, fwd, here);
    if (damping != 0) run_axpby(-damping, x, 1, g, here);
    s.dot(name::next, g, g);
    s.dot(name::rr, g, g);
  };
  // The tolerance is relative to A^H b.
  back.apply(1, b, 0, g, fwd, here);
  s.dot(name::limit, g, g, options.tolerance * options.tolerance);
  run_axpby(1, b, 0, r, here);
  if (options.start.record()) a.apply(-1, x, 1, r, fwd, here);
  measure();
  s.update(phase::start);
  run_axpby(1, g, 0, p, here);
  status_watch watch(s);
  for (std::int64_t k = 0; k < options.iterations; ++k) {
    a.apply(1, p, 0, q, fwd, here);
    s.dot(name::pap, q, q);
    if (damping != 0) s.dot(name::pap, p, p, damping, 1);
    advance(s, {x, r, g}, q, p, spare, measure, here);
    if (watch.is_done(here)) break;
  }
  return {x, s.state()};
}

eigen_pair power_method(const op& a, const array_base& start, std::int64_t iterations, call_site here) {
  require_square(a, start, "power_method", here);
  if (iterations < 1)
    throw argument_error(cat(here.file, ":", here.line, ": power_method with ", iterations, " iterations"));
  if (index(start.rank()) != a.ishape().size())
    throw argument_error(cat(here.file, ":", here.line, ": power_method takes one vector, without a batch"));
  const scalar_kind kind = (*a).result_kind(start.type().kind);
  const iteration_scalars s(start, 0, here);
  const array_base v = make_array(start, start.shape(), kind, here), w = make_array(start, start.shape(), kind, here);
  run_axpby(1, start, 0, w, here);
  const auto normalise = [&] {
    s.dot(name::next, w, w);
    s.update(phase::normalise);
    s.add(1, name::step, w, 0, v);
  };
  normalise();
  for (std::int64_t k = 0; k + 1 < iterations; ++k) {
    a.apply(1, v, 0, w, fwd, here);
    normalise();
  }
  a.apply(1, v, 0, w, fwd, here);
  s.dot(name::pap, w, v);
  const std::vector<std::byte> bytes = s.at(name::pap).read_bytes(here);
  eigen_pair made{0, v};
  std::memcpy(&made.value, bytes.data(), sizeof made.value);
  return made;
}

}  // namespace tessera::linop
