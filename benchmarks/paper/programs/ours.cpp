#include "benchmarks/paper/programs/ours.h"

#include <algorithm>

#include "benchmarks/frame/inputs.h"

namespace tessera::bench::paper {
namespace {

/// All elements of a small array, the first rows of a large one.
template <class T>
std::vector<T> first_elements(const array<T>& a) {
  if (a.size() <= most_compared) return a.read();
  const std::int64_t row = a.size() / a.shape()[0];
  return array<T>(a.slice({{0, std::max<std::int64_t>(1, most_compared / row)}})).read();
}

}  // namespace

kernel our_program::load(const std::string& file, const std::string& name) {
  return load_from("benchmarks/paper/kernels/" + file, name);
}

kernel our_program::load_from(const std::string& path, const std::string& name) {
  kernel_options settings;
  settings.name = name;
  settings.fused = true;
  return ctx_.load_kernel(source_path(path), settings);
}

void our_program::fill_with(const std::string& name, const array_base& out, std::uint32_t seed, float low,
                            float range) {
  kernel_options settings;
  settings.name = name;
  settings.annotation = out.rank() == 1 ? "global [j, i] => write out[j]" : "global [j, i] => write out[i, j]";
  const kernel k = ctx_.load_kernel(source_path("benchmarks/paper/kernels/inputs.cu"), settings);
  const std::int64_t rows = out.rank() == 1 ? 1 : out.shape()[0], columns = out.size() / rows;
  k.launch({.threads = {columns, rows}, .block = {256}}, columns, rows, seed, low, range, out);
}

void our_program::fill(const array<float>& out, std::uint32_t seed, float low, float high) {
  fill_with("fill_floats", out, seed, low, high - low);
}
void our_program::fill(const array<four>& out, std::uint32_t seed, float low, float high) {
  fill_with("fill_fours", out, seed, low, high - low);
}
void our_program::fill(const array<int>& out, std::uint32_t seed, int high) {
  fill_with("fill_ints", out, seed, 0, static_cast<float>(high));
}

std::int64_t our_program::rows_of_part(std::int64_t row_bytes, std::int64_t of) const {
  return problem_.chunk == 0 ? 0 : std::max<std::int64_t>(1, problem_.chunk / row_bytes / of) * of;
}

std::vector<double> beginning(const array<float>& a) {
  const std::vector<float> values = first_elements(a);
  return {values.begin(), values.end()};
}
std::vector<double> beginning(const array<int>& a) {
  const std::vector<int> values = first_elements(a);
  return {values.begin(), values.end()};
}
std::vector<double> beginning(const array<four>& a) {
  std::vector<double> result;
  for (const four& f : first_elements(a)) result.insert(result.end(), {f.x, f.y, f.z, f.w});
  return result;
}

}  // namespace tessera::bench::paper
