#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "tessera/algo/container/vector.h"
#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/function/composed.h"
#include "tessera/algo/skeleton/inputs.h"

namespace tessera {
namespace algo {

/// What algorithms work on: elements that are computed where they are used. Element i is what a call of `function`
/// gives for the elements i of `given`, which lie one behind the other. The function does not run on the host.
struct sequence {
  op function;
  std::vector<call_argument> given;
  std::int64_t size = 0;
  call_site site{};
  /// Where elements that no container gives are stored, if they must be: by whom they are used. Else in the default
  /// context.
  std::optional<context> home{};

  /// The call that computes the elements; `this` outlives it.
  [[nodiscard]] call bound(const char* algorithm) const { return bind_call(algorithm, function, given, site); }
  /// That of the first container; `home`, or the default context, if there is none.
  [[nodiscard]] context ctx() const;
};

/// That of the first container that any of them uses; if there is none the first `home`, or the default context.
[[nodiscard]] context context_of_all(const std::vector<sequence>& all);
/// `all`, which is used beside what lies in `ctx`.
[[nodiscard]] sequence used_in(const context& ctx, sequence all);
/// The elements of `part`, box or not.
[[nodiscard]] sequence sequence_of_elements(const operand& part, const std::string& type, call_site here);
/// Elements first <= i < last of `all`.
[[nodiscard]] sequence part_of(const sequence& all, std::int64_t first, std::int64_t last);
/// Element i is element `size` - 1 - i of `all`.
[[nodiscard]] sequence reversed(const sequence& all);
/// Element i is element i + `by` of `all`; value-initialised where there is none.
[[nodiscard]] sequence shifted(const sequence& all, std::int64_t by);
/// Element i is element i - 1 of `all`, the first one its first one; `size` of them.
[[nodiscard]] sequence previous(const sequence& all, std::int64_t size);
/// True for the elements of a container, or of a part of one, as they are.
[[nodiscard]] bool is_plain(const sequence& all);
/// The elements of `all`, stored unless they are those of a container.
[[nodiscard]] sequence stored_elements(const sequence& all);
/// The elements of `all`, stored unless containers give each of them from its own place.
[[nodiscard]] sequence at_own_places(const sequence& all);
/// `function` of the elements of `all`, which have one size.
[[nodiscard]] sequence applied(const op& function, const std::vector<sequence>& all, call_site here);
/// `size` times all elements of `container`, as a `ts::vec`.
[[nodiscard]] sequence whole_container(const call_argument& container, std::int64_t size, call_site here);
/// The elements written to `out`, which has as many.
void store(const sequence& elements, const operand& out, const skeleton_options& options = {});

}  // namespace algo

/// Elements of type T that are computed where they are used: what views give and algorithms take. Holds on to the
/// containers whose elements it uses.
template <class T>
class lazy {
 public:
  using value_type = T;
  explicit lazy(algo::sequence elements) : elements_(std::move(elements)) {}

  [[nodiscard]] std::int64_t size() const { return elements_.size; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const algo::sequence& elements() const { return elements_; }
  /// The elements in a vector; one launch.
  [[nodiscard]] vector<T> stored() const;
  operator vector<T>() const { return stored(); }  // NOLINT: `ts::vector<float> v = x | views::...` is the notation
  [[nodiscard]] std::vector<T> to_host(call_site here = call_site::current()) const { return stored().to_host(here); }

 private:
  algo::sequence elements_;
};

namespace algo {

/// A range, or the elements between two iterators, as a sequence.
template <container_like C>
[[nodiscard]] sequence sequence_of(const C& container, call_site here) {
  using T = element_t<C>;
  return sequence_of_elements(operand_of(container), type_name<T>(), here);
}
template <class T>
[[nodiscard]] sequence sequence_of(const lazy<T>& view, call_site) {
  return view.elements();
}
template <class T>
[[nodiscard]] sequence sequence_of(const counting_sequence<T>& numbers, call_site here) {
  return {identity_op(type_name<T>(), dtype_of<T>()), {input_of(numbers).argument}, numbers.count, here};
}
template <iterator_like I>
[[nodiscard]] sequence sequence_of(const I& first, const I& last, call_site here) {
  using T = element_t<I>;
  return sequence_of_elements(operand_of(first, last), type_name<T>(), here);
}
/// The elements between two iterators as a range.
template <iterator_like I>
[[nodiscard]] lazy<element_t<I>> between(const I& first, const I& last, call_site here) {
  return lazy<element_t<I>>(sequence_of(first, last, here));
}
/// 0, 1, ..., size - 1: the places of elements.
[[nodiscard]] sequence places(std::int64_t size, call_site here);

/// The elements of `all`, stored, as arguments of a function of the host, and what that returns in a new container.
[[nodiscard]] operand called_on_host(const op& function, const std::vector<sequence>& all, const dtype& result,
                                     call_site here);
template <class R>
[[nodiscard]] vector<R> stored_by_host(const op& function, const std::vector<sequence>& all, call_site here) {
  return vector<R>(called_on_host(function, all, dtype_of<R>(), here).elements);
}

/// `f` of the elements of ranges with elements of types `Args`. A function of the host is applied at once.
template <class... Args, class F>
[[nodiscard]] sequence applied_to(const F& f, const std::vector<sequence>& all, call_site here) {
  const op function = make_op<Args...>(f, here);
  if constexpr (is_host_callable<F>) {
    using R = call_result_t<F, Args...>;
    return sequence_of(stored_by_host<R>(function, all, here), here);
  } else {
    return applied(function, all, here);
  }
}

}  // namespace algo

template <class T>
vector<T> lazy<T>::stored() const {
  const algo::operand out = algo::make_temporary(elements_.ctx(), {size()}, dtype_of<T>());
  algo::store(elements_, out);
  return vector<T>(out.elements);
}

}  // namespace tessera
