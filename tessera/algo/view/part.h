#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tessera/algo/container/guard.h"
#include "tessera/algo/container/index_check.h"
#include "tessera/algo/container/operand.h"
#include "tessera/array/kernel.h"

namespace tessera {

/// A box of the elements of a container of N axes: `v.part(lo, hi)`, `m.box(r0, r1, c0, c1)`, `m.row(i)`. A view: it
/// shares the elements, launches and skeletons take it where they take a container, and only what it covers moves.
/// A change of the container's size makes it invalid.
template <class T, int N>
class container_part {
 public:
  using value_type = T;
  static constexpr int axes = N;
  container_part(std::shared_ptr<algo::storage> elements, const box& part);

  [[nodiscard]] std::int64_t size() const { return part_.volume(); }
  [[nodiscard]] extents shape() const { return part_.shape(); }
  [[nodiscard]] const box& bounds() const { return part_; }
  [[nodiscard]] context ctx() const { return elements_->ctx(); }

  template <access Mode>
  [[nodiscard]] auto host(access_tag<Mode>, call_site here = call_site::current()) const;
  /// All elements, row by row, on every rank.
  [[nodiscard]] std::vector<T> to_host(call_site here = call_site::current()) const;

  /// For kernels: the launch may read and write it (rule H21).
  [[nodiscard]] argument as_argument(call_site here = {}) const;
  [[nodiscard]] algo::operand as_operand() const;

 private:
  std::shared_ptr<algo::storage> elements_;
  box part_;
  std::uint64_t generation_ = 0;
};

namespace algo {

/// `part` of `elements` as an argument of a launch that may read and write it.
[[nodiscard]] argument whole_argument(storage& elements, const box& part, call_site here);
/// The elements of a box as the standard library has them.
template <class T>
[[nodiscard]] std::vector<T> copied(storage& elements, const box& part, call_site here) {
  const std::size_t count = static_cast<std::size_t>(part.volume());
  // std::vector<bool> has no bytes to read into.
  using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  std::vector<stored> result(count);
  elements.read(part, std::as_writable_bytes(std::span(result)), here);
  if constexpr (std::is_same_v<T, stored>)
    return result;
  else
    return {result.begin(), result.end()};
}

}  // namespace algo

template <class T, int N>
container_part<T, N>::container_part(std::shared_ptr<algo::storage> elements, const box& part)
    : elements_(std::move(elements)), part_(part), generation_(elements_->generation()) {
  algo::require_part(part_, elements_->shape());
}

template <class T, int N>
template <access Mode>
auto container_part<T, N>::host(access_tag<Mode>, call_site here) const {
  return host_guard<algo::seen_as<T, Mode>, N>(elements_, elements_->hold(Mode, as_operand().part, here), shape());
}

template <class T, int N>
std::vector<T> container_part<T, N>::to_host(call_site here) const {
  return algo::copied<T>(*elements_, as_operand().part, here);
}

template <class T, int N>
argument container_part<T, N>::as_argument(call_site here) const {
  return algo::whole_argument(*elements_, as_operand().part, here);
}

template <class T, int N>
algo::operand container_part<T, N>::as_operand() const {
  elements_->require_current(generation_);
  algo::require_part(part_, elements_->shape());
  return {elements_, part_};
}

}  // namespace tessera
