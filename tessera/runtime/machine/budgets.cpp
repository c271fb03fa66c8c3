#include "tessera/runtime/machine/budgets.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/host/launcher.h"

namespace tessera::runtime {
namespace {

/// The number in a file of one line; the largest there is if it holds none ("max").
std::int64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? value : std::numeric_limits<std::int64_t>::max();
}

/// The least limit of this process's control groups, of either version.
std::int64_t group_limit() {
  std::int64_t least =
      std::min(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string path = line.substr(3); path.size() > 1; path.resize(path.rfind('/')))
      least = std::min(least, number_in("/sys/fs/cgroup" + path + "/memory.max"));
  }
  return least;
}

std::int64_t free_bytes(const std::string& directory) {
  struct statvfs found {};
  if (::statvfs(directory.c_str(), &found) != 0)
    throw io_error(cat("TESSERA_SPILL_DIR: ", directory, " cannot be used: ", std::strerror(errno)));
  return static_cast<std::int64_t>(found.f_bavail) * static_cast<std::int64_t>(found.f_frsize);
}

std::string temporary_directory() {
  const char* variable = std::getenv("TMPDIR");
  return variable != nullptr && variable[0] == '/' ? variable : "/tmp";
}

}  // namespace

std::int64_t machine_memory() {
  return std::min<std::int64_t>(sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), group_limit());
}

memory_budgets choose_budgets(const options& settings, const std::vector<device_request>& devices) {
  const std::int64_t all = machine_memory() / this_process().local_ranks, usable = all / 5 * 4;
  std::int64_t cpus = 0;
  for (const device_request& r : devices) cpus += r.kind == "cuda" ? 0 : r.count;
  const bool alone = cpus == 1 && devices.size() == 1 && settings.device_memory.empty();

  memory_budgets b;
  const std::int64_t host = settings.host_memory.empty() ? 0 : settings.host_memory.of(all);
  if (alone) {
    b.cpu_device = host > 0 ? host : usable;
    if (this_process().ranks > 1) b.cpu_device -= b.cpu_device / 16;  // for messages
  } else {
    const std::int64_t shared = cpus > 0 ? usable / 4 * 3 : 0;
    b.cpu_device =
        settings.device_memory.empty() ? shared / std::max<std::int64_t>(cpus, 1) : settings.device_memory.of(all);
    b.below.host = host > 0 ? host : std::max(usable - cpus * b.cpu_device, usable / 4);
  }
  b.below.lendable = usable;
  b.below.spill_directory = settings.spill_dir.empty() ? temporary_directory() : settings.spill_dir;
  const std::int64_t room = free_bytes(b.below.spill_directory) / this_process().local_ranks;
  b.below.spill_limit = settings.spill_limit.empty() ? room / 2 : settings.spill_limit.of(room);
  return b;
}

}  // namespace tessera::runtime
