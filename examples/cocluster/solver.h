#pragma once

#include <tessera/tessera.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "examples/cocluster/clustering.h"
#include "examples/cocluster/matrix_file.h"

namespace cocluster {

struct settings {
  int row_clusters = 8, column_clusters = 6;
  int iterations = 100;     ///< Of a start at most.
  double tolerance = 1e-6;  ///< A start ends when an iteration changes the cost by less than this part of it.
  int starts = 1;           ///< From clusters at random; the one that costs least counts.
  std::uint64_t seed = 1;
};

struct solution {
  std::vector<int> rows, columns;  ///< The cluster of each.
  double cost = 0;
  int iterations = 0;
};

struct gray_picture {
  std::int64_t width = 0, height = 0;
  std::vector<float> averages;  ///< Of the elements behind a pixel.
};

/// Who is told how far it is.
struct observer {
  std::function<void(std::int64_t rows)> loaded = [](std::int64_t) {};
  std::function<void(int start, int iteration, double cost)> iterated = [](int, int, double) {};
};

/// A matrix of a file on all devices of a context, and the search for its clusters. The matrix passes through the host
/// in pieces, and is kept where there is room: on devices, in host memory, on disk.
class solver {
 public:
  /// `kernels`: the folder of cocluster.cu. Throws what `clustering` and `matrix_reader::read_rows`
  /// throw.
  solver(const tessera::context& ctx, matrix_reader& file, const settings& chosen, const std::string& kernels,
         const observer& watch = {});

  [[nodiscard]] solution find();

 private:
  void load(matrix_reader& file);
  [[nodiscard]] solution try_start(int start);

  tessera::context ctx_;
  settings search_settings_;
  matrix_shape shape_;
  observer watch_;
  clustering made_;
  double average_ = 0;
};

/// The matrix with rows and columns of a cluster side by side. Reads the file once more.
[[nodiscard]] gray_picture picture_of(matrix_reader& file, const solution& s);

/// Writes PREFIX.rows.txt and PREFIX.columns.txt, a number a line, and the picture PREFIX.pgm. Throws
/// `tessera::io_error`.
void write_results(const std::string& prefix, const solution& s, const gray_picture& picture);
/// Makes sure, before anything is computed, that they can be written.
void require_writable(const std::string& prefix);

}  // namespace cocluster
