#include "tessera/nd/ops/reduce_here.h"

#include <cstring>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
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

/// Elements in the order of the reduction's axes, as lane states.
class host_reduction {
 public:
  host_reduction(const host_operand& from, const reduction& wanted)
      : axes_(from.elements.shape, wanted.spec.axes),
        functions_({&wanted, 1}, axes_.count),
        states_of_elements_(functions_),
        states_of_pieces_(functions_.of_pieces()),
        wanted_(wanted) {
    const std::int64_t size = from.elements.size();
    std::vector<std::byte> together(index(size) * size_of(from.type));
    gather_elements(together.data(), from.data, selected(from.elements, axes_.map), size_of(from.type));
    elements_.resize(index(size) * size_of(wanted.spec.computed));
    convert_elements(elements_.data(), wanted.spec.computed, together.data(), from.type, size);
  }

  std::shared_ptr<host_value> run() {
    const std::int64_t results = axes_.rows * axes_.columns;
    auto made = std::make_shared<host_value>(index(results) * size_of(wanted_.result));
    state_memory all(functions_.pieces, results);
    for (std::int64_t row = 0; row < axes_.rows; ++row) {
      pointers to = all.states;
      for (std::size_t k = 0; k < to.size(); ++k)
        to[k] += row * axes_.columns * static_cast<std::int64_t>(size_of(functions_.pieces[k]));
      if (axes_.form == reduction_form::inner)
        fold_sequence(row, to);
      else
        fold_columns(row, to);
    }
    const kernels::evaluator::target to{made->data(), size_of(wanted_.result)};
    states_of_elements_.finish(all.states, functions_.divisors, {&to, 1}, results);
    return made;
  }

 private:
  /// Lane states of `count` elements from `first` on, whose positions are `position` and `step` further each.
  void load(std::int64_t first, std::int64_t count, std::int64_t position, std::int64_t step,
            std::span<std::byte* const> to) const {
    const std::uint32_t size = size_of(wanted_.spec.computed);
    std::memcpy(to[0], elements_.data() + index(first) * size, index(count) * size);
    if (to.size() == 1) return;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t place = position + k * step;
      std::memcpy(to[1] + index(k) * sizeof place, &place, sizeof place);
    }
  }

  void fold_sequence(std::int64_t row, const pointers& to) const {
    const std::int64_t base = row * axes_.count;
    states_of_elements_.fold(
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
    for (const reduction_evaluator* with = &states_of_elements_;; with = &states_of_pieces_) {
      const std::int64_t pieces = ceil_div(rows, reduction_order::rows);
      auto next = std::make_unique<state_memory>(functions_.pieces, pieces * width);
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t first = piece * reduction_order::rows;
        with->fold_rows(
            first, std::min(first + reduction_order::rows, rows), width,
            [&](std::int64_t k, std::span<std::byte* const> lanes) {
              if (!states) return load((row * axes_.count + k) * width, width, k, 0, lanes);
              for (std::size_t s = 0; s < lanes.size(); ++s) {
                const std::size_t size = size_of(functions_.pieces[s]);
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
      std::memcpy(to[s], states->states[s], index(width) * size_of(functions_.pieces[s]));
  }
  [[nodiscard]] pointers moved(const pointers& states, std::int64_t at) const {
    pointers made = states;
    for (std::size_t k = 0; k < made.size(); ++k)
      made[k] += at * static_cast<std::int64_t>(size_of(functions_.pieces[k]));
    return made;
  }

  reduction_axes axes_;
  reduction_functions functions_;
  reduction_evaluator states_of_elements_, states_of_pieces_;
  const reduction& wanted_;
  std::vector<std::byte> elements_;
};

}  // namespace

std::shared_ptr<host_value> reduce_here(const host_operand& from, const reduction& wanted) {
  return host_reduction(from, wanted).run();
}

}  // namespace tessera::nd
