#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/tuple.h"

/// Several iterators as one, whose elements are tuples.
namespace thrust {

template <class Iterators>
class zip_iterator;

template <class... I>
class zip_iterator<tuple<I...>>
    : public detail::facade<zip_iterator<tuple<I...>>, tuple<detail::value_t<I>...>> {
  using indices = std::make_integer_sequence<int, sizeof...(I)>;
  template <int K>
  using value_of = typename tuple_element<K, tuple<detail::value_t<I>...>>::type;

 public:
  using value_type = tuple<detail::value_t<I>...>;
  using takes_elements = void;
  explicit zip_iterator(const tuple<I...>& all) : all_(all) {}
  explicit zip_iterator(const I&... all) requires(sizeof...(I) > 1) : all_(all...) {}

  [[nodiscard]] const tuple<I...>& get_iterator_tuple() const { return all_; }
  [[nodiscard]] value_type get() const {
    return with([](const I&... i) { return value_type(static_cast<detail::value_t<I>>(*i)...); });
  }
  void step(std::int64_t k) { stepped(k, indices()); }
  [[nodiscard]] std::int64_t distance_from(const zip_iterator& other) const { return all_.first - other.all_.first; }
  [[nodiscard]] tessera::lazy<value_type> elements(std::int64_t count, tessera::call_site here) const {
    return with([&](const I&... i) { return joined({detail::elements_from(i, count, here).elements()...}, here); });
  }
  template <class P>
  [[nodiscard]] tessera::lazy<value_type> at(const tessera::lazy<P>& places, tessera::call_site here) const {
    return with([&](const I&... i) { return joined({detail::elements_at(i, places, here).elements()...}, here); });
  }
  /// Tuples, member by member: one launch where containers stand behind all iterators.
  template <class... V>
  void write(const tessera::lazy<tuple<V...>>& values, tessera::call_site here) const {
    static_assert(sizeof...(V) == sizeof...(I), "a zip_iterator takes tuples of as many members as it has iterators");
    if constexpr ((tessera::algo::iterator_like<I> && ...))
      with([&](const I&... i) { write_all(values, {tessera::algo::output_operand(i, {values.size()})...}, here); });
    else
      write_each(values, here, [&](const auto& out, const auto& part) { detail::write(out, part, here); }, indices());
  }
  /// Tuple i to `places[i]`.
  template <class... V, class P>
  void write_at(const tessera::lazy<tuple<V...>>& values, const tessera::lazy<P>& places,
                tessera::call_site here) const {
    write_each(
        values, here,
        [&](const auto& out, const auto& part) {
          tessera::scatter(part, places, tessera::algo::range_behind(out), here);
        },
        indices());
  }

 private:
  template <class Use>
  decltype(auto) with(const Use& use) const {
    return [&]<int... K>(std::integer_sequence<int, K...>) { return use(thrust::get<K>(all_)...); }
    (indices());
  }
  template <int... K>
  void stepped(std::int64_t k, std::integer_sequence<int, K...>) {
    ((thrust::get<K>(all_) += k), ...);
  }
  [[nodiscard]] static tessera::lazy<value_type> joined(const std::vector<tessera::algo::sequence>& parts,
                                                        tessera::call_site here) {
    return tessera::lazy<value_type>(
        tessera::algo::applied_by<value_type, detail::value_t<I>...>("thrust::detail::zipped", {}, parts, here));
  }
  template <class... V>
  void write_all(const tessera::lazy<tuple<V...>>& values, const std::vector<tessera::algo::operand>& to,
                 tessera::call_site here) const {
    if (values.size() == 0) return;
    const tessera::algo::sequence results =
        tessera::algo::applied_by<tessera::tuple<detail::value_t<I>...>, tuple<V...>>(
            "thrust::detail::as_results", {tessera::algo::type_name<detail::value_t<I>>()...}, {values.elements()},
            here);
    const tessera::algo::call bound = results.bound("algorithm");
    tessera::algo::map_launch(bound, to, {}).launch();
  }
  template <class... V, class Put, int... K>
  void write_each(const tessera::lazy<tuple<V...>>& values, tessera::call_site here, const Put& put,
                  std::integer_sequence<int, K...>) const {
    // What is written must not change what later members are computed from.
    const tessera::vector<tuple<V...>> kept = values.stored();
    const auto all = tessera::algo::sequence_of(kept, here);
    (put(thrust::get<K>(all_), tessera::lazy<V>(tessera::algo::applied_by<V, tuple<V...>>(
                                   "thrust::detail::part", {std::to_string(K)}, {all}, here))),
     ...);
  }

  tuple<I...> all_;
};

template <class... I>
[[nodiscard]] zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...>& all) {
  return zip_iterator<tuple<I...>>(all);
}
template <class I, class J, class... More>
[[nodiscard]] zip_iterator<tuple<I, J, More...>> make_zip_iterator(const I& i, const J& j, const More&... more) {
  return zip_iterator<tuple<I, J, More...>>(tuple<I, J, More...>(i, j, more...));
}

}  // namespace thrust
