#include "tessera/nd/fuse/gather.h"

#include <array>

#include "tessera/nd/emit/launch.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {

namespace {

group make_group(const node_ptr& made, group_builder::boundary& edge) {
  const gather_spec& spec = *std::get<std::shared_ptr<const gather_spec>>(made->detail);
  const node_ptr& source = made->operands[0];
  group_builder builder(made->shape, edge);
  group_output output;
  output.value = builder.value(made->operands[1], spec.indices);
  output.source = builder.add_source(source, spec.source);
  output.access = builder.add_store(made, index_map::identity(made->shape));
  output.numbers = static_cast<int>(builder.made().body.constants().size());
  const std::array<std::int64_t, 2> numbers{source->shape[spec.axis], dense_strides(source->shape, 1)[spec.axis]};
  for (const std::int64_t& number : numbers)
    static_cast<void>(builder.made().body.constant(scalar_kind::int64, std::as_bytes(std::span(&number, 1))));
  builder.made().outputs.push_back(output);
  return std::move(builder.made());
}

}  // namespace

std::string describe_gather(graph& owner, const node_ptr& made, group_builder::boundary& edge) {
  return describe_pointwise(owner, make_group(made, edge));
}

void run_gather(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here) {
  launch_pointwise(owner, make_group(made, edge), here);
}

}  // namespace tessera::nd
