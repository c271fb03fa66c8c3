#include "tessera/nd/small.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/loops/loops.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

using kernels::scalar_loops;

std::size_t number_of(scalar_kind kind) { return static_cast<std::size_t>(kind); }
bool is_small_float(scalar_kind kind) { return kind == scalar_kind::float16 || kind == scalar_kind::bfloat16; }

/// Calls `row(offset, count, stride)` for each run of elements along the last axis, in the order of indices.
template <class Row>
void for_each_row(const view& v, Row row) {
  if (v.size() == 0) return;
  if (v.rank() == 0 || v.is_contiguous()) return row(v.offset, v.size(), std::int64_t{1});
  const int last = v.rank() - 1;
  extents at = extents::uniform(v.rank(), 0);
  for (;;) {
    row(v.element(at), v.shape[last], v.strides[last]);
    int axis = last - 1;
    for (; axis >= 0 && ++at[axis] == v.shape[axis]; --axis) at[axis] = 0;
    if (axis < 0) return;
  }
}

template <class Copy>
void with_size(std::uint32_t size, Copy copy) {
  switch (size) {
    case 1:
      return copy(std::integral_constant<std::size_t, 1>());
    case 2:
      return copy(std::integral_constant<std::size_t, 2>());
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    default:
      return copy(std::integral_constant<std::size_t, 16>());
  }
}

/// Memory for operands that are converted or brought together, kept by each thread.
std::byte* scratch(std::size_t which, std::size_t bytes) {
  thread_local std::array<std::vector<std::byte>, 8> memory;
  if (memory[which].size() < bytes) memory[which].resize(bytes);
  return memory[which].data();
}

/// One element several times, for the numbers that operations take: kept until the next other one.
const std::byte* repeated(const std::byte* element, std::uint32_t size, std::size_t which, std::int64_t count) {
  struct kept_line {
    std::vector<std::byte> elements;
    std::array<std::byte, 16> element{};
    std::uint32_t size = 0;
    std::int64_t count = 0;
  };
  thread_local std::array<kept_line, 3> lines;
  kept_line& line = lines[which];
  if (line.size == size && line.count >= count && std::memcmp(line.element.data(), element, size) == 0)
    return line.elements.data();
  line.elements.resize(std::max(line.elements.size(), index(count) * size));
  std::memcpy(line.element.data(), element, size);
  line.size = size;
  line.count = count;
  std::memcpy(line.elements.data(), element, size);
  for (std::int64_t done = 1; done < count; done *= 2)
    std::memcpy(line.elements.data() + index(done) * size, line.elements.data(),
                index(std::min(done, count - done)) * size);
  return line.elements.data();
}

bool is_one_repeated(const view& v) {
  return std::all_of(v.strides.begin(), v.strides.end(), [](std::int64_t stride) { return stride == 0; });
}

/// The operand's elements one behind the other, of type `type`.
const std::byte* prepared(const host_operand& operand, scalar_kind type, std::size_t which, std::int64_t count) {
  const std::uint32_t size = size_of(operand.type);
  const std::byte* from = operand.data + operand.elements.offset * size;
  if (count > 1 && type == operand.type && is_one_repeated(operand.elements)) return repeated(from, size, which, count);
  if (!operand.elements.is_contiguous()) {
    std::byte* const together = scratch(2 * which, index(count) * size);
    gather_elements(together, operand.data, operand.elements, size);
    from = together;
  }
  if (type == operand.type) return from;
  std::byte* const converted = scratch(2 * which + 1, index(count) * size_of(type));
  convert_elements(converted, type, from, operand.type, count);
  return converted;
}

void apply_loop(kernels::scalar_loop loop, std::byte* to, std::span<const std::byte* const> operands,
                std::int64_t count) {
  if (loop == nullptr) throw argument_error("an operation does not exist for the type of its operands");
  loop(to, operands[0], operands.size() > 1 ? operands[1] : nullptr, operands.size() > 2 ? operands[2] : nullptr,
       count);
}

}  // namespace

void gather_elements(std::byte* to, const std::byte* from, const view& elements, std::uint32_t size) {
  with_size(size, [&](auto bytes) {
    for_each_row(elements, [&](std::int64_t offset, std::int64_t count, std::int64_t stride) {
      if (stride == 1) {
        std::memcpy(to, from + offset * static_cast<std::int64_t>(bytes()), index(count) * bytes());
        to += index(count) * bytes();
        return;
      }
      for (std::int64_t i = 0; i < count; ++i, to += bytes())
        std::memcpy(to, from + (offset + i * stride) * static_cast<std::int64_t>(bytes()), bytes());
    });
  });
}

void scatter_elements(std::byte* to, const view& elements, const std::byte* from, std::uint32_t size) {
  with_size(size, [&](auto bytes) {
    for_each_row(elements, [&](std::int64_t offset, std::int64_t count, std::int64_t stride) {
      for (std::int64_t i = 0; i < count; ++i, from += bytes())
        std::memcpy(to + (offset + i * stride) * static_cast<std::int64_t>(bytes()), from, bytes());
    });
  });
}

void fill_elements(std::byte* to, const view& elements, const std::byte* element, std::uint32_t size) {
  with_size(size, [&](auto bytes) {
    for_each_row(elements, [&](std::int64_t offset, std::int64_t count, std::int64_t stride) {
      for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(to + (offset + i * stride) * static_cast<std::int64_t>(bytes()), element, bytes());
    });
  });
}

void convert_elements(std::byte* to, scalar_kind to_type, const std::byte* from, scalar_kind from_type,
                      std::int64_t count) {
  const kernels::loop_table& loops = scalar_loops();
  const auto convert = [&](scalar_kind a, scalar_kind b, void* result, const void* operand) {
    kernels::scalar_loop loop = loops.saturations[number_of(a)][number_of(b)];
    if (loop == nullptr) loop = loops.conversions[number_of(a)][number_of(b)];
    if (loop == nullptr)
      throw argument_error(
          cat("elements of type ", to_string(dtype::make(a)), " cannot become ", to_string(dtype::make(b))));
    loop(result, operand, nullptr, nullptr, count);
  };
  constexpr scalar_kind middle = scalar_kind::float32;
  if (from_type == to_type) {
    std::memcpy(to, from, index(count) * size_of(to_type));
  } else if (is_small_float(to_type) && from_type == scalar_kind::float64) {
    std::byte* const odd = scratch(7, index(count) * sizeof(float));
    loops.round_to_odd(odd, from, nullptr, nullptr, count);
    convert(middle, to_type, to, odd);
  } else if ((is_small_float(from_type) && to_type != middle) || (is_small_float(to_type) && from_type != middle)) {
    std::byte* const between = scratch(7, index(count) * sizeof(float));
    convert(from_type, middle, between, from);
    convert(middle, to_type, to, between);
  } else {
    convert(from_type, to_type, to, from);
  }
}

std::shared_ptr<host_value> evaluate_here(kernels::opcode operation, scalar_kind result,
                                          std::span<const scalar_kind> types, std::span<const host_operand> operands,
                                          const extents& shape) {
  const std::int64_t count = element_count(shape);
  auto made = std::make_shared<host_value>(index(count) * size_of(result), host_value::content::written_next);
  if (count == 0) return made;
  const kernels::loop_table& loops = scalar_loops();
  std::array<const std::byte*, 3> prepared_operands{};
  const auto list = std::span<const std::byte* const>(prepared_operands).first(operands.size());
  if (operation == kernels::opcode::convert) {
    prepared_operands[0] = prepared(operands[0], result, 0, count);
    std::memcpy(made->data(), prepared_operands[0], made->size());
    return made;
  }
  const bool is_choice = operation == kernels::opcode::select;
  const bool is_small = !is_choice && is_small_float(types[0]);
  for (std::size_t k = 0; k < operands.size(); ++k) prepared_operands[k] = prepared(operands[k], types[k], k, count);
  if (is_choice) {
    apply_loop(loops.choices[size_of(result)], made->data(), list, count);
    return made;
  }
  const auto& row = loops.operations[static_cast<std::size_t>(operation)];
  const scalar_kind own = operation == kernels::opcode::make_complex ? result : types[0];
  if (!is_small) {
    apply_loop(row[number_of(own)], made->data(), list, count);
    return made;
  }
  // Computed as float, and rounded.
  std::vector<std::vector<float>> wide(operands.size(), std::vector<float>(index(count)));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    auto* const at = reinterpret_cast<std::byte*>(wide[k].data());
    convert_elements(at, scalar_kind::float32, prepared_operands[k], types[k], count);
    prepared_operands[k] = at;
  }
  if (result != own) {
    apply_loop(row[number_of(scalar_kind::float32)], made->data(), list, count);
    return made;
  }
  std::vector<float> rounded(index(count));
  auto* const at = reinterpret_cast<std::byte*>(rounded.data());
  apply_loop(row[number_of(scalar_kind::float32)], at, list, count);
  convert_elements(made->data(), result, at, scalar_kind::float32, count);
  return made;
}

}  // namespace tessera::nd
