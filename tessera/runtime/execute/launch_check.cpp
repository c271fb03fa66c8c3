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
    : launch_(plan::to_string(launch)) {
  for (const plan::operand& o : launch.operands) {
    if (checks.unwritten && o.written) add_promised(launch, o, copies);
    if (checks.guards) add_guards(o, copies, device);
  }
}

void launch_check::add_promised(const plan::instruction& launch, const plan::operand& o, memory::residency& copies) {
  const memory::array_format& format = copies.format(o.copy.array);
  if (format.type.size < 4) return;
  region only_written(o.bounds);
  for (const plan::operand& other : launch.operands)
    if (!other.written && other.copy == o.copy) only_written = subtract(only_written, region(other.bounds));
  for (const box& b : only_written.boxes()) {
    std::byte* const data = copies.address(o.copy.array, o.copy.place.index) + offset_of(format.strides, b.lo);
    const auto bytes = static_cast<std::size_t>(b.volume() * format.type.size);
    parts_.push_back({b,
                      {data, format.strides},
                      format.type.size,
                      o.copy.array,
                      std::make_shared<std::vector<std::byte>>(bytes),
                      false});
  }
}

void launch_check::add_guards(const plan::operand& o, memory::residency& copies, const memory::local_device& device) {
  for (const part& p : parts_)
    if (p.guard && p.array == o.copy.array) return;
  const memory::array_format& format = copies.format(o.copy.array);
  const std::int64_t bytes = format.bytes - format.origin;
  const std::int64_t guard = device.backend->guard_bytes(device.index, format.bytes);
  if (guard == 0) return;
  std::byte* const data = copies.address(o.copy.array, o.copy.place.index);
  for (const std::int64_t begin : {-guard, bytes})
    parts_.push_back({box({begin}, {begin + guard}),
                      {data + begin, {1}},
                      1,
                      o.copy.array,
                      std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(guard)),
                      true});
}

std::vector<device::fill_desc> launch_check::canaries() const {
  std::vector<device::fill_desc> fills;
  for (const part& p : parts_) fills.push_back({p.first, p.bounds.shape(), canary(p.element)});
  return fills;
}

std::vector<device::copy_desc> launch_check::fetches() const {
  std::vector<device::copy_desc> copies;
  for (const part& p : parts_) {
    const extents count = p.bounds.shape();
    copies.push_back({{p.fetched->data(), dense_strides(count, p.element)}, p.first, count, p.element});
  }
  return copies;
}

void launch_check::verify() const {
  for (const part& p : parts_) p.guard ? verify_guard(p) : verify_written(p);
}

void launch_check::verify_written(const part& p) const {
  const std::vector<std::byte> untouched = canary(p.element);
  const std::byte* element = p.fetched->data();
  extents x = p.bounds.lo;
  for (; element != p.fetched->data() + p.fetched->size(); element += p.element) {
    if (std::memcmp(element, untouched.data(), untouched.size()) == 0)
      throw argument_error(cat("element ", to_string(x), " of array ", p.array.value,
                               " is declared 'write' but was not written, so that what it held before is lost, on one "
                               "device too; declare it 'readwrite' (",
                               launch_, ")"));
    int k = x.rank() - 1;
    while (k >= 0 && ++x[k] == p.bounds.hi[k]) x[k] = p.bounds.lo[k], --k;
  }
}

void launch_check::verify_guard(const part& p) const {
  const std::byte untouched = canary(1).front();
  const auto touched = std::find_if(p.fetched->begin(), p.fetched->end(), [&](std::byte b) { return b != untouched; });
  if (touched == p.fetched->end()) return;
  const std::int64_t at = p.bounds.lo[0] + (touched - p.fetched->begin());
  const std::string position =
      at < 0 ? cat(-at, " bytes before the first element") : cat(at - p.bounds.lo[0], " bytes behind the last element");
  throw argument_error(cat("memory ", position, " of array ", p.array.value, " was overwritten (", launch_, ")"));
}

}  // namespace tessera::runtime
