#include "tessera/nd/emit/reduction_evaluator.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

using kernels::evaluator;
using pointers = std::vector<std::byte*>;

constexpr std::size_t most_states = 48;  // of eight reductions, with their means

/// Memory for `count` elements of each type.
class state_block {
 public:
  void prepare(std::span<const scalar_kind> types, std::int64_t count) {
    std::size_t bytes = 0;
    std::vector<std::size_t> offsets;
    for (const scalar_kind type : types) {
      offsets.push_back(bytes);
      bytes += (index(count) * size_of(type) + 63) / 64 * 64;
    }
    if (memory_.size() < bytes) memory_.resize(bytes);
    states.clear();
    for (const std::size_t offset : offsets) states.push_back(memory_.data() + offset);
  }
  pointers states;

 private:
  std::vector<std::byte> memory_;
};

/// Elements `at` and on of each state.
pointers moved(std::span<std::byte* const> states, std::span<const scalar_kind> types, std::int64_t at) {
  pointers made(states.begin(), states.end());
  for (std::size_t k = 0; k < made.size(); ++k) made[k] += at * static_cast<std::int64_t>(size_of(types[k]));
  return made;
}

/// Calls a function of several lists of states whose elements lie one behind the other.
using state_list = std::pair<std::span<std::byte* const>, std::span<const scalar_kind>>;
void call(const evaluator& function, std::initializer_list<state_list> lists, std::span<std::byte* const> results,
          std::span<const scalar_kind> result_types, std::int64_t count, const double* last = nullptr) {
  std::array<evaluator::source, 2 * most_states> sources;
  std::array<evaluator::target, most_states> targets;
  std::size_t n = 0;
  for (const auto& [states, types] : lists)
    for (std::size_t k = 0; k < states.size(); ++k) sources[n++] = {states[k], size_of(types[k]), 0};
  if (last != nullptr) sources[n++] = {reinterpret_cast<const std::byte*>(last), 0, 0};
  for (std::size_t k = 0; k < results.size(); ++k) targets[k] = {results[k], size_of(result_types[k])};
  function.run(std::span(sources).first(n), {}, std::span(targets).first(results.size()), count);
}

}  // namespace

std::int64_t reduction_order::chunk(std::int64_t count) {
  std::int64_t length = piece;
  while (ceil_div(count, length) > most_chunks) length *= 2;
  return length;
}

/// What one thread works with.
struct reduction_evaluator::buffers {
  state_block elements, totals, means, squares, more, piece;
};

reduction_evaluator::reduction_evaluator(const reduction_functions& f)
    : lanes_(f.lanes),
      averages_(f.averages),
      squares_(f.squares),
      pieces_(f.pieces),
      results_(f.results),
      combine_(f.combine.body, f.combine.results),
      means_(f.means.body, f.means.results),
      square_(f.square.body, f.square.results),
      add_(f.add.body, f.add.results),
      piece_(f.piece.body, f.piece.results),
      merge_(f.merge.body, f.merge.results),
      finish_(f.finish.body, f.finish.results) {}

/// The elements of each lane in order, then lanes by halves: the result is element 0.
void reduction_evaluator::fold_lanes(const evaluator& combine, std::span<std::byte* const> states,
                                     std::span<const scalar_kind> types, std::int64_t count) const {
  constexpr std::int64_t lanes = reduction_order::lanes;
  for (std::int64_t at = lanes; at < count; at += lanes) {
    const pointers next = moved(states, types, at);
    call(combine, {{states, types}, {next, types}}, states, types, std::min(lanes, count - at));
  }
  for (std::int64_t half = lanes / 2; half > 0; half /= 2) {
    const std::int64_t pairs = std::min(half, count - half);
    if (pairs <= 0) continue;
    const pointers next = moved(states, types, half);
    call(combine, {{states, types}, {next, types}}, states, types, pairs);
  }
}

void reduction_evaluator::make_piece(std::span<std::byte* const> lanes, std::span<std::byte* const> squares,
                                     double count, std::span<std::byte* const> to, std::int64_t width) const {
  call(piece_, {{lanes, lanes_}, {squares, squares_}}, to, pieces_, width, &count);
}

/// Squared distances from means, which lie `means_step` elements apart: 0 for one mean of all.
void reduction_evaluator::square(std::span<std::byte* const> elements, std::span<std::byte* const> means,
                                 std::int64_t means_step, std::span<std::byte* const> to, std::int64_t count) const {
  std::array<evaluator::source, most_states> sources;
  std::array<evaluator::target, most_states> targets;
  std::size_t n = 0;
  for (std::size_t k = 0; k < elements.size(); ++k) sources[n++] = {elements[k], size_of(lanes_[k]), 0};
  for (std::size_t k = 0; k < means.size(); ++k) sources[n++] = {means[k], means_step * size_of(averages_[k]), 0};
  for (std::size_t k = 0; k < to.size(); ++k) targets[k] = {to[k], size_of(squares_[k])};
  square_.run(std::span(sources).first(n), {}, std::span(targets).first(to.size()), count);
}

void reduction_evaluator::fold_piece(std::int64_t begin, std::int64_t count, const sequence& elements, buffers& with,
                                     std::span<std::byte* const> to) const {
  const auto number = static_cast<double>(count);
  with.elements.prepare(lanes_, count);
  elements(begin, count, with.elements.states);
  if (squares_.empty()) {
    fold_lanes(combine_, with.elements.states, lanes_, count);
    return make_piece(with.elements.states, {}, number, to, 1);
  }
  with.totals.prepare(lanes_, count);
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    std::memcpy(with.totals.states[k], with.elements.states[k], index(count) * size_of(lanes_[k]));
  fold_lanes(combine_, with.totals.states, lanes_, count);
  with.means.prepare(averages_, 1);
  call(means_, {{with.totals.states, lanes_}}, with.means.states, averages_, 1, &number);
  with.squares.prepare(squares_, count);
  square(with.elements.states, with.means.states, 0, with.squares.states, count);
  fold_lanes(add_, with.squares.states, squares_, count);
  make_piece(with.totals.states, with.squares.states, number, to, 1);
}

void reduction_evaluator::fold(std::int64_t first, std::int64_t limit, const sequence& elements,
                               std::span<std::byte* const> to) const {
  thread_local buffers own;
  for (std::int64_t begin = first; begin < limit; begin += reduction_order::piece) {
    const std::int64_t count = std::min(reduction_order::piece, limit - begin);
    if (begin == first) {
      fold_piece(begin, count, elements, own, to);
      continue;
    }
    own.piece.prepare(pieces_, 1);
    fold_piece(begin, count, elements, own, own.piece.states);
    merge(to, own.piece.states, 1);
  }
}

void reduction_evaluator::fold_rows(std::int64_t first, std::int64_t limit, std::int64_t width, const row& elements,
                                    std::span<std::byte* const> to) const {
  thread_local buffers own;
  const auto number = static_cast<double>(limit - first);
  own.totals.prepare(lanes_, width);
  own.elements.prepare(lanes_, width);
  elements(first, own.totals.states);
  for (std::int64_t k = first + 1; k < limit; ++k) {
    elements(k, own.elements.states);
    call(combine_, {{own.totals.states, lanes_}, {own.elements.states, lanes_}}, own.totals.states, lanes_, width);
  }
  if (squares_.empty()) return make_piece(own.totals.states, {}, number, to, width);
  own.means.prepare(averages_, width);
  call(means_, {{own.totals.states, lanes_}}, own.means.states, averages_, width, &number);
  own.squares.prepare(squares_, width);
  own.more.prepare(squares_, width);
  for (std::int64_t k = first; k < limit; ++k) {
    elements(k, own.elements.states);
    square(own.elements.states, own.means.states, 1, k == first ? own.squares.states : own.more.states, width);
    if (k != first)
      call(add_, {{own.squares.states, squares_}, {own.more.states, squares_}}, own.squares.states, squares_, width);
  }
  make_piece(own.totals.states, own.squares.states, number, to, width);
}

void reduction_evaluator::merge(std::span<std::byte* const> into, std::span<std::byte* const> from,
                                std::int64_t count) const {
  call(merge_, {{into, pieces_}, {from, pieces_}}, into, pieces_, count);
}

void reduction_evaluator::finish(std::span<std::byte* const> states, std::span<const double> divisors,
                                 std::span<const evaluator::target> results, std::int64_t count) const {
  std::array<evaluator::source, most_states> sources;
  std::size_t n = 0;
  for (std::size_t k = 0; k < states.size(); ++k) sources[n++] = {states[k], size_of(pieces_[k]), 0};
  for (const double& d : divisors) sources[n++] = {reinterpret_cast<const std::byte*>(&d), 0, 0};
  finish_.run(std::span(sources).first(n), {}, results, count);
}

}  // namespace tessera::nd
