#include "tessera/algo/function/host.h"

#include <atomic>
#include <cstring>

namespace tessera::algo {
namespace {

void copy_row(const void* bytes, const host_argument* arguments, std::int64_t count, std::byte* const* results) {
  const std::int64_t size = *static_cast<const std::int64_t*>(bytes);
  for (std::int64_t k = 0; k < count; ++k)
    std::memcpy(results[0] + k * size, arguments[0].data + k * arguments[0].step, static_cast<std::size_t>(size));
}

}  // namespace

std::uint64_t next_host_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

host_code host_copy(std::int64_t bytes) { return {std::make_shared<const std::int64_t>(bytes), &copy_row, nullptr, 0}; }

}  // namespace tessera::algo
