#include "examples/cocluster/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "examples/cocluster/hidden_matrix.h"

namespace ts = tessera;

namespace cocluster {
namespace {

constexpr std::int64_t piece_bytes = 64 << 20;
constexpr std::int64_t most_pixels = 800;  // a side

/// Rows of which a part of the matrix consists: of pieces, but enough parts for all devices.
std::int64_t rows_of_part(const ts::context& ctx, const matrix_shape& shape) {
  const auto devices = static_cast<std::int64_t>(ctx.machine().devices.size());
  const std::int64_t of_piece = piece_bytes / 4 / shape.columns, of_device = (shape.rows + devices - 1) / devices;
  constexpr std::int64_t block = clustering::rows_of_block;
  return std::max<std::int64_t>(1, (std::min(of_piece, of_device) + block - 1) / block) * block;
}

problem problem_of(const ts::context& ctx, const matrix_shape& shape, const settings& chosen) {
  return {shape.rows, shape.columns, chosen.row_clusters, chosen.column_clusters, rows_of_part(ctx, shape)};
}

/// Where each row or column lies if those of a cluster are side by side.
std::vector<std::int64_t> sorted_places(const std::vector<int>& clusters) {
  std::vector<std::int64_t> first(clustering::most_clusters + 1, 0);
  for (const int c : clusters) ++first[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
  std::vector<std::int64_t> places;
  for (const int c : clusters) places.push_back(first[static_cast<std::size_t>(c)]++);
  return places;
}

/// The pixel of each row or column.
std::vector<int> pixels_of(const std::vector<int>& clusters, std::int64_t pixels) {
  const auto count = static_cast<std::int64_t>(clusters.size());
  std::vector<int> result;
  for (const std::int64_t place : sorted_places(clusters)) result.push_back(static_cast<int>(place * pixels / count));
  return result;
}

std::vector<std::int64_t> counts(const std::vector<int>& pixels, std::int64_t of) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(of), 0);
  for (const int p : pixels) ++result[static_cast<std::size_t>(p)];
  return result;
}

/// Calls f(first, end, elements) for the rows [first, end) of pieces, in order.
template <class F>
void for_each_piece(matrix_reader& file, const F& f) {
  const matrix_shape shape = file.shape();
  const std::int64_t rows = std::clamp<std::int64_t>(piece_bytes / 4 / shape.columns, 1, shape.rows);
  std::vector<float> piece(static_cast<std::size_t>(rows * shape.columns));
  for (std::int64_t first = 0; first < shape.rows; first += rows) {
    const std::int64_t end = std::min(first + rows, shape.rows);
    const std::span<float> here(piece.data(), static_cast<std::size_t>((end - first) * shape.columns));
    file.read_rows(first, here);
    f(first, end, here);
  }
}

}  // namespace

solver::solver(const ts::context& ctx, matrix_reader& file, const settings& chosen, const std::string& kernels,
               const observer& watch)
    : ctx_(ctx),
      search_settings_(chosen),
      shape_(file.shape()),
      watch_(watch),
      made_(ctx, problem_of(ctx, shape_, chosen), kernels + "/cocluster.cu") {
  load(file);
}

void solver::load(matrix_reader& file) {
  double sum = 0;
  for_each_piece(file, [&](std::int64_t first, std::int64_t end, std::span<const float> here) {
    for (const float v : here) sum += static_cast<double>(v);
    made_.matrix().slice({{first, end}, {0, shape_.columns}}).write(here);
    watch_.loaded(end);
  });
  average_ = sum / static_cast<double>(shape_.rows) / static_cast<double>(shape_.columns);
}

solution solver::find() {
  solution best = try_start(0);
  for (int start = 1; start < search_settings_.starts; ++start)
    if (solution other = try_start(start); other.cost < best.cost) best = std::move(other);
  return best;
}

solution solver::try_start(int start) {
  const std::uint64_t seed = search_settings_.seed + 2 * static_cast<std::uint64_t>(start);
  made_.row_labels().write(random_labels(shape_.rows, search_settings_.row_clusters, seed));
  made_.column_labels().write(random_labels(shape_.columns, search_settings_.column_clusters, seed + 1));
  made_.begin(average_);
  solution found;
  bool moving = true;
  while (moving && found.iterations < search_settings_.iterations) {
    made_.iterate();
    const double cost = made_.cost().read()[0];
    moving = found.iterations == 0 || std::abs(cost - found.cost) > search_settings_.tolerance * std::abs(cost);
    found.cost = cost;
    watch_.iterated(start, ++found.iterations, cost);
  }
  found.rows = made_.row_labels().read();
  found.columns = made_.column_labels().read();
  return found;
}

gray_picture picture_of(matrix_reader& file, const solution& s) {
  const matrix_shape shape = file.shape();
  gray_picture picture{std::min(shape.columns, most_pixels), std::min(shape.rows, most_pixels), {}};
  const std::vector<int> rows = pixels_of(s.rows, picture.height), columns = pixels_of(s.columns, picture.width);
  std::vector<double> sums(static_cast<std::size_t>(picture.height * picture.width), 0);
  for_each_piece(file, [&](std::int64_t first, std::int64_t end, std::span<const float> here) {
    for (std::int64_t i = first; i < end; ++i) {
      double* of_row = sums.data() + rows[static_cast<std::size_t>(i)] * picture.width;
      const float* from = here.data() + (i - first) * shape.columns;
      for (std::size_t j = 0; j < columns.size(); ++j) of_row[columns[j]] += static_cast<double>(from[j]);
    }
  });
  const std::vector<std::int64_t> tall = counts(rows, picture.height), wide = counts(columns, picture.width);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const auto width = static_cast<std::size_t>(picture.width);
    picture.averages.push_back(static_cast<float>(sums[k] / static_cast<double>(tall[k / width] * wide[k % width])));
  }
  return picture;
}

}  // namespace cocluster
