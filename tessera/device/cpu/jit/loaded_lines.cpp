#include "tessera/device/cpu/jit/loaded_lines.h"

#include <sched.h>

#include <utility>

#include "tessera/device/host/spin.h"

namespace tessera::device {
namespace {

// Its holder does nothing that can fault, so that a signal handler finds it held by other threads only.
constinit spin_lock mutex;
constinit loaded_lines* first = nullptr;

}  // namespace

loaded_lines::loaded_lines(line_table table, std::uintptr_t bias) noexcept : table_(std::move(table)), bias_(bias) {
  mutex.lock();
  next_ = std::exchange(first, this);
  mutex.unlock();
}

loaded_lines::~loaded_lines() {
  mutex.lock();
  loaded_lines** place = &first;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
  mutex.unlock();
}

line_table::place loaded_lines::find(std::uintptr_t address, std::string_view aside) noexcept {
  line_table::place found;
  constexpr int most_attempts = 10'000;
  for (int attempt = 0; !mutex.try_lock(); ++attempt) {
    if (attempt == most_attempts) return found;
    ::sched_yield();
  }
  for (const loaded_lines* lines = first; lines != nullptr && found.line == 0; lines = lines->next_)
    if (address - lines->bias_ >= lines->table_.begin() && address - lines->bias_ < lines->table_.end())
      found = lines->table_.find(address - lines->bias_, aside);
  mutex.unlock();
  return found;
}

}  // namespace tessera::device
