#include "examples/cocluster/matrix_file.h"

#include <tessera/tessera.h>

#include <cmath>
#include <cstring>
#include <regex>
#include <utility>
#include <vector>

namespace cocluster {
namespace {

constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
constexpr std::int64_t prefix = 10;  // the magic and the head's length
constexpr std::int64_t most_elements = std::int64_t{1} << 60;

std::int64_t number(const std::string& digits) { return digits.size() > 18 ? most_elements + 1 : std::stoll(digits); }

}  // namespace

matrix_reader::matrix_reader(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {
  if (!file_) throw tessera::io_error("cannot open " + path_);
  file_.seekg(0, std::ios::end);
  const std::int64_t length = file_.tellg();
  file_.seekg(0);
  parse_head(read_head(length));
  const std::int64_t expected = data_ + 4 * shape_.rows * shape_.columns;
  const std::string all = std::to_string(shape_.rows) + " x " + std::to_string(shape_.columns) + " elements need " +
                          std::to_string(expected) + " bytes";
  if (length < expected) refuse(length, "the file ends here; " + all);
  if (length > expected) refuse(expected, "there is more behind the matrix; " + all);
}

void matrix_reader::refuse(std::int64_t offset, const std::string& reason) const {
  throw tessera::io_error(path_ + ", byte " + std::to_string(offset) + ": " + reason);
}

/// Checks what stands before the head's text and returns that.
std::string matrix_reader::read_head(std::int64_t length) {
  std::string begin(static_cast<std::size_t>(prefix), '\0');
  if (length < prefix) refuse(length, "the file ends within its head");
  file_.read(begin.data(), prefix);
  if (!begin.starts_with(magic)) refuse(0, "this is no matrix in NumPy's format, version 1.0");
  const std::int64_t size = static_cast<unsigned char>(begin[8]) + 256 * static_cast<unsigned char>(begin[9]);
  if (length < prefix + size) refuse(length, "the file ends within its head");
  std::string head(static_cast<std::size_t>(size), '\0');
  file_.read(head.data(), size);
  data_ = prefix + size;
  return head;
}

void matrix_reader::parse_head(const std::string& head) {
  std::smatch found;
  const auto require = [&](const char* pattern, const char* key, const char* reason) {
    if (std::regex_search(head, found, std::regex(pattern))) return;
    const std::size_t at = head.find(key);
    refuse(prefix + static_cast<std::int64_t>(at == std::string::npos ? 0 : at), reason);
  };
  require("'descr': *'<f4'", "'descr'", "the elements must be 32-bit floats, least byte first ('<f4')");
  require("'fortran_order': *False", "'fortran_order'", "rows must lie one behind the other (fortran_order False)");
  require("'shape': *\\(([0-9]+), *([0-9]+)\\)", "'shape'", "the array must have two axes");
  shape_ = {number(found[1]), number(found[2])};
  const std::int64_t at = prefix + found.position(0);
  if (shape_.rows == 0 || shape_.columns == 0) refuse(at, "the matrix is empty");
  if (shape_.rows > most_elements / shape_.columns) refuse(at, "the matrix is larger than a file can be");
}

void matrix_reader::read_rows(std::int64_t first, std::span<float> to) {
  const std::int64_t offset = data_ + 4 * first * shape_.columns;
  file_.seekg(offset);
  file_.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size_bytes()));
  if (!file_) {
    file_.clear();
    refuse(offset, "the elements from here on could not be read");
  }
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!(to[i] >= 0) || std::isinf(to[i]))
      refuse(offset + 4 * static_cast<std::int64_t>(i),
             "an element is " + std::to_string(to[i]) + "; all must be finite, and none negative");
}

matrix_writer::matrix_writer(std::string path, matrix_shape shape)
    : path_(std::move(path)), file_(path_, std::ios::binary) {
  std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(shape.rows) + ", " +
                     std::to_string(shape.columns) + "), }";
  while ((prefix + static_cast<std::int64_t>(head.size()) + 1) % 64 != 0) head += ' ';
  head += '\n';
  file_ << magic << static_cast<char>(head.size() % 256) << static_cast<char>(head.size() / 256) << head;
  if (!file_.flush()) throw tessera::io_error("cannot write " + path_);
}

void matrix_writer::add_rows(std::span<const float> rows) {
  file_.write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(rows.size_bytes()));
  if (!file_) throw tessera::io_error("cannot write " + path_);
}

void matrix_writer::finish() {
  if (!file_.flush()) throw tessera::io_error("cannot write " + path_);
}

}  // namespace cocluster
