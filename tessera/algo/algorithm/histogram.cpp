#include "tessera/algo/algorithm/histogram.h"

#include "tessera/algo/exec/bins/bin_counts.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

void require_bins(std::int64_t bins, bool ascends, call_site here) {
  if (bins < 1) throw argument_error(cat(label_of("histogram", here), ": ", bins, " bins"));
  if (!ascends) throw argument_error(cat(label_of("histogram", here), ": the bins end before they begin"));
}

vector<std::int64_t> counts_of(const sequence& numbers, std::int64_t bins, const context& ctx, call_site here) {
  vector<std::int64_t> counts(bins, 0, ctx);
  sequence counted = numbers;
  counted.site = here;
  count_bins(counted, operand_of(counts));
  return counts;
}

}  // namespace tessera::algo
