#include "tests/linop/fuzz/run.h"

#include <algorithm>
#include <cmath>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tests/fuzz/frame/ranks.h"
#include "tests/linop/fuzz/build.h"
#include "tests/linop/fuzz/reference.h"

namespace tessera::fuzz {
namespace {

namespace lin = linop;
using number = std::complex<double>;

context context_for(const program& p, const std::shared_ptr<comm::transport>& rank) {
  options settings;
  settings.comm = rank;
  settings.devices = cat("cpu*", p.devices);
  settings.log = log_level::off;
  settings.small = 0;
  if (p.is_compiled) settings.check.guards = true;  // waits for the text
  if (p.budget > 0) settings.device_memory = settings.host_memory = std::to_string(p.budget);
  return context(settings);
}

std::int64_t position_along(const shape& s, std::size_t axis, std::int64_t flat) {
  for (std::size_t k = s.size() - 1; k > axis; --k) flat /= s[k];
  return flat % s[axis];
}

/// An expression and its matrix, stage by stage.
class expression {
 public:
  expression(const program& p, context ctx)
      : ctx_(std::move(ctx)),
        in_(p.in),
        out_(p.in),
        a_(lin::identity(names_of(p.in))),
        m_(matrix::identity(volume(p.in))) {
    // The sizes of the input are those of a diagonal.
    const decoded first{verb::diagonal, in_, in_, 0, 0, 0, 1};
    add_leaf(first);
    for (const stage& s : p.stages)
      if (const std::optional<decoded> d = decode(s, in_, out_)) add(*d, p.devices);
  }

  [[nodiscard]] const lin::op& a() const { return a_; }
  [[nodiscard]] const matrix& m() const { return m_; }
  [[nodiscard]] const shape& in() const { return in_; }
  [[nodiscard]] const shape& out() const { return out_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void note(const std::string& line) { text_ += cat("  ", line, "\n"); }

  void add_leaf(const decoded& d) {
    const built_operator made = build(ctx_, d);
    note(cat("a = ", made.text, " * a"));
    a_ = made.a * a_;
    m_ = matrix_of(d) * m_;
    out_ = d.out;
  }

  /// A diagonal for what the expression gives.
  [[nodiscard]] decoded diagonal(std::uint64_t seed) const { return {verb::diagonal, out_, out_, 0, 0, 0, seed}; }

  static matrix multiple(const matrix& m, number z) {
    matrix factor(m.rows(), m.rows());
    for (std::int64_t k = 0; k < m.rows(); ++k) factor.add(k, k, z);
    return factor * m;
  }

  void add(const decoded& d, int devices) {
    const number z(static_cast<double>(d.a % 5) - 2, static_cast<double>(d.b % 3) - 1);
    switch (d.action) {
      case verb::scale:
        note(cat("a = ", z, " * a"));
        a_ = z * a_;
        m_ = multiple(m_, z);
        return;
      case verb::add: {
        note(cat("a = a + ", z, " * (lin::diagonal(w", d.seed, ") * a)"));
        a_ = a_ + z * (build(ctx_, diagonal(d.seed)).a * a_);
        m_ = m_ + multiple(matrix_of(diagonal(d.seed)) * m_, z);
        return;
      }
      case verb::adjoint:
        note("a = a.H()");
        a_ = a_.H();
        m_ = m_.transposed();
        std::swap(in_, out_);
        return;
      case verb::normal:
        note("a = a.N()");
        a_ = a_.N();
        m_ = m_.transposed() * m_;
        out_ = in_;
        return;
      case verb::normal_of:
        note(cat("a = a.N(lin::diagonal(w", d.seed, "))"));
        m_ = m_.transposed() * (matrix_of(diagonal(d.seed)) * m_);
        a_ = a_.N(build(ctx_, diagonal(d.seed)).a);
        out_ = in_;
        return;
      case verb::split:
        return split(d);
      case verb::batch:
        return batch(d, devices);
      default:
        return add_leaf(d);
    }
  }

  void split(const decoded& d) {
    const lin::dim& which = d.a == 0 ? a_.ishape()[index(d.b)] : a_.oshape()[index(d.b)];
    const std::int64_t n = d.a == 0 ? in_[index(d.b)] : out_[index(d.b)];
    const std::int64_t lo = d.c % n, hi = lo + 1 + d.c / 7 % (n - lo);
    note(cat("a = lin::split(a, {{\"", lin::to_string(which), "\", {", lo, ", ", hi, "}}})"));
    const int in_axis = lin::place_of(which, a_.ishape()), out_axis = lin::place_of(which, a_.oshape());
    a_ = lin::split(a_, {{lin::to_string(which), {lo, hi}}});
    const auto inside = [lo, hi](const shape& s, int axis) {
      return [=](std::int64_t k) {
        const std::int64_t at = axis < 0 ? lo : position_along(s, index(axis), k);
        return at >= lo && at < hi;
      };
    };
    m_ = m_.part(inside(out_, out_axis), inside(in_, in_axis));
    if (in_axis >= 0) in_[index(in_axis)] = hi - lo;
    if (out_axis >= 0) out_[index(out_axis)] = hi - lo;
  }

  void batch(const decoded& d, int devices) {
    const lin::dims& list = d.a % 2 == 0 ? a_.ishape() : a_.oshape();
    const std::string name = lin::to_string(list[index(d.b) % list.size()]);
    const std::int64_t length = 1 + d.c % 3;
    lin::batch_spec spec{{{name, {length}}}, {}};
    if (d.c % 2 == 1)
      for (int k = 0; k < devices; ++k) spec.device_matrix.push_back(cat("device:", k));
    note(cat("a = lin::create_batched_linop(a, {{{{\"", name, "\", {", length, "}}}, ", spec.device_matrix.size(),
             " devices}})"));
    a_ = lin::create_batched_linop(a_, {spec}, ctx_);
  }

  context ctx_;
  shape in_, out_;
  lin::op a_;
  matrix m_;
  std::string text_;
};

lin::host_values random(std::int64_t count, std::uint64_t seed) {
  return lin::random_values(count, scalar_kind::complex128, seed);
}

/// One expression on one rank.
class comparison {
 public:
  comparison(const program& p, const std::shared_ptr<comm::transport>& rank)
      : program_(p), ctx_(context_for(p, rank)), e_(p, ctx_) {}

  std::optional<failure> run() {
    const lin::op& a = e_.a();
    const array_base x = array(e_.in(), 3), y = array(e_.out(), 4);
    if (auto wrong = compare("A x", values(a(x)), expected(e_.m(), e_.in(), 3))) return wrong;
    if (auto wrong = compare("A^H y", values(a.H()(y)), expected(e_.m().transposed(), e_.out(), 4))) return wrong;
    const number alpha(2, -1), beta(0.5, 1);
    const array_base to = wide(e_.out(), 4);
    a.apply(alpha, x, beta, to);
    lin::host_values sum = expected(e_.m(), e_.in(), 3);
    const lin::host_values old = random(static_cast<std::int64_t>(sum.size()), 4);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = alpha * sum[k] + beta * old[k];
    return compare("apply(alpha, x, beta, y)", values(to), sum);
  }

 private:
  [[nodiscard]] extents extents_for(const shape& s) const {
    shape whole = s;
    if (program_.batch > 0) whole.insert(whole.begin(), program_.batch);
    return extents(std::span<const std::int64_t>(whole));
  }
  [[nodiscard]] array_base array(const shape& s, std::uint64_t seed) const {
    const extents e = extents_for(s);
    return lin::array_of(ctx_, e, scalar_kind::complex128, random(box::whole(e).volume(), seed));
  }
  [[nodiscard]] array_base wide(const shape& s, std::uint64_t seed) const { return array(s, seed); }
  static lin::host_values values(const array_base& a) { return lin::values_of(a); }

  [[nodiscard]] lin::host_values expected(const matrix& m, const shape& in, std::uint64_t seed) const {
    const std::int64_t n = volume(in), batch = std::max<std::int64_t>(program_.batch, 1);
    const lin::host_values x = random(n * batch, seed);
    lin::host_values made;
    for (std::int64_t b = 0; b < batch; ++b) {
      const auto y = m.times({x.begin() + b * n, x.begin() + (b + 1) * n});
      made.insert(made.end(), y.begin(), y.end());
    }
    return made;
  }

  [[nodiscard]] std::optional<failure> compare(const char* label, const lin::host_values& got,
                                               const lin::host_values& right) const {
    const double tolerance = 1e-11 * (1 + e_.m().norm());
    if (got.size() != right.size())
      return failure{cat(label, " has ", got.size(), " elements instead of ", right.size())};
    for (std::size_t k = 0; k < got.size(); ++k)
      if (!(std::abs(got[k] - right[k]) <= tolerance))
        return failure{cat(label, ": element ", k, " is ", got[k], " instead of ", right[k]), program_.stages.size(),
                       static_cast<std::int64_t>(k)};
    return std::nullopt;
  }

  const program& program_;
  context ctx_;
  expression e_;
};

}  // namespace

std::optional<failure> run_program(const program& p) {
  const auto on_rank = [&](const std::shared_ptr<comm::transport>& rank) -> std::optional<failure> {
    try {
      return comparison(p, rank).run();
    } catch (const std::exception& e) {
      return failure{cat("error: ", e.what())};
    }
  };
  return p.ranks == 1 ? on_rank(nullptr) : run_on_ranks(p.ranks, on_rank);
}

std::string text_of(const program& p) {
  std::string text =
      cat("// ", p.devices, " devices, ", p.ranks, " ranks, ", p.budget > 0 ? cat(p.budget, " bytes each, ") : "",
          p.batch > 0 ? cat("a batch of ", p.batch) : "no batch", "; input");
  for (const std::int64_t n : p.in) text += cat(" ", n);
  text += cat(" (", names_of(p.in), ")\n");
  try {
    program alone = p;
    alone.ranks = 1;
    options settings;
    settings.devices = cat("cpu*", p.devices * p.ranks);
    settings.log = log_level::off;
    text += expression(alone, context(settings)).text();
  } catch (const std::exception& e) {
    text += cat("  // ", e.what(), "\n");
  }
  return text;
}

}  // namespace tessera::fuzz
