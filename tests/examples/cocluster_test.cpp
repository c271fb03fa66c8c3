// The parts of the co-clustering example: files, and what is found in them.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "examples/cocluster/hidden_matrix.h"
#include "examples/cocluster/solver.h"

using namespace cocluster;
namespace ts = tessera;

namespace {

/// A file that goes with its test.
class scratch_file {
 public:
  scratch_file()
      : path_((std::filesystem::temp_directory_path() / ("tessera_cocluster_" + std::to_string(getpid()))).string()) {}
  ~scratch_file() { std::filesystem::remove(path_); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

 private:
  std::string path_;
};

/// A file with this head and so many bytes behind it.
std::string file_with(std::string head, std::size_t bytes) {
  head.resize(118, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' + head + std::string(bytes, '\0');
}

std::string head_of(const std::string& type, const std::string& order, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

std::string error_of(const scratch_file& file) {
  try {
    matrix_reader reader(file.path());
    std::vector<float> all(static_cast<std::size_t>(reader.shape().rows * reader.shape().columns));
    reader.read_rows(0, all);
  } catch (const ts::io_error& e) {
    return std::string(e.what()).substr(file.path().size());
  }
  return "";
}

/// How often two labelings say the same of a pair: whether they are in one cluster.
double agreement(const std::vector<int>& found, const std::vector<int>& hidden) {
  double same = 0, pairs = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < i; ++j, ++pairs) same += (found[i] == found[j]) == (hidden[i] == hidden[j]) ? 1 : 0;
  return same / pairs;
}

const hidden_matrix sample{{700, 330}, 4, 3, 5};

solution found_with(const scratch_file& file, const ts::options& where, const settings& chosen) {
  ts::context ctx(where);
  matrix_reader reader(file.path());
  return solver(ctx, reader, chosen, COCLUSTER_KERNELS).find();
}

}  // namespace

TEST_CASE("a matrix comes back from its file, whole and by rows") {
  const scratch_file file;
  sample.write(file.path());
  matrix_reader reader(file.path());
  CHECK(reader.shape().rows == 700);
  CHECK(reader.shape().columns == 330);
  std::vector<float> all(700 * 330), row(330);
  reader.read_rows(0, all);
  reader.read_rows(699, row);
  CHECK(std::equal(row.begin(), row.end(), all.end() - 330));
  CHECK(*std::min_element(all.begin(), all.end()) >= 0);
  CHECK(*std::max_element(all.begin(), all.end()) < 1);
}

TEST_CASE("files of another format, type, order or shape are refused with the offset") {
  const scratch_file file;
  const std::string good = head_of("<f4", "False", "(2, 3)");
  struct wrong {
    std::string bytes, message;
  };
  for (const wrong& w : {
           wrong{"", ", byte 0: the file ends within its head"},
           wrong{"\x93NUMPY\x02" + std::string(300, 'x'), ", byte 0: this is no matrix in NumPy's format"},
           wrong{file_with(good, 24).substr(0, 60), ", byte 60: the file ends within its head"},
           wrong{file_with(good, 23), ", byte 151: the file ends here; 2 x 3 elements need 152 bytes"},
           wrong{file_with(good, 25), ", byte 152: there is more behind the matrix"},
           wrong{file_with(head_of("<f8", "False", "(2, 3)"), 48), ", byte 11: the elements must be 32-bit floats"},
           wrong{file_with(head_of("<f4", "True", "(2, 3)"), 24), ", byte 27: rows must lie one behind the other"},
           wrong{file_with(head_of("<f4", "False", "(6,)"), 24), ", byte 51: the array must have two axes"},
           wrong{file_with(head_of("<f4", "False", "(1, 2, 3)"), 24), ", byte 51: the array must have two axes"},
           wrong{file_with(head_of("<f4", "False", "(0, 3)"), 0), ", byte 51: the matrix is empty"},
           wrong{file_with(head_of("<f4", "False", "(99999999999, 99999999999)"), 0), "larger than a file can be"},
           wrong{file_with(head_of("<f4", "False", "(99999999999999999999, 1)"), 0), "larger than a file can be"},
       }) {
    file.write(w.bytes);
    CAPTURE(w.message);
    CHECK(error_of(file).find(w.message) != std::string::npos);
  }
  file.write(file_with(good, 24));
  CHECK(error_of(file) == "");
}

TEST_CASE("elements that are negative or not finite are refused with the offset") {
  const scratch_file file;
  for (const float bad : {-1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    matrix_writer writer(file.path(), {2, 3});
    writer.add_rows(std::vector<float>{0, 1, 2, 3, bad, 5});
    writer.finish();
    CHECK(error_of(file).find(", byte 144: an element is ") == 0);
  }
}

TEST_CASE("hidden clusters are found, on any devices, also with memory for less than half") {
  const scratch_file file;
  sample.write(file.path());
  std::vector<int> rows, columns;
  for (std::int64_t i = 0; i < 700; ++i) rows.push_back(sample.cluster_of_row(i));
  for (std::int64_t j = 0; j < 330; ++j) columns.push_back(sample.cluster_of_column(j));
  struct place {
    const char* devices;
    std::int64_t memory;
  };
  for (const place& p : {place{"cpu", 1 << 30}, place{"cpu*3", 400 << 10}, place{"cpu*5", 1 << 30}}) {
    CAPTURE(p.devices);
    ts::options where;
    where.devices = p.devices;
    where.device_memory = p.memory;
    const solution found = found_with(file, where, {.row_clusters = 4, .column_clusters = 3, .starts = 30});
    CHECK(agreement(found.rows, rows) > 0.99);
    CHECK(agreement(found.columns, columns) > 0.99);
    CHECK(found.iterations < 100);
  }
}

TEST_CASE("of several starts the one that costs least counts, and iterations lower the cost") {
  const scratch_file file;
  sample.write(file.path());
  ts::context ctx;
  matrix_reader reader(file.path());
  std::vector<std::vector<double>> costs(4);
  observer watch;
  watch.iterated = [&](int start, int, double cost) { costs[static_cast<std::size_t>(start)].push_back(cost); };
  const solution found =
      solver(ctx, reader, {.row_clusters = 4, .column_clusters = 3, .starts = 4}, COCLUSTER_KERNELS, watch).find();
  double least = costs[0].back();
  for (const std::vector<double>& of_start : costs) {
    least = std::min(least, of_start.back());
    for (std::size_t k = 1; k < of_start.size(); ++k)
      CHECK(of_start[k] <= of_start[k - 1] + 1e-5 * std::abs(of_start[k]));
  }
  CHECK(found.cost == least);
}

TEST_CASE("the picture shows the blocks of the sorted matrix") {
  const scratch_file file;
  const hidden_matrix small{{400, 360}, 2, 2, 3};
  small.write(file.path());
  matrix_reader reader(file.path());
  solution truth;
  for (std::int64_t i = 0; i < 400; ++i) truth.rows.push_back(small.cluster_of_row(i));
  for (std::int64_t j = 0; j < 360; ++j) truth.columns.push_back(small.cluster_of_column(j));
  const gray_picture picture = picture_of(reader, truth);
  REQUIRE(picture.width == 360);
  REQUIRE(picture.height == 400);
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return picture.averages[static_cast<std::size_t>(y * picture.width + x)];
  };
  CHECK(at(0, 0) == doctest::Approx(0.8 * small.level(0, 0) + 0.1).epsilon(0.3));
  CHECK(at(0, 359) == doctest::Approx(0.8 * small.level(0, 1) + 0.1).epsilon(0.3));
  CHECK(at(399, 0) == doctest::Approx(0.8 * small.level(1, 0) + 0.1).epsilon(0.3));
  CHECK(at(399, 359) == doctest::Approx(0.8 * small.level(1, 1) + 0.1).epsilon(0.3));
}

TEST_CASE("more clusters than rows, than columns, or than the kernels are made for are refused") {
  const scratch_file file;
  hidden_matrix{{3, 40}, 2, 2, 1}.write(file.path());
  CHECK_THROWS_WITH_AS((void)found_with(file, {}, {.row_clusters = 4, .column_clusters = 2}),
                       doctest::Contains("4 clusters of rows are more than 3 rows"), ts::argument_error);
  CHECK_THROWS_WITH_AS((void)found_with(file, {}, {.row_clusters = 2, .column_clusters = 17}),
                       doctest::Contains("made for 16"), ts::argument_error);
  CHECK_THROWS_AS((void)found_with(file, {}, {.row_clusters = 0, .column_clusters = 2}), ts::argument_error);
}
