#pragma once

#include <concepts>

#include "tessera/base/call_site.h"
#include "tessera/nd/array.h"
#include "tessera/nd/number.h"

namespace tessera::nd {

/// Something that an operator of arrays takes beside one.
template <class T>
concept number_like = std::constructible_from<number, T>;

/// An array or a plain number, as functions of arrays take them. Refers to the array. Throws `argument_error` for an
/// array that was never assigned.
class operand {
 public:
  operand(const array& a, call_site here = call_site::current()) : array_(&a) { a.require_assigned(here); }  // NOLINT
  operand(const selection& chosen, call_site here = call_site::current());                                   // NOLINT
  template <number_like T>
  operand(T value) : number_(value) {}  // NOLINT: operands are arrays and numbers

  [[nodiscard]] bool is_number() const { return array_ == nullptr; }
  [[nodiscard]] const array& elements() const { return *array_; }
  [[nodiscard]] const number& value() const { return number_; }
  /// The array's type, or that of an array of the number alone.
  [[nodiscard]] scalar_kind type() const { return is_number() ? number_.own_type() : array_->type(); }

 private:
  const array* array_ = nullptr;
  number number_{0};
};

/// An operand and the line of the program that names it: operators cannot be told their line in another way.
class operand_here : public operand {
 public:
  operand_here(const operand& given, call_site here = call_site::current()) : operand(given), site(here) {}  // NOLINT
  operand_here(const array& a, call_site here = call_site::current()) : operand(a, here), site(here) {}      // NOLINT
  operand_here(const selection& s, call_site here = call_site::current()) : operand(s, here), site(here) {}  // NOLINT
  template <number_like T>
  operand_here(T value, call_site here = call_site::current()) : operand(value), site(here) {}  // NOLINT

  call_site site;
};

/// An argument that is an array, with the line of the call.
class array_here : public operand {
 public:
  array_here(const array& a, call_site here = call_site::current()) : operand(a, here), site(here) {}      // NOLINT
  array_here(const selection& s, call_site here = call_site::current()) : operand(s, here), site(here) {}  // NOLINT

  call_site site;
};

inline void array::operator=(const operand_here& value) && {
  if (value.is_number())
    assign(value.value(), value.site);
  else
    assign(value.elements(), value.site);
}

}  // namespace tessera::nd

// Completes operands of selections, which are made of operands.
#include "tessera/nd/ops/selection.h"
