#include "tessera/algo/exec/routes/routes.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/routes/route_text.h"
#include "tessera/algo/exec/segments/segment_launch.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/settings/check_list.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

constexpr const char* rows_of_calls = "elements(b)";

std::int64_t bytes_of_value(const sequence& all) { return all.function.text->results.at(0).element.size; }

std::vector<std::int64_t> host_numbers(const operand& from, call_site here) {
  std::vector<std::int64_t> numbers(index(from.size()));
  from.elements->read(from.part, std::as_writable_bytes(std::span(numbers)), here);
  return numbers;
}

request_shape shape_of(const request_list& requests, std::int64_t owners) {
  request_shape shape;
  shape.owners = owners;
  shape.arrays = 1 + std::ssize(requests.carried);
  shape.bytes = 8 + 4 + requests.answer_bytes;
  shape.largest_bytes = std::max<std::int64_t>(8, requests.answer_bytes);
  for (const sequence& each : requests.carried) {
    shape.largest_bytes = std::max(shape.largest_bytes, bytes_of_value(each));
    shape.bytes += 2 * bytes_of_value(each);
  }
  return shape;
}

/// Neighbouring thread blocks on one device, as a split of a launch names them.
void append(std::vector<slab>& slabs, std::int64_t blocks, int device) {
  if (blocks == 0) return;
  const std::int64_t first = slabs.empty() ? 0 : slabs.back().hi, last = first + blocks * route_threads;
  if (!slabs.empty() && slabs.back().device == device)
    slabs.back().hi = last;
  else
    slabs.push_back({first, last, device});
}

}  // namespace

owner_list owners_of(const operand& owned, const context& ctx) {
  const std::int64_t bytes = owned.elements->type().size;
  std::int64_t size = std::max<std::int64_t>(1, memory_of_devices(ctx) / 8 / bytes);
  const std::vector<device_part> parts = parts_of(owned);
  std::vector<device_part> pieces = in_pieces(parts, size);
  while (std::ssize(pieces) > most_owners) pieces = in_pieces(parts, size *= 2);
  return {std::move(pieces), bytes};
}

routes::routes(const context& ctx, const request_list& requests, const owner_list& owners, call_site here)
    : ctx_(ctx),
      site_(here),
      owners_(owners),
      chunks_(chunks_of(requests.from, shape_of(requests, std::ssize(owners.parts)), ctx)),
      chunk_numbers_(numbers_on_devices(chunks_.begins, ctx)),
      elements_(chunks_.begins) {
  count(requests);
  find_places();
  group(requests);
  list_answers();
}

operand routes::grouped(const dtype& type, std::int64_t size) const {
  // Rows of a thread block lie apart, so that the launch that writes them all counts as one that reads them, too.
  std::vector<std::byte> fill(ctx_.engine()->checks().uninitialised ? type.size : 0U);
  const auto made = std::make_shared<storage>(container_options(ctx_), extents{size}, type, std::move(fill));
  return {made, made->whole()};
}

argument routes::use(const operand& part, access mode, call_site here) {
  return {part.elements->for_launch(mode, part.part, here)};
}

launch_options routes::options(const char* name, bool answers, std::vector<table> tables, call_site here) const {
  launch_options made;
  made.grid = {answers ? std::ssize(rows_) / 4 : chunks_.count()};
  made.block = {route_threads};
  std::vector<slab> slabs = answer_slabs_;
  if (!answers) {
    slabs.clear();
    for (const request_chunks::stretch& s : chunks_.stretches) append(slabs, s.last - s.first, s.device);
  }
  made.split = parts(std::move(slabs), 0);
  made.tables = std::move(tables);
  made.name = name;
  made.file = here.file;
  made.line = here.line;
  return made;
}

void routes::count(const request_list& requests) {
  const call bound = requests.owner.bound("routes");
  const call_text text(bound, 0, "a", rows_of_calls);
  const std::int64_t parts = std::ssize(owners_.parts);
  count_numbers_ = make_temporary(ctx_, {chunks_.count() * parts}, dtype_of<std::int64_t>());
  std::vector<argument> arguments{number_argument(parts), use(count_numbers_, access::write, site_),
                                  use(chunk_numbers_, access::read, site_)};
  text.add_arguments(arguments);
  cached_kernel(ctx_, cat("requests counted ", bound.text().digest, " ", text.key()), [&] {
    return count_requests_text(bound.text(), text);
  }).launch_with(options("requests counted", false, tables_of_calls({&bound}), site_), arguments);
  counts_ = host_numbers(count_numbers_, site_);
}

void routes::find_places() {
  const std::size_t owners = owners_.parts.size();
  begins_.resize(counts_.size());
  for (const request_chunks::stretch& s : chunks_.stretches) {
    std::int64_t at = chunks_.begins[index(s.first)];
    for (std::size_t d = 0; d < owners; ++d)
      for (std::size_t b = index(s.first); b < index(s.last); ++b) {
        begins_[b * owners + d] = at;
        at += counts_[b * owners + d];
      }
  }
  begin_numbers_ = numbers_on_devices(begins_, ctx_);
  std::vector<intervals::row> rows;
  for (std::size_t k = 0; k < counts_.size(); ++k) rows.push_back({begins_[k], begins_[k] + counts_[k]});
  sent_ = intervals(rows);
}

void routes::group(const request_list& requests) {
  const std::int64_t n = requests.owner.size;
  std::vector<call> bound{requests.owner.bound("routes")};
  for (const sequence& each : requests.carried) bound.push_back(each.bound("routes"));
  const char* const prefixes[] = {"a", "b", "c"};
  std::vector<call_text> texts;
  std::vector<const call*> calls;
  for (std::size_t k = 0; k < bound.size(); ++k) {
    texts.emplace_back(bound[k], 0, prefixes[k], rows_of_calls);
    calls.push_back(&bound[k]);
  }
  std::vector<carried_text> carried;
  std::string key = "requests grouped";
  places_ = grouped(dtype_of<std::int32_t>(), n);
  std::vector<argument> arguments{number_argument(std::ssize(owners_.parts)), use(places_, access::readwrite, site_)};
  for (std::size_t k = 0; k < bound.size(); ++k) {
    key += cat(" ", bound[k].text().digest, " ", texts[k].key());
    if (k == 0) continue;
    carried.push_back({&bound[k].text(), &texts[k]});
    carried_.push_back(grouped(bound[k].text().results.at(0).element, n));
    arguments.push_back(use(carried_.back(), access::readwrite, site_));
  }
  arguments.push_back(use(chunk_numbers_, access::read, site_));
  arguments.push_back(use(begin_numbers_, access::read, site_));
  for (const call_text& each : texts) each.add_arguments(arguments);
  std::vector<table> tables = tables_of_calls(calls);
  tables.emplace_back("sent", sent_);
  cached_kernel(ctx_, key, [&] {
    return group_requests_text(bound[0].text(), texts[0], carried);
  }).launch_with(options("requests grouped", false, std::move(tables), site_), arguments);
}

std::vector<routes::table> routes::tables_of_calls(const std::vector<const call*>& calls) const {
  for (const call* each : calls)
    for (const bound_argument& a : each->arguments)
      if (a.as == bound_argument::kind::element) return {{"elements", elements_}};
  return {};
}

void routes::list_answers() {
  const std::size_t owners = owners_.parts.size();
  const std::int64_t longest =
      std::max<std::int64_t>(1024, chunks_.count() > 0 ? chunks_.begins[1] - chunks_.begins[0] : 1);
  for (std::size_t d = 0; d < owners; ++d) {
    const device_part& owner = owners_.parts[d];
    const std::size_t before = rows_.size();
    for (const request_chunks::stretch& s : chunks_.stretches) {
      const std::size_t end = index(s.last - 1) * owners + d;
      const std::int64_t last = begins_[end] + counts_[end] - planted("request_lost");
      for (std::int64_t first = begins_[index(s.first) * owners + d]; first < last; first += longest)
        for (const std::int64_t number : {first, std::min(first + longest, last), owner.lo, owner.hi})
          rows_.push_back(number);
    }
    append(answer_slabs_, static_cast<std::int64_t>(rows_.size() - before) / 4, owner.device);
  }
  if (rows_.empty()) return;
  row_numbers_ = numbers_on_devices(rows_, ctx_);
  std::vector<intervals::row> requests, owned;
  for (std::size_t k = 0; k < rows_.size(); k += 4) {
    requests.push_back({rows_[k], rows_[k + 1]});
    owned.push_back({rows_[k + 2], rows_[k + 3]});
  }
  requests_ = intervals(requests);
  owned_ = intervals(owned);
}

std::vector<routes::table> routes::tables_of_answers() const { return {{"requests", requests_}, {"owned", owned_}}; }

operand routes::answered(const op& answer, const operand& owned, call_site here) const {
  const op_text& text = *answer.text;
  const op_result& result = text.results.at(0);
  const operand answers = make_temporary(ctx_, {carried_[0].size()}, result.element);
  if (rows_.empty()) return answers;
  const operator_text called{&answer, "answer"};
  const answer_types types{text.parameters.at(1).type, text.parameters.at(0).type, result.type, owned.shape().rank()};
  std::vector<argument> arguments{use(answers, access::write, here), use(row_numbers_, access::read, here),
                                  use(carried_[0], access::read, here), use(owned, access::read, here)};
  called.add_argument(arguments);
  cached_kernel(ctx_, cat("requests answered ", text.digest, " ", types.owned_axes), [&] {
    return answer_requests_text(called, types);
  }).launch_with(options("requests answered", true, tables_of_answers(), here), arguments);
  return answers;
}

void routes::bring_back(const operand& answers, const operand& out, const op& last, bool all, call_site here) const {
  if (rows_.empty()) return;
  const operator_text shown{&last, "last"};
  const int axes = out.shape().rank();
  std::vector<argument> arguments{number_argument(std::ssize(owners_.parts)),
                                  use(out, all ? access::write : access::readwrite, here),
                                  use(chunk_numbers_, access::read, here),
                                  use(begin_numbers_, access::read, here),
                                  use(count_numbers_, access::read, here),
                                  use(places_, access::read, here),
                                  use(answers, access::read, here)};
  shown.add_argument(arguments);
  cached_kernel(ctx_, cat("answers brought back ", last.text->digest, " ", all ? 1 : 0, axes), [&] {
    return return_answers_text(shown, all, axes);
  }).launch_with(options("answers brought back", false, {{"elements", elements_}, {"sent", sent_}}, here), arguments);
}

void routes::deliver(const operand& out, const op& last, call_site here) const {
  if (rows_.empty()) return;
  const operator_text shown{&last, "last"};
  const int axes = out.shape().rank();
  std::vector<argument> arguments{use(out, access::readwrite, here), use(row_numbers_, access::read, here),
                                  use(carried_[0], access::read, here), use(carried_[1], access::read, here)};
  shown.add_argument(arguments);
  cached_kernel(ctx_, cat("requests delivered ", last.text->digest, " ", axes), [&] {
    return deliver_text(shown, axes);
  }).launch_with(options("requests delivered", true, tables_of_answers(), here), arguments);
}

operand picked(const operand& from, const std::string& type, const std::vector<std::int64_t>& at, call_site here) {
  const context& ctx = from.elements->ctx();
  const operand to = make_temporary(ctx, {std::ssize(at)}, from.elements->type());
  const op identity = identity_op(type, from.elements->type());
  const int axes = from.shape().rank();
  std::vector<intervals::row> rows;
  for (const std::int64_t place : at) rows.push_back({place, place + 1});
  launch_options with;
  with.grid = {std::ssize(at)};
  with.block = {1};
  with.split = whole();
  with.tables = {{"picked", intervals(rows)}};
  with.name = "elements picked";
  with.file = here.file;
  with.line = here.line;
  const auto use = [&](const operand& part, access mode) {
    return argument{part.elements->for_launch(mode, part.part, here)};
  };
  const std::vector<argument> arguments{use(to, access::write), use(from, access::read),
                                        use(numbers_on_devices(at, ctx), access::read)};
  cached_kernel(ctx, cat("elements picked ", identity.text->digest, " ", axes), [&] {
    return pick_text(*identity.text, axes);
  }).launch_with(with, arguments);
  return to;
}

}  // namespace tessera::algo
