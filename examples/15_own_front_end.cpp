// A front end of your own in a hundred lines: vectors that know one operation, y += a * x, on all devices and ranks.
// It makes launch requests itself instead of writing annotations: CONTRIBUTING.md, "Adding a front end".
#include <tessera/front_end.h>
#include <tessera/tessera.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "check.h"

namespace ts = tessera;

namespace {

/// A vector of floats. Like all of Tessera it is lazy: only `read` waits.
class saxpy_vector {
 public:
  saxpy_vector(std::int64_t size, float value) : elements_(ts::default_context().full<float>({size}, value)) {}

  /// Adds a * x, element by element.
  void add(float a, const saxpy_vector& x, ts::call_site here = ts::call_site::current()) {
    if (x.elements_.size() != elements_.size()) throw ts::argument_error("saxpy of vectors of different sizes");
    ts::runtime::launch_request request;
    request.kernel = kernel().entry();
    request.space = {{elements_.size()}, {256}};
    request.accesses = accesses();
    request.arrays = {{1, elements_.record(), elements_.bounds()}, {2, x.elements_.record(), x.elements_.bounds()}};
    request.scalars = {{0, ts::bytes_of(elements_.size())}, {3, ts::bytes_of(a)}};
    request.site = here;
    ts::default_context().engine()->launch(std::move(request));
  }

  [[nodiscard]] std::vector<float> read() const { return elements_.read(); }

  /// Kernels of other front ends take it where they take an array.
  [[nodiscard]] ts::argument as_argument() const { return {elements_}; }

 private:
  /// The one kernel of this front end: plain CUDA, compiled for every kind of device.
  static ts::kernel kernel() {
    static const ts::kernel made = ts::default_context().compile(R"(
        __global__ void saxpy(long long n, float* y, const float* x, float a) {
          const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
          if (i < n) y[i] += a * x[i];
        })",
                                                                 "saxpy");
    return made;
  }

  /// Thread i reads and writes element i of parameter 1 and reads element i of parameter 2. Made once, used by all.
  static std::shared_ptr<const ts::plan::bound_accesses> accesses() {
    using namespace ts::plan;
    static const auto made = [] {
      const bound_name i{bound_name::kind::global, 0, std::nullopt};
      const index_range at_i{expression::name(0), expression::name(0)};
      access_pattern pattern;
      pattern.names = {i};
      pattern.rules.push_back({1, access_mode::readwrite, {}, {}, {at_i}});
      pattern.rules.push_back({2, access_mode::read, {}, {}, {at_i}});
      return bind_accesses(std::move(pattern));
    }();
    return made;
  }

  ts::array<float> elements_;
};

}  // namespace

int main() {
  constexpr std::int64_t n = 100'000;
  constexpr int steps = 4;  // few enough that every value is exact, on every device
  saxpy_vector x(n, 1.0f), y(n, 2.0f);
  float expected_x = 1.0f, expected_y = 2.0f;
  for (int step = 0; step < steps; ++step) {
    y.add(0.5f, x);
    x.add(-0.25f, y);
    expected_y += 0.5f * expected_x;
    expected_x -= 0.25f * expected_y;
  }
  // A kernel of the usual kind takes the vector as it is.
  const ts::kernel twice = ts::default_context().compile(R"(
      //@tessera global i => readwrite v[i]
      __global__ void twice(long long n, float* v) {
        const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
        if (i < n) v[i] *= 2;
      })",
                                                         "twice");
  twice.launch({.threads = {n}}, n, y);
  std::vector<float> both = x.read(), expected(n, expected_x);
  const std::vector<float> doubled = y.read();
  both.insert(both.end(), doubled.begin(), doubled.end());
  expected.insert(expected.end(), n, 2 * expected_y);
  return example::report("own front end", both, expected);
}
