#include "tessera/algo/exec/call.h"

#include "tessera/algo/container/storage.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

std::size_t takes(const op_text& text) {
  std::size_t count = 0;
  for (const op_parameter& p : text.parameters) count += p.kind != parameter_kind::index ? 1 : 0;
  return count;
}

/// The planted defect: two uniform values, one behind the other, are taken for each other.
std::size_t of_next_uniform(const std::vector<call_argument>& given, std::size_t place) {
  const auto uniform = [&](std::size_t k) { return k < given.size() && given[k].as == call_argument::kind::uniform; };
  if (!uniform(place)) return place;
  return uniform(place + 1) ? place + 1 : place > 0 && uniform(place - 1) ? place - 1 : place;
}

/// Binds one argument after the other.
class binder {
 public:
  binder(const char* skeleton, const op& function, call_site here)
      : skeleton_(skeleton), text_(*function.text), here_(here) {}

  [[nodiscard]] bound_argument bind(const op_parameter& p, const call_argument& given, std::size_t place) const {
    if (p.kind != parameter_kind::plain) return bind_whole(p, given, place);
    if (given.as == call_argument::kind::value && text_.type.empty())
      throw argument_error(cat(label(place),
                               " runs on the host and gets numbers when it is called: pass get() of the "
                               "value, or give the function as text"));
    if (given.as == call_argument::kind::uniform || given.as == call_argument::kind::value) {
      if (p.element.kind == scalar_kind::structure || given.element.kind == scalar_kind::structure)
        require_type(p, given, place);
      return {bound_argument::kind::uniform, &p, &given};
    }
    if (p.element.kind == scalar_kind::structure || given.element.kind == scalar_kind::structure)
      require_type(p, given, place);
    return {element_kind(given), &p, &given};
  }

 private:
  static bound_argument::kind element_kind(const call_argument& given) {
    if (given.as == call_argument::kind::counting) return bound_argument::kind::counting;
    if (given.at == call_argument::place::shifted) return bound_argument::kind::shifted;
    if (given.at == call_argument::place::backward) {
      const bool exist = given.offset < given.elements.size() && given.offset - (given.count - 1) >= 0;
      return exist ? bound_argument::kind::backward : bound_argument::kind::backward_at_edge;
    }
    return bound_argument::kind::element;
  }

  [[nodiscard]] bound_argument bind_whole(const op_parameter& p, const call_argument& given, std::size_t place) const {
    if (given.as != call_argument::kind::elements)
      throw argument_error(cat(label(place), " takes a whole container, not a number"));
    require_type(p, given, place);
    // Stencils compare the axes: a region of one axis may lie along the rows of a matrix.
    if (p.kind == parameter_kind::region) return {bound_argument::kind::region, &p, &given};
    if (given.elements.shape().rank() != p.axes)
      throw argument_error(cat(label(place), " takes a container of ", p.axes, " axes, not one of the shape ",
                               to_string(given.elements.shape())));
    const auto kind = p.kind == parameter_kind::row      ? bound_argument::kind::row
                      : p.kind == parameter_kind::column ? bound_argument::kind::column
                                                         : bound_argument::kind::container;
    return {kind, &p, &given};
  }

  void require_type(const op_parameter& p, const call_argument& given, std::size_t place) const {
    if (p.type != given.type)
      throw argument_error(
          cat(label(place), " is of type ", p.type, ", but elements of type ", given.type, " are given"));
  }

  [[nodiscard]] std::string label(std::size_t place) const {
    return cat(label_of(skeleton_, here_), ": argument ", place + 1, " of '", text_.name, "'");
  }

  const char* skeleton_;
  const op_text& text_;
  call_site here_;
};

}  // namespace

std::string label_of(const char* skeleton, call_site here) { return cat(here.file, ":", here.line, ": ", skeleton); }

call bind_call(const char* skeleton, const op& function, const std::vector<call_argument>& given, call_site here,
               bool has_regions) {
  call bound{&function, {}, here, skeleton};
  const op_text& text = *function.text;
  if (takes(text) != given.size())
    throw argument_error(cat(label_of(skeleton, here), ": '", text.name, "' takes ", takes(text), " arguments, but ",
                             given.size(), " are given"));
  const binder each(skeleton, function, here);
  std::size_t place = 0;
  for (const op_parameter& p : text.parameters) {
    if (p.kind == parameter_kind::region && !has_regions)
      throw argument_error(
          cat(label_of(skeleton, here), ": '", text.name, "' looks at neighbours of an element: use map_overlap"));
    if (p.kind == parameter_kind::index) {
      bound.arguments.push_back({bound_argument::kind::index, &p, nullptr});
    } else {
      const std::size_t from = planted("uniforms_permuted") ? of_next_uniform(given, place) : place;
      bound.arguments.push_back(each.bind(p, given[from], place));
      ++place;
    }
  }
  return bound;
}

void require_usable(const call& bound, const std::vector<operand>& outputs) {
  const auto require = [&](const operand& used, access mode) {
    if (used.elements->ctx().engine() != outputs[0].elements->ctx().engine())
      throw argument_error(cat(label_of(bound.skeleton, bound.site), ": a container belongs to another context"));
    used.elements->require_free(mode, used.part, bound.site);
  };
  for (const operand& output : outputs) require(output, access::write);
  for (const bound_argument& a : bound.arguments)
    if (a.given != nullptr && a.given->as == call_argument::kind::elements) require(a.given->elements, access::read);
}

bool is_elsewhere(const bound_argument& a) {
  return a.as == bound_argument::kind::shifted || a.as == bound_argument::kind::backward ||
         a.as == bound_argument::kind::backward_at_edge;
}

extents common_shape(const char* skeleton, const call& bound) {
  extents shape;
  bool first = true;
  for (const bound_argument& a : bound.arguments) {
    const bool counted = a.as == bound_argument::kind::counting || is_elsewhere(a);
    if (!counted && a.as != bound_argument::kind::element) continue;
    const extents own = counted ? extents{a.given->count} : a.given->elements.shape();
    if (first) {
      shape = own;
      first = false;
    } else if (!correspond(own, shape)) {
      throw argument_error(cat(label_of(skeleton, bound.site), ": elements of the shapes ", to_string(shape), " and ",
                               to_string(own), " do not belong together"));
    }
  }
  return shape;
}

std::int64_t element_count(const char* skeleton, const call& bound) {
  std::int64_t pairs = 1;
  bool is_pairs = false;
  for (const bound_argument& a : bound.arguments) {
    if (a.as != bound_argument::kind::row_element && a.as != bound_argument::kind::column_element) continue;
    pairs = checked_multiply(pairs, a.given->elements.size(), "number of pairs");
    is_pairs = true;
  }
  return is_pairs ? pairs : box::whole(common_shape(skeleton, bound)).volume();
}

bool correspond(const extents& a, const extents& b) {
  int i = 0, j = 0;
  const auto skip = [](const extents& shape, int k) {
    while (k < shape.rank() && shape[k] == 1) ++k;
    return k;
  };
  for (;; ++i, ++j) {
    i = skip(a, i);
    j = skip(b, j);
    if (i == a.rank() || j == b.rank()) return i == a.rank() && j == b.rank();
    if (a[i] != b[j]) return false;
  }
}

bool is_contiguous(const operand& part) {
  const extents& whole = part.elements->shape();
  const extents own = part.shape();
  // Axes behind the first one that has more than one element must be whole.
  int axis = 0;
  while (axis < own.rank() && own[axis] == 1) ++axis;
  for (++axis; axis < own.rank(); ++axis)
    if (own[axis] != whole[axis]) return false;
  return true;
}

}  // namespace tessera::algo
