#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// What the examples have in common: data to work on, and the comparison of a result with a plain loop's.
namespace example {

/// `n` numbers from 0 to below 1 without any pattern; the same in every run.
inline std::vector<float> numbers(std::int64_t n, std::uint32_t seed = 1) {
  std::vector<float> result(static_cast<std::size_t>(n));
  for (float& x : result) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<float>(seed >> 8) / 16777216.0f;
  }
  return result;
}

/// Compares bit by bit, prints one line that ends with a hash of the result, and returns what main() shall return.
/// Where functions may be computed on GPUs, which round a product and a sum once instead of twice, elements that
/// `near(result, expected)` accepts are right as well, and `one_in` so many may differ (0: none).
template <class T, class Near>
int report(const std::string& label, const std::vector<T>& result, const std::vector<T>& expected, Near near,
           std::size_t one_in = 0) {
  const std::size_t allowed = one_in == 0 ? 0 : result.size() / one_in;
  std::size_t wrong = result.size() == expected.size() ? 0 : allowed + 1;
  std::uint64_t hash = 14695981039346656037ull;
  for (std::size_t i = 0; i < result.size() && result.size() == expected.size(); ++i) {
    unsigned char bytes[sizeof(T)], wanted[sizeof(T)];
    std::memcpy(bytes, &result[i], sizeof(T));
    std::memcpy(wanted, &expected[i], sizeof(T));
    if (std::memcmp(bytes, wanted, sizeof(T)) != 0 && !near(result[i], expected[i]) && wrong++ == allowed)
      std::printf("%s: element %zu is the first wrong one\n", label.c_str(), i);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  }
  std::printf("%s: %zu elements, %s, %016llx\n", label.c_str(), result.size(), wrong <= allowed ? "all right" : "WRONG",
              static_cast<unsigned long long>(hash));
  return wrong <= allowed ? 0 : 1;
}

template <class T>
int report(const std::string& label, const std::vector<T>& result, const std::vector<T>& expected) {
  return report(label, result, expected, [](const T&, const T&) { return false; });
}

/// True if a context has GPUs.
template <class Context>
bool has_gpus(const Context& ctx) {
  for (const auto& device : ctx.machine().devices)
    if (device.kind == "cuda") return true;
  return false;
}

}  // namespace example
