#include <optional>

#include "tests/algo/oracle/table.h"

namespace oracle {
namespace {

/// Running combinations from each head on; exclusive with a start.
template <class T, class Head>
std::vector<T> running(const std::vector<T>& values, Head is_head, const std::optional<T>& start) {
  std::vector<T> made;
  T sum = start.value_or(T{});
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool head = is_head(k);
    if (start) {
      if (head) sum = *start;
      made.push_back(sum);
      sum = chained<T>()(sum, values[k]);
    } else {
      sum = head ? values[k] : chained<T>()(sum, values[k]);
      made.push_back(sum);
    }
  }
  return made;
}
template <class T>
std::vector<T> running_all(const std::vector<T>& values, const std::optional<T>& start) {
  return running(
      values, [](std::size_t k) { return k == 0; }, start);
}
template <class T>
std::vector<T> running_by_key(const host_data<T>& h, const std::optional<T>& start) {
  return running(
      h.x, [&](std::size_t k) { return k == 0 || h.keys[k] != h.keys[k - 1]; }, start);
}
template <class T>
std::vector<T> running_in_segments(const host_data<T>& h, const std::optional<T>& start) {
  return running(
      h.x,
      [&](std::size_t k) { return std::count(h.offsets.begin(), h.offsets.end(), static_cast<std::int64_t>(k)) > 0; },
      start);
}
template <class T>
std::vector<T> turned_all(std::vector<T> values) {
  std::transform(values.begin(), values.end(), values.begin(), turned<T>());
  return values;
}

/// A row of calls that fill an output.
template <class T, class OnHost, class OnDevices>
row<T> scans(const char* name, OnHost on_host, OnDevices on_devices) {
  row<T> made{name, [=](const host_data<T>& h, observation& seen) { seen.add(on_host(h)); },
              [=](const device_data<T>& d, observation& seen) {
                const ts::vector<T> out = d.out();
                on_devices(d, out);
                seen.add(out);
              }};
  made.rounds = true;
  return made;
}

template <class T>
void add_segments(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using container = ts::vector<T>;
  all.push_back({"segmented_reduce",
                 [](const host& h, observation& seen) {
                   std::vector<T> sums;
                   for (std::size_t s = 0; s + 1 < h.offsets.size(); ++s)
                     sums.push_back(std::accumulate(h.x.begin() + h.offsets[s], h.x.begin() + h.offsets[s + 1], h.value,
                                                    sum<T>()));
                   seen.add(sums);
                 },
                 [](const device& d, observation& seen) {
                   seen.add(ts::segmented_reduce(d.x(), d.host.offsets, d.host.value, sum<T>()));
                 },
                 true});
  all.push_back(scans<T>(
      "segmented_scan", [](const host& h) { return running_in_segments<T>(h, {}); },
      [](const device& d, const container& out) { ts::segmented_scan(d.x(), d.host.offsets, out, chained<T>()); }));
  all.push_back(scans<T>(
      "segmented_exclusive_scan", [](const host& h) { return running_in_segments<T>(h, h.value); },
      [](const device& d, const container& out) {
        ts::segmented_exclusive_scan(d.x(), d.host.offsets, out, d.host.value, chained<T>());
      }));
}

}  // namespace

template <class T>
void add_scans(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using container = ts::vector<T>;
  all.push_back(scans<T>(
      "inclusive_scan", [](const host& h) { return running_all<T>(h.x, {}); },
      [](const device& d, const container& out) { ts::inclusive_scan(d.x(), out, chained<T>()); }));
  all.push_back(scans<T>(
      "exclusive_scan", [](const host& h) { return running_all<T>(h.x, h.value); },
      [](const device& d, const container& out) { ts::exclusive_scan(d.x(), out, d.host.value, chained<T>()); }));
  all.push_back(scans<T>(
      "transform_inclusive_scan", [](const host& h) { return running_all<T>(turned_all(h.x), {}); },
      [](const device& d, const container& out) {
        ts::transform_inclusive_scan(d.x(), out, turned<T>(), chained<T>());
      }));
  all.push_back(scans<T>(
      "transform_exclusive_scan", [](const host& h) { return running_all<T>(turned_all(h.x), h.value); },
      [](const device& d, const container& out) {
        ts::transform_exclusive_scan(d.x(), out, turned<T>(), d.host.value, chained<T>());
      }));
  all.push_back(scans<T>(
      "inclusive_scan_by_key", [](const host& h) { return running_by_key<T>(h, {}); },
      [](const device& d, const container& out) {
        ts::inclusive_scan_by_key(d.keys(), d.x(), out, ts::equal_to(), chained<T>());
      }));
  all.push_back(scans<T>(
      "exclusive_scan_by_key", [](const host& h) { return running_by_key<T>(h, h.value); },
      [](const device& d, const container& out) {
        ts::exclusive_scan_by_key(d.keys(), d.x(), out, d.host.value, ts::equal_to(), chained<T>());
      }));
  add_segments(all);
}

ORACLE_FOR_ALL_TYPES(add_scans)

}  // namespace oracle
