#include "tests/algo/oracle/table.h"

namespace oracle {
namespace {

/// A row of calls that give new elements.
template <class T, class OnHost, class OnDevices>
row<T> gives(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name, [=](const host_data<T>& h, observation& seen) { seen.add(on_host(h)); },
          [=](const device_data<T>& d, observation& seen) { seen.add(on_devices(d)); }};
}
/// A row of calls that put all elements in order.
template <class T, class OnDevices>
row<T> sorts(const char* name, OnDevices on_devices) {
  return {name, [](const host_data<T>& h, observation& seen) { seen.add(h.sorted_x); },
          [=](const device_data<T>& d, observation& seen) {
            const ts::vector<T> x = d.x();
            on_devices(x);
            seen.add(x);
          }};
}
/// Elements in the order of the keys beside them.
template <class K, class V, class Before>
std::pair<std::vector<K>, std::vector<V>> sorted_by_key(const std::vector<K>& keys, const std::vector<V>& values,
                                                        Before before) {
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
  std::pair<std::vector<K>, std::vector<V>> made;
  for (const std::size_t k : places) made.first.push_back(keys[k]), made.second.push_back(values[k]);
  return made;
}

template <class T>
void add_merges(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  all.push_back(gives<T>(
      "merge",
      [](const host& h) {
        std::vector<T> made;
        std::merge(h.sorted_x.begin(), h.sorted_x.end(), h.sorted_y.begin(), h.sorted_y.end(), std::back_inserter(made),
                   earlier<T>());
        return made;
      },
      [](const device& d) { return ts::merge(d.sorted_x(), d.sorted_y(), earlier<T>()); }));
  all.push_back(gives<T>(
      "merge_by_key",
      [](const host& h) {
        std::vector<T> keys = h.sorted_x;
        keys.insert(keys.end(), h.sorted_y.begin(), h.sorted_y.end());
        std::vector<int> values = h.map;
        values.insert(values.end(), h.keys.begin(), h.keys.end());
        return sorted_by_key(keys, values, earlier<T>());
      },
      [](const device& d) { return ts::merge_by_key(d.sorted_x(), d.sorted_y(), d.map(), d.keys(), earlier<T>()); }));
}

}  // namespace

template <class T>
void add_orders(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using container = ts::vector<T>;
  all.push_back(sorts<T>("sort", [](const container& x) { ts::sort(x, earlier<T>()); }));
  all.push_back(sorts<T>("stable_sort", [](const container& x) { ts::stable_sort(x, earlier<T>()); }));
  all.push_back(sorts<T>("nth_element", [](const container& x) { ts::nth_element(x, x.size() / 3, earlier<T>()); }));
  all.push_back({"sort_by_key",
                 [](const host& h, observation& seen) { seen.add(sorted_by_key(h.keys, h.x, ts::greater())); },
                 [](const device& d, observation& seen) {
                   const ts::vector<int> keys = d.keys();
                   const container x = d.x();
                   ts::sort_by_key(keys, x, ts::greater());
                   seen.add(keys);
                   seen.add(x);
                 }});
  all.push_back({"stable_sort_by_key",
                 [](const host& h, observation& seen) { seen.add(sorted_by_key(h.x, h.map, earlier<T>())); },
                 [](const device& d, observation& seen) {
                   const container x = d.x();
                   const ts::vector<int> places = d.map();
                   ts::stable_sort_by_key(x, places, earlier<T>());
                   seen.add(x);
                   seen.add(places);
                 }});
  all.push_back(gives<T>(
      "segmented_sort",
      [](const host& h) {
        std::vector<T> x = h.x;
        for (std::size_t s = 0; s + 1 < h.offsets.size(); ++s)
          std::stable_sort(x.begin() + h.offsets[s], x.begin() + h.offsets[s + 1], earlier<T>());
        return x;
      },
      [](const device& d) {
        container x = d.x();
        ts::segmented_sort(x, d.host.offsets, earlier<T>());
        return x;
      }));
  all.push_back(gives<T>(
      "top_k",
      [](const host& h) {
        return std::vector<T>(h.sorted_x.begin(), h.sorted_x.begin() + std::min<std::int64_t>(h.n, 1 + h.n / 9));
      },
      [](const device& d) { return ts::top_k(d.x(), 1 + d.n() / 9, earlier<T>()); }));
  add_merges(all);
}

ORACLE_FOR_ALL_TYPES(add_orders)

}  // namespace oracle
