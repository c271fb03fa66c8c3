#include "tests/algo/oracle/table.h"

namespace oracle {
namespace {

/// A row of calls that give new elements.
template <class T, class OnHost, class OnDevices>
row<T> gives(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name, [=](const host_data<T>& h, observation& seen) { seen.add(on_host(h)); },
          [=](const device_data<T>& d, observation& seen) { seen.add(on_devices(d)); }};
}

template <class T>
void add_searches(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  const auto places = [](const host& h, auto find) {
    std::vector<std::int64_t> found;
    for (const T& query : h.y) found.push_back(find(h.sorted_x, query));
    return found;
  };
  const auto lower = [](const std::vector<T>& sorted, const T& query) {
    return std::int64_t{std::lower_bound(sorted.begin(), sorted.end(), query, earlier<T>()) - sorted.begin()};
  };
  const auto upper = [](const std::vector<T>& sorted, const T& query) {
    return std::int64_t{std::upper_bound(sorted.begin(), sorted.end(), query, earlier<T>()) - sorted.begin()};
  };
  all.push_back(gives<T>(
      "lower_bound", [=](const host& h) { return places(h, lower); },
      [](const device& d) { return ts::lower_bound(d.sorted_x(), d.y(), earlier<T>()); }));
  all.push_back(gives<T>(
      "upper_bound", [=](const host& h) { return places(h, upper); },
      [](const device& d) { return ts::upper_bound(d.sorted_x(), d.y(), earlier<T>()); }));
  all.push_back(gives<T>(
      "equal_range", [=](const host& h) { return std::pair(places(h, lower), places(h, upper)); },
      [](const device& d) { return ts::equal_range(d.sorted_x(), d.y(), earlier<T>()); }));
  // Few queries are taken to the range.
  const auto few = [](const host& h) { return std::vector<T>(h.y.begin(), h.y.begin() + (h.n + 8) / 9); };
  all.push_back(gives<T>(
      "binary_search",
      [=](const host& h) {
        std::vector<bool> found;
        for (const T& query : few(h))
          found.push_back(std::binary_search(h.sorted_x.begin(), h.sorted_x.end(), query, earlier<T>()));
        return found;
      },
      [=](const device& d) { return ts::binary_search(d.sorted_x(), d.make(few(d.host), 1), earlier<T>()); }));
}

template <class T>
void add_gathers(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using container = ts::vector<T>;
  const auto at = [](const auto& values, int place) { return values[static_cast<std::size_t>(place)]; };
  // All elements, and few of them, for which requests are made.
  const auto few = [](const host& h) { return std::vector<int>(h.map.begin(), h.map.begin() + (h.n + 8) / 9); };
  all.push_back(gives<T>(
      "gather",
      [=](const host& h) {
        std::pair<std::vector<T>, std::vector<T>> made;
        for (const int place : h.map) made.first.push_back(at(h.x, place));
        for (const int place : few(h)) made.second.push_back(at(h.x, place));
        return made;
      },
      [=](const device& d) {
        const container x = d.x();
        return std::pair(ts::gather(d.map(), x), ts::gather(d.make(few(d.host), 2), x));
      }));
  all.push_back(gives<T>(
      "gather_if",
      [=](const host& h) {
        std::vector<T> out = h.y;
        for (std::size_t k = 0; k < out.size(); ++k)
          if (odd()(h.keys[k])) out[k] = at(h.x, h.map[k]);
        return out;
      },
      [](const device& d) {
        container out = d.out();
        ts::gather_if(d.map(), d.keys(), d.x(), out, odd());
        return out;
      }));
  all.push_back(gives<T>(
      "scatter",
      [=](const host& h) {
        std::vector<T> out = h.y;
        for (std::size_t k = 0; k < out.size(); ++k) out[static_cast<std::size_t>(h.map[k])] = h.x[k];
        return out;
      },
      [](const device& d) {
        container out = d.out();
        ts::scatter(d.x(), d.map(), out);
        return out;
      }));
  all.push_back(gives<T>(
      "scatter_if",
      [=](const host& h) {
        std::vector<T> out = h.y;
        for (std::size_t k = 0; k < out.size(); ++k)
          if (odd()(h.keys[k])) out[static_cast<std::size_t>(h.map[k])] = h.x[k];
        return out;
      },
      [](const device& d) {
        container out = d.out();
        ts::scatter_if(d.x(), d.map(), d.keys(), out, odd());
        return out;
      }));
}

/// That a shuffle gives a permutation; which one is compared between contexts.
template <class T>
void add_shuffles(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  const auto see = [](const ts::vector<T>& shuffled, observation& seen) {
    std::vector<T> elements = shuffled.to_host();
    seen.choose(elements);
    const auto bytes = [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) < 0; };
    std::sort(elements.begin(), elements.end(), bytes);
    seen.add(elements);
  };
  const auto sorted = [](const host& h, observation& seen) {
    std::vector<T> elements = h.x;
    std::sort(elements.begin(), elements.end(),
              [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) < 0; });
    seen.add(elements);
  };
  all.push_back({"shuffle", sorted, [=](const device& d, observation& seen) {
                   const ts::vector<T> x = d.x();
                   ts::shuffle(x, 11);
                   see(x, seen);
                 }});
  all.push_back({"shuffle_copy", sorted, [=](const device& d, observation& seen) {
                   const ts::vector<T> out = d.out();
                   ts::shuffle_copy(d.x(), out, 12);
                   see(out, seen);
                 }});
}

template <class T>
void add_parts(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using container = ts::vector<T>;
  const auto same = [](const host& h) { return h.x; };
  all.push_back(gives<T>("rebalance", same, [](const device& d) {
    container x = d.x();
    ts::rebalance(x);
    return x;
  }));
  all.push_back(gives<T>("rebalance_like", same, [](const device& d) {
    container x = d.x();
    ts::rebalance_like(x, d.keys());
    return x;
  }));
  all.push_back(gives<T>("from_parts", same, [](const device& d) {
    return ts::from_parts(d.host.x, sizes_of(parts::uneven, d.n(), d.devices), d.ctx);
  }));
  all.push_back({"front",
                 [](const host& h, observation& seen) {
                   if (h.n > 0) seen.add(h.x.front());
                 },
                 [](const device& d, observation& seen) {
                   if (d.n() > 0) seen.add(ts::front(d.x()));
                 }});
  all.push_back({"back",
                 [](const host& h, observation& seen) {
                   if (h.n > 0) seen.add(h.x.back());
                 },
                 [](const device& d, observation& seen) {
                   if (d.n() > 0) seen.add(ts::back(d.x()));
                 }});
}

}  // namespace

template <class T>
void add_routes(table<T>& all) {
  add_searches(all);
  add_gathers(all);
  add_shuffles(all);
  add_parts(all);
}

ORACLE_FOR_ALL_TYPES(add_routes)

}  // namespace oracle
