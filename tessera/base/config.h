#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/base/log.h"
#include "tessera/base/settings/check_list.h"
#include "tessera/base/settings/device_list.h"
#include "tessera/base/settings/memory_size.h"

namespace tessera::comm {
class transport;
}

namespace tessera {

/// How kernels are compiled for CPUs; `automatic`: the fastest form that the kernel allows.
enum class tier_choice : std::uint8_t { automatic, loop, split, fiber };

/// The settings of a context. Every field but `comm` has an environment variable, which wins over the field; texts of
/// the environment are read by `with_environment` alone.
struct options {
  using seconds = std::chrono::duration<double>;

  device_list devices{};        ///< TESSERA_DEVICES; empty: all GPUs, else the CPU.
  memory_size device_memory{};  ///< TESSERA_DEVICE_MEMORY: budget per logical device.
  memory_size host_memory{};    ///< TESSERA_HOST_MEMORY: budget of a single CPU device, else of what leaves devices.
  std::string spill_dir{};      ///< TESSERA_SPILL_DIR: where to spill to disk; empty: $TMPDIR, else /tmp.
  memory_size spill_limit{};    ///< TESSERA_SPILL_LIMIT: bytes on disk; empty: half of what is free there.
  check_list check{};           ///< TESSERA_CHECK: "all" or a list of names.
  std::string trace{};          ///< TESSERA_TRACE: file for a timeline in Chrome trace format; empty: none.
  log_level log = log_level::warning;             ///< TESSERA_LOG
  std::string cache_dir{};                        ///< TESSERA_CACHE_DIR: compiled kernels; empty: the user's cache.
  tier_choice cpu_tier = tier_choice::automatic;  ///< TESSERA_CPU_TIER
  std::optional<seconds> kernel_timeout{};  ///< TESSERA_KERNEL_TIMEOUT: then a GPU's kernel is given up; 0: never.
  std::optional<seconds> timeout{};         ///< TESSERA_TIMEOUT: without progress; 0: never.
  bool deterministic = false;  ///< TESSERA_DETERMINISTIC: sums of floats have the same bits on every machine.
  /// TESSERA_SMALL: launches with no more than so many bytes to do run on one device (rule B3); 0: all are shared.
  std::int64_t small = 256 << 10;
  int dry_run_nodes = 0;        ///< TESSERA_DRY_RUN_NODES: plan as one of so many ranks like this; 0: compute.
  bool peer = true;             ///< TESSERA_PEER: false: copies between GPUs, real or logical, go through the host.
  std::string log_transfers{};  ///< TESSERA_LOG_TRANSFERS: "1" or a file: every movement of bytes, a line each.
  std::optional<std::uint64_t> disturb{};  ///< TESSERA_DISTURB: seeds random delays of all device work (for tests).

  /// Ranks of the caller's choice (see `communicator`), or a member of a simulated world (comm/transport.h); null: all
  /// ranks that a launcher started.
  std::shared_ptr<comm::transport> comm{};
};

/// `given` with every variable that is set in the environment put in its place; one that is set to nothing stands for
/// the default. Throws `argument_error` that names the variable for a value that makes no sense.
[[nodiscard]] options with_environment(options given);

/// The variables of all settings with the values that `chosen` gives them, empty where it gives none.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> list_settings(const options& chosen);

/// One sentence for each TESSERA_ variable in the environment that does not exist, with the nearest one that does.
[[nodiscard]] std::vector<std::string> environment_complaints();

/// "loop", "split" or "fiber"; empty: automatic. Throws `argument_error` for anything else.
[[nodiscard]] tier_choice parse_tier(std::string_view text);
/// As `parse_tier` takes it.
[[nodiscard]] std::string_view to_string(tier_choice tier);

/// A number from `least` to `most`. Throws `argument_error`, naming `setting`.
[[nodiscard]] std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most,
                                         std::string_view setting);

/// The nearest of `known` to `name` by edit distance, or an empty string if none is near.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace tessera
