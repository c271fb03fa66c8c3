#include "tessera/runtime/execute/launch_check.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/geometry/region.h"
#include "tessera/base/text.h"

namespace tessera::runtime {
namespace {

constexpr std::array<unsigned char, 8> pattern{0xc5, 0x1d, 0xa7, 0x7e, 0x93, 0x5a, 0xe1, 0xb6};

std::vector<std::byte> canary(std::int64_t size) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(pattern[i % pattern.size()]);
  return bytes;
}

}  // namespace

launch_check::launch_check(launch_checks checks, const plan::instruction& launch, memory::residency& copies,
                           const memory::local_device& device)
    : launch_(launch), in_place_(device.backend->shares_host_memory()) {
  for (const plan::operand& o : launch.operands) {
    if (checks.unwritten && o.written) add_promised(o, copies);
    if (checks.guards) add_guards(o, copies, device);
  }
}

void launch_check::add_promised(const plan::operand& o, memory::residency& copies) {
  const memory::array_format& format = copies.format(o.copy.array);
  if (format.type.size < 4) return;
  region only_written(o.bounds);
  for (const plan::operand& other : launch_.operands)
    if (!other.written && other.copy == o.copy) only_written = subtract(only_written, region(other.bounds));
  std::byte* const data = copies.address(o.copy.array, o.copy.place.index);
  for (const box& b : only_written.boxes())
    parts_.push_back(
        {b, {data + offset_of(format.strides, b.lo), format.strides}, format.type.size, o.copy.array, false, {}});
}

void launch_check::add_guards(const plan::operand& o, memory::residency& copies, const memory::local_device& device) {
  for (const part& p : parts_)
    if (p.guard && p.array == o.copy.array) return;
  const memory::array_format& format = copies.format(o.copy.array);
  const std::int64_t bytes = format.bytes - format.origin;
  const std::int64_t guard = device.backend->guard_bytes(device.index, format.bytes);
  if (guard == 0) return;
  std::byte* const data = copies.address(o.copy.array, o.copy.place.index);
  parts_.push_back({box({0, 0}, {2, guard}), {data - guard, extents{guard + bytes, 1}}, 1, o.copy.array, true, {}});
}

std::vector<device::fill_desc> launch_check::canaries() const {
  std::vector<device::fill_desc> fills;
  for (const part& p : parts_)
    if (!in_place_ || !p.guard) fills.push_back({p.first, p.bounds.shape(), canary(p.element)});
  return fills;
}

bool launch_check::has_guards_in_place() const {
  return in_place_ && std::any_of(parts_.begin(), parts_.end(), [](const part& p) { return p.guard; });
}

void launch_check::fill_guards() const noexcept {
  for (const part& p : parts_)
    if (p.guard)
      for (std::int64_t side = 0; side < 2; ++side)
        std::memset(p.first.data + side * p.first.strides[0], pattern.front(),
                    static_cast<std::size_t>(p.bounds.hi[1]));
}

std::vector<device::copy_desc> launch_check::fetches() {
  std::vector<device::copy_desc> copies;
  if (in_place_) return copies;
  for (part& p : parts_) {
    const extents count = p.bounds.shape();
    p.fetched.resize(static_cast<std::size_t>(p.bounds.volume() * p.element));
    copies.push_back({seen(p), p.first, count, p.element});
  }
  return copies;
}

device::strided launch_check::seen(const part& p) {
  if (p.fetched.empty()) return p.first;
  return {const_cast<std::byte*>(p.fetched.data()), dense_strides(p.bounds.shape(), p.element)};
}

void launch_check::verify() const {
  for (const part& p : parts_) p.guard ? verify_guard(p) : verify_written(p);
}

void launch_check::verify_written(const part& p) const {
  const std::vector<std::byte> untouched = canary(p.element);
  const auto [data, strides] = seen(p);
  const int row = p.bounds.rank() - 1;
  const std::int64_t width = row < 0 ? 1 : p.bounds.extent(row);
  extents x = p.bounds.lo;
  for (std::int64_t rows = p.bounds.volume() / width; rows > 0; --rows) {
    const std::byte* element = data + offset_of(strides, x) - offset_of(strides, p.bounds.lo);
    for (std::int64_t i = 0; i < width; ++i, element += row < 0 ? 0 : strides[row]) {
      if (std::memcmp(element, untouched.data(), untouched.size()) != 0) continue;
      if (row >= 0) x[row] += i;
      refuse_unwritten(p, x);
    }
    int k = row - 1;
    while (k >= 0 && ++x[k] == p.bounds.hi[k]) x[k] = p.bounds.lo[k], --k;
  }
}

void launch_check::refuse_unwritten(const part& p, const extents& element) const {
  throw argument_error(cat("element ", to_string(element), " of array ", p.array.value,
                           " is declared 'write' but was not written, so that what it held before is lost, on one "
                           "device too; declare it 'readwrite' (",
                           plan::to_string(launch_), ")"));
}

void launch_check::verify_guard(const part& p) const {
  const auto untouched = static_cast<std::byte>(pattern.front());
  const auto [data, strides] = seen(p);
  const std::int64_t size = p.bounds.hi[1];
  for (int side = 0; side < 2; ++side) {
    const std::byte* const begin = data + side * strides[0];
    // Equal bytes: the first is the pattern, and each equals the one before it.
    if (*begin == untouched && std::memcmp(begin, begin + 1, static_cast<std::size_t>(size - 1)) == 0) continue;
    const std::int64_t at = std::find_if(begin, begin + size, [&](std::byte b) { return b != untouched; }) - begin;
    const std::string position =
        side == 0 ? cat(size - at, " bytes before the first element") : cat(at, " bytes behind the last element");
    throw argument_error(
        cat("memory ", position, " of array ", p.array.value, " was overwritten (", plan::to_string(launch_), ")"));
  }
}

}  // namespace tessera::runtime
