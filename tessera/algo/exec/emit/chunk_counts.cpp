#include "tessera/algo/exec/emit/chunk_counts.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <span>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/emit/emit_text.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/skeleton/reduce.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// Numbers of chunks in a container that rests as chunks do; they go there with the first launch.
operand stored(std::span<const std::int64_t> numbers, const std::vector<slab>& parts, const context& ctx,
               call_site here) {
  container_options options(ctx, pageable);
  if (!parts.empty()) options.home = layout_of(parts);
  auto made = std::make_shared<storage>(options, extents{std::ssize(numbers)}, dtype_of<std::int64_t>(),
                                        std::vector<std::byte>());
  const storage::held all = made->hold(access::write, made->whole(), here);
  std::memcpy(all.data, numbers.data(), static_cast<std::size_t>(all.bytes));
  made->give_back(all.ticket);
  return {made, made->whole()};
}

}  // namespace

chunk_counts::chunk_counts(const char* algorithm, const sequence& flags, const context& ctx, call_site here)
    : algorithm_(algorithm), flags_(flags), ctx_(ctx), site_(here) {
  if (flags_.size > 0)
    count();
  else
    places_[0].offsets = places_[1].offsets = {0};
}

void chunk_counts::count() {
  counts_ = make_temporary(ctx_, {ceil_div(flags_.size, emit_chunk)}, dtype_of<std::int64_t>());
  const call bound = flags_.bound(algorithm_);
  where_ = resolved(device_choice(), bound, {});
  parts_ = chunk_parts(bound, flags_.size, where_, ctx_);
  require_usable(bound, {counts_});
  const call_text text(bound, 0, "flag");
  const kernel made = cached_kernel(ctx_, cat("count ", bound.text().digest, " ", text.key()),
                                    [&] { return chunk_count_text(bound.text(), text); });
  std::vector<argument> arguments{number_argument(flags_.size)};
  arguments.push_back({counts_.elements->for_launch(access::write, counts_.part, site_)});
  text.add_arguments(arguments);
  made.launch_with(settings(cat(algorithm_, " counts")), arguments);
}

launch_options chunk_counts::settings(const std::string& name) const {
  launch_options with;
  with.grid = {ceil_div(flags_.size, emit_chunk)};
  with.block = {emit_threads};
  with.split = parts_.empty() ? where_.split_for(with.grid, with.block) : split_of_chunks(parts_, emit_threads);
  with.name = name;
  with.file = site_.file;
  with.line = site_.line;
  return with;
}

void chunk_counts::read() {
  std::vector<std::int64_t> held, others;
  try {
    held.resize(static_cast<std::size_t>(counts_.size()) + 1);
    others.resize(held.size());
  } catch (const std::exception&) {
    throw out_of_memory(
        cat(label_of(algorithm_, site_), ": there is no memory for the counts of ", flags_.size, " elements"));
  }
  counts_.elements->read(counts_.part, std::as_writable_bytes(std::span(held).subspan(1)), site_);
  if (planted("counts_shifted")) std::rotate(held.begin() + 1, held.begin() + 2, held.end());
  for (std::size_t k = 1; k < held.size(); ++k) {
    held[k] += held[k - 1];
    others[k] = std::min(static_cast<std::int64_t>(k) * emit_chunk, flags_.size) - held[k];
  }
  places_[0].offsets = std::move(others);
  places_[1].offsets = std::move(held);
}

const chunk_counts::places& chunk_counts::places_of(bool wanted) {
  if (!is_read()) read();
  places& asked = places_[wanted ? 1 : 0];
  if (asked.offsets.back() > 0 && asked.rows.size() == 0) asked.rows = intervals(asked.offsets);
  return asked;
}

void chunk_counts::sum_up() {
  const kernel made = cached_kernel(ctx_, "running counts", [] { return count_sums_text(); });
  sums_ = make_temporary(ctx_, {counts_.size()}, dtype_of<std::int64_t>());
  const std::vector<argument> arguments{number_argument(counts_.size()),
                                        {counts_.elements->for_launch(access::read, counts_.part, site_)},
                                        {sums_.elements->for_launch(access::write, sums_.part, site_)}};
  launch_options with = settings(cat(algorithm_, " sums of counts"));
  with.grid = {1};
  with.split = where_.split_for(with.grid, with.block);
  made.launch_with(with, arguments);
}

const operand& chunk_counts::sums() {
  if (sums_.elements) return sums_;
  if (is_read() || !has_one_device(ctx_))
    sums_ = stored(std::span(places_of(true).offsets).subspan(1), parts_, ctx_, site_);
  else
    sum_up();
  return sums_;
}

counted_size chunk_counts::total(bool wanted) {
  if (is_read() || !has_one_device(ctx_)) return counted_size(places_of(wanted).offsets.back());
  if (!held_.is_open()) {
    const std::int64_t last = counts_.size() - 1;
    const operand all = sums();
    held_ = counted_size(
        array<std::int64_t>(elements_for_reading({all.elements, box({last}, {last + 1})}, site_)).value(site_));
  }
  return wanted ? held_ : held_.taken_from(flags_.size);
}

}  // namespace tessera::algo
