#include "benchmarks/frame/inputs.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {

std::vector<float> contents(const array_input& a, std::uint32_t seed) {
  std::vector<float> result(static_cast<std::size_t>(box::whole(a.shape).volume()));
  for (float& value : result) {
    seed = seed * 1664525U + 1013904223U;
    value = a.low + (a.high - a.low) * (static_cast<float>(seed >> 8) / 16777216.0f);
  }
  return result;
}

std::vector<int> bin_numbers(std::size_t n, int bins, const std::string& frequencies) {
  std::vector<int> values(n);
  std::uint64_t seed = 1;
  for (int& v : values) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const double u = static_cast<double>(seed >> 11) * 0x1p-53;
    if (frequencies == "uniform") v = static_cast<int>(u * bins);
    if (frequencies == "one_bin") v = bins / 2;
    if (frequencies == "zipf") v = static_cast<int>(std::pow(static_cast<double>(bins), u)) - 1;
  }
  return values;
}

std::string source_path(const std::string& file) { return cat(TESSERA_SOURCE_DIR, "/", file); }

std::string kernel_path(const std::string& file) { return source_path("benchmarks/kernels/" + file); }

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw io_error(cat("cannot read ", path));
  return text.str();
}

}  // namespace tessera::bench
