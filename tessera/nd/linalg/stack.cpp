#include "tessera/nd/linalg/stack.h"

#include <utility>

#include "tessera/base/index.h"
#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/opaque.h"
#include "tessera/nd/refuse.h"
#include "tessera/numeric/launch.h"

namespace tessera::nd::linalg {
namespace {

std::vector<array> factorise_here(const opaque_operation& work, const numeric::factorisation& form, std::int64_t count,
                                  std::size_t operands, std::span<const std::pair<extents, scalar_kind>> wanted,
                                  const char* fault, call_site here) {
  const std::vector<std::int64_t> from_sizes = form.operand_sizes(), to_sizes = form.result_sizes();
  std::vector<std::vector<std::byte>> from;
  for (std::size_t k = 0; k < operands; ++k) from.push_back(work.elements(k));
  std::vector<std::shared_ptr<host_value>> to;
  for (const auto& [shape, type] : wanted)
    to.push_back(std::make_shared<host_value>(index(element_count(shape)) * size_of(type)));
  std::vector<std::byte> workspace(index(form.workspace_bytes()));
  std::vector<std::int32_t> info;
  for (std::int64_t t = 0; t < count; ++t) {
    std::vector<const std::byte*> sources;
    std::vector<std::byte*> targets;
    for (std::size_t k = 0; k < operands; ++k)
      sources.push_back(from[k].data() + t * from_sizes[k] * size_of(form.type));
    for (std::size_t k = 0; k < wanted.size(); ++k)
      targets.push_back(to[k]->data() + t * to_sizes[k] * size_of(wanted[k].second));
    info.push_back(numeric::factorise(form, sources, targets, workspace.data(), 1));
  }
  refuse_matrices(info, fault, here);
  std::vector<array> made;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    made.push_back(work.result(wanted[k].first, wanted[k].second, std::move(to[k])));
  return made;
}

}  // namespace

scalar_kind field_of(scalar_kind type) {
  using namespace kernels::type_sets;
  if (kernels::contains(bits, type)) return scalar_kind::float64;
  return type == scalar_kind::float16 || type == scalar_kind::bfloat16 ? scalar_kind::float32 : type;
}

extents without_last(const extents& shape, int count) {
  extents kept = shape;
  for (int k = 0; k < count; ++k) kept = without_extent(kept, kept.rank() - 1);
  return kept;
}

extents with_last(const extents& stack, std::initializer_list<std::int64_t> more) {
  extents made = stack;
  for (const std::int64_t each : more) made = with_extent(made, made.rank(), each);
  return made;
}

void require_matrices(const char* name, const array& a, call_site here) {
  if (a.rank(here) < 2) refuse(here, name, " of an array with ", a.rank(), " axes: matrices have two");
}

void require_square(const char* name, const array& a, call_site here) {
  require_matrices(name, a, here);
  const extents& shape = a.shape();
  if (shape[a.rank() - 1] != shape[a.rank() - 2])
    refuse(here, name, " of matrices with ", shape[a.rank() - 2], " rows and ", shape[a.rank() - 1],
           " columns: it takes square ones");
}

std::vector<array> factorise(const numeric::factorisation& form, const extents& stack, std::span<const array> operands,
                             std::span<const extents> shapes, const char* fault, call_site here) {
  in_call(here, [&] { form.require_countable(); });
  const opaque_operation work(operands, here);
  const std::vector<scalar_kind> types = form.result_types();
  const std::int64_t count = element_count(stack);
  std::vector<std::pair<extents, scalar_kind>> wanted;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    extents whole = stack;
    for (const std::int64_t each : shapes[k]) whole = with_extent(whole, whole.rank(), each);
    wanted.emplace_back(whole, types[k]);
  }
  if (work.is_here(wanted)) return factorise_here(work, form, count, operands.size(), wanted, fault, here);
  std::vector<array_base> results;
  for (const auto& [shape, type] : wanted) results.push_back(work.make(shape, type));
  const array_base info = work.make({count}, scalar_kind::int32);
  const std::vector<array_base> from = work.stored();
  numeric::launch_factorisation(work.owner().ctx(), form, count, from, results, info, here);
  ++work.owner().counters().launches;
  work.owner().check_matrices(make_stored(info, layout(), here), fault, here);
  std::vector<array> made;
  for (const array_base& each : results) made.push_back(work.result(each));
  return made;
}

}  // namespace tessera::nd::linalg
