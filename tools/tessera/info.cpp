#include <tessera/tessera.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "tessera/algo/sort/cub_plugin.h"
#include "tessera/base/config.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cuda/compile/nvrtc.h"
#include "tessera/device/links.h"
#include "tessera/kernel/build/disk_cache.h"
#include "tessera/runtime/machine/budgets.h"
#include "tessera/runtime/machine/link_table.h"
#include "tools/tessera/commands.h"

namespace tessera::tool {
namespace {

void row(const std::string& name, const std::string& value) { std::printf("%-24s %s\n", name.c_str(), value.c_str()); }

std::string in_mebibytes(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

bool print_devices(const options& settings) {
  try {
    context ctx(settings);
    for (const context::device_description& d : ctx.devices())
      row("device " + d.name,
          std::to_string(d.cores) + (d.cores == 1 ? " core, " : " cores, ") + in_mebibytes(d.memory));
    return true;
  } catch (const error& e) {
    row("devices", e.what());
    return false;
  }
}

/// What takes what the devices cannot hold.
void print_spill_targets(const options& settings) {
  const device_list devices = !settings.devices.empty() ? settings.devices : device::count_gpus() > 0 ? "cuda" : "cpu";
  try {
    const memory::spill_targets below = runtime::choose_budgets(settings, devices.requests()).below;
    row("host memory", below.host > 0 ? in_mebibytes(below.host) + " for what leaves devices" : "is the device's own");
    row("disk", in_mebibytes(below.spill_limit) + " in " + below.spill_directory);
  } catch (const error& e) {
    row("memory", e.what());
  }
}

std::string in_gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB/s", bytes / 1e9);
  return text;
}

/// Measures now: what is printed is what this machine does at the moment. Later contexts know it.
void print_links(const options& settings) {
  const std::vector<device_request>& named = settings.devices.requests();
  if (!named.empty() && named.front().kind == "null") return;
  std::string reason;
  const bool on_gpus = (!named.empty() && named.front().kind == "cuda") || (named.empty() && device::count_gpus(&reason) > 0);
  try {
    device::cuda_options gpus;
    for (int g = 0; on_gpus && g < device::count_gpus(); ++g) gpus.gpus.push_back(g);
    const std::unique_ptr<device::backend> b = on_gpus ? device::make_cuda(gpus) : device::make_cpu({});
    plan::link_speeds best;
    for (const device::link_speed& l : device::measure_links(*b)) {
      row(l.from + " to " + l.to, in_gigabytes(l.bytes_per_second));
      double& speed = l.from == "host" ? best.from_host : l.to == "host" ? best.to_host : best.between;
      speed = std::max(speed, l.bytes_per_second);
    }
    runtime::link_table(settings.cache_dir).store(b->name(), best);
  } catch (const error& e) {
    row("links", e.what());
  }
  if (!on_gpus && !reason.empty()) row("GPUs", reason);
}

bool print_compiler() {
  try {
    const std::string identity = device::compiler_identity();
    const std::size_t line = identity.find('\n');
    row("compiler", identity.substr(0, line));
    row("", identity.substr(line + 1, identity.find('\n', line + 1) - line - 1));
    return true;
  } catch (const error& e) {
    row("compiler", e.what());
    return false;
  }
}

void print_gpu_compiler() {
  std::string reason;
  row("compiler for GPUs", device::nvrtc_available(&reason) ? "NVRTC " + device::nvrtc_version() : reason);
}

void print_cub() {
  const algo::cub_plugin& plugin = algo::cub_plugin::find();
  row("sorts of GPUs", plugin.available() ? "CUB, " + plugin.text() : plugin.text());
}

void print_cache(const options& settings) {
  const kernels::disk_cache cache(settings.cache_dir);
  row("cache of kernels", settings.cache_dir.empty() ? kernels::default_cache_directory() : settings.cache_dir);
  if (!cache.enabled()) row("", "not used: " + cache.reason());
}

void print_settings(const options& settings) {
  for (const auto& [name, value] : list_settings(settings)) row(name, value.empty() ? "(not set)" : value);
  for (const std::string& complaint : environment_complaints()) row("warning", complaint);
}

}  // namespace

std::string version_text() { return "tessera " TESSERA_VERSION; }

int info() {
  row("version", TESSERA_VERSION);
  options settings = with_environment({});
  const bool devices = print_devices(settings);
  print_spill_targets(settings);
  if (devices) print_links(settings);
  const bool compiler = print_compiler();
  print_gpu_compiler();
  print_cub();
  print_cache(settings);
  print_settings(settings);
  return devices && compiler ? 0 : 1;
}

}  // namespace tessera::tool
