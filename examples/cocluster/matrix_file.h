#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>

/// Matrices of 32-bit floats in NumPy's file format (`numpy.save`, version 1.0), read and written by rows, so that they
/// may be larger than memory.
namespace cocluster {

struct matrix_shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

class matrix_reader {
 public:
  /// Reads the head. Throws `tessera::io_error` with the offset of what is wrong: another format, type, order or number
  /// of axes, or a length that is not the shape's. Nothing of the matrix is read or allocated before all of that is
  /// right.
  explicit matrix_reader(std::string path);

  [[nodiscard]] matrix_shape shape() const { return shape_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Whole rows from `first` on, as many as `to` has room for. Throws `io_error` with the offset of an element that
  /// co-clustering cannot use: negative, infinite or not a number.
  void read_rows(std::int64_t first, std::span<float> to);

 private:
  [[noreturn]] void refuse(std::int64_t offset, const std::string& reason) const;
  std::string read_head(std::int64_t length);
  void parse_head(const std::string& head);

  std::string path_;
  std::ifstream file_;
  matrix_shape shape_;
  std::int64_t data_ = 0;  // offset of the first element
};

class matrix_writer {
 public:
  /// Throws `tessera::io_error` if the file cannot be written, here and below.
  matrix_writer(std::string path, matrix_shape shape);
  /// The next rows.
  void add_rows(std::span<const float> rows);
  /// Behind the last row.
  void finish();

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace cocluster
