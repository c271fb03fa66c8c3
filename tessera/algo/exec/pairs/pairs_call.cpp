#include "tessera/algo/exec/pairs/pairs_call.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

using kind = bound_argument::kind;

call bind_pairs(const char* skeleton, const op& function, const std::vector<call_argument>& given, call_site here) {
  call bound = bind_call(skeleton, function, given, here);
  int count = 0;
  for (bound_argument& a : bound.arguments) {
    if (a.as == kind::index && a.parameter->axes != 2)
      throw argument_error(cat(label_of(skeleton, here), ": '", bound.text().name, "' takes an index of ",
                               a.parameter->axes, " axes, but pairs have 2"));
    if (a.as == kind::row || a.as == kind::column || a.as == kind::counting ||
        (a.as == kind::element && (a.given->elements.shape().rank() != 1 || count == 2)))
      throw argument_error(cat(label_of(skeleton, here), " takes two vectors, and for each pair of elements calls '",
                               bound.text().name, "', which may also have uniform values and whole containers"));
    if (a.as == kind::element) a.as = count++ == 0 ? kind::row_element : kind::column_element;
  }
  if (count != 2)
    throw argument_error(cat(label_of(skeleton, here), " takes the elements of two vectors, but ", count,
                             " of the arguments of '", bound.text().name, "' are such"));
  return bound;
}

extents pairs_shape(const call& bound) {
  extents shape{0, 0};
  for (const bound_argument& a : bound.arguments) {
    if (a.as == kind::row_element) shape[0] = a.given->elements.size();
    if (a.as == kind::column_element) shape[1] = a.given->elements.size();
  }
  return shape;
}

void check_pairs_output(const call& bound, const operand& output, const extents& shape) {
  if (output.shape() != shape)
    throw argument_error(cat(label_of(bound.skeleton, bound.site), ": an output of the shape ",
                             to_string(output.shape()), ", but the result has the shape ", to_string(shape)));
}

}  // namespace tessera::algo
