#include "tessera/kernel/scalar/evaluate.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

constexpr std::int64_t block_elements = 1024;

std::uint32_t size_of(scalar_kind kind) { return dtype::make(kind).size; }
std::size_t number(scalar_kind kind) { return static_cast<std::size_t>(kind); }
bool is_small(scalar_kind kind) { return kind == scalar_kind::float16 || kind == scalar_kind::bfloat16; }

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

/// Copies `count` elements that lie `from_stride` and `to_stride` bytes apart.
void copy_elements(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                   std::uint32_t size, std::int64_t count) {
  with_size(size, [&](auto bytes) {
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, bytes());
  });
}

}  // namespace

/// Turns the steps that results need into instructions, and gives registers to them. Registers of parameters and
/// constants are their own; those of instructions are used again after their last use.
class evaluator::builder {
 public:
  builder(evaluator& made, const expression& body, std::span<const expression::value> results)
      : made_(made), body_(body), last_use_(body.steps().size(), -1), registers_(body.steps().size()) {
    for (const expression::value step : results) last_use_[step] = static_cast<int>(body.steps().size());
    for (std::size_t k = body.steps().size(); k-- > 0;) {
      if (last_use_[k] < 0) continue;
      const scalar_step& step = body.steps()[k];
      for (std::size_t o = 0; o < operands(step); ++o)
        last_use_[step.operands[o]] = std::max(last_use_[step.operands[o]], static_cast<int>(k));
    }
  }

  void add_steps() {
    std::size_t state = 0;
    std::vector<std::size_t> offsets;
    for (const scalar_kind type : body_.constants()) {
      const std::size_t alignment = dtype::make(type).alignment;
      state = (state + alignment - 1) / alignment * alignment;
      offsets.push_back(state);
      state += size_of(type);
    }
    for (std::size_t k = 0; k < body_.steps().size(); ++k) {
      if (last_use_[k] < 0) continue;
      const scalar_step& step = body_.steps()[k];
      made_.element_bytes_ = std::max<std::size_t>(made_.element_bytes_, size_of(step.type));
      add(step, k, offsets);
      for (std::size_t o = 0; o < operands(step); ++o) release(step.operands[o], k);
    }
  }

  [[nodiscard]] std::uint16_t register_of(expression::value step) const { return registers_[step]; }

 private:
  static std::size_t operands(const scalar_step& step) {
    return static_cast<std::size_t>(facts_of(step.operation).operands);
  }

  void add(const scalar_step& step, std::size_t k, const std::vector<std::size_t>& offsets) {
    switch (step.operation) {
      case opcode::neighbour:
        throw argument_error("an expression with neighbours cannot be evaluated without a kernel");
      case opcode::parameter:
        registers_[k] = made_.registers_++;
        made_.parameters_.push_back({step.place, registers_[k], size_of(step.type)});
        break;
      case opcode::constant:
        registers_[k] = made_.registers_++;
        add_constant(step, registers_[k], offsets);
        break;
      case opcode::convert:
      case opcode::saturate:
        add_conversion(step, k);
        break;
      case opcode::select:
        registers_[k] = emit(scalar_loops().choices[size_of(step.type)], step.type, operand_registers(step));
        break;
      default:
        add_operation(step, k);
    }
  }

  void add_constant(const scalar_step& step, std::uint16_t at, const std::vector<std::size_t>& offsets) {
    const std::uint32_t size = size_of(step.type);
    if (step.place > 0) {
      made_.constants_.push_back({offsets[step.place - 1U], false, at, size});
      return;
    }
    // A literal: an integer, converted as the printed text converts it.
    made_.constants_.push_back({made_.literals_.size(), true, at, size});
    std::array<std::byte, 16> bytes{};
    const auto& conversions = scalar_loops().conversions;
    const scalar_kind exact = is_small(step.type) ? scalar_kind::float32 : step.type;
    conversions[number(scalar_kind::int64)][number(exact)](bytes.data(), &step.detail, nullptr, nullptr, 1);
    if (exact != step.type)
      conversions[number(exact)][number(step.type)](bytes.data(), bytes.data(), nullptr, nullptr, 1);
    made_.literals_.insert(made_.literals_.end(), bytes.begin(), bytes.begin() + size);
  }

  /// `from` converted to `to`; `last` is the register of the converted operand.
  std::uint16_t convert(std::uint16_t from_register, scalar_kind from, scalar_kind to, bool saturated) {
    if (from == to) return from_register;
    const loop_table& loops = scalar_loops();
    const auto through = [&](scalar_kind middle) {  // a register between two conversions
      const std::uint16_t first = convert(from_register, from, middle, false);
      const std::uint16_t second = convert(first, middle, to, saturated);
      free_.push_back(first);
      return second;
    };
    if (is_small(to) && from == scalar_kind::float64) {
      const std::uint16_t odd = emit(loops.round_to_odd, scalar_kind::float32, {from_register, 0, 0});
      const std::uint16_t rounded = convert(odd, scalar_kind::float32, to, false);
      free_.push_back(odd);
      return rounded;
    }
    if ((is_small(from) && to != scalar_kind::float32) || (is_small(to) && from != scalar_kind::float32))
      return through(scalar_kind::float32);
    const scalar_loop saturating = saturated ? loops.saturations[number(from)][number(to)] : nullptr;
    return emit(saturating != nullptr ? saturating : loops.conversions[number(from)][number(to)], to,
                {from_register, 0, 0});
  }

  void add_conversion(const scalar_step& step, std::size_t k) {
    registers_[k] = convert(registers_[step.operands[0]], body_.type_of(step.operands[0]), step.type,
                            step.operation == opcode::saturate);
  }

  /// Numbers of 16 bits are converted to float, and the result is rounded.
  void add_operation(const scalar_step& step, std::size_t k) {
    const scalar_kind own = step.operation == opcode::make_complex ? step.type : body_.type_of(step.operands[0]);
    if (!is_small(own)) {
      registers_[k] = emit(scalar_loops().operations[static_cast<std::size_t>(step.operation)][number(own)], step.type,
                           operand_registers(step));
      return;
    }
    std::array<std::uint16_t, 3> wide{};
    for (std::size_t o = 0; o < operands(step); ++o)
      wide[o] = convert(registers_[step.operands[o]], own, scalar_kind::float32, false);
    const std::uint16_t value =
        emit(scalar_loops().operations[static_cast<std::size_t>(step.operation)][number(scalar_kind::float32)],
             scalar_kind::float32, wide);
    for (std::size_t o = 0; o < operands(step); ++o) free_.push_back(wide[o]);
    registers_[k] = value;
    if (step.type != own) return;
    registers_[k] = convert(value, scalar_kind::float32, own, false);
    free_.push_back(value);
  }

  [[nodiscard]] std::array<std::uint16_t, 3> operand_registers(const scalar_step& step) const {
    std::array<std::uint16_t, 3> list{};
    for (std::size_t o = 0; o < operands(step); ++o) list[o] = registers_[step.operands[o]];
    return list;
  }

  std::uint16_t emit(scalar_loop loop, scalar_kind result, const std::array<std::uint16_t, 3>& operands) {
    made_.element_bytes_ = std::max<std::size_t>(made_.element_bytes_, size_of(result));
    if (loop == nullptr) throw argument_error("an operation of the expression does not exist for its type");
    std::uint16_t at = 0;
    if (free_.empty()) {
      at = made_.registers_++;
    } else {
      at = free_.back();
      free_.pop_back();
    }
    made_.instructions_.push_back({loop, at, operands});
    return at;
  }

  void release(expression::value step, std::size_t now) {
    const opcode operation = body_.steps()[step].operation;
    if (last_use_[step] != static_cast<int>(now) || operation == opcode::parameter || operation == opcode::constant)
      return;
    last_use_[step] = -1;  // an operand that is named twice is released once
    free_.push_back(registers_[step]);
  }

  evaluator& made_;
  const expression& body_;
  std::vector<int> last_use_;  // the last step that uses a step, or none
  std::vector<std::uint16_t> registers_;
  std::vector<std::uint16_t> free_;
};

evaluator::evaluator(const expression& body, std::span<const expression::value> results) {
  builder build(*this, body, results);
  build.add_steps();
  for (const expression::value step : results)
    results_.push_back({build.register_of(step), size_of(body.type_of(step))});
}

/// Memory of the registers, kept by each thread.
struct evaluator::workspace {
  std::vector<std::byte> memory;
  std::vector<std::byte*> homes;      // memory of each register
  std::vector<std::byte*> registers;  // where its elements lie now: there, or where a parameter or a result is

  void prepare(std::size_t count, std::size_t bytes_each) {
    constexpr std::size_t alignment = 64;
    if (memory.size() < count * bytes_each + alignment) memory.resize(count * bytes_each + alignment);
    homes.resize(count);
    void* first = memory.data();
    std::size_t space = memory.size();
    first = std::align(alignment, count * bytes_each, first, space);
    for (std::size_t k = 0; k < count; ++k) homes[k] = static_cast<std::byte*>(first) + k * bytes_each;
    registers = homes;
  }
};

void evaluator::run(std::span<const source> parameters, std::span<const std::byte> state,
                    std::span<const target> results, std::int64_t count) const {
  thread_local workspace own;
  const std::int64_t block = std::min(count, block_elements);
  own.prepare(registers_, (static_cast<std::size_t>(block) * element_bytes_ + 63) / 64 * 64);
  const std::vector<std::byte*>& homes = own.homes;
  for (const constant& c : constants_)
    copy_elements(homes[c.at], c.size, (c.literal ? literals_.data() : state.data()) + c.offset, 0, c.size, block);
  for (const loaded& p : parameters_)
    if (const source& from = parameters[p.place]; from.data != nullptr && from.stride == 0)
      copy_elements(homes[p.at], p.size, from.data, 0, p.size, block);
  for (std::int64_t begin = 0; begin < count; begin += block) {
    const std::int64_t n = std::min(block, count - begin);
    load(parameters, begin, n, homes, own.registers);
    const bool direct = store_directly(results, begin, own.registers);
    for (const instruction& i : instructions_)
      i.loop(own.registers[i.result], own.registers[i.operands[0]], own.registers[i.operands[1]],
             own.registers[i.operands[2]], n);
    for (std::size_t k = direct ? 1 : 0; k < results_.size(); ++k)
      copy_elements(results[k].data + begin * results[k].stride, results[k].stride, own.registers[results_[k].at],
                    results_[k].size, results_[k].size, n);
    if (direct) own.registers[results_[0].at] = homes[results_[0].at];
  }
}

void evaluator::load(std::span<const source> parameters, std::int64_t begin, std::int64_t n,
                     const std::vector<std::byte*>& homes, std::vector<std::byte*>& registers) const {
  for (const loaded& p : parameters_) {
    const source& from = parameters[p.place];
    if (from.data == nullptr) {
      auto* const numbers = reinterpret_cast<std::int64_t*>(homes[p.at]);
      for (std::int64_t i = 0; i < n; ++i) numbers[i] = from.first + (begin + i) * from.stride;
    } else if (from.stride == p.size) {  // where they are: no loop changes its operands
      registers[p.at] = const_cast<std::byte*>(from.data) + begin * from.stride;
    } else if (from.stride != 0) {
      copy_elements(homes[p.at], p.size, from.data + begin * from.stride, from.stride, p.size, n);
    }
  }
}

/// The last instruction writes to where its result is wanted, if its elements lie one behind the other there. Those
/// before it must not: a later one may read a parameter that lies at the same place.
bool evaluator::store_directly(std::span<const target> results, std::int64_t begin,
                               std::vector<std::byte*>& registers) const {
  if (results_.size() != 1 || instructions_.empty() || instructions_.back().result != results_[0].at ||
      results[0].stride != results_[0].size)
    return false;
  const instruction& last = instructions_.back();
  const auto writes = [&](const instruction& i) { return i.result == last.result; };
  if (std::any_of(instructions_.begin(), instructions_.end() - 1, writes)) return false;
  registers[last.result] = results[0].data + begin * results[0].stride;
  return true;
}

}  // namespace tessera::kernels
