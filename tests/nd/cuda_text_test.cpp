#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <vector>

#include "tessera/nd/emit/reduce_launch.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/runtime/kernel_library.h"
#include "tests/nd/support.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera::support;
using ts::scalar_kind;

namespace {

const scalar_kind number_types[] = {scalar_kind::int8,    scalar_kind::int32,    scalar_kind::uint64,
                                    scalar_kind::float16, scalar_kind::bfloat16, scalar_kind::float32,
                                    scalar_kind::float64, scalar_kind::complex64};

nd::array counted(const ts::extents& shape, scalar_kind type) {
  nd::array a = nd::as_type(nd::arange(nd::element_count(shape)).reshape(shape), type);
  nd::eval({a});
  return a;
}

/// Groups without and with a window, on one to five axes, with all classes of strides, places and scalars.
void run_pointwise_groups() {
  for (const scalar_kind type : number_types) {
    const nd::array a = counted({40}, type);
    nd::eval({a * a + 2, a - 1});
  }
  const nd::array m = counted({4, 6}, scalar_kind::float32), t = counted({2, 3, 4}, scalar_kind::float64);
  nd::eval({m + m.transpose().transpose(), m(nd::all, nd::_(nd::end, nd::end, -1)) * 2, m(2) + m});
  nd::eval({t.transpose() + 1});
  nd::eval({t(nd::all, nd::new_axis) * t(nd::new_axis, nd::_(0, 2), 0, nd::new_axis, nd::new_axis)});
  nd::eval({nd::indices({3, 5}, 1) + nd::indices({3, 5}, 0)});
  nd::eval({m / nd::sum(m)});
  nd::array u = counted({8, 8}, scalar_kind::float32);
  const auto in = nd::_(1, -1);
  u(in, in) = 0.25f * (u(nd::_(0, -2), in) + u(nd::_(2, nd::end), in));
  u(nd::_(0, nd::end, 3), 1) = 7;
  u.reshape({-1})(nd::_(3, 60)) += 1;
  nd::eval({u});
}

void run_reductions() {
  for (const scalar_kind type : number_types) {
    const nd::array a = counted({6, 700}, type);
    const bool is_ordered = type != scalar_kind::complex64;
    const nd::array most = is_ordered ? nd::max(a) : nd::any(a), where = is_ordered ? nd::argmin(a) : nd::all(a);
    nd::eval({nd::sum(a), nd::mean(a), most, where});
    nd::eval({nd::var(a, 0), nd::sum(a, 0)});
    nd::eval({nd::std(a, 1), nd::prod(a, 1)});
  }
  for (const scalar_kind type : number_types) {
    const nd::array a = counted({6, 700}, type), gap = a - nd::mean(a, 1, true);
    const nd::array total = nd::sum(gap * gap, 1, true);
    nd::eval({gap / nd::sqrt(total), total});
    nd::eval({(a - nd::mean(a, 1, true)) / nd::std(a, 1, 0, true)});
  }
  const nd::array t = counted({3, 5, 7}, scalar_kind::float32);
  nd::eval({nd::sum(t, {0, 2}), nd::max(t, {1, 2})});
  nd::eval({nd::sum(t, 1), nd::argmax(t(nd::all, nd::_(0, 5, 2)), 1)});
  nd::eval({nd::sum(counted({5000}, scalar_kind::float32)), nd::sum(counted({500, 3}, scalar_kind::float32), 0)});
}

void run_scans() {
  for (const scalar_kind type : number_types) {
    const nd::array a = counted({3, 5000}, type);
    nd::eval({nd::cumulative_sum(a, 1), nd::cumulative_prod(a, 0)});
  }
}

}  // namespace

TEST_CASE("kernels of arrays compile for GPUs") {
  if (!can_compile_for_cuda()) return;
  const std::pair<const char*, std::function<void()>> programs[] = {
      {"pointwise", run_pointwise_groups}, {"reductions", run_reductions}, {"scans", run_scans}};
  for (const auto& [name, program] : programs) {
    CAPTURE(name);
    const ts::context ctx = make_context({"cpu", 0}, room_for_pieces);
    set_default_context(ctx);
    const std::shared_ptr<nd::graph> owner = nd::graph::of(ctx);
    program();
    const std::vector<ts::kernel> printed = owner->kernels().list();
    CHECK(printed.size() > 10);
    for (const ts::kernel& each : printed) {
      CHECK(each.entry()->text->features.wide_index);
      for (const int target : {80, 90})
        CHECK_NOTHROW(static_cast<void>(compile_for_cuda(*each.entry()->text, {}, target)));
    }
  }
}

TEST_CASE("a launch has at most 65535 thread blocks along y and z, whatever the array's shape") {
  const auto check_grid = [](const nd::launch_space& space, std::int64_t first) {
    const ts::extents grid = space.grid();
    CAPTURE(ts::to_string(grid));
    CHECK(grid[0] == first);
    for (int axis = 1; axis < grid.rank(); ++axis) CHECK(grid[axis] <= 65535);
  };
  const auto check_reduction = [&](const ts::extents& shape, std::array<bool, ts::max_rank> combined) {
    const nd::reduction_axes axes(shape, combined);
    nd::group elements;
    elements.domain = axes.map.domain;
    if (axes.form == nd::reduction_form::inner) {
      const std::int64_t chunk = nd::reduction_order::chunk(axes.count);
      return check_grid(nd::inner_space(elements, axes, chunk), (axes.count + chunk - 1) / chunk);
    }
    check_grid(nd::outer_space(elements, axes), (axes.columns + 127) / 128);
  };
  constexpr std::int64_t many = 3'000'000'000;
  check_reduction({50'000'000, 100}, {true, false});
  check_reduction({many, 100}, {true, false});
  check_reduction({many, 100}, {false, true});
  check_reduction({many, 100}, {true, true});
  check_reduction({many, 70, 3}, {false, true, false});
  check_reduction({70, many, 3}, {false, true, false});

  const ts::context ctx = make_context({"cpu", 0});
  for (const ts::extents& shape : {ts::extents{many, 3}, ts::extents{2, many}, ts::extents{many, 5, 3}}) {
    nd::group made;
    made.domain = shape;
    made.parameters.push_back({nd::group_parameter::source::place, 0, scalar_kind::int64});  // axes stay as they are
    const ts::extents grid = nd::launch_space::pointwise(made, *nd::graph::of(ctx)).grid();
    CAPTURE(ts::to_string(grid));
    for (int axis = 1; axis < grid.rank(); ++axis) CHECK(grid[axis] <= 65535);
  }
}

TEST_CASE("columns of more pieces than a grid has blocks are combined by blocks of several") {
  constexpr std::int64_t rows = 64 * 65'535 + 100;
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    const ts::context ctx = make_context({devices, 0}, room_for_pieces);
    set_default_context(ctx);
    const nd::array a = nd::as_type(nd::arange(2 * rows).reshape({rows, 2}) % 4, ts::scalar_kind::float64);
    nd::eval({a});
    const nd::array sums = nd::sum(a, 0), spread = nd::var(a, 0);
    CHECK(sums(0).item<double>() == static_cast<double>(rows));      // 0, 2, 0, 2, ...
    CHECK(sums(1).item<double>() == static_cast<double>(2 * rows));  // 1, 3, 1, 3, ...
    CHECK(spread(1).item<double>() == 1.0);
  }
}
