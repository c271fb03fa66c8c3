#include "tessera/algo/exec/placement/resolve.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/placement/context_tuning.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

using form = device_choice::form;

call_probe*& probe_of_thread() {
  thread_local call_probe* probe = nullptr;
  return probe;
}

/// Resolves one choice of one call.
class resolver {
 public:
  resolver(const call& bound, const std::vector<operand>& outputs, const context& ctx)
      : bound_(bound), outputs_(outputs), ctx_(ctx), machine_(ctx.engine()->machine()) {
    facts_.skeleton = bound.skeleton;
    facts_.function = bound.text().digest;
    for (const bound_argument& a : bound.arguments)
      if (a.given != nullptr && a.given->as == call_argument::kind::elements) add(a.given->elements, true);
    for (const operand& output : outputs) add(output, false);
  }

  [[nodiscard]] const call_facts& facts() const { return facts_; }

  [[nodiscard]] device_choice resolve(const device_choice& wanted) {
    switch (wanted.as()) {
      case form::kind:
        return on_kind(kind_named(wanted.kind()));
      case form::listed:
        note(kinds_among(checked(wanted.devices())));
        return shared(checked(wanted.devices()), wanted.weights());
      case form::all:
        return on_all();
      case form::automatic:
        return machine_.has_several_kinds() && !device_scope::current() ? on_kind(fastest()) : device_choice();
      case form::split:
        if (wanted.split_for({}, {}).spec().form == plan::split_spec::kind::on_device)
          note(kinds_among({wanted.split_for({}, {}).spec().device}));
        return wanted;
      default:
        return wanted;
    }
  }

 private:
  void add(const operand& part, bool read) {
    // One kind of devices has everything, or the host: nothing to compare.
    const kind_set held = machine_.has_several_kinds() ? part.elements->held_by() : 1;
    facts_.containers.push_back({part.size() * part.elements->type().size, held, read});
  }

  [[nodiscard]] std::string label() const { return label_of(bound_.skeleton, bound_.site); }

  [[nodiscard]] std::size_t kind_named(const std::string& name) const {
    std::string there;
    const std::vector<kind_facts> kinds = kinds_of(ctx_);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (kinds[k].name == name) return k;
      there += cat(there.empty() ? "" : ",", kinds[k].label());
    }
    throw argument_error(cat(label(), ": .on(ts::", name, "), but the context has no such devices: it has ", there,
                             "; TESSERA_DEVICES=", there, ",", name, " would add them"));
  }

  [[nodiscard]] const std::vector<int>& checked(const std::vector<int>& devices) const {
    if (devices.empty()) throw argument_error(cat(label(), ": .on({}) lists no device"));
    for (const int d : devices)
      if (d < 0 || d >= machine_.device_count())
        throw argument_error(
            cat(label(), ": there is no device ", d, "; the context has 0 to ", machine_.device_count() - 1));
    return devices;
  }

  [[nodiscard]] kind_set kinds_among(const std::vector<int>& devices) const {
    if (!machine_.has_several_kinds()) return 1;
    const std::vector<kind_facts> kinds = kinds_of(ctx_);
    kind_set found = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      for (const int d : kinds[k].devices)
        if (std::find(devices.begin(), devices.end(), d) != devices.end()) found |= kind_set{1} << k;
    return found;
  }

  [[nodiscard]] std::size_t fastest() const {
    const std::shared_ptr<const context_tuning> known = tuning_of(ctx_);
    return fastest_kind(known->table, facts_, known->kinds);
  }

  /// All devices of the kind; launches on the first one find them by themselves, as they lie.
  [[nodiscard]] device_choice on_kind(std::size_t kind) {
    note(kind_set{1} << kind);
    return kind == 0 ? device_choice::at_home() : shared(kinds_of(ctx_)[kind].devices, {});
  }

  [[nodiscard]] device_choice on_all() {
    if (!machine_.has_several_kinds()) return device_choice::at_home();
    if (is_small()) return on_kind(fastest());
    const std::shared_ptr<const context_tuning> known = tuning_of(ctx_);
    note(~kind_set{0});
    device_shares shares = shares_of_all(known->table, facts_, known->kinds);
    return device_choice::shared(std::move(shares.devices), std::move(shares.weights));
  }

  [[nodiscard]] bool is_small() const { return facts_.bytes() <= machine_.settings().small; }

  [[nodiscard]] device_choice shared(const std::vector<int>& devices, const std::vector<double>& weights) {
    if (is_small()) return std::vector<int>{devices[0]};
    return device_choice::shared(devices, weights);
  }

  void note(kind_set kinds) {
    if (!machine_.has_several_kinds()) return;
    for (const bound_argument& a : bound_.arguments)
      if (a.given != nullptr && a.given->as == call_argument::kind::elements)
        a.given->elements.elements->note_read_by(kinds);
    for (const operand& output : outputs_) output.elements->note_written_by(kinds);
  }

  const call& bound_;
  const std::vector<operand>& outputs_;
  const context& ctx_;
  const plan::machine_table& machine_;
  call_facts facts_;
};

/// The context of the call's first container; null if it has none.
const context* context_of(const call& bound, const std::vector<operand>& outputs) {
  if (!outputs.empty()) return &outputs[0].elements->ctx();
  for (const bound_argument& a : bound.arguments)
    if (a.given != nullptr && a.given->as == call_argument::kind::elements) return &a.given->elements.elements->ctx();
  return nullptr;
}

}  // namespace

call_probe::call_probe() { probe_of_thread() = this; }
call_probe::~call_probe() { probe_of_thread() = nullptr; }

device_choice resolved(const device_choice& wanted, const call& bound, const std::vector<operand>& outputs) {
  const device_choice* const scope = placement_scope::current();
  const device_choice& asked = wanted.as() == form::automatic && scope != nullptr ? *scope : wanted;
  call_probe* const probe = probe_of_thread();
  const context* const ctx = asked.as() == form::home ? nullptr : context_of(bound, outputs);
  if (ctx == nullptr) return asked;
  const bool follows = asked.as() == form::automatic || asked.as() == form::split;
  if (follows && probe == nullptr && !ctx->engine()->machine().has_several_kinds()) return asked;
  resolver call_resolver(bound, outputs, *ctx);
  if (probe != nullptr && probe->skeleton.empty()) {
    probe->skeleton = bound.skeleton;
    probe->function = bound.text().digest;
    probe->bytes = call_resolver.facts().bytes();
  }
  return call_resolver.resolve(asked);
}

}  // namespace tessera::algo
