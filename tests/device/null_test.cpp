#include "tests/device/backend_suite.h"

namespace tessera::device {
namespace {

template <int Devices>
struct null_world {
  static constexpr int devices = Devices;
  static constexpr bool computes = false, chains = false;
  static std::unique_ptr<backend> make(const cpu_options& options) { return make_null(options); }
};

}  // namespace
}  // namespace tessera::device

BACKEND_SUITE(null_world<1>, null_world<2>, null_world<3>);

TEST_CASE("the null backend keeps order and touches no memory") {
  using namespace tessera::device;
  const auto b = make_null({});
  int value = 1;
  auto* const data = reinterpret_cast<std::byte*>(&value);
  const tessera::event filled = b->fill({}, {{data, {4}}, {1}, std::vector<std::byte>(4)});
  launch_desc l;
  l.function = b->find(b->load(0, {}), "any");
  b->launch({{0, queue_kind::copy_in}, {&filled, 1}, nullptr}, l).wait();
  CHECK(filled.done());
  CHECK(value == 1);
  CHECK(b->compile(0, {}).empty());
}
