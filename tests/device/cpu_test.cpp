#include "tests/device/backend_suite.h"

namespace tessera::device {
namespace {

template <int Devices>
struct cpu_world {
  static constexpr int devices = Devices;
  static constexpr bool computes = true, chains = false;
  static std::unique_ptr<backend> make(const cpu_options& options) { return make_cpu(options); }
};

}  // namespace
}  // namespace tessera::device

BACKEND_SUITE(cpu_world<1>, cpu_world<2>, cpu_world<3>);
