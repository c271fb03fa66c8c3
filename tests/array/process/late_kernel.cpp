// Launches beside a kernel whose compiler takes two seconds (late_kernel.cmake). Ends with 0 if results are right and
// nothing waited that need not. The argument says what stands beside it.
#include <tessera/tessera.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
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
  explicit trial(bool compiles)
      : fast_(ctx_.compile(add_kernel("fast", "y[i] = x[i] + 1;"), "fast")),
        late_(ctx_.compile(add_kernel("slowly_compiled", "y[i] = x[i] * 2;"), "slowly_compiled")) {
    if (compiles) add(y_, x_, fast_);
    ctx_.wait();
  }

  bool run(const std::string& mode) {
    if (mode == "apart") return apart();
    if (mode == "depending") return depending();
    if (mode == "failing") return failing();
    if (mode == "meanwhile") return meanwhile();
    if (mode == "without_compiler") return without_compiler();
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

  /// y[i] = f * x[i], as text and as a function. `f` may be a value that only devices know.
  ts::kernel scaling() {
    const std::string text =
        "//@tessera global i => read x[i], write y[i]\n__global__ void slowly_compiled_scale(int n, int f, int* y, "
        "const int* x) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = f * x[i]; }";
    ts::kernel_options options;
    options.meanwhile = [](ts::native_call& call) {
      const ts::box& points = call.points();
      const int limit = std::min<int>(call.scalar<int>(0), static_cast<int>(points.hi[0]));
      for (auto i = points.lo[0]; i < limit; ++i) call.data<int>(2)[i] = call.scalar<int>(1) * call.data<int>(3)[i];
    };
    return ctx_.compile(text, "slowly_compiled_scale", options);
  }

  bool meanwhile() {
    const auto begin = clock_type::now();
    const ts::kernel scale = scaling();
    auto factor = ctx_.full<int>({}, 3);
    scale.launch({.threads = {n}}, n, 3, a_, y_);
    scale.launch({.threads = {n}}, n, factor, b_, a_);
    const bool right = check(b_.read()[5] == 18, "launches of a kernel that is being compiled");
    const bool quick = check(soon(begin), "they did not wait for its compiler");
    const std::int64_t functions = ctx_.stats().uncompiled_superblocks;
    const bool counted = check(functions >= 2, "they ran as functions");
    std::this_thread::sleep_for(std::chrono::milliseconds(3500));
    scale.launch({.threads = {n}}, n, 3, a_, y_);
    scale.launch({.threads = {n}}, n, factor, b_, a_);
    return right && quick && counted && check(b_.read()[5] == 18, "launches of the compiled kernel") &&
           check(ctx_.stats().uncompiled_superblocks == functions, "they ran the compiled text");
  }

  bool without_compiler() {
    const ts::kernel scale = scaling();
    bool right = true;
    for (int k = 0; k < 60; ++k) {  // for long enough that launches come after the search for the compiler
      scale.launch({.threads = {n}}, n, 3, a_, x_);
      right = right && check(a_.read()[5] == 3, "a function where there is no compiler");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return right;
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
    if (argc != 2) return 1;
    const std::string mode = argv[1];
    return trial(mode != "without_compiler").run(mode) ? 0 : 1;
  } catch (const std::exception& e) {
    std::printf("error: %s\n", e.what());
    return 2;
  }
}
