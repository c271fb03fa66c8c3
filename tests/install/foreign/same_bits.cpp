// The stencil of program.cpp on data without symmetry, compared bit for bit with a plain loop. Prints a hash of the
// result, which must not depend on the number of devices.
// What is installed for arrays, operators and containers, which SkePU's header includes, compiles, too.
#include <tessera/linop.h>
#include <tessera/nd.h>
#include <tessera/skepu.h>
#include <tessera/tessera.h>
#include <tessera/thrust.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace ts = tessera;

namespace {

constexpr std::int64_t n = 1'000'000;
constexpr int steps = 10;

std::vector<float> first_state() {
  std::vector<float> state(n);
  std::uint32_t random = 1;
  for (float& x : state) {
    random = random * 1664525u + 1013904223u;
    x = static_cast<float>(random >> 8) / 16777216.0f;
  }
  return state;
}

std::vector<float> sequential() {
  std::vector<float> now = first_state(), next(n);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const float left = i > 0 ? now[i - 1] : 0;
      const float right = i + 1 < now.size() ? now[i + 1] : 0;
      next[i] = (left + now[i] + right) / 3.0f;
    }
    std::swap(now, next);
  }
  return now;
}

std::vector<float> distributed() {
  ts::context ctx;
  ts::kernel stencil = ctx.load_kernel("stencil.cu");
  auto input = ctx.empty<float>({n}, ts::blocks(64'000).halo(1));
  auto output = ctx.empty<float>({n}, ts::blocks(64'000).halo(1));
  input.write(first_state());
  for (int step = 0; step < steps; ++step) {
    stencil.launch({.threads = {n}, .block = {256}}, n, output, input);
    std::swap(input, output);
  }
  return input.read();
}

std::uint64_t hash(const std::vector<float>& values) {
  std::uint64_t h = 14695981039346656037ull;
  for (const float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    h = (h ^ bits) * 1099511628211ull;
  }
  return h;
}

}  // namespace

int main() {
  const std::vector<float> ours = distributed(), reference = sequential();
  if (ours.size() != reference.size() || hash(ours) != hash(reference)) {
    std::puts("the result differs from the sequential loop");
    return 1;
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(hash(ours)));
}
