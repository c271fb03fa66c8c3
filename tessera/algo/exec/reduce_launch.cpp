#include "tessera/algo/exec/reduce_launch.h"

#include <map>
#include <mutex>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/fold_text.h"
#include "tessera/algo/exec/host/host_kernels.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/function/device_text.h"
#include "tessera/algo/function/host.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

constexpr std::int64_t most_segments = 4096;  // combined by one thread block in the end

std::int64_t elements_of(const call& bound) { return element_count("reduce", bound); }

launch_options settings(const reduction& wanted, const extents& grid, const extents& block) {
  launch_options made;
  made.grid = grid;
  made.block = block;
  made.name = wanted.options.name.empty() ? "reduce by " + wanted.combine.text->name : wanted.options.name;
  made.file = wanted.bound.site.file;
  made.line = wanted.bound.site.line;
  made.split = wanted.options.on.split_for(grid, block);
  return made;
}

using kept_text = std::shared_ptr<const op_text>;

/// Made once for each type: every reduction of more than one segment has one.
kept_text identity_text(const std::string& type, const dtype& element) {
  static std::mutex mutex;
  static std::map<std::string, kept_text, std::less<>> known;
  const std::lock_guard lock(mutex);
  kept_text& kept = known[type];
  if (kept && kept->results[0].element == element) return kept;
  op_text text;
  text.name = text.type = "tessera::identity";
  text.names = type;
  text.blocks = blocks_needed_by(type);
  text.parameters = {{parameter_kind::plain, type, element, 0}};
  text.results = {{type, element}};
  return kept = keep_text(std::move(text));
}

}  // namespace

split split_for(const reduction& wanted, const extents& grid, const extents& block) {
  if (!wanted.options.on.is_open() || device_scope::current()) return wanted.options.on.split_for(grid, block);
  for (const bound_argument& a : wanted.bound.arguments)
    if (a.as == bound_argument::kind::element || a.as == bound_argument::kind::shifted)
      return like(a.given->elements.elements->for_launch(access::read, a.given->elements.part, wanted.bound.site));
  return {};
}

operand make_temporary(const context& ctx, const extents& shape, const dtype& type) {
  auto made = std::make_shared<storage>(container_options(ctx), shape, type, std::vector<std::byte>{});
  return {made, made->whole()};
}

op identity_op(const std::string& type, const dtype& element) {
  op made;
  made.text = identity_text(type, element);
  made.host = host_copy(element.size);
  return made;
}

identity_call::identity_call(const operand& part, const std::string& type, call_site here) {
  function_ = identity_op(type, part.elements->type());
  given_ = {{call_argument::kind::elements, type, part.elements->type(), part, 0, {}}};
  bound_ = bind_call("reduce", function_, given_, here);
}

std::vector<call_argument> made_contiguous(std::vector<call_argument> given, call_site here, std::string* told) {
  for (call_argument& each : given) {
    if (each.as != call_argument::kind::elements || is_contiguous(each.elements)) continue;
    const operand copy = make_temporary(each.elements.elements->ctx(), each.elements.shape(), each.element);
    const identity_call all(each.elements, each.type, here);
    map_launch(all.bound(), {copy}, {{}, {}, told}).launch();
    each.elements = copy;
  }
  return given;
}

void reduce_segments(const reduction& wanted, std::int64_t length, const operand& into) {
  require_usable(wanted.bound, {into});
  const call_text text(wanted.bound, 0, "a");
  const operator_text combine{&wanted.combine, "combine"};
  const context ctx = into.elements->ctx();
  // Made for every call: appended, not formatted.
  const std::string key = "reduce " + std::to_string(wanted.bound.text().digest) + " " +
                          std::to_string(wanted.combine.text->digest) + " " + text.key();
  const kernel made = kernel_for(
      ctx, *wanted.bound.function, &wanted.combine, key,
      [&] { return segment_fold_text(wanted.bound.text(), text, combine, wanted.type); },
      [&] { return host_segment_fold(wanted.bound, wanted.combine, wanted.element.size); });
  std::vector<argument> arguments{number_argument(elements_of(wanted.bound)), number_argument(length)};
  arguments.push_back({into.elements->for_launch(access::write, into.part, wanted.bound.site)});
  combine.add_argument(arguments);
  text.add_arguments(arguments);
  launch_options with = settings(wanted, {into.size()}, {piece_lanes});
  with.split = split_for(wanted, with.grid, with.block);
  wanted.options.launch(made, with, arguments);
}

operand reduce_all(const reduction& wanted, const context& ctx) {
  const std::int64_t n = elements_of(wanted.bound);
  std::int64_t length = piece_elements;
  while (ceil_div(n, length) > most_segments) length *= 2;
  const std::int64_t segments = planted("piece_lost") && n > length ? n / length : ceil_div(n, length);
  const operand parts = make_temporary(ctx, {segments}, wanted.element);
  reduce_segments(wanted, length, parts);
  if (segments == 1) return parts;
  const operand total = make_temporary(ctx, {1}, wanted.element);
  const identity_call again(parts, wanted.type, wanted.bound.site);
  skeleton_options last;
  last.name = wanted.options.name;
  last.told = wanted.options.told;
  if (wanted.options.on.as() == device_choice::form::listed) last.on = wanted.options.on;
  reduce_segments({again.bound(), wanted.combine, wanted.type, wanted.element, last}, piece_elements, total);
  return total;
}

void reduce_columns(const reduction& wanted, const operand& x, const operand& into) {
  const std::int64_t rows = x.shape()[0], columns = x.shape()[1], pieces = ceil_div(rows, rows_per_piece);
  const operator_text combine{&wanted.combine, "combine"};
  const context ctx = into.elements->ctx();
  const kernel made = kernel_for(
      ctx, wanted.combine, nullptr, cat("reduce columns ", wanted.combine.text->digest, " ", wanted.type),
      [&] { return column_fold_text(combine, wanted.type); },
      [&] { return host_column_fold(wanted.combine, wanted.element.size); });
  const operand parts = make_temporary(ctx, {pieces, columns}, wanted.element);
  std::vector<argument> arguments{number_argument(rows), number_argument(columns)};
  arguments.push_back({parts.elements->for_launch(access::write, parts.part, wanted.bound.site)});
  combine.add_argument(arguments);
  arguments.push_back({x.elements->for_launch(access::read, x.part, wanted.bound.site)});
  arguments.push_back(number_argument(x.elements->shape()[1]));
  wanted.options.launch(made, settings(wanted, {ceil_div(columns, 256), pieces}, {256, 1}), arguments);

  // Pieces are folded by halves: each step combines the second half of those that are left into the first.
  const auto rows_of = [&](const operand& all, std::int64_t lo, std::int64_t hi) {
    return operand{all.elements, box({lo, 0}, {hi, columns})};
  };
  const auto combined = [&](const operand& a, const operand& b, const operand& to) {
    const std::vector<call_argument> given{{call_argument::kind::elements, wanted.type, wanted.element, a, 0, {}},
                                           {call_argument::kind::elements, wanted.type, wanted.element, b, 0, {}}};
    const call both = bind_call("reduce", wanted.combine, given, wanted.bound.site);
    map_launch(both, {to}, wanted.options).launch();
  };
  std::int64_t left = planted("last_rows_lost") && pieces > 1 ? pieces - 1 : pieces;
  while (left > 1) {
    const std::int64_t half = ceil_div(left, 2);
    combined(rows_of(parts, 0, left - half), rows_of(parts, half, left), rows_of(parts, 0, left - half));
    left = half;
  }
  const identity_call last(rows_of(parts, 0, 1), wanted.type, wanted.bound.site);
  map_launch(last.bound(), {into}, wanted.options).launch();
}

}  // namespace tessera::algo
