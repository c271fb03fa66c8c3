#include "tessera/nd/emit/node_name.h"

#include "tessera/base/text.h"

namespace tessera::nd {
namespace {

const char* name_of(combiner by) {
  switch (by) {
    case combiner::sum:
      return "sum";
    case combiner::product:
      return "prod";
    case combiner::minimum:
      return "min";
    case combiner::maximum:
      return "max";
    case combiner::any:
      return "any";
    case combiner::all:
      return "all";
    case combiner::argmin:
      return "argmin";
    case combiner::argmax:
      return "argmax";
    case combiner::mean:
      return "mean";
    case combiner::variance:
      break;
  }
  return "var";
}

}  // namespace

std::string name_of(const node& n) {
  switch (n.kind) {
    case node_kind::map:
      return std::string(kernels::facts_of(n.operation).name);
    case node_kind::reduce:
      return name_of(std::get<reduction_spec>(n.detail).by);
    case node_kind::scan: {
      const auto& spec = std::get<scan_spec>(n.detail);
      return cat("running ", name_of(spec.by), " along axis ", spec.axis);
    }
    case node_kind::gather:
      return cat("elements at places of axis ", std::get<std::shared_ptr<const gather_spec>>(n.detail)->axis);
    case node_kind::update:
      return cat("a written part of the shape ", to_string(std::get<update_part>(n.detail).elements.shape));
    case node_kind::fill:
      return "a constant";
    case node_kind::place:
      return "indices";
    case node_kind::view:
    case node_kind::flat:
      return "a copy of selected elements";
    case node_kind::stored:
      break;
  }
  return "elements";
}

}  // namespace tessera::nd
