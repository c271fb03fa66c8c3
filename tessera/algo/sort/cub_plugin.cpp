#include "tessera/algo/sort/cub_plugin.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "tessera/algo/sort/cub/cub_calls.h"
#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

std::optional<tessera_cub_key> key_of(const dtype& type) {
  if (type.lanes != 1) return std::nullopt;
  switch (type.kind) {
    case scalar_kind::boolean:
    case scalar_kind::uint8:
      return tessera_cub_uint8;
    case scalar_kind::uint16:
      return tessera_cub_uint16;
    case scalar_kind::int32:
      return tessera_cub_int32;
    case scalar_kind::uint32:
      return tessera_cub_uint32;
    case scalar_kind::int64:
      return tessera_cub_int64;
    case scalar_kind::uint64:
      return tessera_cub_uint64;
    case scalar_kind::float32:
      return tessera_cub_float32;
    case scalar_kind::float64:
      return tessera_cub_float64;
    default:
      return std::nullopt;
  }
}

/// The calls of the plugin at `path`; null with a reason if it is none of this version.
const tessera_cub_calls* open(const std::string& path, std::string& reason) {
  void* const plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    reason = access(path.c_str(), F_OK) == 0 ? dlerror() : cat("there is no ", path);
    return nullptr;
  }
  const auto find = reinterpret_cast<const tessera_cub_calls* (*)()>(dlsym(plugin, "tessera_cub"));
  const int version = find != nullptr ? find()->version : 0;
  if (version == TESSERA_CUB_CALLS_VERSION) return find();
  reason = cat(path, find == nullptr ? " is no plugin of Tessera for CUB" : " is of another version of Tessera");
  dlclose(plugin);
  return nullptr;
}

}  // namespace

std::int64_t cub_scratch_bytes(const dtype& key, std::int64_t value_bytes, std::int64_t count) {
  constexpr std::int64_t at_once = std::int64_t{1} << 28, a_pass = 256 * 8 + 8;
  const std::int64_t passes = (count / at_once + 2) * key.size * a_pass;
  // Tiles have at least 1024 keys, or 512 with the largest values, and 1 KiB each. Small keys go, on older GPUs,
  // through counts of all thread blocks that fit on the GPU at a time.
  const std::int64_t tiles = (std::min(count, at_once) / 1024 + 1) * (value_bytes > 8 ? 2048 : 1024);
  constexpr std::int64_t fixed = 4 << 10, counts_of_blocks = 8 << 20;
  return fixed + passes + tiles + (key.size < 4 ? counts_of_blocks : 0);
}

const cub_plugin& cub_plugin::find() {
  static const cub_plugin* const found = [] {
    const char* by_hand = std::getenv("TESSERA_CUB_PLUGIN");
    const std::vector<std::string> named{by_hand != nullptr ? by_hand : ""};
    return new cub_plugin(named.front().empty() ? std::vector<std::string>{TESSERA_CUB_BUILT, TESSERA_CUB_INSTALLED}
                                                : named);
  }();
  return *found;
}

cub_plugin::cub_plugin(const std::vector<std::string>& paths) {
  std::string reasons;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    std::string reason;
    calls_ = open(path, reason);
    text_ = path;
    if (calls_ != nullptr) return;
    reasons += cat(reasons.empty() ? "" : "; ", reason);
  }
  text_ = cat("CUB is not used: ", reasons,
              ". Where nvcc is, build the target tessera_cub, or name the plugin in TESSERA_CUB_PLUGIN");
}

bool cub_plugin::sorts(const dtype& key, std::int64_t value_bytes) const {
  if (!available()) {
    std::call_once(warned_,
                   [this] { log(log_level::warning, "sorts on GPUs are slower than they could be: " + text_); });
    return false;
  }
  const std::optional<tessera_cub_key> known = key_of(key);
  const bool fits = value_bytes == 0 || value_bytes == 4 || value_bytes == 8 || value_bytes == 16;
  return known && fits && calls_->knows(*known) != 0;
}

void cub_plugin::sort(const cub_sort& s, std::span<std::byte> scratch, void* queue) const {
  if (s.count < 2) return;
  const std::optional<tessera_cub_key> key = key_of(s.key);
  if (!available() || !key)
    throw device_error(cat("keys of type ", to_string(s.key), " cannot be sorted by CUB: ", text_));
  const tessera_cub_sort sort{*key,
                              static_cast<int>(s.value_bytes),
                              s.descending ? 1 : 0,
                              s.count,
                              s.memory.keys,
                              s.memory.values,
                              s.memory.spare_keys,
                              s.memory.spare_values};
  const auto check = [&](int error) {
    if (error != 0) throw device_error(cat("CUB cannot sort ", s.count, " keys: ", calls_->text_of(error)));
  };
  std::size_t needed = 0;
  check(calls_->scratch(&sort, &needed));
  if (needed > scratch.size())
    throw device_error(cat("CUB needs ", needed, " bytes of scratch to sort ", s.count, " keys, where ", scratch.size(),
                           " are expected: the plugin ", text_, " is made of a version of CUB that is not known"));
  check(calls_->sort(&sort, scratch.data(), scratch.size(), queue));
}

}  // namespace tessera::algo
