#include "tessera/runtime/machine/devices.h"

#include <chrono>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/kernel/build/disk_cache.h"
#include "tessera/runtime/machine/budgets.h"

namespace tessera::runtime {
namespace {

/// The GPUs that a request names, each as often as logical devices are wanted on it.
std::vector<int> gpus_of(const device_request& r) {
  std::string reason;
  const int there = device::count_gpus(&reason);
  if (there == 0) throw device_error(cat("cuda devices were asked for, but ", reason));
  std::vector<int> gpus;
  for (int g = 0; g < there; ++g)
    if (r.ordinal < 0 || r.ordinal == g) gpus.insert(gpus.end(), static_cast<std::size_t>(r.count), g);
  if (gpus.empty()) throw argument_error(cat("there is no GPU ", r.ordinal, "; this machine has ", there));
  return gpus;
}

std::unique_ptr<device::backend> make_host_devices(const device_request& r, const options& settings,
                                                   std::int64_t memory) {
  if (r.kind != "cpu" && r.kind != "null")
    throw argument_error(
        cat("there are no devices of kind '", r.kind, "'; cpu, cuda and null exist, for example ", "cpu*4"));
  if (r.ordinal >= 0) throw argument_error(cat("'", r.kind, ":", r.ordinal, "': only cuda devices have numbers"));
  device::cpu_options o;
  o.devices = r.count;
  o.disturbance = disturbance_of_devices(settings);
  o.memory = memory;
  return r.kind == "cpu" ? device::make_cpu(o) : device::make_null(o);
}

/// The cache of compiled kernels, for what backends compile for themselves.
class cache_of_binaries final : public device::binary_cache {
 public:
  explicit cache_of_binaries(const std::string& directory) : cache_(directory) {}
  std::vector<std::byte> find(const std::string& key) override {
    return cache_.find(digest_of(key)).value_or(std::vector<std::byte>());
  }
  void store(const std::string& key, std::span<const std::byte> binary) override {
    cache_.store(digest_of(key), binary);
  }

 private:
  static digest digest_of(const std::string& key) {
    sha256 hash;
    hash.add_field(key);
    return hash.finish();
  }
  kernels::disk_cache cache_;
};

}  // namespace

device::random_delays disturbance_of_devices(const options& settings) {
  if (!settings.disturb) return {};
  return {*settings.disturb, 30'000};
}

device::random_delays disturbance_of_compilers(const options& settings) {
  if (!settings.disturb) return {};
  return {*settings.disturb, 3'000'000};
}

device_set make_devices(const options& settings) {
  device_set result;
  std::string no_gpu;
  const device_list fallback = settings.devices.empty() && device::count_gpus(&no_gpu) > 0 ? "cuda" : "cpu";
  if (!no_gpu.empty()) log(log_level::info, cat("working on the CPU: ", no_gpu));
  device::cuda_options cuda;
  std::vector<std::size_t> cuda_places;
  std::vector<device_request> requests = (settings.devices.empty() ? fallback : settings.devices).requests();
  if (settings.dry_run_nodes > 0)
    for (device_request& r : requests) r.kind = "null", r.ordinal = -1;
  const memory_budgets budgets = choose_budgets(settings, requests);
  result.below = budgets.below;
  for (const device_request& r : requests) {
    if (r.kind == "cuda") {
      const std::vector<int> gpus = gpus_of(r);
      cuda.gpus.insert(cuda.gpus.end(), gpus.begin(), gpus.end());
      for (std::size_t n = 0; n < gpus.size(); ++n)
        cuda_places.push_back(result.devices.size()), result.devices.emplace_back();
      continue;
    }
    result.backends.push_back(make_host_devices(r, settings, budgets.cpu_device));
    for (int d = 0; d < r.count; ++d) result.devices.push_back({result.backends.back().get(), d});
  }
  if (cuda.gpus.empty()) return result;
  // One backend for all GPUs, so that their queues wait for each other without the host.
  cuda.disturbance = disturbance_of_devices(settings);
  cuda.cache = std::make_shared<cache_of_binaries>(settings.cache_dir);
  cuda.peers = settings.peer;
  if (!settings.device_memory.empty()) cuda.memory = settings.device_memory.of(device::gpu_memory(cuda.gpus.front()));
  if (settings.kernel_timeout)
    cuda.kernel_timeout = std::chrono::duration_cast<std::chrono::nanoseconds>(*settings.kernel_timeout);
  result.backends.push_back(device::make_cuda(cuda));
  for (std::size_t n = 0; n < cuda_places.size(); ++n)
    result.devices[cuda_places[n]] = {result.backends.back().get(), static_cast<int>(n)};
  return result;
}

}  // namespace tessera::runtime
