#include "tessera/runtime/engine.h"

#include <algorithm>

#include "tessera/base/bytes/hash.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine_state.h"
#include "tessera/runtime/host_transfer.h"
#include "tessera/runtime/launch_request.h"
#include "tessera/runtime/report/instruction_account.h"

namespace tessera::runtime {
namespace {

/// What stands for the elements at `transfer.memory` if ranks are to compare what they write (rule C4), else 0.
/// Structures are left out: what lies between their members may differ.
std::uint64_t compared_contents(const host_transfer& transfer, const plan::machine_table& machine) {
  const dtype& type = transfer.array->type;
  if (transfer.goes == host_transfer::direction::read || !machine.settings().check_ranks) return 0;
  if (machine.node_count() == 1 || type.kind == scalar_kind::structure) return 0;
  if (transfer.participants.form != host_participants::kind::every) return 0;
  return hash_of({transfer.memory, static_cast<std::size_t>(transfer.bounds.volume() * type.size)});
}

using launch_ptr = std::shared_ptr<const plan::launch_task>;

/// Adds the variables of the file that the kernel uses; what is given is held until the launch is submitted.
std::vector<std::shared_ptr<const array_record>> attach_variables(engine_state& state, launch_request& request,
                                                                  file_variables::demand wanted) {
  if (!request.kernel || request.kernel->variables.empty() || !request.accesses) return {};
  if (request.kernel->changes_variables())
    if (const launch_ptr alone = state.launches->make(request)) refuse_split_changes(request, *alone);
  return state.variables->attach(request, wanted);
}

/// The task of a launch that is only rehearsed, null if it has no threads; `account` knows its arrays afterwards.
launch_ptr make_accounted(engine_state& state, launch_request request, instruction_account& account) {
  const auto held = attach_variables(state, request, file_variables::demand::look);
  for (const launch_request::array_use& use : request.arrays)
    if (use.array) account.know(use.array->id, use.array->type);
  return state.launches->make(std::move(request));
}

}  // namespace

engine::engine(const options& given) : state_(std::make_unique<engine_state>(*this, given)) {
  state_->variables = std::make_unique<file_variables>(*this, *state_);
}
engine::~engine() { state_->variables.reset(); }  // its arrays go while the rest can still be told

std::shared_ptr<const kernel_entry> engine::add_kernel(kernel_entry kernel) {
  return state_->kernels->add(std::move(kernel));
}

void engine::launch(launch_request request) {
  const std::shared_ptr<const kernel_entry> kernel = request.kernel;
  const call_site site = request.site;
  const std::vector<std::shared_ptr<const array_record>> held =
      attach_variables(*state_, request, file_variables::demand::make);
  auto task = state_->launches->make(std::move(request));
  live_statistics::add(state_->counters.launches, 1);
  if (!task) return;
  if (kernel->text)
    for (const memory::local_device& d : state_->devices)
      state_->kernels->compiled(*kernel, *d.backend, d.index, *task);
  state_->tasks->submit(std::move(task), site);
}

void engine::set_variable(const kernel_entry& kernel, std::string_view name, std::span<const std::byte> value,
                          const dtype& type, call_site site) {
  state_->variables->set(kernel, name, value, type, site);
}

std::vector<std::byte> engine::get_variable(const kernel_entry& kernel, std::string_view name, const dtype& type,
                                            call_site site) {
  return state_->variables->get(kernel, name, type, site);
}

std::string engine::explain(launch_request request) {
  const std::shared_ptr<const kernel_entry> kernel = request.kernel;
  instruction_account account(machine(), node());
  const launch_ptr task = make_accounted(*state_, std::move(request), account);
  if (!task) return cat("launch of '", kernel->name, "': no threads, nothing to do\n");
  std::string text = describe_split(*task);
  if (const std::string tier = tier_of(*kernel); !tier.empty()) text += cat("  on CPU devices as ", tier, "\n");
  text += "  instructions of this rank now:\n";
  for (const plan::instruction& i : state_->tasks->rehearse({&task, 1})) {
    text += cat("    ", to_string(i), "\n");
    account.add(i);
  }
  return text + to_string(account.totals());
}

std::string engine::tier_of(const kernel_entry& kernel) const {
  const bool cpu = std::any_of(state_->devices.begin(), state_->devices.end(), [](const memory::local_device& d) {
    return d.backend->language() == device::kernel_language::cpu;
  });
  return cpu && kernel.text ? state_->kernels->describe_tier(kernel) : std::string();
}

rehearsal engine::rehearse(std::vector<launch_request> requests) {
  state_->wait_all();
  instruction_account account(machine(), node());
  std::vector<launch_ptr> tasks;
  for (launch_request& request : requests)
    if (launch_ptr task = make_accounted(*state_, std::move(request), account)) tasks.push_back(std::move(task));
  for (const plan::instruction& i : state_->tasks->rehearse(tasks)) account.add(i);
  rehearsal result = account.totals();
  result.peak_bytes = state_->residency->levels().devices;
  for (std::size_t d = 0; d < result.peak_bytes.size(); ++d)
    result.peak_bytes[d] += account.besides(static_cast<std::int32_t>(d));
  for (const instruction_account::used_part& part : account.used())
    result.peak_bytes[static_cast<std::size_t>(part.device)] +=
        state_->residency->missing_bytes(part.array, part.device, part.boxes);
  return result;
}

std::shared_ptr<const array_record> engine::create(const array_spec& array, call_site site) {
  return create(array, array.shape.rank() == 0 ? extents{1} : array.shape, shared_from_this(), site);
}

std::shared_ptr<const array_record> engine::create_own(const array_spec& array, call_site site) {
  const std::shared_ptr<engine> not_held(std::shared_ptr<engine>(), this);
  return create(array, array.shape.rank() == 0 ? extents{1} : array.shape, not_held, site);
}

std::shared_ptr<const array_record> engine::create(const array_spec& array, const extents& plan_shape,
                                                   std::shared_ptr<engine> owner, call_site site) {
  plan::create_task task{array_id(++state_->last_array), plan_shape, array.type, array.home, nullptr};
  task.parts = state_->splits->partition_for(task.home, plan_shape);
  std::shared_ptr<const array_record> record(
      new array_record{std::move(owner), task.array, array.shape, plan_shape, array.type, task.parts, array.is_value});
  state_->tasks->submit(std::move(task), site);
  return record;
}

void engine::drop(array_id array) noexcept {
  try {
    state_->names.forget(array);
    state_->tasks->submit(plan::drop_task{array}, {});
  } catch (...) {
    // The engine has stopped: its memory goes with it.
  }
}

void engine::set_name(array_id array, std::string name) { state_->names.set(array, std::move(name)); }
std::string engine::name_of(array_id array) const { return state_->names.find(array); }

void engine::fill(const array_record& array, const box& bounds, std::vector<std::byte> value, call_site site) {
  if (!bounds.empty()) state_->tasks->submit(plan::fill_task{array.id, bounds, std::move(value)}, site);
}

std::shared_ptr<const array_record> engine::keep(const array_record& array, const box& bounds, call_site site) {
  plan::layout on_first;
  on_first.form = plan::layout::kind::on_device;
  std::shared_ptr<const array_record> value =
      create({{}, array.type, on_first, true}, extents::uniform(bounds.rank(), 1), shared_from_this(), site);
  state_->tasks->submit(plan::snapshot_task{array.id, bounds, value->id}, site);
  return value;
}

std::shared_ptr<pending_transfer> engine::exchange(const host_transfer& transfer, call_site site) {
  const array_record& array = *transfer.array;
  const host_participants& with = transfer.participants;
  std::byte* memory = transfer.memory;
  std::vector<array_id> buffers;
  const auto adopt = [&](const box& part) {
    buffers.emplace_back(++state_->last_buffer);
    state_->residency->adopt(buffers.back(), part.shape(), array.type, memory);
    memory += part.volume() * array.type.size;
  };
  if (with.form == host_participants::kind::own)
    for (const box& part : own_parts(array, transfer.bounds)) adopt(part);
  else if (with.form != host_participants::kind::one || node().value == with.rank)
    adopt(transfer.bounds);
  auto done = std::make_shared<ticket>();
  const plan::host_ranks ranks{static_cast<plan::host_ranks::kind>(with.form), node_id(with.rank)};
  const plan::host_exchange body{array.id, transfer.bounds,           ranks,
                                 buffers,  state_->tickets.add(done), compared_contents(transfer, machine())};
  auto pending = std::make_shared<pending_transfer>(shared_from_this(), done, std::move(buffers));
  if (transfer.goes == host_transfer::direction::read)
    state_->tasks->submit(plan::host_read_task{body}, site);
  else
    state_->tasks->submit(plan::host_write_task{body}, site);
  return pending;
}

std::vector<box> engine::own_parts(const array_record& array, const box& bounds) const {
  return plan::own_boxes(*array.home, machine().devices(node()), bounds);
}

void engine::wait(ticket& done, std::span<const array_id> buffers) {
  state_->tasks->flush_calls();
  done.wait();
  state_->tasks->throw_if_stopped();
  state_->throw_if_disconnected();
  failure_table& failures = state_->failures;
  if (!failures.any()) return;
  for (const array_id buffer : buffers)
    if (const failure problem = failures.reason_for(buffer)) {
      failures.reported(problem);
      std::rethrow_exception(problem.reason);
    }
}

void engine::release_host(std::span<const array_id> buffers) {
  for (const array_id buffer : buffers) {
    state_->residency->release(buffer);
    if (state_->failures.any()) state_->failures.forget(buffer);
  }
}

std::shared_ptr<std::byte> engine::host_memory(std::int64_t bytes) { return state_->residency->lend(bytes); }

void engine::wait_all() { state_->wait_all(); }

statistics engine::stats() {
  statistics s = state_->counters.totals();
  state_->tasks->ask_planner(
      [&](const plan::planner& now) { s.tracked_state = static_cast<std::int64_t>(now.tracked()); });
  const kernels::compile_counters compiled = state_->kernels->counters();
  s.kernels_compiled = compiled.compiled;
  s.kernel_cache_hits = compiled.disk_hits;
  const memory::spill_counters moved = state_->residency->counters();
  s.evictions = moved.evictions;
  s.spilled_bytes = moved.spilled_bytes;
  s.reloaded_bytes = moved.reloaded_bytes;
  s.disk_written_bytes = moved.disk_written_bytes;
  s.disk_read_bytes = moved.disk_read_bytes;
  s.memory_wait_ns = moved.waited_ns;
  for (std::size_t d = 0; d < state_->devices.size(); ++d)
    s.peak_bytes.push_back(state_->residency->peak_bytes(static_cast<int>(d)));
  memory::memory_levels now = state_->residency->levels();
  s.allocated_bytes = std::move(now.devices);
  s.allocated_host_bytes = now.host;
  s.allocated_disk_bytes = now.disk;
  return s;
}

void engine::on_transfer(std::function<void(const transfer_record&)> listener) {
  state_->transfers->set_listener(std::move(listener));
}

const plan::machine_table& engine::machine() const { return state_->splits->machine(); }
node_id engine::node() const { return state_->network->rank(); }
const check_list& engine::checks() const { return state_->checks; }

std::optional<std::vector<std::byte>> engine::find_note(std::string_view name) const {
  return state_->notes->find(name);
}
void engine::store_note(std::string_view name, std::span<const std::byte> contents) {
  state_->notes->store(name, contents);
}

}  // namespace tessera::runtime
