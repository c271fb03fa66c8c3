#include "tessera/algo/exec/emit/emission.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/emit/emit_text.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/algo/exec/routes/parts.h"
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

/// The containers that a sequence reads, each once.
void add_containers(const sequence& all, std::vector<const storage*>& known) {
  for (const call_argument& a : all.given) {
    const storage* const each = a.elements.elements.get();
    if (each != nullptr && std::find(known.begin(), known.end(), each) == known.end()) known.push_back(each);
  }
}

}  // namespace

emission::emission(const char* algorithm, const sequence& flags, bool wanted, const context& ctx, call_site here)
    : algorithm_(algorithm),
      wanted_(wanted),
      site_(here),
      counts_(std::make_shared<chunk_counts>(algorithm, flags, ctx, here)) {}

emission emission::complement() const {
  emission others = *this;
  others.wanted_ = !wanted_;
  return others;
}

bool emission::fits_whole(const std::vector<sequence>& values, std::int64_t bytes) const {
  if (!has_one_device(ctx())) return false;
  std::vector<const storage*> read;
  add_containers(flags(), read);
  for (const sequence& each : values) add_containers(each, read);
  std::int64_t all = bytes * total();
  for (const storage* each : read) all += each->capacity() * each->type().size;
  return all <= memory_of_devices(ctx()) / 2;
}

bool emission::has_rows(const std::vector<sequence>& values, const std::vector<operand>& to) const {
  if (is_counted()) return true;
  std::int64_t bytes = 0;
  for (const operand& each : to) {
    if (each.shape().rank() != 1 || each.size() != total()) return true;
    bytes += each.elements->type().size;
  }
  return !fits_whole(values, bytes);
}

launch_options emission::settings(const std::string& name, bool with_rows) const {
  launch_options with = counts_->settings(name);
  if (with_rows) with.tables = {{"rows", counts_->places_of(wanted_).rows}};
  return with;
}

std::vector<operand> emission::rooms(const std::vector<dtype>& types, const std::vector<sequence>& values) const {
  std::int64_t bytes = 0;
  for (const dtype& each : types) bytes += each.size;
  const bool is_open = !is_counted() && fits_whole(values, bytes);
  container_options options(ctx());
  if (!is_open && !counts_->parts().empty() && size() > 0)
    options.home = layout_of(counts_->parts(), counts_->places_of(wanted_).offsets);
  std::vector<operand> made;
  for (const dtype& each : types) {
    const extents room{is_open ? total() : size()};
    const auto elements = std::make_shared<storage>(options, room, each, std::vector<std::byte>());
    made.push_back({elements, elements->whole()});
    if (is_open) elements->expect_size(count());
  }
  return made;
}

std::vector<operand> emission::beginnings(const std::vector<operand>& outputs,
                                          const std::vector<sequence>& values) const {
  std::vector<operand> made;
  for (const operand& each : outputs)
    if (each.shape().rank() == 1 && each.size() >= total())
      made.push_back(algo::beginning_of(each, total(), total(), algorithm_, site_));
  if (made.size() == outputs.size() && !has_rows(values, made)) return made;
  made.clear();
  for (const operand& each : outputs) made.push_back(beginning_of(each));
  return made;
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

void emission::require_output(const operand& to, const dtype& type, const std::vector<call>& reads,
                              bool with_rows) const {
  const std::int64_t kept = with_rows ? size() : total();
  const auto fail = [&](const auto&... words) { throw argument_error(cat(label_of(algorithm_, site_), words...)); };
  if (to.size() != kept || to.elements->type() != type)
    fail(": ", kept, " elements of type ", to_string(type), " are kept in an output of ", to.size(), " of type ",
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

kernel emission::compiled(const std::vector<call>& bound, const std::vector<operand>& to, bool with_rows) const {
  const std::vector<call_text> texts = texts_of(bound);
  std::string key = with_rows ? "emit" : "emit whole";
  for (std::size_t k = 0; k < bound.size(); ++k)
    key += cat(" ", bound[k].text().digest, " ", texts[k].key(), k > 0 ? to[k - 1].shape().rank() : 0);
  return cached_kernel(ctx(), key, [&] {
    std::vector<emitted_text> values;
    for (std::size_t k = 1; k < bound.size(); ++k) {
      const op_text& text = bound[k].text();
      values.push_back(
          {&text, &texts[k], {cat("out", k - 1), text.results[0].type, to[k - 1].shape().rank(), 0, false}});
    }
    return emit_text(bound[0].text(), texts[0], values, with_rows);
  });
}

void emission::add_counts(std::vector<argument>& arguments) const {
  for (const operand& each : {counts_->sums(), counts_->counts()})
    arguments.push_back({each.elements->for_launch(access::read, each.part, site_)});
}

std::vector<argument> emission::arguments(const std::vector<call>& bound, const std::vector<operand>& to,
                                          bool with_rows) const {
  std::vector<argument> read;  // before what is written, which forgets what the host has changed
  for (const call_text& text : texts_of(bound)) text.add_arguments(read);
  std::vector<argument> all{number_argument(total()), number_argument(wanted_ ? 1 : 0)};
  add_counts(all);
  for (const operand& output : to)
    all.push_back({output.elements->for_launch(access_of_outputs(with_rows), output.part, site_)});
  all.insert(all.end(), read.begin(), read.end());
  return all;
}

void emission::note_written(const call& bound, const std::vector<operand>& to) const {
  static_cast<void>(resolved(counts_->where(), bound, to));
}

void emission::write(const std::vector<sequence>& values, const std::vector<operand>& to) const {
  std::vector<call> bound{flags().bound(algorithm_)};
  for (const sequence& each : values) {
    if (each.size != total())
      throw argument_error(cat(label_of(algorithm_, site_), ": ranges of ", total(), " and ", each.size,
                               " elements do not belong together"));
    bound.push_back(each.bound(algorithm_));
  }
  const bool with_rows = has_rows(values, to);
  for (std::size_t k = 0; k < to.size(); ++k) {
    require_output(to[k], bound[k + 1].text().results.at(0).element, bound, with_rows);
    for (std::size_t other = 0; other < k; ++other) require_apart(*this, to[other], to[k], site_);
  }
  if (with_rows && size() == 0) return;
  for (const call& each : bound) require_usable(each, to);
  const launch_options with = settings(algorithm_, with_rows);
  note_written(bound.back(), to);
  compiled(bound, to, with_rows).launch_with(with, arguments(bound, to, with_rows));
}

}  // namespace tessera::algo
