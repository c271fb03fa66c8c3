#include "tessera/algo/exec/routes/scatter.h"

#include <vector>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/pattern.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

constexpr std::int64_t values_per_block = 512;  // by 256 threads

constexpr std::string_view gpu_scatter = R"(
  const long long limit = 512 * ((long long)blockIdx.x + 1) < n ? 512 * ((long long)blockIdx.x + 1) : n;
  for (long long i = 512 * (long long)blockIdx.x + threadIdx.x; i < limit; i += 256) {
    const long long at = (long long)(@E);
    if (at >= 0 && at < size && (@W)) out[at] = @V;
  }
}
)";
constexpr std::string_view cpu_scatter = R"(
  const long long wanted = 512 * ((long long)blockIdx.x + tessera_blocks), limit = wanted < n ? wanted : n;
  for (long long i = 512 * (long long)blockIdx.x; i < limit; ++i) {
    const long long at = (long long)(@E);
    if (at >= 0 && at < size && (@W)) out[at] = @V;
  }
}
)";

kernel_text scatter_text(const std::vector<call>& bound, const std::vector<call_text>& calls, const operator_text& last,
                         int axes) {
  const bool is_whole = calls.size() == 2;
  const op_text& shown = *last.function->text;
  std::string list = cat("long long n, long long size, ", shown.results.at(0).type, "* out", last.parameter()), rules;
  for (const call_text& each : calls) {
    list += each.parameters();
    rules += each.rules();
  }
  const op_text* const where = is_whole ? &shown : &bound[2].text();
  const std::string head = cat(kernel_prelude(), definitions_of({&bound[0].text(), &bound[1].text(), &shown, where}),
                               "\n#line 1 \"kernel of a scatter\"\n__global__ void scatter_kernel(", list, ") {");
  const auto text = [&](std::string_view pattern) {
    const std::string with_value = replaced(pattern, "@V", last.apply(calls[1].expression()));
    const std::string with_where = replaced(with_value, "@W", is_whole ? "true" : calls[2].expression());
    return head + filled(with_where, {"", calls[0].expression(), {}});
  };
  return {"scatter_kernel",
          cat("block b, lo = 512 * b, hi = 512 * b + 511 => readwrite out", axes == 1 ? "" : " as [:]", rules),
          text(gpu_scatter), text(cpu_scatter), list};
}

}  // namespace

void scatter_in_place(const scattered_values& from, const operand& out, const op& last) {
  const std::int64_t n = from.places.size;
  if (n == 0 || out.size() == 0) return;
  std::vector<call> bound{from.places.bound("scatter"), from.values.bound("scatter")};
  if (from.where) bound.push_back(from.where->bound("scatter"));
  const char* const prefixes[] = {"a", "b", "c"};
  std::vector<call_text> calls;
  const operator_text shown{&last, "last"};
  const int axes = out.shape().rank();
  std::string key = cat("scatter ", last.text->digest, " ", axes);
  std::vector<argument> arguments{number_argument(n), number_argument(out.size()), {}};
  shown.add_argument(arguments);
  for (std::size_t k = 0; k < bound.size(); ++k) {
    require_usable(bound[k], {out});
    calls.emplace_back(bound[k], 0, prefixes[k]);
    key += cat(" ", bound[k].text().digest, " ", calls[k].key());
  }
  for (const call_text& each : calls) each.add_arguments(arguments);
  const call_site here = from.places.site;
  arguments[2] = {out.elements->for_launch(access::readwrite, out.part, here)};
  launch_options with;
  with.grid = {ceil_div(n, values_per_block)};
  with.block = {256};
  with.name = "scatter";
  with.file = here.file;
  with.line = here.line;
  cached_kernel(out.elements->ctx(), key, [&] {
    return scatter_text(bound, calls, shown, axes);
  }).launch_with(with, arguments);
}

}  // namespace tessera::algo
