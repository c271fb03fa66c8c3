#include "tessera/nd/fuse/compress.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/emit/reduce_launch.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/compress_text.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/graph/record.h"

namespace tessera::nd {
namespace {

/// Everything that is not stored is computed in the launches, twice: the mask is counted and then used.
class stored_is_loaded final : public group_builder::boundary {
 public:
  [[nodiscard]] bool is_loaded(const node& n) const override { return n.is_stored(); }
  void note_computed(const node&, int) override {}
};

/// Elements as one sequence.
reduction_axes sequence_of(const extents& shape) {
  std::array<bool, max_rank> all{};
  std::fill_n(all.begin(), shape.rank(), true);
  return {shape, all};
}

std::vector<std::int64_t> count_chunks(graph& owner, const node_ptr& mask, call_site here) {
  reduce_group counted;
  static_cast<reduction_axes&>(counted) = sequence_of(mask->shape);
  stored_is_loaded edge;
  group_builder builder(counted.map.domain, edge);
  kernels::expression& body = builder.made().body;
  const auto truth = builder.value(mask, counted.map);
  builder.made().outputs.push_back({body.apply(kernels::opcode::convert, scalar_kind::int64, {truth}), -1, nullptr});
  counted.wanted = {{{combiner::sum, {}, 0, scalar_kind::int64}, scalar_kind::int64}};
  counted.elements = std::move(builder.made());
  const std::vector<std::byte> bytes =
      launch_chunk_totals(owner, counted, compress_step::chunk, here)[0].read_bytes(here);
  std::vector<std::int64_t> counts(bytes.size() / sizeof(std::int64_t));
  std::memcpy(counts.data(), bytes.data(), bytes.size());
  return counts;
}

/// Chunks [first, last) of the sequence, and where their elements go.
struct chunk_range {
  std::int64_t first = 0, last = 0, begin = 0, end = 0;
};

/// Neighbouring chunks for each device, as even as chunks are.
std::vector<chunk_range> share_chunks(const std::vector<std::int64_t>& counts, int devices) {
  std::vector<chunk_range> ranges;
  std::int64_t before = 0;
  const std::int64_t each = ceil_div(std::ssize(counts), devices);
  for (std::int64_t first = 0; first < std::ssize(counts); first += each) {
    const std::int64_t last = std::min(first + each, std::ssize(counts));
    const std::int64_t sum = std::accumulate(counts.begin() + first, counts.begin() + last, std::int64_t{0});
    ranges.push_back({first, last, before, before + sum});
    before += sum;
  }
  return ranges;
}

/// One part per device, as long as what its chunks give.
plan::layout layout_of(const graph& owner, const std::vector<chunk_range>& ranges) {
  plan::layout made;
  if (owner.devices() == 1) return made;
  made.form = plan::layout::kind::listed;
  for (std::size_t k = 0; k < ranges.size(); ++k)
    if (ranges[k].end > ranges[k].begin)
      made.parts.push_back({box({ranges[k].begin}, {ranges[k].end}), owner.device(static_cast<int>(k)),
                            static_cast<std::int64_t>(made.parts.size())});
  return made;
}

void launch_range(graph& owner, const node_ptr& mask, const node_ptr& values, const chunk_range& range,
                  std::span<const std::int64_t> counts, const array_base& result, call_site here) {
  const reduction_axes sequence = sequence_of(mask->shape);
  stored_is_loaded edge;
  group_builder builder(sequence.map.domain, edge);
  group& made = builder.made();
  const auto truth = builder.value(mask, sequence.map), element = builder.value(values, sequence.map);
  made.outputs = {{truth, -1, nullptr}, {element, -1, nullptr}};
  const int first_chunk = static_cast<int>(made.body.constants().size());
  static_cast<void>(made.body.constant(scalar_kind::int64, std::as_bytes(std::span(&range.first, 1))));
  launch_space space =
      launch_space::along_axes(made, std::vector<int>(index(made.domain.rank()), 0), {compress_step::chunk, 1, 1});
  space.set_origin(range.first * compress_step::chunk);
  const compress_step step{made, space, first_chunk};
  std::vector<std::int64_t> offsets(index(range.last - range.first));
  std::exclusive_scan(counts.begin() + range.first, counts.begin() + range.last, offsets.begin(), std::int64_t{0});
  const array_base places =
      owner.ctx().empty({std::ssize(offsets)}, dtype::make(scalar_kind::int64), automatic(), here);
  places.write_bytes(std::as_bytes(std::span(offsets)), here);

  std::string key = "c";
  append_text_key(key, made, space);
  append_annotation_key(key, made, space);
  bool is_new = false;
  const emitted_kernel& emitted = owner.kernels().find(
      key,
      [&] {
        annotation_text rules = make_annotation(made, space, "write out, read offsets[bx]");
        return emit_kernel(owner, made, compress_text(step), std::move(rules), compress_function(step));
      },
      is_new);
  std::vector<argument> arguments = make_arguments(owner, made, space, here);
  arguments.push_back({result.slice({{range.begin, range.end}})});
  arguments.push_back({places});
  launch_options options = make_options(emitted, made, space, compress_step::threads, here);
  options.grid = {range.last - range.first};
  emitted.code.launch_with(options, arguments);
  ++(is_new ? owner.counters().kernels : owner.counters().reused_kernels);
  ++owner.counters().launches;
}

}  // namespace

node_ptr run_compress(graph& owner, const node_ptr& mask, const node_ptr& values, call_site here) {
  const std::lock_guard lock(owner.mutex());
  const std::array<node_ptr, 2> both{mask, values};
  owner.flush(both, flush_reason::look, here);
  const std::vector<std::int64_t> counts = count_chunks(owner, mask, here);
  const std::vector<chunk_range> ranges = share_chunks(counts, owner.devices());
  const std::int64_t total = ranges.back().end;
  const simple_distribution where(layout_of(owner, ranges));
  const array_base result = owner.ctx().empty({total}, dtype::make(values->type), where, here);
  for (const chunk_range& range : ranges)
    if (range.end > range.begin) launch_range(owner, mask, values, range, counts, result, here);
  const node_ptr made = make_stored(result, layout(where, {total}, owner.devices()), here);
  owner.note_elements(*made);
  return made;
}

}  // namespace tessera::nd
