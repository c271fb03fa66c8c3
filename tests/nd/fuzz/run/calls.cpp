#include "tests/nd/fuzz/run/calls.h"

#include <algorithm>

#include "tests/nd/fuzz/reference/plain_array.h"

namespace tessera::fuzz {
namespace {

nd::slice slice_of(const index_entry& e) {
  static_assert(index_entry::open == nd::slice::open);
  return {e.first, e.last, e.step};
}

nd::array indexed(const nd::array& a, const std::vector<index_entry>& entries) {
  std::vector<nd::index_item> items;
  for (const index_entry& e : entries) {
    if (e.kind == index_entry::form::place)
      items.emplace_back(e.first);
    else if (e.kind == index_entry::form::slice)
      items.emplace_back(slice_of(e));
    else
      items.emplace_back(nd::new_axis);
  }
  return a.at(items);
}

nd::array permuted(const nd::array& a, const extents& axes) {
  std::vector<int> list(axes.begin(), axes.end());
  if (std::is_sorted(list.rbegin(), list.rend())) return a.transpose();
  return a.seen_through(nd::permutation_map(a.shape(), list));
}

template <class... Operands>
nd::array call_with(function f, const Operands&... given) {
  switch (f) {
#define TESSERA_FUNCTION(name, operands, weight)                           \
  case function::name:                                                     \
    if constexpr (operands == sizeof...(given)) return nd::name(given...); \
    break;
#include "tests/nd/fuzz/program/operations.def"
  }
  throw invalid_step("a function of another number of operands");
}

nd::axis_list axes_of(const extents& axes) {
  const auto axis = [&](int k) { return static_cast<int>(axes[k]); };
  switch (axes.rank()) {
    case 0:
      return {};
    case 1:
      return axis(0);
    case 2:
      return {axis(0), axis(1)};
    default:
      return {axis(0), axis(1), axis(2)};
  }
}

}  // namespace

nd::number number_of(const plain_number& n) {
  switch (n.kind) {
    case plain_number::sort::boolean:
      return n.whole != 0;
    case plain_number::sort::integer:
      return n.whole;
    case plain_number::sort::real:
      return n.real;
    case plain_number::sort::complex:
      break;
  }
  return std::complex<double>(n.real, n.imaginary);
}

nd::array seen(const nd::array& a, const view_call& call) {
  switch (call.kind) {
    case view_call::form::index:
      return indexed(a, call.entries);
    case view_call::form::permute:
      return permuted(a, call.numbers);
    case view_call::form::flip:
      return a.seen_through(nd::flip_map(a.shape(), call.axis));
    case view_call::form::diagonal:
      return a.seen_through(nd::diagonal_map(a.shape(), call.distance, call.axis, call.other));
    case view_call::form::broadcast:
      return nd::broadcast_to(a, call.numbers);
    case view_call::form::reshape:
      break;
  }
  return a.reshape(call.numbers);
}

nd::layout layout_of(const step& s) {
  switch (s.where) {
    case placement::axis:
      return {s.axis};
    case placement::mesh:
      return {0, 1};
    case placement::replicated:
      return nd::layout::replicated();
    case placement::automatic:
      break;
  }
  return {};
}

nd::array call(function f, std::span<const nd::operand> given) {
  if (given.size() == 1) return call_with(f, given[0]);
  if (given.size() == 2) return call_with(f, given[0], given[1]);
  return call_with(f, given[0], given[1], given[2]);
}

void change(const nd::array& a, function f, const nd::operand& b) {
  switch (f) {
    case function::add:
      a += b;
      return;
    case function::subtract:
      a -= b;
      return;
    case function::multiply:
      a *= b;
      return;
    case function::divide:
      a /= b;
      return;
    case function::remainder:
      a %= b;
      return;
    case function::bitwise_and:
      a &= b;
      return;
    case function::bitwise_or:
      a |= b;
      return;
    case function::bitwise_xor:
      a ^= b;
      return;
    default:
      a.assign(call_with(f, nd::operand(a), b));
  }
}

nd::array reduced(const step& s, const nd::array& a) {
  const nd::axis_list along = axes_of(s.shape);
  const bool keepdims = s.numbers[0] != 0;
  switch (s.combined) {
    case reduction::sum:
      return nd::sum(a, along, keepdims);
    case reduction::prod:
      return nd::prod(a, along, keepdims);
    case reduction::min:
      return nd::min(a, along, keepdims);
    case reduction::max:
      return nd::max(a, along, keepdims);
    case reduction::any:
      return nd::any(a, along, keepdims);
    case reduction::all:
      return nd::all(a, along, keepdims);
    case reduction::argmin:
      return nd::argmin(a, along, keepdims);
    case reduction::argmax:
      return nd::argmax(a, along, keepdims);
    case reduction::mean:
      return nd::mean(a, along, keepdims);
    case reduction::variance:
      return nd::var(a, along, static_cast<double>(s.numbers[1]), keepdims);
    case reduction::deviation:
      return nd::std(a, along, static_cast<double>(s.numbers[1]), keepdims);
    case reduction::count_nonzero:
      break;
  }
  return nd::count_nonzero(a, along, keepdims);
}

nd::array scanned(const step& s, const nd::array& a) {
  switch (s.combined) {
    case reduction::sum:
      return nd::cumulative_sum(a, s.axis, s.numbers[0] != 0);
    case reduction::prod:
      return nd::cumulative_prod(a, s.axis, s.numbers[0] != 0);
    case reduction::min:
      return nd::cumulative_min(a, s.axis);
    default:
      return nd::cumulative_max(a, s.axis);
  }
}

nd::array mask_of(const nd::array& mask, const nd::array& shown) {
  return nd::broadcast_to(nd::as_type(mask, scalar_kind::boolean), shown.shape());
}

}  // namespace tessera::fuzz
