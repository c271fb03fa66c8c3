#include "tessera/nd/ops/reduce_here.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <tuple>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/base/containers/recent_map.h"
#include "tessera/base/index.h"
#include "tessera/kernel/scalar/loops/loops.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/fuse/reduce.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

using pointers = std::vector<std::byte*>;

/// States, one list per type.
struct state_memory {
  std::vector<std::vector<std::byte>> memory;
  pointers states;
  state_memory(const std::vector<scalar_kind>& types, std::int64_t count) {
    for (const scalar_kind type : types) memory.emplace_back(index(count) * size_of(type));
    for (std::vector<std::byte>& each : memory) states.push_back(each.data());
  }
};

/// Elements in the order of `axes`, converted to `type`, into memory that this thread keeps.
std::byte* ordered_elements(const host_operand& from, const reduction_axes& axes, scalar_kind type) {
  thread_local std::vector<std::byte> memory, together;
  const std::int64_t size = from.elements.size();
  const view elements = selected(from.elements, axes.map);
  const std::byte* source = from.data + elements.offset * size_of(from.type);
  if (!elements.is_contiguous()) {
    together.resize(std::max(together.size(), index(size) * size_of(from.type)));
    gather_elements(together.data(), from.data, elements, size_of(from.type));
    source = together.data();
  }
  memory.resize(std::max(memory.size(), index(size) * size_of(type)));
  convert_elements(memory.data(), type, source, from.type, size);
  return memory.data();
}

/// A reduction whose states are elements, by one loop: what `reduction_evaluator` does, without its functions.
class plain_reduction {
 public:
  /// Null if there is no such loop.
  static kernels::scalar_loop loop_of(const reduction& wanted) {
    const scalar_kind type = wanted.spec.computed;
    const bool is_small = type == scalar_kind::float16 || type == scalar_kind::bfloat16;
    const std::optional<kernels::opcode> operation = operation_of(wanted.spec.by);
    if (!operation || is_small || wanted.result != type) return nullptr;
    return kernels::scalar_loops().operations[static_cast<std::size_t>(*operation)][static_cast<std::size_t>(type)];
  }

  plain_reduction(const host_operand& from, const reduction& wanted, kernels::scalar_loop combine)
      : axes_(from.elements.shape, wanted.spec.axes),
        wanted_(wanted),
        combine_(combine),
        size_(size_of(wanted.spec.computed)),
        elements_(ordered_elements(from, axes_, wanted.spec.computed)) {}

  [[nodiscard]] std::shared_ptr<host_value> run() const {
    const std::size_t line = index(axes_.columns) * size_;
    auto made = std::make_shared<host_value>(index(axes_.rows) * line, host_value::content::written_next);
    for (std::int64_t row = 0; row < axes_.rows; ++row) {
      std::byte* const first = elements_ + index(row * axes_.count) * line;
      if (axes_.form == reduction_form::inner)
        fold_sequence(first);
      else
        fold_columns(first);
      std::memcpy(made->data() + index(row) * line, first, line);
    }
    if (wanted_.spec.by == combiner::mean) divide(*made);
    return made;
  }

 private:
  static std::optional<kernels::opcode> operation_of(combiner by) {
    switch (by) {
      case combiner::sum:
      case combiner::mean:
        return kernels::opcode::add;
      case combiner::product:
        return kernels::opcode::multiply;
      case combiner::minimum:
        return kernels::opcode::nan_minimum;
      case combiner::maximum:
        return kernels::opcode::nan_maximum;
      case combiner::any:
        return kernels::opcode::logical_or;
      case combiner::all:
        return kernels::opcode::logical_and;
      default:
        return {};
    }
  }

  void combine(std::byte* to, const std::byte* with, std::int64_t count) const {
    combine_(to, to, with, nullptr, count);
  }

  /// One piece: a host value has no more elements.
  void fold_sequence(std::byte* first) const {
    constexpr std::int64_t lanes = reduction_order::lanes;
    const std::int64_t count = axes_.count;
    for (std::int64_t at = lanes; at < count; at += lanes)
      combine(first, first + index(at) * size_, std::min(lanes, count - at));
    for (std::int64_t half = lanes / 2; half > 0; half /= 2)
      if (const std::int64_t pairs = std::min(half, count - half); pairs > 0)
        combine(first, first + index(half) * size_, pairs);
  }

  void fold_columns(std::byte* first) const {
    const std::size_t line = index(axes_.columns) * size_;
    for (std::int64_t rows = axes_.count, pieces = 0; rows > 1 || pieces == 0; rows = pieces) {
      pieces = ceil_div(rows, reduction_order::rows);
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        std::byte* const begin = first + index(piece * reduction_order::rows) * line;
        const std::int64_t limit = std::min(reduction_order::rows, rows - piece * reduction_order::rows);
        for (std::int64_t k = 1; k < limit; ++k) combine(begin, begin + index(k) * line, axes_.columns);
        if (piece > 0) std::memcpy(first + index(piece) * line, begin, line);
      }
    }
  }

  void divide(host_value& results) const {
    const auto count = static_cast<double>(axes_.count);
    const scalar_kind type = wanted_.result;
    const std::int64_t n = axes_.rows * axes_.columns;
    std::vector<std::byte> divisors(results.size());
    std::array<std::byte, 16> one{};
    convert_elements(one.data(), type, reinterpret_cast<const std::byte*>(&count), scalar_kind::float64, 1);
    fill_elements(divisors.data(), view::whole({n}), one.data(), size_of(type));
    const auto& row = kernels::scalar_loops().operations[static_cast<std::size_t>(kernels::opcode::divide)];
    row[static_cast<std::size_t>(type)](results.data(), results.data(), divisors.data(), nullptr, n);
  }

  reduction_axes axes_;
  const reduction& wanted_;
  kernels::scalar_loop combine_;
  std::size_t size_;
  std::byte* elements_;
};

/// The functions of a reduction, kept for the next one of its kind.
struct reduction_program {
  reduction_functions functions;
  reduction_evaluator of_elements, of_pieces;

  reduction_program(const reduction& wanted, std::int64_t count)
      : functions({&wanted, 1}, count), of_elements(functions), of_pieces(functions.of_pieces()) {}

  static std::shared_ptr<const reduction_program> find(const reduction& wanted, std::int64_t count) {
    using key = std::tuple<combiner, scalar_kind, scalar_kind, double, std::int64_t>;
    thread_local recent_map<key, std::shared_ptr<const reduction_program>> known(64);
    const key own{wanted.spec.by, wanted.spec.computed, wanted.result, wanted.spec.correction, count};
    if (const auto* there = known.find(own)) return *there;
    auto made = std::make_shared<const reduction_program>(wanted, count);
    static_cast<void>(known.insert(own, made));
    return made;
  }
};

/// Elements in the order of the reduction's axes, as lane states.
class host_reduction {
 public:
  host_reduction(const host_operand& from, const reduction& wanted)
      : axes_(from.elements.shape, wanted.spec.axes),
        program_(reduction_program::find(wanted, axes_.count)),
        wanted_(wanted),
        elements_(ordered_elements(from, axes_, wanted.spec.computed)) {}

  std::shared_ptr<host_value> run() {
    const std::int64_t results = axes_.rows * axes_.columns;
    auto made = std::make_shared<host_value>(index(results) * size_of(wanted_.result));
    state_memory all(program_->functions.pieces, results);
    for (std::int64_t row = 0; row < axes_.rows; ++row) {
      pointers to = all.states;
      for (std::size_t k = 0; k < to.size(); ++k)
        to[k] += row * axes_.columns * static_cast<std::int64_t>(size_of(program_->functions.pieces[k]));
      if (axes_.form == reduction_form::inner)
        fold_sequence(row, to);
      else
        fold_columns(row, to);
    }
    const kernels::evaluator::target to{made->data(), size_of(wanted_.result)};
    program_->of_elements.finish(all.states, program_->functions.divisors, {&to, 1}, results);
    return made;
  }

 private:
  /// Lane states of `count` elements from `first` on, whose positions are `position` and `step` further each.
  void load(std::int64_t first, std::int64_t count, std::int64_t position, std::int64_t step,
            std::span<std::byte* const> to) const {
    const std::uint32_t size = size_of(wanted_.spec.computed);
    std::memcpy(to[0], elements_ + index(first) * size, index(count) * size);
    if (to.size() == 1) return;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t place = position + k * step;
      std::memcpy(to[1] + index(k) * sizeof place, &place, sizeof place);
    }
  }

  void fold_sequence(std::int64_t row, const pointers& to) const {
    const std::int64_t base = row * axes_.count;
    program_->of_elements.fold(
        0, axes_.count,
        [&](std::int64_t first, std::int64_t count, std::span<std::byte* const> lanes) {
          load(base + first, count, first, 1, lanes);
        },
        to);
  }

  void fold_columns(std::int64_t row, const pointers& to) const {
    const std::int64_t width = axes_.columns;
    std::int64_t rows = axes_.count;
    std::unique_ptr<state_memory> states;
    for (const reduction_evaluator* with = &program_->of_elements;; with = &program_->of_pieces) {
      const std::int64_t pieces = ceil_div(rows, reduction_order::rows);
      auto next = std::make_unique<state_memory>(program_->functions.pieces, pieces * width);
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t first = piece * reduction_order::rows;
        with->fold_rows(
            first, std::min(first + reduction_order::rows, rows), width,
            [&](std::int64_t k, std::span<std::byte* const> lanes) {
              if (!states) return load((row * axes_.count + k) * width, width, k, 0, lanes);
              for (std::size_t s = 0; s < lanes.size(); ++s) {
                const std::size_t size = size_of(program_->functions.pieces[s]);
                std::memcpy(lanes[s], states->states[s] + index(k * width) * size, index(width) * size);
              }
            },
            moved(next->states, piece * width));
      }
      states = std::move(next);
      rows = pieces;
      if (rows == 1) break;
    }
    for (std::size_t s = 0; s < to.size(); ++s)
      std::memcpy(to[s], states->states[s], index(width) * size_of(program_->functions.pieces[s]));
  }
  [[nodiscard]] pointers moved(const pointers& states, std::int64_t at) const {
    pointers made = states;
    for (std::size_t k = 0; k < made.size(); ++k)
      made[k] += at * static_cast<std::int64_t>(size_of(program_->functions.pieces[k]));
    return made;
  }

  reduction_axes axes_;
  std::shared_ptr<const reduction_program> program_;
  const reduction& wanted_;
  const std::byte* elements_;
};

}  // namespace

std::shared_ptr<host_value> reduce_here(const host_operand& from, const reduction& wanted) {
  if (const kernels::scalar_loop combine = plain_reduction::loop_of(wanted))
    return plain_reduction(from, wanted, combine).run();
  return host_reduction(from, wanted).run();
}

}  // namespace tessera::nd
