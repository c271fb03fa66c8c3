#include "tessera/nd/graph/graph.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/error.h"
#include "tessera/nd/fast_math.h"
#include "tessera/nd/fuse/plan.h"
#include "tessera/nd/refuse.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::nd {
namespace {

constexpr std::size_t most_recent_flushes = 32;

const char* text_of(flush_reason why) {
  switch (why) {
    case flush_reason::look:
      return "a value was looked at";
    case flush_reason::eval:
      return "eval was called";
    case flush_reason::nodes:
      return "512 operations were recorded";
    case flush_reason::bytes:
      break;
  }
  return "recorded operations hold on to new arrays of half of the memory of all devices";
}

}  // namespace

node::~node() {
  if (!drops_readers) return;
  for (const node_ptr& operand : operands)
    if (operand) --operand->readers;
}

std::shared_ptr<graph> graph::of(const context& ctx) {
  static std::mutex mutex;
  static std::map<const runtime::engine*, std::weak_ptr<graph>> known;
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<graph>& found = known[ctx.engine().get()];
  if (std::shared_ptr<graph> there = found.lock()) return there;
  auto made = std::make_shared<graph>(ctx);
  found = made;
  return made;
}

graph::graph(context ctx) : ctx_(std::move(ctx)) {
  const plan::machine_table& machine = ctx_.engine()->machine();
  devices_ = static_cast<int>(machine.automatic_devices().size());
  has_host_values_ = machine.settings().small != 0;
  has_ranks_ = machine.node_count() > 1;
  deterministic_ = machine.settings().deterministic;
  // A few elements lie in two pages at most. GPUs have larger pages, but never so little memory.
  constexpr std::int64_t page_of_hosts = 4096, fewest_accesses = 5;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const int device : machine.automatic_devices()) {
    byte_limit_ += machine.spec(device).memory / 2;
    least = std::min(least, machine.spec(device).memory);
  }
  most_accesses_ = static_cast<std::size_t>(std::max(fewest_accesses, (least - least / 8) / (2 * page_of_hosts)));
}

int graph::device(int k) const { return ctx_.engine()->machine().automatic_devices()[index(k)]; }

node_ptr graph::add(std::shared_ptr<node> made) {
  const std::lock_guard lock(mutex_);
  made->number = next_number_++;
  made->drops_readers = !has_ranks_;
  made->is_fast = fast_math::is_on();
  for (const node_ptr& operand : made->operands)
    if (operand) ++operand->readers, ++operand->consumers;
  ++stats_.nodes;
  recent_.push_back({made->number, made, has_ranks_ ? made : nullptr});
  count_bytes(*made);
  if (is_flushing_) return made;
  if (recent_.size() >= most_recorded)
    flush_recorded(flush_reason::nodes, made->site);
  else if (bytes_ > byte_limit_)
    flush_recorded(flush_reason::bytes, made->site);
  return made;
}

/// Counts operands that have got elements since the oldest recorded node, each once between two flushes. Others were
/// there before anything was recorded: recording makes the program's arrays no more than they were.
void graph::count_bytes(const node& made) {
  for (const node_ptr& operand : made.operands)
    if (operand && operand->is_stored() && operand->born > recent_.front().number && operand->counted != epoch_) {
      operand->counted = epoch_;
      bytes_ += operand->bytes() * (operand->placement.kind() == layout::form::replicated ? devices_ : 1);
    }
}

void graph::flush_recorded(flush_reason why, call_site here) {
  std::vector<node_ptr> roots;
  for (const entry& each : recent_)
    if (node_ptr there = each.recorded.lock(); there && !there->is_stored() && there->consumers == 0)
      roots.push_back(std::move(there));
  flush_wanted(std::move(roots), why, here);
  recent_.clear();
  bytes_ = 0;
  ++epoch_;
}

void graph::flush(std::span<const node_ptr> roots, flush_reason why, call_site here) {
  const std::lock_guard lock(mutex_);
  std::vector<node_ptr> wanted;
  for (const node_ptr& root : roots)
    if (!root->is_stored()) wanted.push_back(root);
  flush_wanted(std::move(wanted), why, here);
}

void graph::flush_wanted(std::vector<node_ptr> wanted, flush_reason why, call_site here) {
  if (wanted.empty()) return;
  ++stats_.flushes;
  if (flushes_.size() == most_recent_flushes) flushes_.pop_front();
  flushes_.emplace_back(here, why);
  struct flag {
    bool& set;
    explicit flag(bool& target) : set(target) { set = true; }
    ~flag() { set = false; }
  } const flushing(is_flushing_);
  carry_out(*this, std::move(wanted), here);
  drop_finished();
}

void graph::check_places(const node_ptr& least, const node_ptr& greatest, std::int64_t extent, int axis,
                         call_site site) {
  const std::lock_guard lock(mutex_);
  checks_.push_back({least, greatest, extent, axis, site});
}

void graph::run_checks(call_site here) {
  const std::lock_guard lock(mutex_);
  std::vector<place_check> checks = std::move(checks_);
  checks_.clear();
  if (!matrix_checks_.empty()) check_matrices_now(here);
  for (const place_check& each : checks) {
    const std::array<node_ptr, 2> ends{each.least, each.greatest};
    fetch(ends, here);
    for (const node_ptr& end : ends) {
      std::int64_t place = 0;
      std::memcpy(&place, end->host->data(), sizeof place);
      if (place < -each.extent || place >= each.extent)
        throw index_error(cat(each.site.file, ":", each.site.line, ": index ", place, " is beyond axis ", each.axis,
                              ", which has ", each.extent, " elements"));
    }
  }
}

void graph::check_matrices(const node_ptr& info, const char* fault, call_site site) {
  const std::lock_guard lock(mutex_);
  matrix_checks_.push_back({info, fault, site});
}

void graph::check_matrices_now(call_site here) {
  const std::vector<matrix_check> checks = std::exchange(matrix_checks_, {});
  std::vector<node_ptr> wanted;
  for (const matrix_check& each : checks) wanted.push_back(each.info);
  fetch(wanted, here);
  for (const matrix_check& each : checks) {
    std::vector<std::int32_t> info(index(each.info->size()));
    std::memcpy(info.data(), each.info->host->data(), info.size() * sizeof(std::int32_t));
    refuse_matrices(info, each.fault, each.site);
  }
}

graph_stats graph::stats() {
  const std::lock_guard lock(mutex_);
  graph_stats all = stats_;
  for (const auto& [where, why] : flushes_) all.recent.push_back(cat(where.file, ":", where.line, ": ", text_of(why)));
  return all;
}

/// Nodes that are stored, or were only operands of such, are no longer recorded: a loop that is carried out round by
/// round does the same in each.
void graph::drop_finished() {
  std::unordered_set<const node*> needed;           // by nodes that are not finished
  for (std::size_t k = recent_.size(); k-- > 0;) {  // users before operands
    const node_ptr n = recent_[k].recorded.lock();
    if (!n || n->is_stored() || (n->consumers > 0 && !needed.contains(n.get()))) {
      recent_[k] = {};
      continue;
    }
    for (const node_ptr& operand : n->operands) needed.insert(operand.get());
  }
  std::erase_if(recent_, [](const entry& each) { return each.recorded.expired(); });
  bytes_ = 0;
  ++epoch_;
  for (const entry& each : recent_)
    if (const node_ptr there = each.recorded.lock()) count_bytes(*there);
}

void graph::note_elements(node& stored) {
  const std::lock_guard lock(mutex_);
  stored.born = next_number_;
}

void graph::let_go(const node& finished) {
  const auto at = std::ranges::lower_bound(recent_, finished.number, {}, &entry::number);
  if (at != recent_.end() && at->number == finished.number) at->kept.reset();
}

void graph::flush_all(call_site here) {
  const std::lock_guard lock(mutex_);
  flush_recorded(flush_reason::look, here);
}

std::string graph::explain(const node_ptr& root) {
  const std::lock_guard lock(mutex_);
  return explain_plan(*this, root);
}

const array_base& graph::array_of(node& stored) {
  const std::lock_guard lock(mutex_);
  if (stored.is_overwritten) throw error("an array was read after it was overwritten; please report this");
  // A host value meets arrays of any context, of which the last has a copy.
  const bool is_elsewhere =
      stored.host && stored.array.record() != nullptr && context::of(stored.array).engine() != ctx_.engine();
  if (stored.array.record() == nullptr || is_elsewhere) {
    const simple_distribution where = layout::replicated().distribution_of(stored.shape, devices_);
    stored.array = ctx_.empty(stored.shape, dtype::make(stored.type), where, stored.site);
    if (stored.host->size() > 0) stored.array.write_bytes(stored.host->bytes(), stored.site);
  }
  return stored.array;
}

void graph::fetch(std::span<const node_ptr> wanted, call_site here) {
  const std::lock_guard lock(mutex_);
  flush(wanted, flush_reason::look, here);
  std::vector<transfer> pending;
  std::vector<std::pair<node*, std::shared_ptr<host_value>>> made;
  for (const node_ptr& each : wanted) {
    if (each->host) continue;
    auto value = std::make_shared<host_value>(static_cast<std::size_t>(each->bytes()));
    pending.push_back(each->array.read_bytes_async({value->data(), value->size()}, here));
    made.emplace_back(each.get(), std::move(value));
  }
  for (std::size_t k = 0; k < pending.size(); ++k) try {
      wait_for(pending[k], made[k].second);
    } catch (...) {
      for (std::size_t left = k + 1; left < pending.size(); ++left)
        abandoned_.push_back({made[left].second, std::move(pending[left])});
      throw;
    }
  for (auto& [to, value] : made) to->host = std::move(value);
}

void graph::read(const array_base& from, std::span<std::byte> to, std::shared_ptr<void> memory, call_site here) {
  transfer under_way = from.read_bytes_async(to, here);
  wait_for(under_way, memory);
}

void graph::wait_for(transfer& under_way, const std::shared_ptr<void>& memory) {
  try {
    under_way.wait();
  } catch (...) {
    // Destroying it here would wait, of all things.
    const std::lock_guard lock(mutex_);
    std::erase_if(abandoned_, [](const abandoned_read& each) { return each.under_way.done(); });
    if (!under_way.done()) abandoned_.push_back({memory, std::move(under_way)});
    throw;
  }
}

}  // namespace tessera::nd
