#include "tessera/nd/emit/text/scan_text.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/loops/loops.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/meanwhile.h"
#include "tessera/nd/emit/text/sequence_text.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

static_assert(scan_step::chunk == 4096 && scan_step::threads == 256, "the texts below have these numbers");

class scan_printer : sequence_text {
 public:
  explicit scan_printer(const scan_step& step)
      : sequence_text(step.elements, step.space, ""),
        step_(step),
        type_(kernels::spelling(step.elements.body.type_of(step.elements.outputs[0].value))) {}

  [[nodiscard]] std::string head(const char* function_words) const {
    const scalar_kind type = made().body.type_of(made().outputs[0].value);
    kernels::expression body;
    const auto result = body.apply(step_.combine, type, {body.parameter(0, type), body.parameter(1, type)});
    return cat(kernel_head(made(), space()), function_words, " ", type_, " nd_combine(const ", type_, " p0, const ",
               type_, " p1) {\n", kernels::print_statements(body, {&result, 1}, "f", "  "), "  return ",
               kernels::result_name(result), ";\n}\n__global__ void nd_scan(", parameter_list(made()),
               step_.has_carry ? cat(", const ", type_, "* carry") : "", ") {\n", lengths());
  }

  [[nodiscard]] std::string cpu() const {
    const std::string column = cat("i", last());
    return cat(row_loop("y", 1),
               "    for (long long block = blockIdx.x; block < (long long)blockIdx.x + tessera_blocks; ++block) {\n",
               "      const long long first = block * s.tx, limit = first + s.tx < nx ? first + s.tx : nx;\n      ",
               type_, " sum;\n      for (long long e = first; e < limit;) {\n", indices(0, "e", "        "),
               "        const long long run = s.n", last(), " - ", column, " < limit - e ? s.n", last(), " - ", column,
               " : limit - e;\n", run_pointers("        ", column), "        for (long long q = 0; q < run; ++q) {\n",
               element("          ", place_of_element::run), "          sum = e + q > first ? nd_combine(sum, ",
               value_name(0), ") : ", first_sum(value_name(0)), ";\n          ",
               element_of(store(), place_of_element::run),
               " = sum;\n        }\n        e += run;\n      }\n    }\n  }\n");
  }

  [[nodiscard]] std::string gpu() const {
    std::string base;
    if (step_.has_carry)
      base = cat("    if (block > 0) base = lane > 0 ? nd_combine(", carry(), ", base) : ", carry(), ";\n");
    return cat("  __shared__ ", type_, " totals[256];\n  const int lane = threadIdx.x;\n", row_loop("y", 1),
               "    const long long block = blockIdx.x, first = block * s.tx;\n",
               "    const long long limit = first + s.tx < nx ? first + s.tx : nx;\n",
               "    const long long begin = first + lane * 16, end = begin + 16 < limit ? begin + 16 : limit;\n    ",
               type_, " own[16];\n    for (int k = 0; begin + k < end; ++k) {\n      const long long e = begin + k;\n",
               indices(0, "e", "      "), element("      ", place_of_element::index), "      own[k] = k == 0 ? ",
               value_name(0), " : nd_combine(own[k - 1], ", value_name(0), ");\n      totals[lane] = own[k];\n    }\n",
               "    __syncthreads();\n    for (int step = 1; step < 256; step *= 2) {\n      ", type_,
               " left;\n      const bool joins = lane >= step && begin < limit;\n",
               "      if (joins) left = totals[lane - step];\n      __syncthreads();\n",
               "      if (joins) totals[lane] = nd_combine(left, totals[lane]);\n      __syncthreads();\n    }\n    ",
               type_, " base;\n    if (lane > 0) base = totals[lane - 1];\n", base,
               "    const bool has_base = lane > 0", step_.has_carry ? " || block > 0" : "",
               ";\n    for (int k = 0; begin + k < end; ++k) {\n", "      const long long e = begin + k;\n",
               indices(0, "e", "      "), "      ", element_of(store(), place_of_element::index),
               " = has_base ? nd_combine(base, own[k]) : own[k];\n    }\n", "    __syncthreads();\n  }\n");
  }

 private:
  [[nodiscard]] int store() const { return made().outputs[0].access; }
  [[nodiscard]] static std::string carry() { return "carry[y * ((nx + s.tx - 1) / s.tx) + block - 1]"; }
  [[nodiscard]] std::string first_sum(const std::string& element) const {
    return step_.has_carry ? cat("block > 0 ? nd_combine(", carry(), ", ", element, ") : ", element) : element;
  }

  const scan_step& step_;
  std::string type_;
};

/// What a call of the function needs.
struct scan_plan {
  group_function elements;
  std::vector<int> along;
  kernels::scalar_loop combine;
  std::uint32_t size;
  int store;
  bool has_carry;
};

class scan_call {
 public:
  scan_call(const scan_plan& plan, native_call& call) : plan_(plan), call_(call), space_(plan.elements, call) {
    for (int j = 0; j < plan.elements.axes(); ++j)
      lengths_[index(plan.along[index(j)])] *= space_[plan.elements.numbers().extent(j)];
  }

  void run() {
    const box& points = call_.points();
    const std::int64_t x0 = points.lo[0] / scan_step::threads, nx = ceil_div(points.hi[0], scan_step::threads) - x0;
    const std::int64_t y0 = points.rank() > 1 ? points.lo[1] : 0, ny = points.rank() > 1 ? points.hi[1] - y0 : 1;
    call_.parallel_for(nx * ny, [&](std::int64_t unit) { run_chunk(x0 + unit % nx, y0 + unit / nx); });
  }

 private:
  void place(int launch_axis, std::int64_t left, std::array<std::int64_t, max_rank>& at) const {
    for (int j = plan_.elements.axes() - 1; j >= 0; --j) {
      if (plan_.along[index(j)] != launch_axis) continue;
      const std::int64_t n = space_[plan_.elements.numbers().extent(j)];
      at[index(j)] = left % n;
      left /= n;
    }
  }

  void run_chunk(std::int64_t block, std::int64_t rows) const {
    const std::int64_t tile = space_[plan_.elements.numbers().tile(1)];
    const int last = plan_.elements.axes() - 1;
    const std::int64_t inner = space_[plan_.elements.numbers().extent(last)];
    std::vector<std::byte> memory(index(scan_step::chunk) * plan_.size);
    for (std::int64_t y = rows * tile; y < std::min((rows + 1) * tile, lengths_[1]); ++y) {
      std::array<std::int64_t, max_rank> at{};
      const auto where = std::span(at).first(index(last + 1));
      place(1, y, at);
      std::array<std::byte, 16> sum{};
      bool has_sum = false;
      if (plan_.has_carry && block > 0 && !planted("carry_dropped")) {
        const std::int64_t chunks = ceil_div(lengths_[0], scan_step::chunk);
        const std::byte* carry = call_.array(plan_.elements.places().end).data;
        std::memcpy(sum.data(), carry + (y * chunks + block - 1) * plan_.size, plan_.size);
        has_sum = true;
      }
      const std::int64_t limit = std::min((block + 1) * scan_step::chunk, lengths_[0]);
      for (std::int64_t e = block * scan_step::chunk; e < limit;) {
        place(0, e, at);
        const std::int64_t run = std::min(limit - e, inner - at[index(last)]);
        const kernels::evaluator::target to{memory.data(), plan_.size};
        plan_.elements.run(space_, where, run, {&to, 1}, {e, 1, {}, {}});
        std::byte* out = space_.address(plan_.store, where);
        for (std::int64_t q = 0; q < run; ++q, out += space_.step(plan_.store)) {
          const std::byte* own = memory.data() + index(q) * plan_.size;
          if (has_sum)
            plan_.combine(sum.data(), sum.data(), own, nullptr, 1);
          else
            std::memcpy(sum.data(), own, plan_.size);
          has_sum = true;
          std::memcpy(out, sum.data(), plan_.size);
        }
        e += run;
      }
    }
  }

  const scan_plan& plan_;
  native_call& call_;
  group_function::call_space space_;
  std::array<std::int64_t, 3> lengths_{1, 1, 1};
};

}  // namespace

kernel_text scan_text(const scan_step& step) {
  const scan_printer print(step);
  return {"nd_scan", cat(print.head("static __device__ __forceinline__"), print.gpu(), "}\n"),
          cat(print.head("static inline __attribute__((always_inline))"), print.cpu(), "}\n")};
}

native_kernel scan_function(const scan_step& step) {
  std::vector<int> along;
  for (int j = 0; j < step.space.axes(); ++j) along.push_back(step.space.launch_axis(j));
  const auto value = step.elements.outputs[0].value;
  const scalar_kind type = step.elements.body.type_of(value);
  const auto combine =
      kernels::scalar_loops().operations[static_cast<std::size_t>(step.combine)][static_cast<std::size_t>(type)];
  const auto plan = std::make_shared<const scan_plan>(scan_plan{group_function(step.elements, step.space, {&value, 1}),
                                                                along, combine, size_of(type),
                                                                step.elements.outputs[0].access, step.has_carry});
  return [plan](native_call& call) { scan_call(*plan, call).run(); };
}

}  // namespace tessera::nd
