#include "tests/device/backend_suite.h"

namespace tessera::device {
namespace {

template <int Devices>
struct cuda_world {
  static constexpr int devices = Devices;
  static constexpr bool computes = true, chains = true;
  static std::unique_ptr<backend> make(const cpu_options& options) {
    return make_cuda({.gpus = std::vector<int>(static_cast<std::size_t>(options.devices), 0),
                      .memory = options.memory,
                      .disturbance = options.disturbance});
  }
};

}  // namespace
}  // namespace tessera::device

BACKEND_WORK_SUITE(cuda_world<1>, cuda_world<2>, cuda_world<4>);
