#include "tessera/runtime/execute/access/violation.h"

#include <algorithm>
#include <array>

namespace tessera::runtime {
namespace {

/// Slowest axis first.
std::array<std::int64_t, 6> position(const device::running_thread& who) {
  const std::array<std::int64_t, 3> t = who.thread.value_or(std::array<std::int64_t, 3>{});
  return {who.block[2], who.block[1], who.block[0], t[2], t[1], t[0]};
}

}  // namespace

bool violation::before(const violation& other) const { return position(who) < position(other.who); }

void violation::join(const violation& other) {
  touched.join(other.touched);
  allowed.join(other.allowed);
  if (!other.before(*this)) return;
  who = other.who;
  at = other.at;
  distance = other.distance;
  line = other.line;
  declared_otherwise = other.declared_otherwise;
}

}  // namespace tessera::runtime
