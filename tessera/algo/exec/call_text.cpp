#include "tessera/algo/exec/call_text.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/moved_text.h"
#include "tessera/algo/exec/stencil/region_text.h"
#include "tessera/algo/exec/stencil/tile.h"
#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

using kind = bound_argument::kind;

/// The elements of a view of rows or columns, and of pairs, that the kernel's index stands for.
std::string row_index(int axes) { return axes == 0 ? "i" : "i0"; }
std::string column_index(int axes) { return axes == 0 ? "i" : axes == 1 ? "i0" : "i1"; }

}  // namespace

std::int64_t stride(const extents& whole, int axis) {
  std::int64_t product = 1;
  for (int k = axis + 1; k < whole.rank(); ++k) product *= whole[k];
  return product;
}

std::string array_text::parameters() const {
  std::string text = cat(", ", is_const ? "const " : "", type, "* ", prefix);
  for (int k = 0; k + 1 < axes; ++k) text += cat(", long long ", prefix, "s", k);
  return text;
}

std::string array_text::element() const {
  if (axes == 0) return prefix + "[i]";
  std::string text = prefix + "[";
  for (int k = 0; k + 1 < axes; ++k) text += cat("i", k, " * ", prefix, "s", k, " + ");
  return text + cat("i", axes - 1, "]");
}

std::string array_text::flat() const { return cat(prefix, rank == 1 ? "" : " as [:]"); }

std::string array_text::range() const {
  if (axes == 0) return cat(flat(), "[", rows.empty() ? "lo:hi" : rows, "]");
  if (axes == 1) return cat(prefix, "[lo:hi]");
  if (tiled) {
    std::string list;
    for (int k = 0; k < axes; ++k) {
      const auto [first, last] = tile_range(k, axes);
      list += cat(k == 0 ? "" : ", ", first, " : ", last);
    }
    return cat(prefix, "[", list, "]");
  }
  if (axes == 2) return cat(prefix, "[y, lo:hi]");
  if (axes == 3) return cat(prefix, "[z, y, lo:hi]");
  return cat(prefix, "[z / n1, z % n1, y, lo:hi]");
}

void add_array(int axes, const operand& part, access mode, call_site here, std::vector<argument>& arguments) {
  arguments.push_back({part.elements->for_launch(mode, part.part, here)});
  for (int k = 0; k + 1 < axes; ++k)
    arguments.push_back(number_argument(stride(planted("stride_of_part") ? part.shape() : part.elements->shape(), k)));
}

call_text::call_text(const call& bound, int axes, std::string prefix, std::string rows)
    : bound_(bound), axes_(axes), prefix_(std::move(prefix)), rows_(std::move(rows)) {}

// Made for every call: appended, not formatted.
std::string call_text::key() const {
  const auto digit = [](int n) { return static_cast<char>('0' + n); };
  std::string text(1, digit(axes_));
  for (const bound_argument& a : bound_.arguments) {
    text += digit(static_cast<int>(a.as));
    if (a.given == nullptr) continue;
    if (a.given->as == call_argument::kind::elements) text += digit(a.given->elements.shape().rank());
    text += a.given->type;
    text += is_moved_counting(a) ? digit(static_cast<int>(a.given->at)) : ';';
    if (a.given->is_previous) text += '-';
  }
  return bound_.regions == nullptr ? text : cat(text, region_key(*bound_.regions));
}

const std::string& call_text::prelude() const {
  return kernel_prelude(bound_.regions != nullptr && bound_.regions->at_edge);
}

array_text call_text::array_of(std::size_t k) const {
  const call_argument& given = *bound_.arguments[k].given;
  return {name(k), given.type, given.elements.shape().rank(), axes_, true, has_tiles(bound_, axes_), rows_};
}

std::string call_text::parameter(std::size_t k) const {
  const bound_argument& a = bound_.arguments[k];
  switch (a.as) {
    case kind::element:
      return array_of(k).parameters();
    case kind::index:
      return "";
    case kind::counting:
      return cat(", ", a.given->type, " ", name(k), is_moved_counting(a) ? cat(", long long ", name(k), "at") : "");
    case kind::uniform:
      return cat(", ", a.parameter->type, " ", name(k));
    case kind::region:
      return region_text{*bound_.regions, name(k), a.given->type}.parameters();
    case kind::row_element:
    case kind::column_element:
      return cat(", const ", a.given->type, "* ", name(k));
    case kind::shifted:
    case kind::backward:
    case kind::backward_at_edge:
      return moved_text{a, name(k)}.parameters();
    case kind::container:
    case kind::row:
    case kind::column:
      break;
  }
  std::string text = cat(", const ", a.given->type, "* ", name(k));
  for (int axis = 0; axis < a.parameter->axes; ++axis)
    text += cat(", long long ", name(k), "n", axis, ", long long ", name(k), "s", axis);
  return text;
}

std::string call_text::rule(std::size_t k) const {
  switch (bound_.arguments[k].as) {
    case kind::element:
      return cat(", read ", array_of(k).range());
    case kind::container:
      return cat(", read ", name(k));
    case kind::row:
      if (has_tiles(bound_, axes_)) {
        const auto [first, last] = tile_range(axes_ - 2, axes_);
        return cat(", read ", name(k), "[", first, " : ", last, ", :]");
      }
      return cat(", read ", name(k), axes_ >= 2 ? "[y, :]" : "[lo:hi, :]");
    case kind::column:
      return cat(", read ", name(k), "[:, lo:hi]");
    case kind::region:
      return region_text{*bound_.regions, name(k), bound_.arguments[k].given->type}.rules();
    case kind::row_element:
      return cat(", read ", name(k), axes_ == 0 ? "[b]" : "[y]");
    case kind::column_element:
      return cat(", read ", name(k), axes_ == 0 ? "" : "[lo:hi]");
    case kind::shifted:
    case kind::backward:
    case kind::backward_at_edge:
      return moved_text{bound_.arguments[k], name(k)}.rule(array_of(k).flat());
    default:
      return "";
  }
}

std::string call_text::condition_that_all_exist(const std::string& lo, const std::string& hi) const {
  std::string text;
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k) {
    if (bound_.arguments[k].given == nullptr) continue;
    const std::string own = moved_text{bound_.arguments[k], name(k)}.condition(lo, hi);
    text += cat(text.empty() || own.empty() ? "" : " && ", own);
  }
  return text;
}

std::string call_text::index_value(int wanted) const {
  std::string list;
  if (axes_ == 0) return cat("tessera::index", wanted, "{i}");
  if (wanted == 1) {
    list = index_on(0);
    for (int k = 1; k < axes_; ++k)
      list = cat("(", list, ") * ", bound_.regions == nullptr ? "n" : "w", k, " + ", index_on(k));
    return cat("tessera::index1{", list, "}");
  }
  for (int k = 0; k < axes_; ++k) list += cat(k == 0 ? "" : ", ", index_on(k));
  return cat("tessera::index", wanted, "{", list, "}");
}

std::string call_text::index_on(int axis) const {
  if (axes_ == 0) return "i";
  return bound_.regions == nullptr ? cat("i", axis) : cat("i", axis, " + o", axis);
}

std::string call_text::value(std::size_t k, bool all_exist) const {
  const bound_argument& a = bound_.arguments[k];
  const std::string own = name(k);
  switch (a.as) {
    case kind::element:
      return array_of(k).element();
    case kind::index:
      return index_value(a.parameter->axes);
    case kind::counting:
    case kind::shifted:
    case kind::backward:
    case kind::backward_at_edge:
      return moved_text{a, own}.value(index_on(0), all_exist);
    case kind::uniform:
      return own;
    case kind::row:
      return cat("tessera::row<", a.given->type, ">{", own, " + ", row_index(axes_), " * ", own, "s0, ", own, "n1}");
    case kind::column:
      return cat("tessera::col<", a.given->type, ">{", own, " + ", column_index(axes_), ", ", own, "n0, ", own, "s0}");
    case kind::region:
      return region_text{*bound_.regions, own, a.given->type}.value();
    case kind::row_element:
      return cat(own, axes_ == 0 ? "[segment]" : "[i0]");
    case kind::column_element:
      return cat(own, axes_ == 0 ? "[i - first]" : "[i1]");
    case kind::container:
      break;
  }
  const std::string element = a.given->type;
  if (a.parameter->axes == 1) return cat("tessera::vec<", element, ">{", own, ", ", own, "n0}");
  if (a.parameter->axes == 2)
    return cat("tessera::mat<", element, ">{", own, ", ", own, "n0, ", own, "n1, ", own, "s0}");
  std::string sizes, strides;
  for (int axis = 0; axis < a.parameter->axes; ++axis) {
    sizes += cat(axis == 0 ? "" : ", ", own, "n", axis);
    strides += cat(axis == 0 ? "" : ", ", own, "s", axis);
  }
  return cat("tessera::ten<", element, ", ", a.parameter->axes, ">{", own, ", {", sizes, "}, {", strides, "}}");
}

argument number_argument(std::int64_t n) { return {argument::scalar{dtype_of<std::int64_t>(), bytes_of(n)}}; }

std::string operator_text::parameter() const {
  return function != nullptr && function->text->has_state ? cat(", ", function->text->type, " ", name) : "";
}

std::string operator_text::combine(const std::string& a, const std::string& b) const {
  return cat(function->text->has_state ? name : function->text->type + "{}", "(", a, ", ", b, ")");
}

std::string operator_text::apply(const std::string& a) const {
  if (function == nullptr) return a;
  return cat(function->text->has_state ? name : function->text->type + "{}", "(", a, ")");
}

void operator_text::add_argument(std::vector<argument>& arguments) const {
  if (function == nullptr || !function->text->has_state) return;
  arguments.push_back(
      {argument::scalar{dtype::structure(function->state.size(), function->state_alignment), function->state}});
}

std::string call_text::parameters() const {
  std::string text = operator_text{bound_.function, prefix_ + "f"}.parameter();
  if (bound_.regions != nullptr) text += frame_parameters(*bound_.regions);
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k) text += parameter(k);
  return text;
}

std::string call_text::rules() const {
  std::string text;
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k) text += rule(k);
  return text;
}

std::string call_text::expression(bool all_exist) const {
  std::string list;
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k) list += cat(k == 0 ? "" : ", ", value(k, all_exist));
  const std::string functor = bound_.text().has_state ? prefix_ + "f" : bound_.text().type + "{}";
  return cat(functor, "(", list, ")");
}

void call_text::add_arguments(std::vector<argument>& arguments) const {
  operator_text{bound_.function, prefix_ + "f"}.add_argument(arguments);
  if (bound_.regions != nullptr) add_frame_arguments(*bound_.regions, arguments);
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k) {
    const bound_argument& a = bound_.arguments[k];
    if (a.as == kind::index) continue;
    if (a.as == kind::counting || a.as == kind::uniform) {
      arguments.push_back(a.given->number);
      if (is_moved_counting(a)) arguments.push_back(number_argument(a.given->offset));
      continue;
    }
    const operand& part = a.given->elements;
    if (a.as == kind::element) {
      add_array(axes_, part, access::read, bound_.site, arguments);
      continue;
    }
    arguments.push_back({part.elements->for_launch(access::read, part.part, bound_.site)});
    if (a.as == kind::row_element || a.as == kind::column_element) continue;
    if (is_elsewhere(a)) {
      arguments.push_back(number_argument(a.given->offset));
      if (a.as != kind::backward) arguments.push_back(number_argument(part.size()));
      continue;
    }
    if (a.as == kind::region) {
      add_region_arguments(*bound_.regions, a, arguments);
      continue;
    }
    for (int axis = 0; axis < a.parameter->axes; ++axis) {
      arguments.push_back(number_argument(part.shape()[axis]));
      arguments.push_back(number_argument(stride(part.elements->shape(), axis)));
    }
  }
}

}  // namespace tessera::algo
