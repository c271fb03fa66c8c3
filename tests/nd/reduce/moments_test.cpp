// Means and variances of many elements.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "tests/nd/support.h"

using namespace tessera::support;

TEST_CASE("mean and variance of 2^25 floats are right to one part in a million") {
  const std::int64_t n = std::int64_t{1} << 25, period = 1021;
  double mean = 0, variance = 0;
  const auto value = [](std::int64_t k) { return static_cast<double>(static_cast<float>(k) * 0.125f + 300.0f); };
  for (std::int64_t k = 0; k < n; ++k) mean += value(k % period) / static_cast<double>(n);
  for (std::int64_t k = 0; k < n; ++k) variance += std::pow(value(k % period) - mean, 2) / static_cast<double>(n);
  for (const char* devices : {"cpu", "cpu*3"}) {
    ts::options settings = quiet(devices);
    settings.device_memory = "";
    settings.host_memory = "";
    const ts::context ctx(settings);
    set_default_context(ctx);
    const nd::array x = nd::as_type(nd::arange(n) % period, ts::scalar_kind::float32) * 0.125f + 300.0f;
    const nd::array found_mean = nd::mean(x), found_variance = nd::var(x);
    nd::fetch({found_mean, found_variance});
    CHECK(found_mean.type() == ts::scalar_kind::float32);
    CHECK(std::abs(found_mean.item<double>() - mean) <= 1e-6 * mean);
    CHECK(std::abs(found_variance.item<double>() - variance) <= 1e-6 * variance);
  }
}
