#pragma once

#include <Python.h>
#include <tessera/nd.h>

#include <optional>

#include "python/src/convert/held_array.h"

namespace tessera::python {

/// An operand that Python gives: an array, a number, or what has a buffer of numbers (arrays and scalars of NumPy),
/// which is copied. Refers to the object.
class taken_operand {
 public:
  /// False for objects that are none. Throws `range_error` for integers of more than 64 bits, unless what is beside
  /// them is of a floating type.
  [[nodiscard]] bool take(PyObject* given, const taken_operand* beside = nullptr);
  /// As `take`; throws `type_error` that names the object's type.
  void require(PyObject* given, const char* function);
  /// As `take`; throws `type_error` for numbers, too.
  void require_elements(PyObject* given);

  [[nodiscard]] nd::operand get() const {
    return elements_ != nullptr ? nd::operand(*elements_, call_site{}) : nd::operand(number_);
  }
  [[nodiscard]] bool is_number() const { return elements_ == nullptr; }
  [[nodiscard]] const nd::array& elements() const { return *elements_; }
  [[nodiscard]] const nd::number& value() const { return number_; }
  /// True if an operation on it costs little: a number, or a host value. In a turn.
  [[nodiscard]] bool is_brief() const { return elements_ == nullptr || elements_->is_host(); }
  [[nodiscard]] std::int64_t size() const { return elements_ == nullptr ? 1 : elements_->size(call_site{}); }

 private:
  const nd::array* elements_ = nullptr;
  std::optional<held_array> made_;
  nd::number number_{0};
};

/// True if an operation on both is host work: the result is no larger than one of them.
[[nodiscard]] inline bool are_brief(const taken_operand& a, const taken_operand& b) {
  return a.is_brief() && b.is_brief() &&
         (a.size() == 1 || b.size() == 1 || a.elements().shape(call_site{}) == b.elements().shape(call_site{}));
}

/// A number of Python; nothing for other objects. `as_double`: integers beyond 64 bits, too.
[[nodiscard]] std::optional<nd::number> to_number(PyObject* given, bool as_double = false);

}  // namespace tessera::python
