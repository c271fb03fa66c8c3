#include "tessera/linop/step/step.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>

#include "tessera/array/context.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/linop/step/access.h"
#include "tessera/linop/step/meanwhile.h"
#include "tessera/linop/step/prepare.h"
#include "tessera/linop/step/text.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/launch_request.h"

namespace tessera::linop {
namespace {

constexpr int first_array = 3;  // behind numbers, alpha and beta

step_form::along along_of(std::int64_t stride) {
  return stride == 0 ? step_form::along::fixed : stride == 1 ? step_form::along::unit : step_form::along::any;
}

/// A step with its numbers, ready to become a launch.
class lowered_step {
 public:
  explicit lowered_step(const step& s) : step_(s) {
    for (const factor& f : s.factors) strides_.push_back(strides_of_factor(f));
    result_strides_ = strides_of(s.result, s.shape);
    make_form();
  }

  [[nodiscard]] const step_form& form() const { return form_; }

  [[nodiscard]] std::vector<std::int64_t> numbers() const {
    std::vector<std::int64_t> made(step_.shape.begin(), step_.shape.end());
    made.insert(made.end(), step_.sums.begin(), step_.sums.end());
    for (const quotient& q : step_.quotients) {
      append(made, q.of, step_.loops());
      made.push_back(q.divisor);
    }
    for (const guard& g : step_.guards) {
      append(made, g.of, step_.variables());
      made.push_back(g.size);
    }
    for (const affine& a : strides_) append(made, a, step_.variables());
    made.insert(made.end(), result_strides_.begin(), result_strides_.end());
    return made;
  }

 private:
  /// The factor's place in memory as a function of the variables.
  static affine strides_of_factor(const factor& f) {
    const std::vector<std::int64_t> strides = strides_of(f.array, f.shape);
    affine made;
    for (std::size_t k = 0; k < f.at.size(); ++k) {
      made.offset += f.at[k].offset * strides[k];
      for (std::size_t v = 0; v < f.at[k].factors.size(); ++v)
        made.set(v, made.factor(v) + f.at[k].factors[v] * strides[k]);
    }
    return made;
  }

  static void append(std::vector<std::int64_t>& to, const affine& a, std::size_t variables) {
    for (std::size_t v = 0; v < variables; ++v) to.push_back(a.factor(v));
    to.push_back(a.offset);
  }

  [[nodiscard]] bool depends_on_sums(const affine& a, bool with_quotients) const {
    for (std::size_t v = step_.axes(); v < step_.loops(); ++v)
      if (a.factor(v) != 0) return true;
    for (std::size_t q = 0; with_quotients && q < step_.quotients.size(); ++q)
      if (a.factor(step_.loops() + q) != 0 && depends_on_sums(step_.quotients[q].of, false)) return true;
    return false;
  }

  void make_form() {
    form_.axes = step_.shape.rank();
    form_.sums = static_cast<int>(step_.sums.size());
    form_.reads_result = step_.beta != 0.0;
    const std::size_t last = step_.axes() - 1;
    form_.result = {step_.result.type().kind, false, factor::part::whole, along_of(result_strides_[last])};
    if (form_.result.x == step_form::along::fixed) form_.result.x = step_form::along::any;
    for (std::size_t f = 0; f < step_.factors.size(); ++f) {
      const factor& a = step_.factors[f];
      form_.factors.push_back({a.array.type().kind, a.is_conjugated, a.of, along_of(strides_[f].factor(last))});
    }
    const std::vector<value_range> ranges = ranges_of(step_);
    for (std::size_t q = 0; q < step_.quotients.size(); ++q) {
      const value_range r = ranges[step_.loops() + q];
      form_.inner_quotients.push_back(depends_on_sums(step_.quotients[q].of, false));
      form_.comparisons.push_back(r.lo >= 0 && r.hi <= 1);
    }
    for (const guard& g : step_.guards) form_.inner_guards.push_back(depends_on_sums(g.of, true));
  }

  const step& step_;
  std::vector<affine> strides_;
  std::vector<std::int64_t> result_strides_;
  step_form form_;
};

/// The kernel of a form in the context, made once while anything holds it.
std::shared_ptr<const runtime::kernel_entry> kernel_of(context ctx, const step_form& form) {
  static std::mutex mutex;
  static std::map<std::pair<const runtime::engine*, std::string>, std::weak_ptr<const runtime::kernel_entry>> known;
  std::string key = form.key();
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find({ctx.engine().get(), key});
    if (found != known.end())
      if (auto there = found->second.lock()) return there;
  }
  kernel_options options;
  options.is_generated = true;
  options.fused = false;
  options.meanwhile = step_function(form);
  const kernel made = ctx.compile(step_text(form), "linop_step", options);
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  known[{ctx.engine().get(), std::move(key)}] = made.entry();
  return made.entry();
}

std::vector<std::byte> pair_bytes(std::complex<double> z) {
  return bytes_of(std::array<double, 2>{z.real(), z.imag()});
}

/// Threads per block: short rows get few, so that launches of few elements are cut, too; more along y and z where
/// there would be too many blocks for a GPU.
extents block_of(const extents& threads) {
  constexpr std::int64_t most_blocks = 65535, usual = 256, few = 32;
  extents block = extents::uniform(threads.rank(), 1);
  block[0] = threads[0] >= 16 * usual ? usual : few;
  for (int k = 1; k < threads.rank(); ++k)
    while (threads[k] > most_blocks * block[k] && block[0] * block[1] < 1024) {
      if (block[0] > few) block[0] /= 2;
      block[k] *= 2;
    }
  return block;
}

extents threads_of(const step& s) {
  const int n = s.shape.rank();
  if (n == 1) return {s.shape[0]};
  if (n == 2) return {s.shape[1], s.shape[0]};
  std::int64_t outer = 1;
  for (int k = 0; k < n - 2; ++k) outer *= s.shape[k];
  return {s.shape[n - 1], s.shape[n - 2], outer};
}

void launch_prepared(const step& s, call_site here) {
  context ctx = context::of(s.result);
  const lowered_step lowered(s);
  runtime::launch_request request;
  request.kernel = kernel_of(ctx, lowered.form());
  const extents threads = threads_of(s);
  request.space = {threads, block_of(threads)};
  request.accesses = accesses_of(s, first_array);
  const std::vector<std::int64_t> numbers = lowered.numbers();
  const auto* first = reinterpret_cast<const std::byte*>(numbers.data());
  request.scalars = {
      {0, {first, first + numbers.size() * sizeof(std::int64_t)}}, {1, pair_bytes(s.alpha)}, {2, pair_bytes(s.beta)}};
  request.arrays.push_back({first_array, s.result.record(), s.result.bounds()});
  for (std::size_t f = 0; f < s.factors.size(); ++f) {
    const array_base& a = s.factors[f].array;
    request.arrays.push_back({first_array + 1 + static_cast<int>(f), a.record(), a.bounds()});
  }
  if (const std::optional<int> device = device_scope::current()) request.split = on(*device).spec();
  request.site = here;
  ctx.engine()->launch(std::move(request));
}

/// The axis of a result with gaps whose rows are launched one by one, -1 if there need be none: launches have three
/// axes, and several that lie in front are one only without gaps.
int axis_of_rows(const step& s) {
  if (is_contiguous(s.result)) return -1;
  int first = -1, long_axes = 0;
  for (int k = s.result.rank() - 3; k >= 0; --k)
    if (s.result.shape()[k] > 1) {
      first = k;
      ++long_axes;
    }
  return long_axes > 1 ? first : -1;
}

void run_rows(const step& s, int axis, call_site here) {
  for (std::int64_t k = 0; k < s.result.shape()[axis]; ++k) {
    step row = s;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (int j = 0; j < axis; ++j) ranges.emplace_back(0, 1);
    ranges.emplace_back(k, k + 1);
    row.result = s.result.slice(ranges);
    const auto shift = [&](affine& a) { a.offset += a.factor(index(axis)) * k; };
    for (quotient& q : row.quotients) shift(q.of);
    for (guard& g : row.guards) shift(g.of);
    for (factor& f : row.factors)
      for (affine& a : f.at) shift(a);
    run_step(std::move(row), here);
  }
}

/// Sums of many elements to few results are made in two launches: of chunks whose number depends on sizes alone, and
/// of these. Returns whether it was done.
bool run_in_chunks(const step& s, call_site here) {
  constexpr std::int64_t few_results = 1024, many_elements = 16384, chunk = 1024;
  std::int64_t volume = 1;
  for (const std::int64_t n : s.sums) volume *= n;
  const auto longest = std::max_element(s.sums.begin(), s.sums.end());
  if (s.result.size() >= few_results || volume < many_elements || *longest < 2 * chunk) return false;
  if (s.result.rank() >= max_rank - 1) return false;
  const auto axes = index(s.result.rank());
  const std::size_t loop = static_cast<std::size_t>(longest - s.sums.begin()), old = axes + loop;
  const std::int64_t chunks = (*longest + chunk - 1) / chunk;
  // Axis `axes` of the partial sums is the number of the chunk: old = chunk * number + new.
  const auto replace = [&](affine& a) {
    const std::int64_t n = a.factor(old);
    if (a.factors.size() < axes) a.factors.resize(axes);
    a.factors.insert(a.factors.begin() + static_cast<std::ptrdiff_t>(axes), n * chunk);
  };
  step partial = s;
  std::vector<std::int64_t> shape(s.result.shape().begin(), s.result.shape().end());
  shape.push_back(chunks);
  bool is_complex = s.result.type().is_complex(), is_wide = s.result.type().kind == scalar_kind::float64;
  for (const factor& f : s.factors) {
    is_complex = is_complex || f.array.type().is_complex();
    is_wide = is_wide || f.array.type().kind == scalar_kind::float64 || f.array.type().kind == scalar_kind::complex128;
  }
  is_wide = is_wide || s.result.type().kind == scalar_kind::complex128;
  const scalar_kind kind = is_complex ? (is_wide ? scalar_kind::complex128 : scalar_kind::complex64)
                                      : (is_wide ? scalar_kind::float64 : scalar_kind::float32);
  partial.result =
      context::of(s.result).empty(extents(std::span<const std::int64_t>(shape)), dtype::make(kind), automatic(), here);
  partial.alpha = 1;
  partial.beta = 0;
  for (quotient& q : partial.quotients) replace(q.of);
  for (guard& g : partial.guards) replace(g.of);
  for (factor& f : partial.factors)
    for (affine& a : f.at) replace(a);
  partial.sums[loop] = chunk;
  affine within = affine::of(axes, chunk);
  within.set(old + 1, 1);
  partial.guards.push_back({within, *longest});
  step total;
  total.result = s.result;
  total.alpha = s.alpha;
  total.beta = s.beta;
  total.sums = {chunks};
  factor sums{partial.result};
  for (std::size_t v = 0; v <= axes; ++v) sums.at.push_back(affine::of(v));
  total.factors.push_back(std::move(sums));
  run_step(std::move(partial), here);
  run_step(std::move(total), here);
  return true;
}

}  // namespace

void run_step(step s, call_site here) {
  if (s.result.size() == 0) return;
  const bool is_empty =
      std::any_of(s.sums.begin(), s.sums.end(), [](std::int64_t n) { return n == 0; }) ||
      std::any_of(s.factors.begin(), s.factors.end(), [](const factor& f) { return f.array.empty(); });
  if (is_empty || s.factors.empty()) {
    s.factors.clear();
    s.sums.clear();
    s.guards.clear();
    s.quotients.clear();
  }
  if (!s.factors.empty() && run_in_chunks(s, here)) return;
  if (const int axis = axis_of_rows(s); axis >= 0) return run_rows(s, axis, here);
  launch_prepared(prepared(std::move(s)), here);
}

void run_axpby(std::complex<double> alpha, const array_base& x, std::complex<double> beta, const array_base& y,
               call_site here) {
  step s;
  s.result = y;
  s.alpha = alpha;
  s.beta = beta;
  factor f{x};
  for (int k = 0; k < y.rank(); ++k) f.at.push_back(affine::of(index(k)));
  s.factors.push_back(std::move(f));
  run_step(std::move(s), here);
}

}  // namespace tessera::linop
