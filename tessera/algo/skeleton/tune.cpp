#include "tessera/algo/skeleton/tune.h"

#include <algorithm>
#include <chrono>

#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/base/error.h"

namespace tessera::algo {
namespace {

constexpr int repetitions = 5;  // the same on all ranks

double seconds_of(context ctx, const std::function<void()>& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  ctx.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::vector<tuning_row> measure(const context& ctx, const std::vector<std::int64_t>& sizes,
                                const prepared_call& prepare, row_scope scope) {
  if (sizes.empty() || *std::min_element(sizes.begin(), sizes.end()) < 1)
    throw argument_error("tune: sizes are numbers of elements, at least one");
  std::vector<tuning_row> rows;
  for (const kind_facts& kind : kinds_of(ctx)) {
    tuning_row row{kind.label(), {}};
    for (const std::int64_t size : sizes) {
      const std::function<void()> call = prepare(device_kind{kind.name.c_str()}, size);
      call_probe probe;
      static_cast<void>(seconds_of(ctx, call));  // compiles, and brings the elements there
      double least = seconds_of(ctx, call);
      for (int k = 1; k < repetitions; ++k) least = std::min(least, seconds_of(ctx, call));
      row.function = scope == row_scope::skeleton ? probe.skeleton : function_row(probe.skeleton, probe.function);
      row.points.push_back({probe.bytes, std::max(least, 1e-9)});
    }
    std::sort(row.points.begin(), row.points.end(),
              [](const tuning_point& a, const tuning_point& b) { return a.bytes < b.bytes; });
    rows.push_back(std::move(row));
  }
  add_rows(ctx, rows);
  return rows;
}

}  // namespace tessera::algo
