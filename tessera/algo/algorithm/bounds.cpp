#include "tessera/algo/algorithm/bounds.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/routes/routes.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

sequence whole_range(const operand& all, const op_result& element, std::int64_t count, call_site here) {
  return whole_container({call_argument::kind::elements, element.type, element.element, all, 0, {}}, count, here);
}

void search_by_routes(const operand& sorted, const op_result& element, const sequence& queries,
                      const search_operators& search, const op& last, const operand& out) {
  const context& ctx = out.elements->ctx();
  const call_site here = queries.site;
  const owner_list owners = owners_of(sorted, ctx);
  std::vector<std::int64_t> begins;
  for (const device_part& p : owners.parts) begins.push_back(planted("fence_of_part_end") ? p.hi - 1 : p.lo);
  const operand fences = picked(sorted, element.type, begins, here);
  const sequence asked = at_own_places(queries);
  const sequence owner = applied(search.owner, {whole_range(fences, element, queries.size, here), asked}, here);
  const std::int64_t answer = search.place.text->results.at(0).element.size;
  const routes made(ctx, {owner, {asked}, parts_of(out), answer}, owners, here);
  made.bring_back(made.answered(search.place, sorted, here), out, last, true, here);
}

}  // namespace

void refuse_unsorted(std::int64_t place, call_site here) {
  throw argument_error(
      cat(label_of("search", here), ": the range is not sorted: element ", place, " comes before element ", place - 1));
}

void require_answers(const sequence& queries, const operand& out) {
  if (out.size() != queries.size)
    throw argument_error(cat(label_of("search", queries.site), ": an output of ", out.size(), " elements for ",
                             queries.size, " queries"));
  if (!is_contiguous(out))
    throw argument_error(cat(label_of("search", queries.site), ": the output is a box with gaps"));
}

void store_search(const sequence& sorted, const sequence& queries, const search_operators& search, const op& last,
                  const operand& out) {
  const call_site here = queries.site;
  if (queries.size == 0) return;
  const op_result& element = sorted.function.text->results.at(0);
  const operand all = stored_elements(sorted).given[0].elements;
  const sequence found =
      applied(last, {applied(search.place, {whole_range(all, element, queries.size, here), queries}, here)}, here);
  check_overlap(found.bound("search"), out);
  const std::int64_t query = queries.function.text->results.at(0).element.size;
  const std::int64_t answer = search.place.text->results.at(0).element.size;
  const bool is_plain =
      all.size() == 0 ||
      reads_all({parts_of(out), parts_of(all), element.element.size, query + answer}, out.elements->ctx());
  if (is_plain)
    store(found, out);
  else
    search_by_routes(all, element, queries, search, last, out);
}

}  // namespace tessera::algo
