#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tessera {

/// The way that bytes take between two devices of a rank.
enum class device_link : std::uint8_t {
  same,  ///< Both are parts of one physical device, or of the host.
  peer,  ///< Directly from one GPU's memory to the other's.
  host,  ///< Through page-locked host memory.
};
inline constexpr std::array<std::string_view, 3> device_link_names{"same", "peer", "host"};

}  // namespace tessera

namespace tessera::device {

/// What decides the way between two logical devices.
struct link_facts {
  bool one_logical = false;   ///< They are one and the same.
  bool one_gpu = false;       ///< Both are on the same one.
  bool can_access = false;    ///< Each GPU can address the other's memory.
  bool peers_allowed = true;  ///< False: TESSERA_PEER=0.
};

[[nodiscard]] constexpr device_link choose_link(const link_facts& facts) {
  if (facts.one_logical) return device_link::same;
  if (!facts.peers_allowed) return device_link::host;
  if (facts.one_gpu) return device_link::same;
  return facts.can_access ? device_link::peer : device_link::host;
}

}  // namespace tessera::device
