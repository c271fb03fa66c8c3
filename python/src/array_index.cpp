#include <string>
#include <vector>

#include "python/src/bind.h"
#include "python/src/call/exceptions.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/buffer.h"
#include "python/src/convert/device_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// An index of Python: what selects a view, and the arrays that then choose among its elements.
struct parsed_key {
  std::vector<nd::index_item> items;
  std::vector<nd::array> places;  ///< One for each axis of the view, none (null) for an axis that is taken whole.
  std::optional<nd::array> mask;  ///< Of the view's shape, instead of places.
  bool has_places = false;
};

[[noreturn]] void refuse_index(PyObject* item) {
  throw index_error(cat("an index of the type ", Py_TYPE(item)->tp_name,
                        ": integers, slices, None, ..., and arrays of integers or booleans are indices"));
}

/// An integer that no axis has.
[[noreturn]] void refuse_large(PyObject* place) {
  PyErr_Clear();
  throw index_error(cat("index ", nb::str(nb::handle(place)).c_str(), " is beyond every axis"));
}

std::int64_t bound(PyObject* given) {
  if (given == Py_None) return nd::slice::open;
  if (!PyIndex_Check(given)) throw type_error("bounds and steps of slices are integers or None");
  const Py_ssize_t value = PyNumber_AsSsize_t(given, nullptr);  // beyond 64 bits: the nearest
  if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value == nd::slice::open ? value + 1 : value;
}

nd::slice to_slice(PyObject* given) {
  const auto* const s = reinterpret_cast<PySliceObject*>(given);
  return {bound(s->start), bound(s->stop), s->step == Py_None ? 1 : bound(s->step)};
}

bool is_integer(scalar_kind kind) { return dtype::make(kind).is_integer() && kind != scalar_kind::boolean; }

/// An array that chooses elements; nothing for other objects. Lists become arrays, as in NumPy.
std::optional<nd::array> to_choice(PyObject* item) {
  if (is_array(item)) return array_in(item);
  if (has_numbers(item)) return copy_of_buffer(item, {}, {});
  if (!PyList_Check(item)) return {};
  const nb::object made = nb::module_::import_("tessera").attr("asarray")(nb::handle(item));
  const nd::array& chosen = require_array(made);
  // A list without elements is one of integers.
  return chosen.size(call_site{}) == 0
             ? in_turn([&](call_site here) { return nd::as_type(chosen, scalar_kind::int64, here); })
             : chosen;
}

/// Reads one index after the other. `rank` axes are there.
class key_parser {
 public:
  explicit key_parser(const nd::array& a) : array_(a), rank_(a.rank(call_site{})) {}

  parsed_key parse(PyObject* key) {
    if (!PyTuple_Check(key)) {
      prepare(key);
    } else {
      for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(key); ++k) prepare(PyTuple_GET_ITEM(key, k));
    }
    if (used_ > rank_)
      throw index_error(cat(used_, " indices for an array with ", rank_, rank_ == 1 ? " axis" : " axes"));
    for (const entry& each : entries_) add(each);
    finish();
    return std::move(parsed_);
  }

 private:
  struct entry {
    PyObject* item;
    std::optional<nd::array> chosen;
  };

  /// Counts the axes that are named, so that `...` knows what is left.
  void prepare(PyObject* item) {
    entry made{item, {}};
    if (item == Py_Ellipsis) {
      if (has_ellipsis_) throw index_error("an index has one '...' at most");
      has_ellipsis_ = true;
    } else if (item != Py_None && !PySlice_Check(item) &&
               (is_array(item) || PyBool_Check(item) || !PyIndex_Check(item) || has_numbers(item))) {
      if (PyBool_Check(item)) refuse_index(item);
      made.chosen = to_choice(item);
      if (!made.chosen) refuse_index(item);
      used_ += count_axes(made, item);
    } else if (item != Py_None) {
      ++used_;
    }
    entries_.push_back(std::move(made));
  }

  /// Integers without axes are plain indices.
  int count_axes(entry& made, PyObject* item) {
    const scalar_kind kind = made.chosen->type(call_site{});
    if (kind == scalar_kind::boolean) return made.chosen->rank(call_site{});
    if (!is_integer(kind))
      throw index_error(cat("an array of ", to_string(dtype::make(kind)), " is no index: integers and booleans are"));
    if (made.chosen->rank(call_site{}) == 0 && (is_array(item) || PyIndex_Check(item))) made.chosen.reset();
    return 1;
  }

  void add(const entry& each) {
    if (each.item == Py_Ellipsis) {
      for (int left = rank_ - used_; left > 0; --left) whole_axis();
    } else if (each.item == Py_None) {
      parsed_.items.emplace_back(nd::new_axis);
      parsed_.places.emplace_back();
    } else if (each.chosen) {
      choose(*each.chosen);
    } else if (PySlice_Check(each.item)) {
      parsed_.items.emplace_back(to_slice(each.item));
      parsed_.places.emplace_back();
    } else {
      const Py_ssize_t place = PyNumber_AsSsize_t(each.item, PyExc_IndexError);
      if (place == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
      parsed_.items.emplace_back(static_cast<std::int64_t>(place));
    }
  }

  void whole_axis() {
    parsed_.items.emplace_back(nd::slice{});
    parsed_.places.emplace_back();
  }

  void choose(const nd::array& chosen) {
    if (chosen.type(call_site{}) != scalar_kind::boolean) {
      parsed_.items.emplace_back(nd::slice{});
      parsed_.places.push_back(chosen);
      parsed_.has_places = true;
      return;
    }
    masks_.emplace_back(chosen, static_cast<int>(parsed_.places.size()));
    for (int k = 0; k < chosen.rank(call_site{}); ++k) whole_axis();
    if (chosen.rank(call_site{}) == 0) {  // true: all, as an axis of one element; false: none
      parsed_.items.emplace_back(nd::new_axis);
      parsed_.places.emplace_back();
    }
  }

  /// A mask of the whole view stays one; others become the places where they are true.
  void finish() {
    while (used_ < rank_ && !has_ellipsis_) whole_axis(), ++used_;
    const bool is_only = masks_.size() == 1 && !parsed_.has_places &&
                         static_cast<std::size_t>(masks_[0].first.rank(call_site{})) == parsed_.places.size();
    if (is_only && !parsed_.places.empty()) {
      parsed_.mask = masks_[0].first;
      return;
    }
    for (const auto& each : masks_) {
      const nd::array& mask = each.first;
      const int axis = each.second;
      parsed_.has_places = true;
      const auto places = in_turn([&](call_site here) {
        check_mask(mask, axis, here);
        return mask.rank(here) > 0 ? nd::nonzero(mask, here) : nd::nonzero(mask.reshape({1}, here), here);
      });
      for (std::size_t k = 0; k < places.size(); ++k) parsed_.places[static_cast<std::size_t>(axis) + k] = places[k];
    }
  }

  /// Against the axes that it stands for: those of the array behind what plain indices took.
  void check_mask(const nd::array& mask, int axis, call_site here) const {
    const nd::array view = array_.at(parsed_.items, here);
    for (int k = 0; k < mask.rank(here); ++k)
      if (mask.shape()[k] != view.shape()[axis + k])
        throw index_error(cat("a mask of the shape ", to_string(mask.shape()), " for axes of the shape ",
                              to_string(view.shape()), ": they have the same elements"));
  }

  const nd::array& array_;
  int rank_, used_ = 0;
  bool has_ellipsis_ = false;
  std::vector<entry> entries_;
  std::vector<std::pair<nd::array, int>> masks_;
  parsed_key parsed_;
};

/// The common cases, without lists: an integer or a slice. Nothing for others.
std::optional<nd::index_item> plain_item(PyObject* key) {
  if (PyLong_CheckExact(key)) {
    const Py_ssize_t place = PyLong_AsSsize_t(key);
    if (place == -1 && PyErr_Occurred() != nullptr) refuse_large(key);
    return static_cast<std::int64_t>(place);
  }
  if (PySlice_Check(key)) return to_slice(key);
  return {};
}

nd::array viewed(const nd::array& a, std::span<const nd::index_item> items) {
  return in_brief_turn([] { return true; }, [&](call_site here) { return a.at(items, here); });
}

nd::array chosen_elements(const nd::array& a, const parsed_key& key) {
  return in_turn([&](call_site here) {
    const nd::array view = a.at(key.items, here);
    if (key.mask) return nd::compress(*key.mask, view, here);
    return nd::at_places(view, key.places, here);
  });
}

void write(const nd::array& to, const taken_operand& value) {
  in_brief_turn([&] { return to.is_host() && value.is_brief(); },
                [&](call_site here) {
                  if (value.is_number())
                    to.assign(value.value(), here);
                  else
                    to.assign(value.elements(), here);
                });
}

void write_chosen(const nd::array& a, const parsed_key& key, const taken_operand& value) {
  in_turn([&](call_site here) {
    const nd::array view = a.at(key.items, here);
    if (key.mask && value.is_number()) return nd::put_mask(view, *key.mask, value.value(), here);
    if (key.mask) return nd::put_in_order(view, *key.mask, value.elements(), here);
    const nd::array elements = value.is_number()
                                   ? nd::full({}, value.value(), view.type(here), {.ctx = context_of(view)}, here)
                                   : value.elements();
    nd::put_at_places(view, key.places, elements, here);
  });
}

}  // namespace

PyObject* get_item(PyObject* self, PyObject* key) noexcept {
  return guarded([&] {
    const nd::array& a = array_in(self);
    if (const auto item = plain_item(key)) return wrap(viewed(a, {&*item, 1}));
    const parsed_key parsed = key_parser(a).parse(key);
    return wrap(parsed.mask || parsed.has_places ? chosen_elements(a, parsed) : viewed(a, parsed.items));
  });
}

int set_item(PyObject* self, PyObject* key, PyObject* value) noexcept {
  const PyObject* const done = guarded([&]() -> PyObject* {
    if (value == nullptr) throw type_error("elements of an array cannot be deleted");
    const nd::array& a = array_in(self);
    taken_operand from;
    taken_operand beside;
    static_cast<void>(beside.take(self));
    nb::object listed;
    if (!from.take(value, &beside)) {
      if (!PyList_Check(value) && !PyTuple_Check(value)) from.require(value, "writing");
      listed = nb::module_::import_("tessera").attr("asarray")(nb::handle(value));
      from.require(listed.ptr(), "writing");
    }
    if (const auto item = plain_item(key)) {
      if (from.is_number())
        in_brief_turn([&] { return a.is_host(); },
                      [&](call_site here) {
                        a.assign_at({&*item, 1}, from.value(), here);
                      });
      else
        write(viewed(a, {&*item, 1}), from);
      return self;
    }
    const parsed_key parsed = key_parser(a).parse(key);
    if (parsed.mask || parsed.has_places)
      write_chosen(a, parsed, from);
    else
      write(viewed(a, parsed.items), from);
    return self;
  });
  return done != nullptr ? 0 : -1;
}

}  // namespace tessera::python
