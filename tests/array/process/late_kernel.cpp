// Launches beside a kernel whose compiler takes two seconds (late_kernel.cmake). Ends with 0 if results are right and
// nothing waited that need not. The argument says what stands beside it.
#include <tessera/tessera.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

using clock_type = std::chrono::steady_clock;

std::string add_kernel(const std::string& name, const std::string& body) {
  return "//@tessera global i => read x[i], write y[i]\n__global__ void " + name +
         "(int n, int* y, const int* x) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) " + body + " }";
}

bool check(bool right, const char* sentence) {
  if (!right) std::printf("wrong: %s\n", sentence);
  return right;
}

class trial {
 public:
  trial()
      : fast_(ctx_.compile(add_kernel("fast", "y[i] = x[i] + 1;"), "fast")),
        late_(ctx_.compile(add_kernel("slowly_compiled", "y[i] = x[i] * 2;"), "slowly_compiled")) {
    add(y_, x_, fast_);
    ctx_.wait();
  }

  bool run(const std::string& mode) {
    if (mode == "apart") return apart();
    if (mode == "depending") return depending();
    if (mode == "failing") return failing();
    return ending();
  }

 private:
  void add(ts::array<int>& y, const ts::array<int>& x, const ts::kernel& k) { k.launch({.threads = {n}}, n, y, x); }

  static bool soon(clock_type::time_point begin) { return clock_type::now() - begin < std::chrono::milliseconds(1200); }

  bool apart() {
    const auto begin = clock_type::now();
    auto z = ctx_.zeros<int>({n});
    add(z, x_, late_);
    add(x_, y_, fast_);  // overwrites what that reads: waits
    for (int k = 0; k < 300; ++k) add(a_, b_, fast_), add(b_, a_, fast_);
    const bool right = check(b_.read()[5] == 600, "launches that do not depend on the late one");
    const bool quick = check(soon(begin), "they did not wait for its compiler");
    const bool late = check(z.read()[5] == 2, "the late launch") && check(!soon(begin), "its compiler took its time");
    return right && quick && late && check(x_.read()[5] == 3, "the launch behind it");
  }

  bool depending() {
    auto z = ctx_.zeros<int>({n}), w = ctx_.zeros<int>({n});
    add(z, y_, late_);
    add(w, z, fast_);
    add(z, w, late_);
    add(y_, z, fast_);
    ctx_.wait();
    return check(y_.read()[7] == 11, "a chain through a late kernel");
  }

  bool failing() {
    const ts::kernel wrong =
        ctx_.compile(add_kernel("slowly_compiled_wrong", "y[i] = nonsense;"), "slowly_compiled_wrong");
    auto z = ctx_.zeros<int>({n}), w = ctx_.zeros<int>({n});
    add(z, x_, wrong);
    add(w, z, fast_);
    add(a_, b_, fast_);
    const bool apart = check(a_.read()[0] == 1, "what does not depend on it");
    try {
      (void)w.read();
    } catch (const ts::compile_error& e) {
      const std::string text = e.what();
      return apart && check(text.find("late_kernel.cpp:") != std::string::npos &&
                                text.find("kernel 'slowly_compiled_wrong'") != std::string::npos &&
                                text.find("nonsense") != std::string::npos,
                            text.c_str());
    }
    return check(false, "no compile_error");
  }

  bool ending() {
    auto z = ctx_.zeros<int>({n});
    add(z, x_, late_);
    add(y_, z, fast_);
    return true;  // the context ends with both held back
  }

  static constexpr int n = 1000;
  ts::context ctx_;
  ts::kernel fast_, late_;
  ts::array<int> x_ = ctx_.from<int>({n}, std::vector<int>(n, 1)), y_ = ctx_.zeros<int>({n});
  ts::array<int> a_ = ctx_.zeros<int>({n}), b_ = ctx_.zeros<int>({n});
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 2 && trial().run(argv[1]) ? 0 : 1;
  } catch (const std::exception& e) {
    std::printf("error: %s\n", e.what());
    return 2;
  }
}
