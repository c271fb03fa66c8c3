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

written_check::written_check(const plan::instruction& launch, memory::residency& copies)
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
      const auto bytes = static_cast<std::size_t>(b.volume() * format.type.size);
      parts_.push_back(
          {b, {data, format.strides}, format.type.size, o.copy.array, std::make_shared<std::vector<std::byte>>(bytes)});
    }
  }
}

std::vector<device::fill_desc> written_check::canaries() const {
  std::vector<device::fill_desc> fills;
  for (const part& p : parts_) fills.push_back({p.first, p.where.shape(), canary(p.element)});
  return fills;
}

std::vector<device::copy_desc> written_check::fetches() const {
  std::vector<device::copy_desc> copies;
  for (const part& p : parts_) {
    const extents count = p.where.shape();
    copies.push_back({{p.fetched->data(), dense_strides(count, p.element)}, p.first, count, p.element});
  }
  return copies;
}

void written_check::verify() const {
  for (const part& p : parts_) verify(p);
}

void written_check::verify(const part& p) const {
  const std::vector<std::byte> untouched = canary(p.element);
  const std::byte* element = p.fetched->data();
  extents x = p.where.lo;
  for (; element != p.fetched->data() + p.fetched->size(); element += p.element) {
    if (std::memcmp(element, untouched.data(), untouched.size()) == 0)
      throw argument_error(cat("element ", to_string(x), " of array ", p.array.value,
                               " is declared 'write' but was not written; declare it 'readwrite' (", launch_, ")"));
    int k = x.rank() - 1;
    while (k >= 0 && ++x[k] == p.where.hi[k]) x[k] = p.where.lo[k], --k;
  }
}

}  // namespace tessera::runtime
