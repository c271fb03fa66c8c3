#include "tessera/algo/exec/placement/context_tuning.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <span>

#include "tessera/algo/container/vector.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

constexpr std::string_view note_name = "tuning of skeletons";

/// Does not keep the engine: a context ends when the program drops it.
struct known_tuning {
  std::weak_ptr<runtime::engine> engine;  // an address may be used again
  std::shared_ptr<const context_tuning> tuning;
};
std::mutex mutex;
std::map<const runtime::engine*, known_tuning>& known() {
  static std::map<const runtime::engine*, known_tuning> all;
  return all;
}

std::shared_ptr<const context_tuning> find(const context& ctx) {
  const std::lock_guard lock(mutex);
  const auto found = known().find(ctx.engine().get());
  return found != known().end() && found->second.engine.lock() == ctx.engine() ? found->second.tuning : nullptr;
}

std::shared_ptr<const context_tuning> keep(const context& ctx, tuning_table table) {
  auto made = std::make_shared<const context_tuning>(context_tuning{kinds_of(ctx), std::move(table)});
  const std::lock_guard lock(mutex);
  std::erase_if(known(), [](const auto& entry) { return entry.second.engine.expired(); });
  known()[ctx.engine().get()] = {ctx.engine(), made};
  return made;
}

/// The text of rank 0 on every rank.
std::string broadcast(const context& ctx, const std::string& own) {
  if (ctx.ranks() == 1) return own;
  vector<std::int64_t> length(1, ctx);
  length.from_root(0, std::vector{static_cast<std::int64_t>(own.size())});
  const std::int64_t size = length.to_host()[0];
  vector<std::uint8_t> bytes(size, ctx);
  std::vector<std::uint8_t> text(static_cast<std::size_t>(size));
  if (ctx.rank() == 0) std::copy(own.begin(), own.end(), text.begin());
  bytes.from_root(0, text);
  text = bytes.to_host();
  return {text.begin(), text.end()};
}

}  // namespace

std::vector<kind_facts> kinds_of(const context& ctx) {
  const plan::machine_table& machine = ctx.engine()->machine();
  std::vector<kind_facts> kinds{{machine.automatic_kind(), {}, 0}};
  for (int d = 0; d < machine.device_count(); ++d) {
    const plan::device_spec& spec = machine.spec(d);
    const auto same = [&](const kind_facts& k) { return k.name == spec.kind; };
    auto found = std::find_if(kinds.begin(), kinds.end(), same);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {spec.kind, {}, 0});
    found->devices.push_back(d);
    found->link = std::max(found->link, spec.speeds.from_host);
  }
  return kinds;
}

std::shared_ptr<const context_tuning> tuning_of(const context& ctx) {
  if (auto found = find(ctx)) return found;
  // Without the lock: ranks of one process wait for each other.
  std::string text;
  if (ctx.rank() == 0)
    if (const auto note = ctx.engine()->find_note(note_name))
      text.assign(reinterpret_cast<const char*>(note->data()), note->size());
  return keep(ctx, tuning_table::parse(broadcast(ctx, text)));
}

void add_rows(const context& ctx, const std::vector<tuning_row>& rows) {
  tuning_table table = tuning_of(ctx)->table;
  for (const tuning_row& row : rows) table.set(row);
  const std::string text = broadcast(ctx, table.text());
  keep(ctx, tuning_table::parse(text));
  if (ctx.rank() == 0) ctx.engine()->store_note(note_name, std::as_bytes(std::span(text)));
}

}  // namespace tessera::algo
