#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::comm {
class transport;
}

namespace tessera {

/// The settings of a context. Every field has an environment variable, which wins over the field.
struct options {
  std::string devices;  ///< TESSERA_DEVICES: "cpu*4", "cuda", "cuda:1", "cuda*4", lists; empty: all GPUs, else the CPU.
  std::string device_memory;   ///< TESSERA_DEVICE_MEMORY: budget per logical device, "512MiB" or "50%".
  std::string host_memory;     ///< TESSERA_HOST_MEMORY: budget of a single CPU device, else of what leaves devices.
  std::string spill_dir;       ///< TESSERA_SPILL_DIR: where to spill to disk; empty: $TMPDIR, else /tmp.
  std::string spill_limit;     ///< TESSERA_SPILL_LIMIT: bytes on disk; empty: half of what is free there.
  std::string check;           ///< TESSERA_CHECK: "all" or a list of names (see `check_list`).
  std::string trace;           ///< TESSERA_TRACE: file for a timeline in Chrome trace format.
  std::string log;             ///< TESSERA_LOG: "off", "error", "warning" (default), "info", "debug".
  std::string cache_dir;       ///< TESSERA_CACHE_DIR: compiled kernels; empty: the user's cache directory.
  std::string cpu_tier;        ///< TESSERA_CPU_TIER: "loop", "split", "fiber"; empty: chosen per kernel.
  std::string kernel_timeout;  ///< TESSERA_KERNEL_TIMEOUT: seconds after which a kernel on a GPU is given up; 0: never.
  std::string timeout;         ///< TESSERA_TIMEOUT: seconds without progress after which work is given up; 0: never.
  std::string deterministic;   ///< TESSERA_DETERMINISTIC: "1": sums of floats have the same bits on every machine.
  std::string dry_run_nodes;   ///< TESSERA_DRY_RUN_NODES: plan as one of so many ranks like this; nothing is computed.
  std::string peer;            ///< TESSERA_PEER: "0": copies between GPUs, real or logical, go through the host.
  std::string log_transfers;   ///< TESSERA_LOG_TRANSFERS: "1" or a file: every movement of bytes, a line each.
  std::string disturb;         ///< TESSERA_DISTURB: a number seeds random delays of all device work (for tests).

  /// Ranks of the caller's choice (see `communicator`), or a member of a simulated world (comm/transport.h); null: all
  /// ranks that a launcher started.
  std::shared_ptr<comm::transport> comm;
};

/// `given` with every variable that is set in the environment put in its place.
[[nodiscard]] options with_environment(options given);

/// The variables of all settings with the values that `how` gives them, empty where it gives none.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> list_settings(const options& how);

/// One sentence for each TESSERA_ variable in the environment that does not exist, with the nearest one that does.
[[nodiscard]] std::vector<std::string> environment_complaints();

/// "4096", "512MiB", "2GB", "50%" (of `whole`), in bytes. Throws `argument_error`, naming `what`.
[[nodiscard]] std::int64_t parse_bytes(std::string_view text, std::int64_t whole, std::string_view what);

/// A kind of device, which one of it, and how many devices to make of each: "cuda:1*4" is {"cuda", 1, 4}.
struct device_request {
  std::string kind;
  int ordinal = -1;  ///< -1: all there are.
  int count = 1;
};

/// Parses a list such as "cpu*4,cuda:1". Throws `argument_error` for what is no such list.
[[nodiscard]] std::vector<device_request> parse_devices(std::string_view text);

/// "1" or "0"; empty: false. Throws `argument_error`, naming `what`.
[[nodiscard]] bool parse_flag(std::string_view text, std::string_view what);

/// The checks that TESSERA_CHECK switches on.
struct check_list {
  bool uninitialised = false;  ///< Launches that read what was never written fail instead of running.
  bool unwritten = false;      ///< Launches must write what they declare `write`.
  bool guards = false;         ///< Launches must not write just outside of their arrays.
  bool lines = false;          ///< A kernel that crashes on a CPU is named with its own line (rule H31).
  bool ranks = false;          ///< What every rank writes is compared (rule C4).
};

/// "all" or a list of names separated by commas. Throws `argument_error` for a name that is no check.
[[nodiscard]] check_list parse_checks(std::string_view text);

/// A number from `least` to `most`. Throws `argument_error`, naming `what`.
[[nodiscard]] std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most,
                                         std::string_view what);

/// "1.5" as seconds. Throws `argument_error`, naming `what`.
[[nodiscard]] double parse_seconds(std::string_view text, std::string_view what);

/// The nearest of `known` to `name` by edit distance, or an empty string if none is near.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace tessera
