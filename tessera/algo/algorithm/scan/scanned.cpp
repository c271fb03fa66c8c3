#include "tessera/algo/algorithm/scan/scanned.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/algo/exec/scan_launch.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

void store_scan(const sequence& all, const scan_form_of_values& form, const operand& to) {
  if (to.size() != all.size)
    throw argument_error(cat(label_of("scan", all.site), ": an output of ", to.size(), " elements for ", all.size));
  if (!is_contiguous(to)) throw argument_error(cat(label_of("scan", all.site), ": the output is a box with gaps"));
  if (all.size == 0) return;
  const call bound = all.bound("scan");
  check_overlap(bound, to);
  const op_result& value = all.function.text->results.at(0);
  const skeleton_options options = resolved(skeleton_options(), bound, {to});
  scan({bound, form.combine, value.type, value.element, options}, to, form.start, form.last ? &*form.last : nullptr);
}

}  // namespace tessera::algo
