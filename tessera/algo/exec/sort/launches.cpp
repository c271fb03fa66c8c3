#include "tessera/algo/exec/sort/launches.h"

#include <algorithm>

#include "tessera/algo/container/element_copy.h"
#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/host/host_kernels.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/exec/sort/cub_launch.h"
#include "tessera/algo/exec/sort/host_merge.h"
#include "tessera/algo/exec/sort/tile_sort_text.h"
#include "tessera/algo/sort/cub_plugin.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/plan/partition.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

std::vector<std::int64_t> bounds_of(std::span<const device_part> runs) {
  std::vector<std::int64_t> bounds;
  for (const device_part& run : runs) bounds.push_back(run.lo);
  bounds.push_back(runs.back().hi);
  return bounds;
}

intervals row_table(std::span<const device_part> runs) {
  std::vector<intervals::row> rows;
  for (const device_part& run : runs) rows.push_back({run.lo, run.hi});
  return intervals(rows);
}

std::vector<slab> slabs_of(std::span<const device_part> runs, std::int64_t threads) {
  std::vector<slab> slabs;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto k = static_cast<std::int64_t>(r);
    slabs.push_back({k * threads, (k + 1) * threads, runs[r].device});
  }
  return slabs;
}

}  // namespace

element_arrays for_launch(const keyed_elements& all, access mode, call_site here) {
  return {all.keys.elements->for_launch(mode, all.keys.part, here),
          all.values ? all.values->elements->for_launch(mode, all.values->part, here) : array_base()};
}

void require_free(const keyed_elements& all, access mode, call_site here) {
  all.keys.elements->require_free(mode, all.keys.part, here);
  if (all.values) all.values->elements->require_free(mode, all.values->part, here);
}

plan::layout layout_of(std::span<const device_part> runs) {
  plan::layout home;
  home.form = plan::layout::kind::listed;
  for (const device_part& run : runs)
    home.parts.push_back({box({run.lo}, {run.hi}), run.device, std::ssize(home.parts)});
  return home;
}

sort_types types_of(const keyed_elements& all, const key_order& order) {
  sort_types made{all.key_type, all.keys.elements->type(), all.value_type, {}, &order.before};
  if (all.values) made.value_element = all.values->elements->type();
  return made;
}

sort_launches::sort_launches(const context& ctx, const sort_types& types, const key_order& order, call_site here)
    : ctx_(ctx), types_(types), order_(order), site_(here) {}

const plan::machine_table& sort_launches::machine() const { return ctx_.engine()->machine(); }

bool sort_launches::is_on_cpu(int device) const {
  return machine().spec(device).kind == "cpu" || types_.before->runs_on_host();
}

std::int64_t sort_launches::tile() const {
  return machine().automatic_kind() == "cpu" ? cpu_tile_elements : gpu_tile_elements(types_);
}

element_arrays sort_launches::spare(const element_arrays& like, std::span<const device_part> runs) {
  const simple_distribution parts(layout_of(runs));
  element_arrays made{ctx_.empty(like.keys.shape(), like.keys.type(), parts, site_), {}};
  if (types_.has_values()) made.values = ctx_.empty(like.values.shape(), like.values.type(), parts, site_);
  return made;
}
void sort_launches::sort_runs(const element_arrays& all, const element_arrays& spare, std::span<const device_part> runs,
                              bool to_spare) {
  std::vector<device_part> on_cpus;
  for (const device_part& run : runs) {
    if (is_on_cpu(run.device))
      on_cpus.push_back(run);
    else
      sort_on_gpu(all.part(run.lo, run.hi), spare.part(run.lo, run.hi), run, to_spare);
  }
  if (!on_cpus.empty()) sort_on_cpus(all, spare, on_cpus, to_spare);
}

array_base sort_launches::sample(const array_base& keys, std::span<const device_part> runs,
                                 const sample_plan& samples) {
  const kernel made = cached_kernel(ctx_, cat("sort samples ", types_.key), [&] { return sample_text(types_); });
  array_base taken = ctx_.empty({samples.offsets.back()}, keys.type(), automatic(), site_);
  launch_options with = settings("sort: samples", runs);
  with.tables = {{"runs", row_table(runs)}, {"places", intervals(samples.offsets)}};
  const argument list[] = {number_argument(samples.spacing), argument::from(keys), numbers(bounds_of(runs)),
                           numbers(samples.offsets), argument::from(taken)};
  made.launch_with(with, list);
  return taken;
}

array<std::int64_t> sort_launches::cut(const array_base& keys, std::span<const device_part> runs,
                                       const key_samples& samples, std::span<const splitter> splitters,
                                       std::int64_t first_run) {
  std::vector<std::byte> chosen;
  std::vector<std::int64_t> marks;
  for (const splitter& s : splitters) {
    chosen.insert(chosen.end(), samples.at(s.sample), samples.at(s.sample) + samples.key_bytes);
    marks.insert(marks.end(), {s.run - first_run, s.place});
  }
  const std::int64_t count = std::ssize(splitters);
  const kernel made = kernel_for(
      ctx_, *types_.before, nullptr, cat("sort cuts ", types_.number()), [&] { return cut_text(types_); },
      [&] { return host_cut(order_, types_.key_bytes()); });
  const array_base at = ctx_.empty({count}, keys.type(), automatic(), site_);
  at.write_bytes(chosen, site_);
  array<std::int64_t> cuts = ctx_.empty<std::int64_t>({std::ssize(runs) * count}, automatic(), site_);
  launch_options with = settings("sort: cuts", runs);
  with.block = {sort_threads};
  with.tables = {{"runs", row_table(runs)}};
  std::vector<argument> list{number_argument(count), argument::from(keys), numbers(bounds_of(runs)),
                             argument::from(at),     numbers(marks),       argument::from(cuts)};
  add_order(list);
  with.split = parts(slabs_of(runs, sort_threads), 0);
  made.launch_with(with, list);
  return cuts;
}

void sort_launches::merge(const element_arrays& left, const element_arrays& right, const element_arrays& to,
                          const merge_round& round) {
  if (round.steps.empty()) return;
  const kernel made = kernel_for(
      ctx_, *types_.before, nullptr, cat("sort merges ", types_.number()), [&] { return merge_text(types_); },
      [&] { return host_merge(order_, types_); });
  array<std::int64_t> merges =
      ctx_.empty<std::int64_t>({std::ssize(round.steps), merge_step_numbers}, automatic(), site_);
  merges.write_bytes(std::as_bytes(std::span(round.steps)), site_);
  std::int64_t most = 0;
  for (const merge_step& step : round.steps) most = std::max(most, step.size());
  const std::int64_t tiles = ceil_div(most, tile());
  const round_tables tables = tables_of(round.steps);
  launch_options with = settings("sort: merge", {});
  with.grid = {std::ssize(round.steps) * tiles};
  with.block = {sort_threads};
  with.tables = {{"left", tables.left}, {"right", tables.right}, {"made", tables.made}};
  std::vector<slab> slabs = round.slabs;
  for (slab& s : slabs) s.lo *= tiles * sort_threads, s.hi *= tiles * sort_threads;
  with.split = parts(std::move(slabs), 0);
  std::vector<argument> list{number_argument(tiles),    number_argument(tile()),    argument::from(merges),
                             argument::from(left.keys), argument::from(right.keys), argument::from(to.keys)};
  if (types_.has_values())
    for (const array_base& values : {left.values, right.values, to.values}) list.push_back(argument::from(values));
  add_order(list);
  made.launch_with(with, list);
}

argument sort_launches::numbers(const std::vector<std::int64_t>& all) {
  return argument::from(ctx_.from<std::int64_t>({std::ssize(all)}, all, automatic(), site_));
}

void sort_launches::add_order(std::vector<argument>& list) const {
  if (!types_.before->runs_on_host()) operator_text{types_.before, ""}.add_argument(list);
}

launch_options sort_launches::settings(const char* name, std::span<const device_part> runs) const {
  launch_options made;
  made.name = name;
  made.file = site_.file;
  made.line = site_.line;
  made.grid = {std::ssize(runs)};
  made.block = {1};
  if (!runs.empty()) made.split = parts(slabs_of(runs, 1), 0);
  return made;
}

bool sort_launches::keeps_spare(const element_arrays& spare) {
  if (ctx_.engine()->checks() == check_list{}) return false;
  for (const array_base& memory : {spare.keys, spare.values})
    if (memory.record() != nullptr) memory.fill_bytes(std::vector<std::byte>(memory.type().size), site_);
  return true;
}

bool sort_launches::sort_by_cub(const element_arrays& run, const element_arrays& spare, const device_part& of,
                                bool to_spare) {
  if (order_.by_bits == bit_order::none) return false;
  // Its scratch has a size below which it does not go, whatever the memory of the device.
  const std::int64_t scratch = cub_scratch_bytes(types_.key_element, types_.value_bytes(), of.size());
  if (scratch > machine().spec(of.device).memory / 2) return false;
  const std::optional<kernel> made = cub_kernel(ctx_, types_, order_, keeps_spare(spare));
  if (!made) return false;
  launch_options with = settings("sort: CUB", {});
  with.grid = {of.size()};
  with.split = on(of.device);
  std::vector<argument> list{argument::from(run.keys), argument::from(spare.keys)};
  if (types_.has_values()) {
    list.push_back(argument::from(run.values));
    list.push_back(argument::from(spare.values));
  }
  made->launch_with(with, list);
  if (to_spare) copy_elements(spare.keys, run.keys, site_);
  if (to_spare && types_.has_values()) copy_elements(spare.values, run.values, site_);
  return true;
}

void sort_launches::sort_on_cpus(const element_arrays& all, const element_arrays& spare,
                                 const std::vector<device_part>& runs, bool to_spare) {
  const bool checks = !to_spare && keeps_spare(spare);
  const auto text = [&] { return run_sort(types_, order_, checks); };
  const kernel made =
      cached_kernel(ctx_, cat("sort runs ", order_.number, " ", types_.value_bytes(), checks ? " kept" : ""), text);
  launch_options with = settings("sort: runs", runs);
  with.tables = {{"runs", row_table(runs)}};
  std::vector<argument> list{number_argument(to_spare ? 1 : 0), numbers(bounds_of(runs)), argument::from(all.keys),
                             argument::from(spare.keys)};
  if (types_.has_values()) {
    list.push_back(argument::from(all.values));
    list.push_back(argument::from(spare.values));
  }
  made.launch_with(with, list);
}

void sort_launches::sort_on_gpu(const element_arrays& run, const element_arrays& spare, const device_part& of,
                                bool to_spare) {
  if (sort_by_cub(run, spare, of, to_spare)) return;
  const std::int64_t n = of.size(), tile = gpu_tile_elements(types_);
  int rounds = 0;
  for (std::int64_t width = tile; width < n; width *= 2) ++rounds;
  const element_arrays* at[] = {&run, &spare};
  int side = (rounds % 2 == 0) == to_spare ? 1 : 0;
  const auto launch = [&](const kernel& made, std::vector<argument> list, const element_arrays& from,
                          const element_arrays& to) {
    launch_options with = settings("sort: tiles", {});
    with.grid = {ceil_div(n, tile)};
    with.block = {sort_threads};
    with.split = on(of.device);
    list.push_back(argument::from(from.keys));
    list.push_back(argument::from(to.keys));
    if (types_.has_values()) {
      list.push_back(argument::from(from.values));
      list.push_back(argument::from(to.values));
    }
    add_order(list);
    made.launch_with(with, list);
  };
  launch(cached_kernel(ctx_, cat("sort tiles ", types_.number()), [&] { return tile_sort_text(types_); }),
         {number_argument(n)}, run, *at[side]);
  for (std::int64_t width = tile; width < n; width *= 2, side = 1 - side)
    launch(cached_kernel(ctx_, cat("sort neighbours ", types_.number()), [&] { return neighbour_merge_text(types_); }),
           {number_argument(n), number_argument(width)}, *at[side], *at[1 - side]);
}

part_sizes::part_sizes(const sort_launches& launches, std::int64_t n) {
  const plan::machine_table& machine = launches.machine();
  most = std::max<std::int64_t>(1, machine.least().memory / 8 / launches.element_bytes());
  if (n > most || n * launches.element_bytes() > machine.settings().small)
    parts = std::max(std::min(static_cast<std::int64_t>(machine.automatic_devices().size()), n), ceil_div(n, most));
}

std::vector<device_part> runs_of(const part_sizes& sizes, const operand& keys) {
  const std::vector<device_part> homes = parts_of(keys);
  if (sizes.parts == 1) return {{0, keys.size(), homes.front().device}};
  return runs_at_home(homes, sizes.parts, sizes.most);
}

std::vector<int> devices_of_parts(const sort_launches& launches, std::int64_t parts, int first) {
  const std::vector<int>& devices = launches.machine().automatic_devices();
  std::vector<int> made;
  for (std::int64_t q = 0; q < parts; ++q)
    made.push_back(devices[static_cast<std::size_t>((q * std::ssize(devices) / parts + first) % std::ssize(devices))]);
  return made;
}

}  // namespace tessera::algo
