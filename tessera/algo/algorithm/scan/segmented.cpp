#include "tessera/algo/algorithm/scan/segmented.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

void store_segmented_reduce(const sequence& all, const segment_list& segments, const scan_form_of_values& form,
                            const operand& to) {
  const char* const name = "segmented_reduce";
  require_segments(name, segments, all.size, all.site);
  if (to.size() != segments.size() || to.shape().rank() != 1)
    throw argument_error(cat(label_of(name, all.site), ": an output of the shape ", to_string(to.shape()), " for ",
                             segments.size(), " segments"));
  if (to.size() == 0) return;
  const call bound = all.bound(name);
  for (const call_argument& a : all.given)
    if (a.as == call_argument::kind::elements && a.elements.elements == to.elements &&
        !intersect(a.elements.part, to.part).empty())
      throw argument_error(
          cat(label_of(name, all.site), ": the output is also an input; write into another container"));
  const op_result& value = all.function.text->results.at(0);
  const skeleton_options options = resolved(skeleton_options(), bound, {to});
  reduce_each_segment({bound, form.combine, value.type, value.element, options}, segments, *form.start,
                      form.last ? &*form.last : nullptr, to);
}

void require_scan(const sequence& all, const segment_list& segments, const operand& to) {
  require_segments("segmented scan", segments, all.size, all.site);
  if (to.size() != all.size || to.shape().rank() != 1)
    throw argument_error(cat(label_of("segmented scan", all.site), ": an output of the shape ", to_string(to.shape()),
                             " for ", all.size, " elements"));
}

operand part_of_segments(const operand& to, const segment_list& segments) {
  const std::int64_t first = to.part.lo[0];
  return {to.elements, box({first + segments.offsets.front()}, {first + segments.offsets.back()})};
}

}  // namespace tessera::algo
