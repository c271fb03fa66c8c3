#include "tessera/algo/thrust/algorithm/for_each.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace thrust::detail {

void store_changed(const algo::op& function, const std::vector<std::size_t>& changed, const changed_elements& elements,
                   call_site here) {
  std::vector<algo::operand> to;
  for (const std::size_t k : changed) {
    if (!elements.outputs[k].elements)
      throw tessera::argument_error(tessera::cat(algo::label_of("for_each", here),
                                                 ": the function changes an element that no container has (", k + 1,
                                                 " of ", elements.outputs.size(), ")"));
    to.push_back(elements.outputs[k]);
  }
  const algo::sequence results = algo::applied(function, elements.inputs, here);
  if (results.size == 0) return;
  const algo::call bound = results.bound("for_each");
  algo::map_launch(bound, to, {}).launch();
}

}  // namespace thrust::detail
