// One skeleton, under the settings of the environment. Prints "right", or the kind of the error and its message.
#include <tessera/algo.h>

#include <cstdio>

namespace ts = tessera;

namespace {

int run() {
  const ts::vector<float> x(1000, 2.f);
  const ts::vector<float> y = ts::map([](auto e) { return sqrt(e * 2); })(x);
  const bool right = y[500] == 2;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const ts::compile_error& e) {
    std::printf("compile_error: %s\n", e.what());
  } catch (const ts::error& e) {
    std::printf("error: %s\n", e.what());
  }
  return 3;
}
