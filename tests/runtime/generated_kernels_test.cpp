#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "tessera/base/text.h"
#include "tessera/device/backend.h"
#include "tessera/kernel/build/compile_service.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"
#include "tests/support/mapped_libraries.h"
#include "tests/support/resident_memory.h"

using namespace tessera;
using support::mapped_libraries;

namespace {

/// Compiles kernels for a CPU device and runs them, and holds none of them.
class runner {
 public:
  int result_of(const std::string& source) {
    const kernels::kernel_text text = kernels::parse_kernel(source, "generated.cu");
    const auto request = service_.request(0, kernels::choose_cpu_source(text, {32}), kernels::cpu_entry_symbol);
    request->finished().wait();
    int result = -1;
    device::launch_desc call;
    call.function = request->function();
    call.grid = call.end = {1, 1, 1};
    call.begin = {0, 0, 0};
    call.block = {32, 1, 1};
    call.arguments = {device::argument_value(reinterpret_cast<std::byte*>(&result))};
    backend_->launch({{0, device::queue_kind::compute}, {}, nullptr}, std::move(call)).wait();
    return result;
  }

 private:
  std::unique_ptr<device::backend> backend_ = device::make_cpu({.devices = 1, .cores = 1});
  kernels::compile_service service_{*backend_, std::nullopt};
};

}  // namespace

TEST_CASE("of 200 generated kernels no more than the last 128 stay in the process") {
  runner run;
  int pieces_of_one = 0;
  std::int64_t before = 0;
  for (int k = 0; k < 200; ++k) {
    REQUIRE(run.result_of(cat("__global__ void f(int* y) { if (threadIdx.x == 0) *y = ", k, "; }")) == k);
    if (k == 0) pieces_of_one = mapped_libraries();
    if (k == 128) before = support::resident_bytes();
  }
  REQUIRE(pieces_of_one > 0);
  CHECK(mapped_libraries() <= 129 * pieces_of_one);
  CHECK(support::resident_bytes() - before < 1 << 20);
}

TEST_CASE("kernels on fibers have thread-local variables and stay; each takes less than 64 KiB") {
  constexpr int kernels = 20;
  runner run;
  std::int64_t before = 0;
  for (int k = 0; k < kernels; ++k) {
    // Warp functions are not cut.
    REQUIRE(run.result_of(cat("__global__ void f(int* y) { int v = __shfl_sync(~0u, (int)threadIdx.x, 3); "
                              "if (threadIdx.x == 0) *y = v + ",
                              k, "; }")) == k + 3);
    if (k == 0) before = support::resident_bytes();
  }
  const std::int64_t each = (support::resident_bytes() - before) / (kernels - 1);
  MESSAGE("bytes per kernel that stays: ", each);
  CHECK(each < 64 << 10);
}
