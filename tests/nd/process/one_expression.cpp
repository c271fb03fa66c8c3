// Expressions of arrays, as often as the argument says, under the settings of the environment: for long enough that
// launches come after the end of the compiler. Prints "right", or the kind of the error and its message.
#include <tessera/nd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace nd = tessera::nd;

namespace {

int run(int rounds) {
  const nd::array x = nd::ones<float>({100'000});
  bool right = true;
  for (int k = 0; k < rounds; ++k) {
    const nd::array y = nd::sqrt(x) * 3 + 1;
    right = right && y(5).item<float>() == 4;
    right = right && nd::sum(nd::sqrt(x) * 2).item<float>() == 200'000;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}

}  // namespace

int main(int, char** arguments) {
  try {
    return run(std::atoi(arguments[1]));
  } catch (const tessera::compile_error& e) {
    std::printf("compile_error: %s\n", e.what());
  } catch (const tessera::error& e) {
    std::printf("error: %s\n", e.what());
  }
  return 3;
}
