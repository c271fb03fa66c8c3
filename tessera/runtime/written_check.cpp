#include "tessera/runtime/written_check.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/region.h"
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

written_check::written_check(const plan::instruction& launch, memory::copy_store& copies)
    : launch_(plan::to_string(launch)) {
  for (const plan::operand& o : launch.operands) {
    if (!o.written) continue;
    region only_written(o.where);
    for (const plan::operand& other : launch.operands)
      if (!other.written && other.copy == o.copy) only_written = subtract(only_written, region(other.where));
    const memory::array_format& format = copies.format(o.copy.array);
    if (format.type.size < 4) continue;
    for (const box& b : only_written.boxes()) {
      std::byte* data = copies.address(o.copy.array, o.copy.where.index);
      for (int k = 0; k < b.rank(); ++k) data += b.lo[k] * format.strides[k];
      parts_.push_back({b, {data, format.strides}, format.type.size, o.copy.array});
    }
  }
}

std::vector<device::fill_desc> written_check::canaries() const {
  std::vector<device::fill_desc> fills;
  for (const part& p : parts_) {
    extents count = p.where.hi;
    for (int k = 0; k < count.rank(); ++k) count[k] -= p.where.lo[k];
    fills.push_back({p.first, count, canary(p.element)});
  }
  return fills;
}

void written_check::verify() const {
  for (const part& p : parts_) verify(p);
}

void written_check::verify(const part& p) const {
  const std::vector<std::byte> untouched = canary(p.element);
  extents x = p.where.lo;
  while (true) {
    const std::byte* element = p.first.data;
    for (int k = 0; k < x.rank(); ++k) element += (x[k] - p.where.lo[k]) * p.first.strides[k];
    if (std::memcmp(element, untouched.data(), untouched.size()) == 0)
      throw argument_error(cat("element ", to_string(x), " of array ", p.array.value,
                               " is declared 'write' but was not written; declare it 'readwrite' (", launch_, ")"));
    int k = x.rank() - 1;
    while (k >= 0 && ++x[k] == p.where.hi[k]) x[k] = p.where.lo[k], --k;
    if (k < 0) return;
  }
}

}  // namespace tessera::runtime
