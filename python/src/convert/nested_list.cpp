#include "python/src/convert/nested_list.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "python/src/call/turn.h"
#include "python/src/convert/buffer.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

/// Reads the numbers of nested lists, row-major.
class list_reader {
 public:
  explicit list_reader(PyObject* given) {
    for (PyObject* o = given; is_list(o); o = PySequence_Fast_GET_ITEM(o, 0)) {
      if (shape_.size() == static_cast<std::size_t>(max_rank))
        throw argument_error(cat("lists nested more than ", max_rank, " times"));
      shape_.push_back(PySequence_Fast_GET_SIZE(o));
      if (shape_.back() == 0) break;
    }
    read(given, 0);
  }
  [[nodiscard]] const std::vector<nd::number>& numbers() const { return numbers_; }
  [[nodiscard]] extents shape() const { return extents(shape_); }
  [[nodiscard]] scalar_kind own_type() const {
    if (!has_numbers_ || sort_ == nd::weak_kind::real) return default_float();
    if (sort_ == nd::weak_kind::boolean) return scalar_kind::boolean;
    if (sort_ == nd::weak_kind::integer) return scalar_kind::int64;
    return default_float() == scalar_kind::float64 ? scalar_kind::complex128 : scalar_kind::complex64;
  }

 private:
  void read(PyObject* o, std::size_t depth) {
    const bool is_inner = depth < shape_.size();
    if (is_list(o) != is_inner || (is_inner && PySequence_Fast_GET_SIZE(o) != shape_[depth])) refuse_ragged(o, depth);
    if (!is_inner) return take(o);
    for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(o); ++k) {
      path_.push_back(k);
      read(PySequence_Fast_GET_ITEM(o, k), depth + 1);
      path_.pop_back();
    }
  }

  void take(PyObject* o) {
    auto value = to_number(o);
    if (!value && (is_array(o) || has_numbers(o))) value = number_of_scalar(o);
    if (!value) throw type_error(cat("an object of the type ", Py_TYPE(o)->tp_name, place(), " is no number"));
    sort_ = has_numbers_ ? std::max(sort_, value->kind()) : value->kind();
    has_numbers_ = true;
    numbers_.push_back(*value);
  }

  /// Of arrays without axes, and of NumPy's scalars.
  std::optional<nd::number> number_of_scalar(PyObject* o) {
    const nb::object item = nb::steal(PyObject_CallMethod(o, is_array(o) ? "tolist" : "item", nullptr));
    if (!item.is_valid()) {
      PyErr_Clear();
      return {};
    }
    return to_number(item.ptr());
  }

  [[nodiscard]] std::string place() const {
    std::string text;
    for (const Py_ssize_t k : path_) text += cat("[", k, "]");
    return text.empty() ? "" : " at " + text;
  }

  [[noreturn]] void refuse_ragged(PyObject* o, std::size_t depth) const {
    const std::string found = is_list(o) ? cat("a list of ", PySequence_Fast_GET_SIZE(o)) : std::string("no list");
    const std::string expected = depth < shape_.size() ? cat("a list of ", shape_[depth]) : std::string("a number");
    throw argument_error(cat("lists do not make an array: ", found, place(), ", where ", expected, " was expected"));
  }

  std::vector<std::int64_t> shape_;
  std::vector<Py_ssize_t> path_;
  std::vector<nd::number> numbers_;
  nd::weak_kind sort_ = nd::weak_kind::boolean;
  bool has_numbers_ = false;
};

}  // namespace

nd::array array_of_list(nb::handle given, std::optional<scalar_kind> type, const nd::array_options& options) {
  const list_reader list(given.ptr());
  const bool is_large = !type && list.own_type() == scalar_kind::int64 &&
                        std::any_of(list.numbers().begin(), list.numbers().end(),
                                    [](const nd::number& n) { return !n.fits(scalar_kind::int64); });
  const scalar_kind kind = type ? *type : is_large ? scalar_kind::uint64 : list.own_type();
  const std::size_t size = dtype::make(kind).size;
  std::vector<std::byte> bytes(list.numbers().size() * size);
  for (std::size_t k = 0; k < list.numbers().size(); ++k) {
    const auto element = list.numbers()[k].element(kind, call_site{});
    std::memcpy(bytes.data() + k * size, element.data(), size);
  }
  return in_turn([&](call_site here) { return nd::from_bytes(list.shape(), kind, bytes, options, here); });
}

}  // namespace tessera::python
