#include <tessera/algo.h>

#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include "tessera/base/config.h"
#include "tessera/device/backend.h"
#include "tools/tessera/commands.h"

namespace tessera::tool {
namespace {

/// Both kinds where there are both: a table of one kind decides nothing.
options settings_with_all_kinds() {
  options settings = with_environment({});
  if (settings.devices.empty() && device::count_gpus() > 0) settings.devices = "cuda,cpu";
  return settings;
}

void print(const std::vector<algo::tuning_row>& rows) {
  for (const algo::tuning_row& row : rows) {
    std::printf("%s on %s\n", row.function.c_str(), row.devices.c_str());
    for (const algo::tuning_point& p : row.points)
      std::printf("  %12lld bytes %12.2f us %10.2f GB/s\n", static_cast<long long>(p.bytes), p.seconds * 1e6,
                  static_cast<double>(p.bytes) / p.seconds / 1e9);
  }
}

}  // namespace

tune_request parse_tune(std::span<const std::string> arguments) {
  tune_request request;
  if (arguments.empty()) return request;
  if (arguments.size() != 2 || arguments[0] != "--most") throw usage_error("tune takes --most and a number of elements");
  const auto [end, error] =
      std::from_chars(arguments[1].data(), arguments[1].data() + arguments[1].size(), request.most);
  if (error != std::errc() || *end != 0 || request.most < 256)
    throw usage_error("--most is '" + arguments[1] + "'; a number of elements from 256 on is expected");
  return request;
}

int tune(const tune_request& request) {
  const context ctx(settings_with_all_kinds());
  set_default_context(ctx);
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 256; n <= request.most; n *= 4) sizes.push_back(n);
  const vector<float> x(1, ctx), y(1, ctx);
  const matrix<float> m(1, 1, ctx);
  constexpr auto rows = algo::row_scope::skeleton;
  const auto sum = map([](auto u, auto v) { return u + v; });
  const auto heat =
      map_overlap<2>([](auto c) { return 0.25f * (c(-1, 0) + c(1, 0) + c(0, -1) + c(0, 1)); }, {1, 1});
  print(algo::tune_as(rows, sum, sizes, x, y));
  print(algo::tune_as(rows, map_reduce(identity(), plus()), sizes, x));
  print(algo::tune_as(rows, inclusive_scan(), sizes, x));
  print(algo::tune_as(rows, heat, sizes, m));
  std::printf("kept in the cache directory: contexts with several kinds of devices choose by it\n");
  return 0;
}

}  // namespace tessera::tool
