#include "python/src/convert/buffer.h"

#include <nanobind/nanobind.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "python/src/call/turn.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// What `PyObject_GetBuffer` gives, while it lives.
class shown_memory {
 public:
  explicit shown_memory(PyObject* from) {
    if (PyObject_GetBuffer(from, &buffer_, PyBUF_RECORDS_RO) != 0) throw nb::python_error();
  }
  ~shown_memory() { PyBuffer_Release(&buffer_); }
  shown_memory(const shown_memory&) = delete;
  shown_memory& operator=(const shown_memory&) = delete;
  [[nodiscard]] const Py_buffer& get() const { return buffer_; }

 private:
  Py_buffer buffer_{};
};

std::optional<scalar_kind> integer_of(Py_ssize_t size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? scalar_kind::int8 : scalar_kind::uint8;
    case 2:
      return is_signed ? scalar_kind::int16 : scalar_kind::uint16;
    case 4:
      return is_signed ? scalar_kind::int32 : scalar_kind::uint32;
    case 8:
      return is_signed ? scalar_kind::int64 : scalar_kind::uint64;
    default:
      return {};
  }
}

/// The type that a format of the `struct` module stands for, in the order of bytes of this machine.
std::optional<scalar_kind> kind_of(const char* format, Py_ssize_t size) {
  std::string_view text = format == nullptr ? "B" : format;
  if (text.starts_with('@') || text.starts_with('=') ||
      (text.starts_with('<') && std::endian::native == std::endian::little))
    text.remove_prefix(1);
  if (text == "?") return scalar_kind::boolean;
  if (text == "e") return scalar_kind::float16;
  if (text == "f") return scalar_kind::float32;
  if (text == "d") return scalar_kind::float64;
  if (text == "Zf") return scalar_kind::complex64;
  if (text == "Zd") return scalar_kind::complex128;
  if (text.size() == 1 && std::string_view("bhilqn").find(text[0]) != std::string_view::npos)
    return integer_of(size, true);
  if (text.size() == 1 && std::string_view("BHILQN").find(text[0]) != std::string_view::npos)
    return integer_of(size, false);
  return {};
}

/// The elements, row-major.
void copy_rows(std::byte*& to, const char* from, const Py_buffer& b, int axis) {
  if (axis == b.ndim) {
    std::memcpy(to, from, static_cast<std::size_t>(b.itemsize));
    to += b.itemsize;
    return;
  }
  for (Py_ssize_t k = 0; k < b.shape[axis]; ++k) copy_rows(to, from + k * b.strides[axis], b, axis + 1);
}

}  // namespace

const char* buffer_format(scalar_kind kind) {
  constexpr const char* formats[] = {"?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", nullptr, "f", "d", "Zf", "Zd"};
  return formats[static_cast<std::size_t>(kind)];
}

bool has_numbers(PyObject* given) {
  return PyObject_CheckBuffer(given) && !PyBytes_Check(given) && !PyByteArray_Check(given);
}

nd::array copy_of_buffer(PyObject* given, std::optional<scalar_kind> type, const nd::array_options& options) {
  const shown_memory shown(given);
  const Py_buffer& b = shown.get();
  const auto kind = kind_of(b.format, b.itemsize);
  if (!kind)
    throw type_error(cat("elements of the format '", b.format, "' of an object of the type ", Py_TYPE(given)->tp_name,
                         " are no numbers that arrays have"));
  if (b.ndim > max_rank) throw argument_error(cat("an array with ", b.ndim, " axes: at most ", max_rank));
  extents shape = extents::uniform(b.ndim, 0);
  for (int k = 0; k < b.ndim; ++k) shape[k] = b.shape[k];
  std::vector<std::byte> together;
  std::span<const std::byte> elements(static_cast<const std::byte*>(b.buf), static_cast<std::size_t>(b.len));
  if (PyBuffer_IsContiguous(&b, 'C') == 0) {
    together.resize(static_cast<std::size_t>(b.len));
    std::byte* to = together.data();
    copy_rows(to, static_cast<const char*>(b.buf), b, 0);
    elements = together;
  }
  return in_turn([&](call_site here) {
    const nd::array made = nd::from_bytes(shape, *kind, elements, options, here);
    return type && *type != *kind ? nd::as_type(made, *type, here) : made;
  });
}

}  // namespace tessera::python
