#pragma once

#include <cstdint>
#include <type_traits>

namespace tessera {

/// What a launch, or the host, does to elements of a container. `write` replaces all of them: nothing is fetched.
enum class access : std::uint8_t { read, write, readwrite };

/// `ts::read`, `ts::write`, `ts::readwrite`: an access that is part of a type, so that what is only read is const.
template <access Mode>
struct access_tag {
  static constexpr access mode = Mode;
  constexpr operator access() const { return Mode; }  // NOLINT: a tag stands for its mode
};
inline constexpr access_tag<access::read> read{};
inline constexpr access_tag<access::write> write{};
inline constexpr access_tag<access::readwrite> readwrite{};

namespace algo {

/// T as a span of that access sees it.
template <class T, access Mode>
using seen_as = std::conditional_t<Mode == access::read, const T, T>;

}  // namespace algo
}  // namespace tessera
