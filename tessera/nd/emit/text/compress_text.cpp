#include "tessera/nd/emit/text/compress_text.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/meanwhile.h"
#include "tessera/nd/emit/text/sequence_text.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

static_assert(compress_step::chunk == 4096 && compress_step::threads == 256, "the texts below have these numbers");

class compress_printer : sequence_text {
 public:
  explicit compress_printer(const compress_step& step)
      : sequence_text(step.elements, step.space, ""),
        step_(step),
        type_(kernels::spelling(step.elements.body.type_of(step.elements.outputs[1].value))) {}

  [[nodiscard]] std::string head() const {
    return cat(kernel_head(made(), space()), "__global__ void nd_compress(", parameter_list(made()), ", ", type_,
               "* out, const long long* offsets) {\n", lengths());
  }

  [[nodiscard]] std::string cpu() const {
    const std::string column = cat("i", last());
    return cat("  for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {\n",
               chunk_begin("    "), "    long long to = offsets[block];\n    for (long long e = first; e < limit;) {\n",
               indices(0, "e", "      "), "      const long long run = s.n", last(), " - ", column,
               " < limit - e ? s.n", last(), " - ", column, " : limit - e;\n", run_pointers("      ", column),
               "      for (long long q = 0; q < run; ++q) {\n", element("        ", place_of_element::run),
               "        if (", value_name(0), ") out[to++] = ", value_name(1),
               ";\n      }\n      e += run;\n    }\n  }\n");
  }

  [[nodiscard]] std::string gpu() const {
    const std::string own = cat(indices(0, "e", "    "), element("    ", place_of_element::index));
    return cat(
        "  __shared__ int totals[256];\n  const int lane = threadIdx.x;\n  const long long block = blockIdx.x;\n",
        chunk_begin("  "),
        "  const long long begin = first + lane * 16, end = begin + 16 < limit ? begin + 16 : limit;\n  int count = "
        "0;\n",
        "  for (long long e = begin; e < end; ++e) {\n", own, "    count += ", value_name(0), " ? 1 : 0;\n  }\n",
        "  totals[lane] = count;\n  __syncthreads();\n  for (int step = 1; step < 256; step *= 2) {\n",
        "    const int left = lane >= step ? totals[lane - step] : 0;\n    __syncthreads();\n",
        "    totals[lane] += left;\n    __syncthreads();\n  }\n",
        "  long long to = offsets[block] + totals[lane] - count;\n  for (long long e = begin; e < end; ++e) {\n", own,
        "    if (", value_name(0), ") out[to++] = ", value_name(1), ";\n  }\n");
  }

 private:
  [[nodiscard]] std::string chunk_begin(const std::string& indent) const {
    return cat(indent, "const long long first = (block + f.c", step_.first_chunk,
               ") * s.tx, limit = first + s.tx < nx ? first + s.tx : nx;\n");
  }

  const compress_step& step_;
  std::string type_;
};

struct compress_plan {
  group_function elements;
  std::uint32_t size;
  std::size_t first_chunk;  // bytes in the numbers of the function
};

void compress_chunk(const compress_plan& plan, const group_function::call_space& space, std::int64_t block) {
  const int axes = plan.elements.axes();
  const native_call& call = space.call();
  std::int64_t count = 1, before = 0, to = 0;
  for (int j = 0; j < axes; ++j) count *= space[plan.elements.numbers().extent(j)];
  std::memcpy(&before, call.scalar_bytes(plan.elements.places().numbers).data() + plan.first_chunk, sizeof before);
  std::memcpy(&to, call.array(plan.elements.places().end + 1).data + block * static_cast<std::int64_t>(sizeof to),
              sizeof to);
  std::byte* const out = call.array(plan.elements.places().end).data;
  const std::int64_t first = (block + before) * compress_step::chunk,
                     limit = std::min(first + compress_step::chunk, count);
  std::array<bool, compress_step::chunk> chosen{};
  std::vector<std::byte> values(index(compress_step::chunk) * plan.size);
  std::array<std::int64_t, max_rank> at{};
  for (std::int64_t e = first; e < limit;) {
    std::int64_t left = e;
    for (int j = axes - 1; j >= 0; --j) {
      at[index(j)] = left % space[plan.elements.numbers().extent(j)];
      left /= space[plan.elements.numbers().extent(j)];
    }
    const std::int64_t run = std::min(limit - e, space[plan.elements.numbers().extent(axes - 1)] - at[index(axes - 1)]);
    const std::array<kernels::evaluator::target, 2> targets{
        {{reinterpret_cast<std::byte*>(chosen.data()), 1}, {values.data(), plan.size}}};
    plan.elements.run(space, std::span(at).first(index(axes)), run, targets, {e, 1, {}, {}});
    for (std::int64_t k = 0; k < run; ++k)
      if (chosen[index(k)])
        std::memcpy(out + to++ * static_cast<std::int64_t>(plan.size), values.data() + index(k) * plan.size, plan.size);
    e += run;
  }
}

}  // namespace

kernel_text compress_text(const compress_step& step) {
  const compress_printer print(step);
  return {"nd_compress", cat(print.head(), print.gpu(), "}\n"), cat(print.head(), print.cpu(), "}\n")};
}

native_kernel compress_function(const compress_step& step) {
  const std::array<kernels::expression::value, 2> values{step.elements.outputs[0].value,
                                                         step.elements.outputs[1].value};
  const auto plan = std::make_shared<const compress_plan>(
      compress_plan{group_function(step.elements, step.space, values), size_of(step.elements.body.type_of(values[1])),
                    number_offset(step.elements.body, step.first_chunk)});
  return [plan](native_call& call) {
    const group_function::call_space space(plan->elements, call);
    const std::int64_t first = call.points().lo[0] / compress_step::threads;
    const std::int64_t last = ceil_div(call.points().hi[0], compress_step::threads);
    call.parallel_for(last - first, [&](std::int64_t k) { compress_chunk(*plan, space, first + k); });
  };
}

}  // namespace tessera::nd
