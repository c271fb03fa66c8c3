#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tessera/array/array.h"
#include "tessera/array/context.h"
#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/call_site.h"
#include "tessera/nd/layout.h"
#include "tessera/nd/number.h"
#include "tessera/nd/shape/axis_list.h"
#include "tessera/nd/shape/index_map.h"
#include "tessera/nd/shape/slice.h"

namespace tessera::nd {

class array;
class array_here;
class cell;
class operand_here;
class selection;
struct cell_part;
struct host_operand;
struct node;
class graph;

/// One index of `array::operator()`: a place, a slice, or `new_axis`.
struct new_axis_tag {};
inline constexpr new_axis_tag new_axis{};
using index_item = std::variant<std::int64_t, slice, new_axis_tag>;

/// The first index, which tells the line of the program that it stands in.
struct first_index {
  template <std::integral T>
  first_index(T place, call_site here = call_site::current())  // NOLINT: places, slices and `new_axis` are indices
      : item(static_cast<std::int64_t>(place)), site(here) {}
  first_index(const slice& s, call_site here = call_site::current()) : item(s), site(here) {}      // NOLINT
  first_index(new_axis_tag tag, call_site here = call_site::current()) : item(tag), site(here) {}  // NOLINT

  index_item item;
  call_site site;
};

/// An array over all devices and ranks, as in NumPy: a handle, whose copies and views share the elements. Operations
/// are recorded and carried out later, many in one launch, when a value is looked at (`read`, `item`), at `eval`, or
/// when much has been recorded; results are as if each was carried out at once. Used by one thread at a time.
///
/// Assigning to a name makes it stand for another array; assigning to a view, `a(0, nd::all) = 1`, writes elements.
class array {
 public:
  /// No array; only assigning to it makes sense.
  array() = default;
  array(const array&) = default;
  array(array&&) = default;
  array& operator=(const array& other) & = default;
  array& operator=(array&& other) & = default;
  /// Writes all elements of this view; `value` is repeated to its shape and converted to its type. Throws
  /// `argument_error` if its type cannot hold the value's, or the view shows elements several times.
  void operator=(const operand_here& value) &&;

  [[nodiscard]] const extents& shape(call_site here = call_site::current()) const;
  [[nodiscard]] int rank(call_site here = call_site::current()) const { return shape(here).rank(); }
  [[nodiscard]] std::int64_t size(call_site here = call_site::current()) const;
  [[nodiscard]] scalar_kind type(call_site here = call_site::current()) const;
  [[nodiscard]] bool is_null() const { return cell_ == nullptr; }
  /// Throws `argument_error` if there is no array.
  void require_assigned(call_site here) const {
    if (!cell_) refuse_unassigned(here);
  }
  /// Where the elements rest, or will.
  [[nodiscard]] layout split(call_site here = call_site::current()) const;

  /// A view: `a(1, nd::_(0, -1), nd::new_axis)`; missing axes are whole.
  template <class... Items>
  [[nodiscard]] array operator()(const first_index& first, const Items&... others) const {
    const std::array<index_item, sizeof...(Items) + 1> list{first.item, to_item(others)...};
    return at(list, first.site);
  }
  [[nodiscard]] array operator()() const { return *this; }
  [[nodiscard]] array at(std::span<const index_item> items, call_site here = call_site::current()) const;
  /// The elements where a mask is true, or at the places that an array of integers tells (ops/selection.h).
  [[nodiscard]] selection operator()(const array_here& by) const;
  /// A view by any index map into this array.
  [[nodiscard]] array seen_through(const index_map& map, call_site here = call_site::current()) const;
  /// The elements in their order with another shape, of which one extent may be -1: a view if they need not move, else
  /// a copy.
  [[nodiscard]] array reshape(const extents& shape, call_site here = call_site::current()) const;
  [[nodiscard]] array transpose(call_site here = call_site::current()) const;

  /// The functions of these names (ops/reduce.h).
  [[nodiscard]] array sum(const axis_list& along = {}, bool keepdims = false,
                          call_site here = call_site::current()) const;
  [[nodiscard]] array prod(const axis_list& along = {}, bool keepdims = false,
                           call_site here = call_site::current()) const;
  [[nodiscard]] array min(const axis_list& along = {}, bool keepdims = false,
                          call_site here = call_site::current()) const;
  [[nodiscard]] array max(const axis_list& along = {}, bool keepdims = false,
                          call_site here = call_site::current()) const;
  [[nodiscard]] array mean(const axis_list& along = {}, bool keepdims = false,
                           call_site here = call_site::current()) const;
  [[nodiscard]] array var(const axis_list& along = {}, double correction = 0, bool keepdims = false,
                          call_site here = call_site::current()) const;
  [[nodiscard]] array std(const axis_list& along = {}, double correction = 0, bool keepdims = false,
                          call_site here = call_site::current()) const;
  [[nodiscard]] array argmin(const axis_list& along = {}, bool keepdims = false,
                             call_site here = call_site::current()) const;
  [[nodiscard]] array argmax(const axis_list& along = {}, bool keepdims = false,
                             call_site here = call_site::current()) const;

  /// Writes all elements; see the assignments to views above.
  void assign(const array& value, call_site here = call_site::current()) const;
  void assign(const number& value, call_site here = call_site::current()) const;
  /// As `at(items).assign(value)`.
  void assign_at(std::span<const index_item> items, const number& value, call_site here = call_site::current()) const;
  /// Writes all elements with the result of an operation that no other handle stands for: it becomes the new version
  /// without a copy.
  void assign_result(array result, call_site here = call_site::current()) const;

  /// The one element as a T; waits for it. Throws `argument_error` if there are several.
  template <class T>
  [[nodiscard]] T item(call_site here = call_site::current()) const {
    T value;
    read_item(std::as_writable_bytes(std::span(&value, 1)), dtype_of<T>().kind, here);
    return value;
  }
  /// All elements, row-major, on every rank; waits for them. Throws `argument_error` if they are not of type T.
  template <class T>
  [[nodiscard]] std::vector<T> read(call_site here = call_site::current()) const {
    const std::vector<std::byte> bytes = read_bytes(dtype_of<T>().kind, here);
    std::vector<T> result(bytes.size() / sizeof(T));
    for (std::size_t k = 0; k < result.size(); ++k) {
      T element;
      std::memcpy(&element, bytes.data() + k * sizeof(T), sizeof(T));
      result[k] = element;
    }
    return result;
  }
  /// The engine array with the elements, for kernels of the program, which may write it. Valid until this array is next
  /// written through `nd`.
  [[nodiscard]] array_base engine_array(call_site here = call_site::current()) const;
  template <class T>
  [[nodiscard]] tessera::array<T> engine_array(call_site here = call_site::current()) const {
    return tessera::array<T>(engine_array(here));
  }
  [[nodiscard]] argument as_argument(call_site here) const { return {engine_array(here)}; }

  /// For operations: the current version of the elements that this handle stands for.
  [[nodiscard]] std::shared_ptr<node> expression(call_site here) const;
  [[nodiscard]] const std::shared_ptr<graph>& owner(call_site here = call_site::current()) const;
  /// True if this handle stands for all elements of its storage, in their order: an array, not a view.
  [[nodiscard]] bool is_whole() const;
  /// True if every rank has the elements in its memory, where they are then found.
  [[nodiscard]] bool is_host() const;
  [[nodiscard]] host_operand on_host() const;
  /// An array of a version that nothing else names.
  array(const std::shared_ptr<graph>& owner, std::shared_ptr<node> version);

 private:
  array(std::shared_ptr<cell> base, std::shared_ptr<const cell_part> part)
      : cell_(std::move(base)), part_(std::move(part)) {}
  static index_item to_item(const slice& s) { return s; }
  static index_item to_item(new_axis_tag tag) { return tag; }
  template <std::integral T>
  static index_item to_item(T place) {
    return static_cast<std::int64_t>(place);
  }
  [[nodiscard]] std::shared_ptr<const cell_part> part() const;
  void write(const std::shared_ptr<node>& value, call_site here) const;
  [[noreturn]] static void refuse_unassigned(call_site here);
  void read_item(std::span<std::byte> to, scalar_kind wanted, call_site here) const;
  [[nodiscard]] std::vector<std::byte> read_bytes(scalar_kind wanted, call_site here) const;

  std::shared_ptr<cell> cell_;
  std::shared_ptr<const cell_part> part_;  // null: all of it
};

/// Carries out what the arrays need; returns at once.
void eval(std::span<const array> arrays, call_site here = call_site::current());
inline void eval(std::initializer_list<array> arrays, call_site here = call_site::current()) {
  eval(std::span(arrays.begin(), arrays.size()), here);
}
/// Brings the elements of arrays to the host, with one wait for all: operations on few of them are then host work.
void fetch(std::span<const array> arrays, call_site here = call_site::current());
inline void fetch(std::initializer_list<array> arrays, call_site here = call_site::current()) {
  fetch(std::span(arrays.begin(), arrays.size()), here);
}
/// How the array would be carried out now: the launches, for each the results with the lines that recorded them and why
/// they are stored, its annotation, its kernel, and the form in which CPU devices run it. Nothing runs.
[[nodiscard]] std::string explain(const array& a, call_site here = call_site::current());

}  // namespace tessera::nd

#include "tessera/nd/operand.h"
