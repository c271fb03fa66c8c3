#include "tessera/array/value.h"

#include <cstring>
#include <mutex>
#include <vector>

#include "tessera/base/error.h"

namespace tessera {

struct value_base::state {
  explicit state(array_base value) : kept(std::move(value)) {}

  array_base kept;
  std::mutex mutex;
  std::vector<std::byte> bytes{};  // once read
};

value_base::value_base(array_base kept) : state_(std::make_shared<state>(std::move(kept))) {}

const array_base& value_base::kept() const {
  static const array_base none;
  return state_ ? state_->kept : none;
}

void value_base::read(std::span<std::byte> to, call_site here) const {
  if (!state_) throw argument_error("get() of a value that was not taken from an array");
  const std::lock_guard lock(state_->mutex);
  if (state_->bytes.empty()) {
    std::vector<std::byte> bytes(to.size());
    state_->kept.read_here(bytes, here);
    state_->bytes = std::move(bytes);
  }
  std::memcpy(to.data(), state_->bytes.data(), to.size());
}

}  // namespace tessera
