#pragma once

#include <optional>
#include <vector>

#include "tessera/nd/operand.h"

namespace tessera::nd {

/// Elements that another array chooses: `a(mask)`, where booleans of the shape of `a` are true, and `a(places)`, at
/// integers along the first axis. Reading makes a new array (`compress`, which waits for the number of elements, and
/// `take`). Writing is for masks: the value is computed and repeated as for all of `a`, and written where the mask is
/// true, as by `put_mask`. Throws `argument_error` for masks of another shape, and for writing by places.
class selection {
 public:
  selection(array from, array by, call_site here) : from_(std::move(from)), by_(std::move(by)), site_(here) {}
  selection(const selection&) = default;
  /// Of two selections it is not said which elements would meet.
  selection& operator=(const selection&) = delete;

  /// A new array; the same at each call.
  [[nodiscard]] const array& elements() const;
  operator array() const { return elements(); }  // NOLINT: stands for the elements
  /// As of the array.
  template <class T>
  [[nodiscard]] std::vector<T> read(call_site here = call_site::current()) const {
    return elements().read<T>(here);
  }

  void operator=(const operand_here& value) const;
  void operator+=(const operand_here& value) const;
  void operator-=(const operand_here& value) const;
  void operator*=(const operand_here& value) const;
  void operator/=(const operand_here& value) const;
  void operator%=(const operand_here& value) const;
  void operator&=(const operand_here& value) const;
  void operator|=(const operand_here& value) const;
  void operator^=(const operand_here& value) const;

 private:
  void require_mask(call_site here) const;

  array from_, by_;
  call_site site_;
  mutable std::optional<array> elements_;
};

inline selection array::operator()(const array_here& by) const { return {*this, by.elements(), by.site}; }
inline operand::operand(const selection& chosen, call_site here) : operand(chosen.elements(), here) {}

}  // namespace tessera::nd
