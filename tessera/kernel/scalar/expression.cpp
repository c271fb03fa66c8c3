#include "tessera/kernel/scalar/expression.h"

#include <algorithm>
#include <optional>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/simplify.h"

namespace tessera::kernels {
namespace {

scalar_kind result_of(opcode operation, scalar_kind type) {
  switch (facts_of(operation).result) {
    case result_rule::boolean:
      return scalar_kind::boolean;
    case result_rule::real:
      return real_kind(type);
    default:
      return type;
  }
}

}  // namespace

std::int64_t pack_offsets(std::span<const int> offsets) {
  std::int64_t packed = 0;
  for (std::size_t k = 0; k < offsets.size(); ++k)
    packed |= static_cast<std::int64_t>(static_cast<std::uint16_t>(offsets[k])) << (16 * k);
  return packed;
}

std::array<int, 4> unpack_offsets(std::int64_t packed) {
  std::array<int, 4> offsets{};
  for (std::size_t k = 0; k < 4; ++k) offsets[k] = static_cast<std::int16_t>(packed >> (16 * k));
  return offsets;
}

expression::value expression::parameter(int place, scalar_kind type) {
  return add({opcode::parameter, type, static_cast<std::uint16_t>(place), {}, 0});
}

expression::value expression::neighbour(int place, scalar_kind type, std::span<const int> offsets) {
  for (const int offset : offsets)
    if (offset != static_cast<std::int16_t>(offset))
      throw argument_error(cat("a neighbour at the distance ", offset, ": distances go up to 32767"));
  return add({opcode::neighbour, type, static_cast<std::uint16_t>(place), {}, pack_offsets(offsets)});
}

expression::value expression::constant(scalar_kind type, std::span<const std::byte> bytes) {
  const std::size_t alignment = dtype::make(type).alignment;
  if (!planted("numbers_unaligned")) state_.resize((state_.size() + alignment - 1) / alignment * alignment);
  state_.insert(state_.end(), bytes.begin(), bytes.end());
  state_alignment_ = std::max(state_alignment_, alignment);
  constants_.push_back(type);
  return add({opcode::constant, type, static_cast<std::uint16_t>(constants_.size()), {}, 0});
}

expression::value expression::literal(scalar_kind type, std::int64_t number) {
  return add({opcode::constant, type, 0, {}, number});
}

expression::value expression::apply(opcode operation, scalar_kind type, std::initializer_list<value> operands) {
  if (!contains(facts_of(operation).types, type))
    throw argument_error(cat("there is no operation ", facts_of(operation).name, " of ", to_string(dtype::make(type))));
  scalar_step step{operation, result_of(operation, type), 0, {}, 0};
  std::copy(operands.begin(), operands.end(), step.operands.begin());
  if (const std::optional<value> known = simplified(*this, step)) return *known;
  return add(step);
}

expression::value expression::add(const scalar_step& step) {
  const auto equal = [&](const scalar_step& s) {
    scalar_step other = step;
    if (planted("neighbours_confused")) other.detail = s.detail;
    return s == other;
  };
  const auto found = std::find_if(steps_.begin(), steps_.end(), equal);
  if (found != steps_.end()) return static_cast<value>(found - steps_.begin());
  if (steps_.size() == most_steps)
    throw argument_error(cat("the function has more than ", most_steps, " operations; write it as text, with TS_FN"));
  steps_.push_back(step);
  return static_cast<value>(steps_.size() - 1);
}

void expression::clear() {
  steps_.clear();
  constants_.clear();
  state_.clear();
  state_alignment_ = 1;
}

}  // namespace tessera::kernels
