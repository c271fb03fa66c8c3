#include "tessera/algo/algorithm/order/selection.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

void require_count(const char* algorithm, std::int64_t count, call_site here) {
  if (count < 0) throw argument_error(cat(label_of(algorithm, here), ": ", count, " elements are asked for"));
}

vector<std::int64_t> segment_numbers(const segment_list& segments, std::int64_t n, const context& ctx, call_site here) {
  require_segments("segmented_sort", segments, n, here);
  if (segments.offsets.front() != 0 || segments.offsets.back() != n)
    throw argument_error(cat(label_of("segmented_sort", here), ": segments from ", segments.offsets.front(), " to ",
                             segments.offsets.back(), " do not cover ", n, " elements"));
  vector<std::int64_t> numbers(n, 0, ctx);
  const auto all = numbers.host(write, here);
  for (std::int64_t s = 0; s < segments.size(); ++s)
    for (std::int64_t k = segments.offsets[static_cast<std::size_t>(s)];
         k < segments.offsets[static_cast<std::size_t>(s) + 1]; ++k)
      all[k] = s;
  return numbers;
}

}  // namespace tessera::algo
