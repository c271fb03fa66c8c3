#include "tests/algo/oracle/table.h"

namespace oracle {
namespace {

/// A row of calls that take the first range.
template <class T, class OnHost, class OnDevices>
row<T> answers(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name, [=](const host_data<T>& h, observation& seen) { seen.add(on_host(h)); },
          [=](const device_data<T>& d, observation& seen) { seen.add(on_devices(d)); }};
}
/// A row of reductions, which structs without elements do not have.
template <class T, class OnHost, class OnDevices>
row<T> sums(const char* name, OnHost on_host, OnDevices on_devices) {
  row<T> made{name,
              [=](const host_data<T>& h, observation& seen) {
                if (h.n > 0 || is_number<T>) seen.add(on_host(h));
              },
              [=](const device_data<T>& d, observation& seen) {
                if (d.n() > 0 || is_number<T>) seen.add(on_devices(d));
              }};
  made.rounds = true;
  return made;
}

template <class T, class F>
T folded(const std::vector<T>& all, F f) {
  T result{};
  for (std::size_t k = 0; k < all.size(); ++k) result = k == 0 ? f(all[k]) : sum<T>()(result, f(all[k]));
  return result;
}

template <class T>
void add_extremes(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  const auto place = [](const host& h, auto found) {
    return h.n == 0 ? std::int64_t{-1} : std::int64_t{found - h.x.begin()};
  };
  all.push_back(answers<T>(
      "min_element", [=](const host& h) { return place(h, std::min_element(h.x.begin(), h.x.end(), earlier<T>())); },
      [](const device& d) { return ts::min_element(d.x(), earlier<T>()); }));
  all.push_back(answers<T>(
      "max_element", [=](const host& h) { return place(h, std::max_element(h.x.begin(), h.x.end(), earlier<T>())); },
      [](const device& d) { return ts::max_element(d.x(), earlier<T>()); }));
  all.push_back(answers<T>(
      "minmax_element",
      [=](const host& h) {
        return std::pair(place(h, std::min_element(h.x.begin(), h.x.end(), earlier<T>())),
                         place(h, std::max_element(h.x.begin(), h.x.end(), earlier<T>())));
      },
      [](const device& d) { return ts::minmax_element(d.x(), earlier<T>()); }));
}

template <class T>
void add_questions(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  all.push_back(answers<T>(
      "find_if",
      [](const host& h) { return std::int64_t{std::find_if(h.x.begin(), h.x.end(), chosen<T>()) - h.x.begin()}; },
      [](const device& d) { return ts::find_if(d.x(), chosen<T>()); }));
  all.push_back(answers<T>(
      "find_if_not",
      [](const host& h) {
        return std::int64_t{std::find_if_not(h.parted.begin(), h.parted.end(), chosen<T>()) - h.parted.begin()};
      },
      [](const device& d) { return ts::find_if_not(d.make(d.host.parted), chosen<T>()); }));
  all.push_back(answers<T>(
      "all_of", [](const host& h) { return std::all_of(h.x.begin(), h.x.end(), chosen<T>()); },
      [](const device& d) { return ts::all_of(d.x(), chosen<T>()); }));
  all.push_back(answers<T>(
      "any_of", [](const host& h) { return std::any_of(h.x.begin(), h.x.end(), chosen<T>()); },
      [](const device& d) { return ts::any_of(d.x(), chosen<T>()); }));
  all.push_back(answers<T>(
      "none_of", [](const host& h) { return std::none_of(h.x.begin(), h.x.end(), chosen<T>()); },
      [](const device& d) { return ts::none_of(d.x(), chosen<T>()); }));
  all.push_back(answers<T>(
      "is_partitioned",
      [](const host& h) { return std::pair(std::is_partitioned(h.x.begin(), h.x.end(), chosen<T>()), true); },
      [](const device& d) {
        return std::pair(ts::is_partitioned(d.x(), chosen<T>()),
                         ts::is_partitioned(d.make(d.host.parted), chosen<T>()));
      }));
  all.push_back(answers<T>(
      "partition_point",
      [](const host& h) {
        return std::int64_t{std::partition_point(h.parted.begin(), h.parted.end(), chosen<T>()) - h.parted.begin()};
      },
      [](const device& d) { return ts::partition_point(d.make(d.host.parted), chosen<T>()); }));
  all.push_back(answers<T>(
      "is_sorted", [](const host& h) { return std::pair(std::is_sorted(h.x.begin(), h.x.end(), earlier<T>()), true); },
      [](const device& d) {
        return std::pair(ts::is_sorted(d.x(), earlier<T>()), ts::is_sorted(d.sorted_x(), earlier<T>()));
      }));
  all.push_back(answers<T>(
      "is_sorted_until",
      [](const host& h) {
        return std::int64_t{std::is_sorted_until(h.parted.begin(), h.parted.end(), earlier<T>()) - h.parted.begin()};
      },
      [](const device& d) { return ts::is_sorted_until(d.make(d.host.parted), earlier<T>()); }));
}

template <class T>
void add_comparisons(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  if constexpr (is_number<T>) {
    // A copy that differs in its last element alone.
    const auto other = [](const host& h) {
      std::vector<T> copy = h.x;
      if (h.n > 0) copy.back() = copy.back() == T{} ? h.value : T{};
      return copy;
    };
    all.push_back(answers<T>(
        "mismatch", [](const host& h) { return std::max<std::int64_t>(0, h.n - 1); },
        [=](const device& d) { return ts::mismatch(d.x(), d.make(other(d.host), 1)); }));
    all.push_back(answers<T>(
        "equal", [](const host& h) { return std::pair(true, h.n == 0); },
        [=](const device& d) {
          return std::pair(ts::equal(d.x(), d.make(d.host.x, 1)), ts::equal(d.x(), d.make(other(d.host), 1)));
        }));
    all.push_back(answers<T>(
        "count", [](const host& h) { return std::int64_t{std::count(h.x.begin(), h.x.end(), h.value)}; },
        [](const device& d) { return ts::count(d.x(), d.host.value).get(); }));
    all.push_back(answers<T>(
        "find", [](const host& h) { return std::int64_t{std::find(h.x.begin(), h.x.end(), h.value) - h.x.begin()}; },
        [](const device& d) { return ts::find(d.x(), d.host.value); }));
  } else {
    all.push_back(answers<T>(
        "mismatch",
        [](const host& h) {
          return std::int64_t{std::mismatch(h.x.begin(), h.x.end(), h.y.begin(), alike<T>()).first - h.x.begin()};
        },
        [](const device& d) { return ts::mismatch(d.x(), d.y(), alike<T>()); }));
    all.push_back(answers<T>(
        "equal",
        [](const host& h) { return std::pair(true, std::equal(h.x.begin(), h.x.end(), h.y.begin(), alike<T>())); },
        [](const device& d) {
          return std::pair(ts::equal(d.x(), d.make(d.host.x, 1), alike<T>()), ts::equal(d.x(), d.y(), alike<T>()));
        }));
  }
}

}  // namespace

template <class T>
void add_folds(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  all.push_back(sums<T>(
      "reduce", [](const host& h) { return folded(h.x, ts::identity()); },
      [](const device& d) { return ts::reduce(d.x(), added<T>()).get(); }));
  all.push_back(sums<T>(
      "transform_reduce", [](const host& h) { return folded(h.x, turned<T>()); },
      [](const device& d) { return ts::transform_reduce(d.x(), turned<T>(), added<T>()).get(); }));
  all.push_back(sums<T>(
      "inner_product",
      [](const host& h) {
        std::vector<T> both(h.x.size());
        std::transform(h.x.begin(), h.x.end(), h.y.begin(), both.begin(), chained<T>());
        return folded(both, ts::identity());
      },
      [](const device& d) { return ts::inner_product(d.x(), d.y(), added<T>(), chained<T>()).get(); }));
  all.push_back(answers<T>(
      "count_if", [](const host& h) { return std::int64_t{std::count_if(h.x.begin(), h.x.end(), chosen<T>())}; },
      [](const device& d) { return ts::count_if(d.x(), chosen<T>()).get(); }));
  all.push_back(answers<T>(
      "unique_count",
      [](const host& h) {
        std::vector<T> copy = h.x;
        return std::int64_t{std::unique(copy.begin(), copy.end(), alike<T>()) - copy.begin()};
      },
      [](const device& d) { return ts::unique_count(d.x(), alike<T>()).get(); }));
  all.push_back(answers<T>(
      "histogram",
      [](const host& h) {
        const std::vector<T> limits(h.sorted_x.begin(), h.sorted_x.begin() + std::min<std::int64_t>(h.n, 40));
        std::vector<std::int64_t> counts(limits.size());
        for (const T& each : h.y) {
          const auto bin = std::upper_bound(limits.begin(), limits.end(), each, earlier<T>()) - limits.begin();
          if (bin < std::ssize(limits)) ++counts[static_cast<std::size_t>(bin)];
        }
        return counts;
      },
      [](const device& d) {
        const auto& sorted = d.host.sorted_x;
        const std::vector<T> limits(sorted.begin(), sorted.begin() + std::min<std::int64_t>(d.n(), 40));
        return ts::histogram(d.y(), ts::vector<T>(limits, d.ctx), earlier<T>());
      }));
  add_extremes(all);
  add_questions(all);
  add_comparisons(all);
}

ORACLE_FOR_ALL_TYPES(add_folds)

}  // namespace oracle
