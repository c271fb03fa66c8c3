#include "tessera/algo/exec/segments/segment_launch.h"

#include <algorithm>
#include <cstring>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/host/host_kernels.h"
#include "tessera/algo/exec/host/host_segments.h"
#include "tessera/algo/exec/segments/segment_text.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

using numbers = std::vector<std::int64_t>;
constexpr std::int64_t longest_piece = 2048;

/// Segments, or pieces of them, for thread blocks: block b has segments groups[b] <= s < groups[b + 1].
numbers group(const numbers& offsets, std::int64_t most_elements) {
  constexpr std::int64_t most_segments = 512;
  const std::int64_t count = std::ssize(offsets) - 1;
  numbers groups{0};
  for (std::int64_t s = 0; s < count; ++s) {
    const std::int64_t first = groups.back();
    if (s > first && (offsets[index(s + 1)] - offsets[index(first)] > most_elements || s - first == most_segments))
      groups.push_back(s);
  }
  groups.push_back(count);
  return groups;
}

/// Elements of a thread block: enough work for all its warps, but little beside the memory of a device.
std::int64_t elements_of_group(const context& ctx, std::int64_t bytes) {
  const std::int64_t memory = ctx.engine()->machine().least().memory;
  return std::clamp<std::int64_t>(memory / 16 / bytes, longest_piece, 8 * longest_piece);
}

/// One launch over segments, or pieces, that thread blocks combine each on its own.
class segments_launch {
 public:
  segments_launch(const reduction& wanted, const numbers& offsets, const std::vector<std::byte>* start, const op* last,
                  const operand& out)
      : wanted_(wanted),
        offsets_(offsets),
        start_(start),
        out_(out),
        ctx_(out.elements->ctx()),
        call_(wanted.bound, 0, "a", "elements(b)"),
        combine_{&wanted.combine, "combine"},
        last_{last, "last"} {}

  void launch() const {
    const numbers groups = group(offsets_, elements_of_group(ctx_, wanted_.element.size));
    const std::int64_t count = std::ssize(groups) - 1;
    const auto read = [&](const operand& part) {
      return argument{part.elements->for_launch(access::read, part.part, wanted_.bound.site)};
    };
    std::vector<argument> arguments{
        {}, read(numbers_on_devices(offsets_, ctx_)), read(numbers_on_devices(groups, ctx_))};
    if (start_ != nullptr) arguments.push_back({argument::scalar{wanted_.element, *start_}});
    combine_.add_argument(arguments);
    last_.add_argument(arguments);
    call_.add_arguments(arguments);
    arguments[0] = {out_.elements->for_launch(access::write, out_.part, wanted_.bound.site)};
    launch_options with;
    with.grid = {count};
    with.block = {segment_threads};
    with.tables = tables(groups);
    with.split = split_for(wanted_, with.grid, with.block);
    with.name = "segments by " + wanted_.combine.text->name;
    with.file = wanted_.bound.site.file;
    with.line = wanted_.bound.site.line;
    wanted_.options.launch(compiled(), with, arguments);
  }

 private:
  [[nodiscard]] std::vector<std::pair<std::string, intervals>> tables(const numbers& groups) const {
    std::vector<intervals::row> ends;
    numbers elements;
    for (std::size_t b = 0; b + 1 < groups.size(); ++b) ends.push_back({groups[b], groups[b + 1] + 1});
    for (const std::int64_t g : groups) elements.push_back(offsets_[index(g)]);
    std::vector<std::pair<std::string, intervals>> made{{"segments", intervals(groups)}, {"ends", intervals(ends)}};
    for (const bound_argument& a : wanted_.bound.arguments)
      if (a.as == bound_argument::kind::element) {
        made.emplace_back("elements", intervals(elements));
        break;
      }
    return made;
  }

  [[nodiscard]] kernel compiled() const {
    const bool has_start = start_ != nullptr;
    const std::string key = cat(has_start ? "segments with start " : "segments ", wanted_.bound.text().digest, " ",
                                wanted_.combine.text->digest, " ",
                                last_.function == nullptr ? 0 : last_.function->text->digest, " ", call_.key());
    return kernel_for(
        ctx_, *wanted_.bound.function, &wanted_.combine, key,
        [&] { return segments_text(wanted_.bound.text(), call_, combine_, last_, wanted_.type, has_start); },
        [&] { return host_segments(wanted_.bound, wanted_.combine, last_.function, wanted_.element.size, has_start); });
  }

  const reduction& wanted_;
  const numbers& offsets_;
  const std::vector<std::byte>* start_;
  const operand& out_;
  context ctx_;
  call_text call_;
  operator_text combine_, last_;
};

/// Pieces of segments, and where the pieces of each segment begin among them.
struct piece_list {
  numbers offsets;
  numbers of_segments{0};
};
piece_list cut(const numbers& offsets) {
  piece_list made;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (std::int64_t at = offsets[s]; at < offsets[s + 1]; at += longest_piece) made.offsets.push_back(at);
    made.of_segments.push_back(std::ssize(made.offsets) - planted("piece_of_next_segment"));
  }
  made.offsets.push_back(offsets.back());
  return made;
}

bool has_long_one(const numbers& offsets) {
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    if (offsets[s + 1] - offsets[s] > longest_piece) return true;
  return false;
}

}  // namespace

void require_segments(const char* algorithm, const segment_list& segments, std::int64_t size, call_site here) {
  const numbers& offsets = segments.offsets;
  if (offsets.empty())
    throw argument_error(cat(label_of(algorithm, here), ": n segments have n + 1 offsets, but none is given"));
  for (std::size_t s = 0; s < offsets.size(); ++s) {
    if (s > 0 && offsets[s] < offsets[s - 1])
      throw argument_error(cat(label_of(algorithm, here), ": offset ", s, " is ", offsets[s],
                               ", but the one before it ", offsets[s - 1], ": offsets of segments ascend"));
    if (offsets[s] < 0 || offsets[s] > size)
      throw argument_error(
          cat(label_of(algorithm, here), ": offset ", s, " is ", offsets[s], ", but there are ", size, " elements"));
  }
}

operand numbers_on_devices(std::span<const std::int64_t> numbers, const context& ctx) {
  const auto made = std::make_shared<storage>(container_options(ctx), extents{std::ssize(numbers)},
                                              dtype_of<std::int64_t>(), std::vector<std::byte>());
  const storage::held to = made->hold(access::write, made->whole(), {});
  std::memcpy(to.data, numbers.data(), numbers.size_bytes());
  made->give_back(to.ticket);
  return {made, made->whole()};
}

void reduce_each_segment(const reduction& wanted, const segment_list& segments, const std::vector<std::byte>& start,
                         const op* last, const operand& out) {
  if (segments.size() == 0) return;
  require_usable(wanted.bound, {out});
  if (!has_long_one(segments.offsets)) {
    segments_launch(wanted, segments.offsets, &start, last, out).launch();
    return;
  }
  const piece_list pieces = cut(segments.offsets);
  const operand parts = make_temporary(out.elements->ctx(), {std::ssize(pieces.offsets) - 1}, wanted.element);
  segments_launch(wanted, pieces.offsets, nullptr, nullptr, parts).launch();
  identity_call again(parts, wanted.type, wanted.bound.site);
  reduce_each_segment({again.bound(), wanted.combine, wanted.type, wanted.element, wanted.options},
                      {pieces.of_segments}, start, last, out);
}

operand head_flags(const segment_list& segments, const context& ctx, call_site here) {
  const numbers& offsets = segments.offsets;
  const std::int64_t base = offsets.front(), n = offsets.back() - base, blocks = ceil_div(n, flags_per_block);
  const operand flags = make_temporary(ctx, {n}, dtype_of<bool>());
  numbers rows;
  for (std::int64_t b = 0; b <= blocks; ++b)
    rows.push_back(std::lower_bound(offsets.begin(), offsets.end(), base + std::min(b * flags_per_block, n)) -
                   offsets.begin());
  const auto use = [&](const operand& part, access mode) {
    return argument{part.elements->for_launch(mode, part.part, here)};
  };
  launch_options with;
  with.grid = {blocks};
  with.block = {segment_threads};
  with.tables = {{"heads", intervals(rows)}};
  with.name = "heads of segments";
  with.file = here.file;
  with.line = here.line;
  cached_kernel(ctx, "heads of segments", head_flags_text)
      .launch_with(with, std::vector<argument>{number_argument(n), number_argument(base), use(flags, access::write),
                                               use(numbers_on_devices(offsets, ctx), access::read),
                                               use(numbers_on_devices(rows, ctx), access::read)});
  return flags;
}

}  // namespace tessera::algo
