#include "tessera/runtime/execute/access/access_check.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/runtime/execute/access/rule_text.h"

namespace tessera::runtime {
namespace {

using kind = device::memory_access::kind;

std::string list(const auto& values, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += cat(k == 0 ? "" : ", ", values[static_cast<std::size_t>(k)]);
  return text;
}

std::string verb(kind action) { return action == kind::read ? "reads" : action == kind::write ? "writes" : "updates"; }

std::string who_text(const device::running_thread& who, int axes) {
  if (who.thread) return cat("thread (", list(*who.thread, axes), ") of block (", list(who.block, axes), ")");
  if (who.blocks == 1) return cat("block (", list(who.block, axes), ")");
  return cat("the row of ", who.blocks, " blocks from block (", list(who.block, axes), ") on");
}

bool is_reduced(const plan::launch_task& launch, int parameter) {
  return std::any_of(launch.accesses->rules.begin(), launch.accesses->rules.end(), [&](const plan::access_rule& r) {
    return r.parameter == parameter && r.mode == plan::access_mode::reduce;
  });
}

}  // namespace

/// Gives what it has found to the check when its blocks have run.
class access_check::recorder final : public device::access_recorder {
 public:
  recorder(access_check& owner, const recording_plan& with, void* const* parameters)
      : owner_(owner), recording_(with, parameters) {}
  ~recorder() override { owner_.take(recording_); }
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  void run(const device::running_thread& who) noexcept override { recording_.run(who); }
  bool touch(const device::memory_access& access) noexcept override { return recording_.touch(access); }
  void touch_outside(const device::memory_access& access) noexcept override { recording_.touch_outside(access); }

 private:
  access_check& owner_;
  access_recording recording_;
};

access_check::access_check(const plan::launch_op& launch, std::shared_ptr<const kernel_entry> kernel,
                           memory::residency& copies, std::shared_ptr<declaration_account> account)
    : launch_(launch.launch), kernel_(std::move(kernel)), part_(launch.part), account_(std::move(account)) {
  for (std::size_t a = 0; a < launch.launch->arrays.size(); ++a)
    if (!launch.launch->arrays[a].by_value) add_array(launch, a, copies);
  const kernels::kernel_text& text = kernel_->cpu_text ? *kernel_->cpu_text : *kernel_->text;
  by_blocks_ = text.features.needs_block();
  for (checked_array& a : arrays_) {
    const auto has = [&](auto mode_is) {
      return std::any_of(a.uses.begin(), a.uses.end(), [&](const checked_array::use& u) {
        return std::any_of(u.rules.begin(), u.rules.end(), [&](const auto* r) { return mode_is(r->mode); });
      });
    };
    if (has([](plan::access_mode m) { return m == plan::access_mode::write; }))
      a.marks = std::make_shared<mark_table>(a.elements());
    if (account_ && !has(plan::combines)) a.used = account_->table(a.uses.front().parameter, a.elements());
  }
}

void access_check::add_array(const plan::launch_op& launch, std::size_t array, memory::residency& copies) {
  const plan::launch_array& argument = launch.launch->arrays[array];
  const array_id id = launch.arrays[array];
  const bool is_private = is_reduced(*launch.launch, argument.parameter);
  std::size_t slot = 0;
  while (slot < arrays_.size() && (is_private || arrays_[slot].is_private || ids_[slot] != id)) ++slot;
  if (slot == arrays_.size()) {
    const memory::array_format& format = copies.format(id);
    checked_array& made = arrays_.emplace_back();
    made.first = reinterpret_cast<std::uintptr_t>(copies.address(id, launch.place.index));
    made.shape = format.shape;
    made.element_bytes = format.type.size;
    made.is_private = is_private;
    ids_.push_back(id);
  }
  checked_array::use& use = arrays_[slot].uses.emplace_back();
  use.parameter = argument.parameter;
  use.slice = argument.slice;
  for (const plan::access_rule& rule : launch.launch->accesses->rules)
    if (rule.parameter == argument.parameter) use.rules.push_back(&rule);
}

std::unique_ptr<device::access_recorder> access_check::record(void* const* parameters) {
  return std::make_unique<recorder>(*this, recording_plan{*launch_, arrays_, by_blocks_, account_ != nullptr},
                                    parameters);
}

void access_check::take(access_recording& recording) {
  const std::lock_guard lock(mutex_);
  for (violation& v : recording.violations()) {
    const auto like = std::find_if(violations_.begin(), violations_.end(), [&](const auto& o) { return o.is_like(v); });
    if (like == violations_.end())
      violations_.push_back(std::move(v));
    else
      like->join(v);
  }
  for (std::size_t a = 0; a < arrays_.size(); ++a)
    if (arrays_[a].used)
      account_->note(arrays_[a].uses.front().parameter, recording.spreads()[a].read, recording.spreads()[a].written);
}

void access_check::verify() const {
  const auto first = std::min_element(violations_.begin(), violations_.end(),
                                      [](const violation& a, const violation& b) { return a.before(b); });
  if (first != violations_.end()) throw annotation_error(message(*first));
}

void access_check::count_use() const {
  if (!account_) return;
  for (const checked_array& a : arrays_)
    if (a.used) account_->add(a, part_);
  account_->add_part(part_);
}

std::string access_check::message(const violation& v) const {
  const int axes = std::min(launch_->space.size.rank(), 3);
  const std::string& name = kernel_->parameters[index(arrays_[v.array].uses[v.use].parameter)].name;
  const std::string at = v.line.empty() ? "" : cat(" at ", v.line);
  const std::string begin = cat(who_text(v.who, axes), " ", verb(v.action), " ");
  if (v.why == violation::reason::outside)
    return cat(begin, v.distance == 0 ? "directly" : cat(v.distance < 0 ? -v.distance : v.distance, " bytes"),
               v.distance < 0 ? " before the first" : " behind the last", " element of '", name, "'", at,
               ", in memory of no array of the launch");
  const std::string element = cat(begin, name, "[", list(v.at.begin(), v.at.rank()), "]", at);
  if (v.why == violation::reason::unwritten)
    return cat(element, ", which its annotation declares 'write' alone and which nothing has written in this launch: ",
               "what it held before is lost, on one device too; the rule that would declare it: `", suggestion(v), "`");
  return cat(element, ", which its annotation does not declare; the rule that would declare it: `", suggestion(v), "`");
}

std::string access_check::suggestion(const violation& v) const {
  const checked_array& array = arrays_[v.array];
  const checked_array::use& use = array.uses[v.use];
  plan::access_rule rule;
  rule.parameter = use.parameter;
  rule.mode = v.declared_otherwise || v.action == kind::update ? plan::access_mode::readwrite
              : v.action == kind::read                         ? plan::access_mode::read
                                                               : plan::access_mode::write;
  if (const plan::storage_view* view = array.view_of(v.use)) rule.view = *view;
  std::vector<std::uint32_t> preferred;
  for (const plan::access_rule* r : use.rules)
    for (std::size_t a = 0; a < r->indices.size(); ++a) {
      preferred.resize(std::max(preferred.size(), a + 1));
      if (r->indices[a].first) preferred[a] |= r->indices[a].first->names_used();
      if (r->indices[a].last) preferred[a] |= r->indices[a].last->names_used();
    }
  const auto is_exact = [](const std::vector<plan::index_range>& indices) {
    return !indices.empty() && std::all_of(indices.begin(), indices.end(), [](const auto& i) { return i.first; });
  };
  plan::index_spread both = v.touched;
  if (v.action == kind::read) both.join(v.allowed);  // to write is a promise: nothing is added to what was seen
  rule.indices = both.indices(preferred);
  if (!is_exact(rule.indices)) rule.indices = v.touched.indices(preferred);
  if (rule.indices.empty()) rule.view.reset();
  return rule_text(rule, *kernel_);
}

}  // namespace tessera::runtime
