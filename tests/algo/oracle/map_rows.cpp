#include "tests/algo/oracle/table.h"

namespace oracle {
namespace {

template <class T>
std::vector<T> shifted(const std::vector<T>& all, std::int64_t by) {
  std::vector<T> made(all.size(), T{});
  for (std::int64_t k = 0; k < std::ssize(all); ++k)
    if (k + by >= 0 && k + by < std::ssize(all))
      made[static_cast<std::size_t>(k)] = all[static_cast<std::size_t>(k + by)];
  return made;
}

/// A row of a call of an output, and of how the same output is changed on the host.
template <class T, class OnHost, class OnDevices>
row<T> writes(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name,
          [=](const host_data<T>& h, observation& seen) {
            std::vector<T> out = h.y;
            on_host(h, out);
            seen.add(out);
          },
          [=](const device_data<T>& d, observation& seen) {
            ts::vector<T> out = d.out();
            on_devices(d, out);
            seen.add(out);
          }};
}
/// That of a call that changes its range.
template <class T, class OnHost, class OnDevices>
row<T> changes(const char* name, OnHost on_host, OnDevices on_devices) {
  return {name,
          [=](const host_data<T>& h, observation& seen) {
            std::vector<T> x = h.x;
            on_host(h, x);
            seen.add(x);
          },
          [=](const device_data<T>& d, observation& seen) {
            ts::vector<T> x = d.x();
            on_devices(d, x);
            seen.add(x);
          }};
}

template <class T>
void add_copies(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  all.push_back(writes<T>(
      "copy", [](const host& h, elements& out) { out = h.x; },
      [](const device& d, container& out) { ts::copy(d.x(), out); }));
  all.push_back(writes<T>(
      "copy_n", [](const host& h, elements& out) { std::copy_n(h.x.begin(), h.n / 2, out.begin()); },
      [](const device& d, container& out) { ts::copy_n(d.x().begin(), d.n() / 2, out.begin()); }));
  all.push_back(changes<T>(
      "fill", [](const host& h, elements& x) { std::fill(x.begin(), x.end(), h.value); },
      [](const device& d, container& x) { ts::fill(x, d.host.value); }));
  all.push_back(changes<T>(
      "fill_n", [](const host& h, elements& x) { std::fill_n(x.begin(), h.n / 2, h.value); },
      [](const device& d, container& x) { ts::fill_n(x.begin(), d.n() / 2, d.host.value); }));
  all.push_back(changes<T>(
      "tabulate",
      [](const host&, elements& x) {
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<T>(numbered<T>()(static_cast<long long>(k)));
      },
      [](const device&, container& x) { ts::tabulate(x, numbered<T>()); }));
  all.push_back({"swap_ranges",
                 [](const host& h, observation& seen) {
                   seen.add(h.y);
                   seen.add(h.x);
                 },
                 [](const device& d, observation& seen) {
                   const container x = d.x(), y = d.y();
                   ts::swap_ranges(x, y);
                   seen.add(x);
                   seen.add(y);
                 }});
}

template <class T>
void add_replacements(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  all.push_back(changes<T>(
      "replace_if", [](const host& h, elements& x) { std::replace_if(x.begin(), x.end(), chosen<T>(), h.value); },
      [](const device& d, container& x) { ts::replace_if(x, chosen<T>(), d.host.value); }));
  all.push_back(writes<T>(
      "replace_copy_if",
      [](const host& h, elements& out) {
        std::replace_copy_if(h.x.begin(), h.x.end(), out.begin(), chosen<T>(), h.value);
      },
      [](const device& d, container& out) { ts::replace_copy_if(d.x(), out, chosen<T>(), d.host.value); }));
  if constexpr (is_number<T>) {
    all.push_back(changes<T>(
        "replace",
        [](const host& h, elements& x) {
          if (h.n > 0) std::replace(x.begin(), x.end(), T(h.x[0]), h.value);
        },
        [](const device& d, container& x) { ts::replace(x, d.n() > 0 ? d.host.x[0] : T{}, d.host.value); }));
    all.push_back(writes<T>(
        "replace_copy",
        [](const host& h, elements& out) {
          if (h.n > 0) std::replace_copy(h.x.begin(), h.x.end(), out.begin(), h.x[0], h.value);
        },
        [](const device& d, container& out) {
          ts::replace_copy(d.x(), out, d.n() > 0 ? d.host.x[0] : T{}, d.host.value);
        }));
    all.push_back(changes<T>(
        "sequence",
        [](const host&, elements& x) {
          for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<T>(3 + 2 * k);
        },
        [](const device&, container& x) { ts::sequence(x, T(3), T(2)); }));
  }
}

template <class T>
void add_turns(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  all.push_back(changes<T>(
      "reverse", [](const host&, elements& x) { std::reverse(x.begin(), x.end()); },
      [](const device&, container& x) { ts::reverse(x); }));
  all.push_back(writes<T>(
      "reverse_copy", [](const host& h, elements& out) { std::reverse_copy(h.x.begin(), h.x.end(), out.begin()); },
      [](const device& d, container& out) { ts::reverse_copy(d.x(), out); }));
  all.push_back(changes<T>(
      "rotate", [](const host& h, elements& x) { std::rotate(x.begin(), x.begin() + h.n / 3, x.end()); },
      [](const device& d, container& x) { ts::rotate(x, d.n() / 3); }));
  all.push_back(writes<T>(
      "rotate_copy",
      [](const host& h, elements& out) {
        std::rotate_copy(h.x.begin(), h.x.begin() + h.n / 3, h.x.end(), out.begin());
      },
      [](const device& d, container& out) { ts::rotate_copy(d.x(), d.n() / 3, out); }));
  all.push_back(changes<T>(
      "shift", [](const host& h, elements& x) { x = shifted(x, h.n / 4); },
      [](const device& d, container& x) { ts::shift(x, d.n() / 4); }));
  all.push_back(writes<T>(
      "shift_copy", [](const host& h, elements& out) { out = shifted(h.x, -2); },
      [](const device& d, container& out) { ts::shift_copy(d.x(), -2, out); }));
}

}  // namespace

template <class T>
void add_maps(table<T>& all) {
  using host = host_data<T>;
  using device = device_data<T>;
  using elements = std::vector<T>;
  using container = ts::vector<T>;
  all.push_back(writes<T>(
      "transform",
      [](const host& h, elements& out) {
        std::transform(h.x.begin(), h.x.end(), out.begin(), turned<T>());
        std::transform(h.y.begin(), h.y.end(), out.begin(), out.begin(), sum<T>());
      },
      [](const device& d, container& out) {
        ts::transform(d.x(), out, turned<T>());
        ts::transform(d.y(), out, out, sum<T>());
      }));
  all.push_back(writes<T>(
      "transform_if",
      [](const host& h, elements& out) {
        for (std::size_t k = 0; k < out.size(); ++k)
          if (odd()(h.keys[k])) out[k] = turned<T>()(h.x[k]);
      },
      [](const device& d, container& out) { ts::transform_if(d.x(), d.keys(), out, turned<T>(), odd()); }));
  all.push_back(writes<T>(
      "adjacent_difference",
      [](const host& h, elements& out) { std::adjacent_difference(h.x.begin(), h.x.end(), out.begin(), chained<T>()); },
      [](const device& d, container& out) { ts::adjacent_difference(d.x(), out, chained<T>()); }));
  add_copies(all);
  add_replacements(all);
  add_turns(all);
}

ORACLE_FOR_ALL_TYPES(add_maps)

}  // namespace oracle
