#include "tessera/algo/exec/emit/emission.h"

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
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

std::string prefix_of(std::size_t value) { return cat("v", value, "_"); }

std::vector<call_text> texts_of(const std::vector<call>& bound) {
  std::vector<call_text> texts;
  for (std::size_t k = 0; k < bound.size(); ++k) texts.emplace_back(bound[k], 0, k == 0 ? "flag" : prefix_of(k));
  return texts;
}

/// The first `chunks` numbers in a container that rests as chunks do; they go there with the first launch.
operand stored(const std::vector<std::int64_t>& numbers, std::int64_t chunks, const std::vector<slab>& parts,
               const context& ctx, call_site here) {
  container_options options(ctx, pageable);
  if (!parts.empty()) options.home = layout_of(parts);
  auto made = std::make_shared<storage>(options, extents{chunks}, dtype_of<std::int64_t>(), std::vector<std::byte>());
  const storage::held all = made->hold(access::write, made->whole(), here);
  std::memcpy(all.data, numbers.data(), static_cast<std::size_t>(all.bytes));
  made->give_back(all.ticket);
  return {made, made->whole()};
}

}  // namespace

emission::emission(const char* algorithm, const sequence& flags, bool wanted, const context& ctx, call_site here)
    : algorithm_(algorithm), flags_(flags), wanted_(wanted), site_(here), ctx_(ctx) {
  if (flags_.size > 0) count();
  if (!wanted) turn();
  keep_offsets();
}

emission emission::complement() const {
  emission others = *this;
  others.wanted_ = !wanted_;
  others.turn();
  others.keep_offsets();
  return others;
}

void emission::count() {
  const std::int64_t chunks = ceil_div(flags_.size, emit_chunk);
  counts_ = make_temporary(ctx_, {chunks}, dtype_of<std::int64_t>());  // refuses more than can be addressed
  try {
    offsets_.resize(static_cast<std::size_t>(chunks) + 1);
  } catch (const std::exception&) {
    throw out_of_memory(
        cat(label_of(algorithm_, site_), ": there is no memory for the counts of ", flags_.size, " elements"));
  }
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
  counts_.elements->read(counts_.part, std::as_writable_bytes(std::span(offsets_).subspan(1)), site_);
  if (planted("counts_shifted")) std::rotate(offsets_.begin() + 1, offsets_.begin() + 2, offsets_.end());
  for (std::size_t k = 1; k < offsets_.size(); ++k) offsets_[k] += offsets_[k - 1];
}

launch_options emission::settings(const std::string& name) const {
  launch_options with;
  with.grid = {ceil_div(flags_.size, emit_chunk)};
  with.block = {emit_threads};
  with.split = parts_.empty() ? where_.split_for(with.grid, with.block) : split_of_chunks(parts_, emit_threads);
  if (size() > 0) with.tables = {{"rows", rows_}};
  with.name = name;
  with.file = site_.file;
  with.line = site_.line;
  return with;
}

/// From the offsets of what holds to those of what does not, or back.
void emission::turn() {
  for (std::size_t k = 0; k < offsets_.size(); ++k)
    offsets_[k] = std::min(static_cast<std::int64_t>(k) * emit_chunk, flags_.size) - offsets_[k];
}

void emission::keep_offsets() {
  if (size() == 0) return;
  rows_ = intervals(offsets_);
  begins_ = stored(offsets_, std::ssize(offsets_) - 1, parts_, ctx_, site_);
}

operand emission::room(const dtype& type) const {
  container_options options(ctx_);
  if (!parts_.empty() && size() > 0) options.home = layout_of(parts_, offsets_);
  auto made = std::make_shared<storage>(options, extents{size()}, type, std::vector<std::byte>());
  return {made, made->whole()};
}

operand beginning_of(const operand& output, std::int64_t count, std::int64_t most, const char* algorithm,
                     call_site here) {
  if (output.size() < count)
    throw argument_error(cat(label_of(algorithm, here), ": ", count, " elements are kept, but the output has ",
                             output.size(), "; give one of ", most, " elements"));
  if (output.shape().rank() == 1) return {output.elements, box({output.part.lo[0]}, {output.part.lo[0] + count})};
  if (output.size() != count)
    throw argument_error(cat(label_of(algorithm, here), ": elements are kept at the beginning of a vector, not of an ",
                             "output of the shape ", to_string(output.shape())));
  return output;
}

void require_apart(const emission& kept, const operand& a, const operand& b, call_site here) {
  if (a.elements == b.elements && !intersect(a.part, b.part).empty())
    throw argument_error(cat(label_of(kept.algorithm(), here), ": two outputs share elements"));
}

void emission::require_output(const operand& to, const dtype& type, const std::vector<call>& reads) const {
  const auto fail = [&](const auto&... words) { throw argument_error(cat(label_of(algorithm_, site_), words...)); };
  if (to.size() != size() || to.elements->type() != type)
    fail(": ", size(), " elements of type ", to_string(type), " are kept in an output of ", to.size(), " of type ",
         to_string(to.elements->type()));
  if (!is_contiguous(to)) fail(": the elements of the output do not lie one behind the other");
  for (const call& each : reads)
    for (const bound_argument& a : each.arguments)
      if (a.given != nullptr && a.given->elements.elements == to.elements &&
          !intersect(a.given->elements.part, to.part).empty())
        fail(
            ": the output shares elements with what is read, which other elements need unchanged; write into another "
            "container");
}

kernel emission::compiled(const std::vector<call>& bound, const std::vector<operand>& to) const {
  const std::vector<call_text> texts = texts_of(bound);
  std::string key = "emit";
  for (std::size_t k = 0; k < bound.size(); ++k)
    key += cat(" ", bound[k].text().digest, " ", texts[k].key(), k > 0 ? to[k - 1].shape().rank() : 0);
  return cached_kernel(ctx_, key, [&] {
    std::vector<emitted_text> values;
    for (std::size_t k = 1; k < bound.size(); ++k) {
      const op_text& text = bound[k].text();
      values.push_back(
          {&text, &texts[k], {cat("out", k - 1), text.results[0].type, to[k - 1].shape().rank(), 0, false}});
    }
    return emit_text(bound[0].text(), texts[0], values);
  });
}

std::vector<argument> emission::arguments(const std::vector<call>& bound, const std::vector<operand>& to) const {
  std::vector<argument> read;  // before what is written, which forgets what the host has changed
  for (const call_text& text : texts_of(bound)) text.add_arguments(read);
  std::vector<argument> all{number_argument(flags_.size), number_argument(wanted_ ? 1 : 0)};
  for (const operand& each : {begins_, counts_})
    all.push_back({each.elements->for_launch(access::read, each.part, site_)});
  for (const operand& output : to) all.push_back({output.elements->for_launch(access::write, output.part, site_)});
  all.insert(all.end(), read.begin(), read.end());
  return all;
}

void emission::note_written(const call& bound, const std::vector<operand>& to) const {
  static_cast<void>(resolved(where_, bound, to));
}

void emission::write(const std::vector<sequence>& values, const std::vector<operand>& to) const {
  std::vector<call> bound{flags_.bound(algorithm_)};
  for (const sequence& each : values) {
    if (each.size != flags_.size)
      throw argument_error(cat(label_of(algorithm_, site_), ": ranges of ", flags_.size, " and ", each.size,
                               " elements do not belong together"));
    bound.push_back(each.bound(algorithm_));
  }
  for (std::size_t k = 0; k < to.size(); ++k) {
    require_output(to[k], bound[k + 1].text().results.at(0).element, bound);
    for (std::size_t other = 0; other < k; ++other) require_apart(*this, to[other], to[k], site_);
  }
  if (size() == 0) return;
  for (const call& each : bound) require_usable(each, to);
  const launch_options with = settings(algorithm_);
  note_written(bound.back(), to);
  compiled(bound, to).launch_with(with, arguments(bound, to));
}

}  // namespace tessera::algo
