#include "tests/algo/oracle/table.h"

namespace oracle {
namespace {

/// A row of calls that give new elements.
template <class T, class OnHost, class OnDevices>
row<T> gives(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name, [=](const host_data<T>& h, observation& seen) { seen.add(on_host(h)); },
          [=](const device_data<T>& d, observation& seen) { seen.add(on_devices(d)); }};
}
/// A row of calls that shorten their vector, or put elements into another order, and give a number.
template <class T, class OnHost, class OnDevices>
row<T> shortens(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name,
          [=](const host_data<T>& h, observation& seen) {
            std::vector<T> x = h.x;
            seen.add(std::int64_t{on_host(h, x)});
            seen.add(x);
          },
          [=](const device_data<T>& d, observation& seen) {
            ts::vector<T> x = d.x();
            seen.add(std::int64_t{on_devices(d, x)});
            seen.add(x);
          }};
}

template <class T, class Holds>
std::vector<T> kept(const std::vector<T>& all, Holds holds) {
  std::vector<T> made;
  std::copy_if(all.begin(), all.end(), std::back_inserter(made), holds);
  return made;
}
template <class T>
std::vector<T> others(const std::vector<T>& all) {
  return kept(all, [](const T& v) { return !chosen<T>()(v); });
}
template <class T>
std::vector<T> first_of_runs(std::vector<T> all) {
  all.erase(std::unique(all.begin(), all.end(), alike<T>()), all.end());
  return all;
}
/// Keys of segments with the value beside the first of each, or with all values combined.
template <class T>
std::pair<std::vector<int>, std::vector<T>> by_key(const host_data<T>& h, bool combines) {
  std::pair<std::vector<int>, std::vector<T>> made;
  for (std::size_t k = 0; k < h.keys.size(); ++k)
    if (k == 0 || h.keys[k] != h.keys[k - 1]) {
      made.first.push_back(h.keys[k]);
      made.second.push_back(h.x[k]);
    } else if (combines) {
      made.second.back() = chained<T>()(made.second.back(), h.x[k]);
    }
  return made;
}

template <class T>
void add_kept(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  all.push_back(gives<T>(
      "copy_if", [](const host& h) { return kept(h.x, chosen<T>()); },
      [](const device& d) { return ts::copy_if(d.x(), chosen<T>()); }));
  all.push_back(gives<T>(
      "copy_where",
      [](const host& h) {
        elements made;
        for (std::size_t k = 0; k < h.x.size(); ++k)
          if (odd()(h.keys[k])) made.push_back(h.x[k]);
        return made;
      },
      [](const device& d) { return ts::copy_where(d.x(), d.keys(), odd()); }));
  all.push_back(gives<T>(
      "remove_copy_if", [](const host& h) { return others(h.x); },
      [](const device& d) { return ts::remove_copy_if(d.x(), chosen<T>()); }));
  all.push_back(shortens<T>(
      "remove_if", [](const host&, elements& x) { return static_cast<std::int64_t>(std::erase_if(x, chosen<T>())); },
      [](const device&, container& x) { return ts::remove_if(x, chosen<T>()); }));
  if constexpr (is_number<T>) {
    all.push_back(gives<T>(
        "remove_copy", [](const host& h) { return kept(h.x, [&](T v) { return v != h.value; }); },
        [](const device& d) { return ts::remove_copy(d.x(), d.host.value); }));
    all.push_back(shortens<T>(
        "remove", [](const host& h, elements& x) { return static_cast<std::int64_t>(std::erase(x, h.value)); },
        [](const device& d, container& x) { return ts::remove(x, d.host.value); }));
  }
}

template <class T>
void add_partitions(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  const auto on_host = [](const host&, elements& x) {
    return std::stable_partition(x.begin(), x.end(), chosen<T>()) - x.begin();
  };
  const auto both = [](const host& h) { return std::pair(kept(h.x, chosen<T>()), others(h.x)); };
  all.push_back(
      shortens<T>("partition", on_host, [](const device&, container& x) { return ts::partition(x, chosen<T>()); }));
  all.push_back(shortens<T>("stable_partition", on_host,
                            [](const device&, container& x) { return ts::stable_partition(x, chosen<T>()); }));
  all.push_back(
      gives<T>("partition_copy", both, [](const device& d) { return ts::partition_copy(d.x(), chosen<T>()); }));
  all.push_back(gives<T>("stable_partition_copy", both,
                         [](const device& d) { return ts::stable_partition_copy(d.x(), chosen<T>()); }));
}

template <class T>
void add_runs(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  all.push_back(gives<T>(
      "unique_copy", [](const host& h) { return first_of_runs(h.x); },
      [](const device& d) { return ts::unique_copy(d.x(), alike<T>()); }));
  all.push_back(shortens<T>(
      "unique",
      [](const host& h, elements& x) {
        x = first_of_runs(x);
        return h.n - std::ssize(x);
      },
      [](const device&, container& x) { return ts::unique(x, alike<T>()); }));
  all.push_back(gives<T>(
      "unique_by_key_copy", [](const host& h) { return by_key(h, false); },
      [](const device& d) { return ts::unique_by_key_copy(d.keys(), d.x()); }));
  all.push_back({"unique_by_key", [](const host& h, observation& seen) { seen.add(by_key(h, false)); },
                 [](const device& d, observation& seen) {
                   ts::vector<int> keys = d.keys();
                   container x = d.x();
                   ts::unique_by_key(keys, x);
                   seen.add(keys);
                   seen.add(x);
                 }});
  all.push_back(gives<T>(
      "run_length_encode",
      [](const host& h) {
        std::pair<elements, std::vector<std::int64_t>> made;
        for (std::size_t k = 0; k < h.x.size(); ++k) {
          if (k == 0 || !alike<T>()(h.x[k - 1], h.x[k])) made.first.push_back(h.x[k]), made.second.push_back(0);
          ++made.second.back();
        }
        return made;
      },
      [](const device& d) { return ts::run_length_encode(d.x(), alike<T>()); }));
  all.push_back(gives<T>(
      "reduce_by_key", [](const host& h) { return by_key(h, true); },
      [](const device& d) { return ts::reduce_by_key(d.keys(), d.x(), ts::equal_to(), chained<T>()); }));
  all.back().rounds = true;
}

}  // namespace

template <class T>
void add_compactions(table<T>& all) {
  add_kept(all);
  add_partitions(all);
  add_runs(all);
}

template <class T>
void add_sets(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  const auto set = [&](const char* name, auto on_host, auto on_devices) {
    all.push_back(gives<T>(
        name,
        [=](const host& h) {
          std::vector<T> made;
          on_host(h.sorted_x.begin(), h.sorted_x.end(), h.sorted_y.begin(), h.sorted_y.end(), std::back_inserter(made));
          return made;
        },
        [=](const device& d) { return on_devices(d.sorted_x(), d.sorted_y()); }));
    all.back().reads_whole = true;
  };
  set(
      "set_union", [](auto... of) { std::set_union(of..., earlier<T>()); },
      [](const auto& x, const auto& y) { return ts::set_union(x, y, earlier<T>()); });
  set(
      "set_intersection", [](auto... of) { std::set_intersection(of..., earlier<T>()); },
      [](const auto& x, const auto& y) { return ts::set_intersection(x, y, earlier<T>()); });
  set(
      "set_difference", [](auto... of) { std::set_difference(of..., earlier<T>()); },
      [](const auto& x, const auto& y) { return ts::set_difference(x, y, earlier<T>()); });
  set(
      "set_symmetric_difference", [](auto... of) { std::set_symmetric_difference(of..., earlier<T>()); },
      [](const auto& x, const auto& y) { return ts::set_symmetric_difference(x, y, earlier<T>()); });
  // Keys are those of the ranges above; values tell them apart.
  const auto by_key = [&](const char* name, auto on_host, auto on_devices) {
    all.push_back(gives<T>(
        name,
        [=](const host& h) {
          std::vector<std::pair<T, int>> keyed, found;
          for (std::size_t k = 0; k < h.sorted_x.size(); ++k) keyed.emplace_back(h.sorted_x[k], h.map[k]);
          std::vector<std::pair<T, int>> other;
          for (const T& key : h.sorted_y) other.emplace_back(key, 0);
          const auto before = [](const auto& a, const auto& b) { return earlier<T>()(a.first, b.first); };
          on_host(keyed.begin(), keyed.end(), other.begin(), other.end(), std::back_inserter(found), before);
          std::pair<std::vector<T>, std::vector<int>> made;
          for (const auto& [key, value] : found) made.first.push_back(key), made.second.push_back(value);
          return made;
        },
        [=](const device& d) { return on_devices(d.sorted_x(), d.sorted_y(), d.map()); }));
    all.back().reads_whole = true;
  };
  by_key(
      "set_intersection_by_key", [](auto... of) { std::set_intersection(of...); },
      [](const auto& x, const auto& y, const auto& values) {
        return ts::set_intersection_by_key(x, y, values, earlier<T>());
      });
  by_key(
      "set_difference_by_key", [](auto... of) { std::set_difference(of...); },
      [](const auto& x, const auto& y, const auto& values) {
        return ts::set_difference_by_key(x, y, values, earlier<T>());
      });
}

ORACLE_FOR_ALL_TYPES(add_compactions)
ORACLE_FOR_ALL_TYPES(add_sets)

}  // namespace oracle
