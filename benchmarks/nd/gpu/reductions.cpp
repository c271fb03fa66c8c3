// Reductions on a GPU, against CUB and against copies that move as many bytes as have to be read and written.
#include <cmath>
#include <vector>

#include "benchmarks/nd/gpu/gpu_arrays.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/programs.h"

namespace tessera::bench {
namespace {

constexpr const char* by_copy = "cudaMemcpy that moves as many bytes";
constexpr std::int64_t elements = std::int64_t{1} << 30;
constexpr std::int64_t few = 1'000'000;
constexpr extents table{1'000'000, 1000};
constexpr extents points{300'000'000, 3};
constexpr extents tall{50'000'000, 100};
constexpr extents rows_of_softmax{1 << 15, 4096};

std::int64_t bytes_of(const extents& shape) { return 4 * box::whole(shape).volume(); }

by_cuda::matrix_of_numbers same(const extents& shape, const numbers& values) {
  return {shape[0], shape[1], values.seed, values.low, values.high};
}

void measure_sum(session& s) {
  const by_hand_floats x(elements, {1});
  const by_cuda::sum by_cub(elements, x.data());
  arena a(s.devices());
  const nd::array nx = made(a, {elements}, {1});
  nd::array total;
  const auto ours = [&] {
    total = nd::sum(nx);
    nd::eval({total});
  };
  contest(
      s, a.ctx, {"nd_gpu.sum", "cub::DeviceReduce", 0.95}, 4, ours, [&] { by_cub.run(); },
      [&] { require_close(total.item<double>(), double{by_cub.result()}, "nd_gpu.sum"); });
}

/// The sum as a number of the program, from rest.
void measure_item(session& s) {
  const by_hand_floats x(few, {1});
  const by_cuda::sum by_cub(few, x.data());
  arena a(s.devices());
  const nd::array nx = made(a, {few}, {1});
  float ours_is = 0, theirs_is = 0;
  const auto ours = [&] { ours_is = nx.sum().item<float>(); };
  const auto theirs = [&] {
    by_cub.run();
    theirs_is = by_cub.result();
  };
  contest(s, a.ctx, {"nd_gpu.sum_item", "cub::DeviceReduce and cudaMemcpy", {}, {}, 1e6, "us"}, 20, ours, theirs,
          [&] { require_close(double{ours_is}, double{theirs_is}, "nd_gpu.sum_item"); });
}

/// M1: mean, standard deviation and minimum in one pass.
void measure_moments(session& s) {
  constexpr numbers values{1, 1, 2};
  const by_hand::device_copies copies;
  arena a(s.devices());
  const nd::array x = made(a, {elements}, values);
  nd::array mean, deviation, least;
  const auto ours = [&] {
    mean = nd::mean(x), deviation = nd::std(x), least = nd::min(x);
    nd::eval({mean, deviation, least});
  };
  contest(
      s, a.ctx, {"nd_gpu.moments", by_copy, 0.85}, 4, ours, [&] { copies.move(4 * elements); },
      [&] {
        const by_cuda::moments theirs = by_cuda::moments_of({1, elements, values.seed, values.low, values.high});
        require_close(mean.item<double>(), theirs.mean, "nd_gpu.moments: mean");
        require_close(deviation.item<double>(), theirs.deviation, "nd_gpu.moments: std");
        require_close(least.item<double>(), theirs.least, "nd_gpu.moments: min");
      });
}

void measure_row_sums(session& s) {
  constexpr numbers values{1, -1, 2};
  const by_hand::device_copies copies;
  arena a(s.devices());
  const nd::array x = made(a, table, values);
  nd::array sums;
  const auto ours = [&] {
    sums = nd::sum(x, 1);
    nd::eval({sums});
  };
  contest(
      s, a.ctx, {"nd_gpu.row_sums", by_copy, 0.85}, 4, ours, [&] { copies.move(bytes_of(table)); },
      [&] {
        for (const std::int64_t row : {std::int64_t{0}, table[0] / 3, table[0] - 1}) {
          double theirs = 0;
          for (std::int64_t j = 0; j < table[1]; ++j) theirs += number_at(row * table[1] + j, values);
          require_close(element(sums, row), theirs, "nd_gpu.row_sums");
        }
      });
}

void measure_column_sums_of(session& s, const char* name, const extents& shape) {
  constexpr numbers values{1, -1, 2};
  const by_hand::device_copies copies;
  arena a(s.devices());
  const nd::array x = made(a, shape, values);
  nd::array sums;
  const auto ours = [&] {
    sums = nd::sum(x, 0);
    nd::eval({sums});
  };
  contest(
      s, a.ctx, {name, by_copy, 0.85}, 4, ours, [&] { copies.move(bytes_of(shape)); },
      [&] {
        const std::vector<double> theirs = by_cuda::column_sums(same(shape, values));
        for (const std::int64_t column : {std::int64_t{0}, shape[1] / 3, shape[1] - 1})
          require_close(element(sums, column), theirs[static_cast<std::size_t>(column)], name);
      });
}
void measure_column_sums(session& s) { measure_column_sums_of(s, "nd_gpu.column_sums", table); }
void measure_coordinate_sums(session& s) { measure_column_sums_of(s, "nd_gpu.column_sums.three", points); }

/// F3: HeAT's first listing reads all elements twice and writes as many.
void measure_listing(session& s) {
  constexpr numbers values{1, -1, 2};
  const by_hand::device_copies copies;
  arena a(s.devices());
  const nd::array x = made(a, tall, values);
  nd::array distances;
  const auto ours = [&] {
    distances = distances_from_means(x);
    nd::eval({distances});
  };
  contest(
      s, a.ctx, {"nd_gpu.listing_1", by_copy, 0.85}, 1, ours, [&] { copies.move(3 * bytes_of(tall)); },
      [&] {
        const std::vector<double> sums = by_cuda::column_sums(same(tall, values));
        for (const std::int64_t at : {std::int64_t{0}, box::whole(tall).volume() / 3, box::whole(tall).volume() - 1}) {
          const double mean = sums[static_cast<std::size_t>(at % tall[1])] / static_cast<double>(tall[0]);
          require_close(element(distances, at), std::abs(number_at(at, values) - mean), "nd_gpu.listing_1");
        }
      });
}

double softmax_at(std::int64_t row, std::int64_t column, const numbers& values) {
  const std::int64_t begin = row * rows_of_softmax[1];
  double sum = 0;
  for (std::int64_t j = 0; j < rows_of_softmax[1]; ++j) sum += std::exp(number_at(begin + j, values));
  return std::exp(number_at(begin + column, values)) / sum;
}

void measure_softmax(session& s) {
  constexpr numbers values{1, 0, 10};
  const by_hand::device_copies copies;
  arena a(s.devices());
  const nd::array x = made(a, rows_of_softmax, values);
  nd::array result;
  const auto ours = [&] {
    result = softmax_of_rows(x);
    nd::eval({result});
  };
  contest(
      s, a.ctx, {"nd_gpu.softmax", by_copy, 0.85}, 10, ours, [&] { copies.move(2 * bytes_of(rows_of_softmax)); },
      [&] {
        const std::int64_t columns = rows_of_softmax[1];
        for (const std::int64_t row : {std::int64_t{0}, rows_of_softmax[0] / 3, rows_of_softmax[0] - 1})
          for (std::int64_t column = 0; column < columns; column += columns / 16)
            require_close(element(result, row * columns + column), softmax_at(row, column, values), "nd_gpu.softmax");
      });
}

}  // namespace

std::vector<benchmark> gpu_reduction_benchmarks() {
  return {{"nd_gpu.sum", measure_sum},
          {"nd_gpu.sum_item", measure_item},
          {"nd_gpu.row_sums", measure_row_sums},
          {"nd_gpu.column_sums", measure_column_sums},
          {"nd_gpu.column_sums.three", measure_coordinate_sums},
          {"nd_gpu.listing_1", measure_listing},
          {"nd_gpu.softmax", measure_softmax},
          {"nd_gpu.moments", measure_moments}};
}

}  // namespace tessera::bench
