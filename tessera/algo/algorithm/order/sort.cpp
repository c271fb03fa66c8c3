#include "tessera/algo/algorithm/order/sort.h"

#include "tessera/algo/algorithm/order/merge.h"
#include "tessera/algo/container/storage.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

bool share_elements(const operand& a, const operand& b) {
  return a.elements == b.elements && !intersect(a.part, b.part).empty();
}

}  // namespace

operand sorted_operand(const operand& elements, call_site here) {
  if (elements.part.rank() != 1)
    throw argument_error(cat(label_of("sort", here), ": elements of a container of shape ",
                             to_string(elements.elements->shape()), " have no order: give a vector or a part of one"));
  return elements;
}

void require_values(const operand& keys, const operand& values, call_site here) {
  if (keys.size() != values.size())
    throw argument_error(
        cat(label_of("sort", here), ": ", keys.size(), " keys and ", values.size(), " values do not belong together"));
  if (share_elements(keys, values))
    throw argument_error(cat(label_of("sort", here), ": keys and values are the same elements"));
  if (keys.elements->ctx().engine() != values.elements->ctx().engine())
    throw argument_error(cat(label_of("sort", here), ": keys and values belong to different contexts"));
}

void require_merged(const operand& left, const operand& right, const operand& out, call_site here) {
  if (left.size() + right.size() != out.size())
    throw argument_error(cat(label_of("merge", here), ": an output of ", out.size(), " elements for ", left.size(),
                             " and ", right.size()));
  if (share_elements(left, out) || share_elements(right, out))
    throw argument_error(
        cat(label_of("merge", here), ": the output shares elements with an input; write into another container"));
  for (const operand* input : {&left, &right})
    if (input->elements->ctx().engine() != out.elements->ctx().engine())
      throw argument_error(cat(label_of("merge", here), ": a container belongs to another context"));
}

void require_order(const operand& sorted, const std::string& type, const op& before, call_site here) {
  if (sorted.size() == 0 || sorted.elements->ctx().engine()->checks() == check_list{} || before.runs_on_host()) return;
  const sequence all = sequence_of_elements(sorted, type, here);
  const std::int64_t self = first_place_where(applied(before, {all, all}, here), true, here);
  if (self < sorted.size())
    throw argument_error(cat(label_of("sort", here), ": '", before.text->name,
                             "' is no strict order: it says that an element comes before itself, the one that stands "
                             "at place ",
                             self, " in the end"));
  for (const std::int64_t apart : {1, 2}) {  // orders that go round have no false neighbours
    if (sorted.size() <= apart) return;
    const sequence front = part_of(all, 0, sorted.size() - apart), next = part_of(all, apart, sorted.size());
    const std::int64_t place = first_place_where(applied(before, {next, front}, here), true, here);
    if (place < front.size)
      throw argument_error(
          cat(label_of("sort", here), ": '", before.text->name,
              "' is no strict weak order: by it the elements cannot be put in order, the one at place ", place,
              " is followed by one that comes before it, at place ", place + apart));
  }
}

}  // namespace tessera::algo
