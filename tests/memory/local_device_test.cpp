#include "tessera/memory/local_device.h"

#include <doctest/doctest.h>

#include "tessera/device/host/queued_backend.h"

using namespace tessera;
using memory::link_between;

namespace {

/// Devices with memory of their own, of which the first two are one GPU.
class apart final : public device::queued_backend {
 public:
  apart() : queued_backend("apart", {.devices = 3, .cores = 1, .memory = 1 << 20}) {}
  [[nodiscard]] std::string name() const override { return "apart"; }
  [[nodiscard]] bool shares_host_memory() const override { return false; }
  [[nodiscard]] device_link link(int from, int to) const override {
    return device::choose_link(
        {.one_logical = from == to, .one_gpu = from < 2 && to < 2, .can_access = true, .peers_allowed = true});
  }
  event launch(const device::order&, device::launch_desc) override { return {}; }
  [[nodiscard]] std::vector<std::byte> compile(int, const device::source_desc&) override { return {}; }
  [[nodiscard]] std::string compiler_identity(int) override { return "apart"; }
  [[nodiscard]] device::module_id load(int, std::span<const std::byte>) override { return 0; }
  void unload(device::module_id) noexcept override {}
  [[nodiscard]] device::function_id find(device::module_id, const std::string&) override { return 0; }
  [[nodiscard]] const void* symbol(device::module_id, const std::string&) override { return nullptr; }
};

}  // namespace

TEST_CASE("a backend tells the way between its own devices") {
  apart gpus;
  CHECK(link_between({&gpus, 0}, {&gpus, 1}) == device_link::same);
  CHECK(link_between({&gpus, 1}, {&gpus, 2}) == device_link::peer);
}

TEST_CASE("between devices of two backends bytes stay in the host's memory, or pass through it") {
  apart gpus;
  const auto cpus = device::make_cpu({.devices = 1}), more = device::make_cpu({.devices = 1});
  CHECK(link_between({cpus.get(), 0}, {more.get(), 0}) == device_link::same);
  CHECK(link_between({cpus.get(), 0}, {&gpus, 0}) == device_link::host);
  CHECK(link_between({&gpus, 0}, {cpus.get(), 0}) == device_link::host);
}
