#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::comm {
class transport;
}

namespace tessera {

/// The settings of a context. Every field has an environment variable, which wins over the field.
struct options {
  std::string devices;        ///< TESSERA_DEVICES: "cpu", "cpu*4", "null", comma-separated; empty: all there is.
  std::string device_memory;  ///< TESSERA_DEVICE_MEMORY: budget per logical device, "512MiB" or "50%".
  std::string check;          ///< TESSERA_CHECK: "all" or a list of "uninitialised", "unwritten".
  std::string trace;          ///< TESSERA_TRACE: file for a timeline in Chrome trace format.
  std::string log;            ///< TESSERA_LOG: "off", "error", "warning" (default), "info", "debug".
  std::string cache_dir;      ///< TESSERA_CACHE_DIR: compiled kernels; empty: the user's cache directory.
  std::string cpu_tier;       ///< TESSERA_CPU_TIER: "loop", "split", "fiber"; empty: chosen per kernel.
  std::string disturb;        ///< TESSERA_DISTURB: a number seeds random delays of all device work (for tests).

  /// A member of a simulated world (see comm/transport.h); null: this process alone.
  std::shared_ptr<comm::transport> comm;
};

/// `given` with every variable that is set in the environment put in its place.
[[nodiscard]] options with_environment(options given);

/// One sentence for each TESSERA_ variable in the environment that does not exist, with the nearest one that does,
/// and for those that this version does not act upon yet.
[[nodiscard]] std::vector<std::string> environment_complaints();

/// "4096", "512MiB", "2GB", "50%" (of `whole`), in bytes. Throws `argument_error`, naming `what`.
[[nodiscard]] std::int64_t parse_bytes(std::string_view text, std::int64_t whole, std::string_view what);

/// A kind of device and how many: "cpu*4" is {"cpu", 4}.
struct device_request {
  std::string kind;
  int count = 1;
  bool counted = false;  ///< A number was given.
};

/// Parses a list such as "cpu*4,null". Throws `argument_error` for what is no such list.
[[nodiscard]] std::vector<device_request> parse_devices(std::string_view text);

/// The nearest of `known` to `name` by edit distance, or an empty string if none is near.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace tessera
