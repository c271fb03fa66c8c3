#include <tessera/tessera.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

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

bool print_devices(const options& how) {
  try {
    context ctx(how);
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
void print_tiers(const options& how) {
  const device_list devices = !how.devices.empty() ? how.devices : device::count_gpus() > 0 ? "cuda" : "cpu";
  try {
    const memory::tiers below = runtime::choose_budgets(how, devices.requests()).below;
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
void print_links(const options& how) {
  const std::vector<device_request>& named = how.devices.requests();
  if (!named.empty() && named.front().kind == "null") return;
  std::string why;
  const bool on_gpus = (!named.empty() && named.front().kind == "cuda") || (named.empty() && device::count_gpus(&why) > 0);
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
    runtime::link_table(how.cache_dir).store(b->name(), best);
  } catch (const error& e) {
    row("links", e.what());
  }
  if (!on_gpus && !why.empty()) row("GPUs", why);
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
  std::string why;
  row("compiler for GPUs", device::nvrtc_available(&why) ? "NVRTC " + device::nvrtc_version() : why);
}

void print_cache(const options& how) {
  const kernels::disk_cache cache(how.cache_dir);
  row("cache of kernels", how.cache_dir.empty() ? kernels::default_cache_directory() : how.cache_dir);
  if (!cache.enabled()) row("", "not used: " + cache.reason());
}

void print_settings(const options& how) {
  for (const auto& [name, value] : list_settings(how)) row(name, value.empty() ? "(not set)" : value);
  for (const std::string& complaint : environment_complaints()) row("warning", complaint);
}

}  // namespace

std::string version_text() { return "tessera " TESSERA_VERSION; }

int info() {
  row("version", TESSERA_VERSION);
  options how = with_environment({});
  const bool devices = print_devices(how);
  print_tiers(how);
  if (devices) print_links(how);
  const bool compiler = print_compiler();
  print_gpu_compiler();
  print_cache(how);
  print_settings(how);
  return devices && compiler ? 0 : 1;
}

}  // namespace tessera::tool
