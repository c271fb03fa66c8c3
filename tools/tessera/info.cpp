#include <tessera/tessera.h>

#include <array>
#include <cstdio>
#include <iostream>

#include "tessera/base/config.h"
#include "tessera/device/cpu/compiler.h"
#include "tessera/kernel/disk_cache.h"
#include "tools/tessera/commands.h"

namespace tessera::tool {
namespace {

void row(const std::string& name, const std::string& value) { std::printf("%-24s %s\n", name.c_str(), value.c_str()); }

bool print_devices(const options& how) {
  try {
    context ctx(how);
    for (const context::device_description& d : ctx.devices())
      row("device " + d.name,
          std::to_string(d.cores) + (d.cores == 1 ? " core, " : " cores, ") + std::to_string(d.memory >> 20) + " MiB");
    return true;
  } catch (const error& e) {
    row("devices", e.what());
    return false;
  }
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

void print_cache(const options& how) {
  const kernels::disk_cache cache(how.cache_dir);
  row("cache of kernels", how.cache_dir.empty() ? kernels::default_cache_directory() : how.cache_dir);
  if (!cache.enabled()) row("", "not used: " + cache.reason());
}

void print_settings(const options& how) {
  const std::array<std::pair<const char*, std::string>, 8> settings{{
      {"TESSERA_DEVICES", how.devices},
      {"TESSERA_DEVICE_MEMORY", how.device_memory},
      {"TESSERA_CHECK", how.check},
      {"TESSERA_TRACE", how.trace},
      {"TESSERA_LOG", how.log},
      {"TESSERA_CACHE_DIR", how.cache_dir},
      {"TESSERA_CPU_TIER", how.cpu_tier},
      {"TESSERA_DISTURB", how.disturb},
  }};
  for (const auto& [name, value] : settings) row(name, value.empty() ? "(not set)" : value);
  for (const std::string& complaint : environment_complaints()) row("warning", complaint);
}

}  // namespace

std::string version_text() { return "tessera " TESSERA_VERSION; }

int info() {
  row("version", TESSERA_VERSION);
  options how = with_environment({});
  const bool devices = print_devices(how);
  const bool compiler = print_compiler();
  print_cache(how);
  print_settings(how);
  return devices && compiler ? 0 : 1;
}

}  // namespace tessera::tool
