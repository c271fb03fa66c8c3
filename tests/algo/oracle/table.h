#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/algo/oracle/data.h"

namespace oracle {

/// A name of the library: how it is called, and how the standard library says what it gives.
template <class T>
struct row {
  std::string name;
  std::function<void(const host_data<T>&, observation&)> expected;
  std::function<void(const device_data<T>&, observation&)> given;
  bool rounds = false;       ///< Floats are combined in another order than the standard library's.
  bool reads_whole = false;  ///< Devices have memory for all elements of a range.
};

template <class T>
using table = std::vector<row<T>>;

template <class T>
void add_maps(table<T>& all);
template <class T>
void add_folds(table<T>& all);
template <class T>
void add_scans(table<T>& all);
template <class T>
void add_compactions(table<T>& all);
template <class T>
void add_sets(table<T>& all);
template <class T>
void add_orders(table<T>& all);
template <class T>
void add_routes(table<T>& all);

/// One row per name.
template <class T>
[[nodiscard]] table<T> all_rows() {
  table<T> all;
  for (const auto add :
       {add_maps<T>, add_folds<T>, add_scans<T>, add_compactions<T>, add_sets<T>, add_orders<T>, add_routes<T>})
    add(all);
  return all;
}

#define ORACLE_FOR_ALL_TYPES(add)          \
  template void add<int>(table<int>&);     \
  template void add<float>(table<float>&); \
  template void add<three>(table<three>&); \
  template void add<wide>(table<wide>&);

}  // namespace oracle
