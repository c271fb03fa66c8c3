#include "tessera/runtime/execute/issue/launch_issuer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/plan/combine/declared_boxes.h"

namespace tessera::runtime {
namespace {

extents three(const extents& e, std::int64_t fill) {
  extents result = extents::uniform(3, fill);
  for (int k = 0; k < std::min(3, e.rank()); ++k) result[k] = e[k];
  return result;
}

/// Whether each core gets a copy of what `rule` declares `atomic`, so that cores do not contend: it is small, there is
/// work enough, and no other argument is the same array.
bool is_copied(const plan::launch_op& o, std::size_t array, const plan::access_rule& rule, std::int64_t bytes) {
  constexpr std::int64_t most_bytes = 1 << 19, bytes_per_thread = 16, fewest_threads = 16 << 10;
  if (o.launch->plan->in_order || bytes > most_bytes) return false;
  const auto& rules = o.launch->accesses->rules;
  const auto& arrays = o.arrays;
  return o.launch->space.points(o.part).volume() >= std::max(fewest_threads, bytes / bytes_per_thread) &&
         std::count_if(rules.begin(), rules.end(), [&](const auto& r) { return r.parameter == rule.parameter; }) == 1 &&
         std::count(arrays.begin(), arrays.end(), arrays[array]) == 1;
}

/// `arguments` hold the addresses of the arrays. On a CPU cores may get copies. The code is compiled.
std::vector<device::private_result> private_results(const plan::instruction& i, const plan::launch_op& o,
                                                    const launch_code& code, device::backend& backend,
                                                    std::span<const device::argument_value> arguments,
                                                    const memory::residency& copies) {
  const kernel_entry& kernel = *code.kernel;
  const bool on_cpu = backend.language() == device::kernel_language::cpu;
  std::vector<device::private_result> results;
  const auto all_of = [&](array_id array) {
    box all;
    for (const plan::operand& p : i.operands)
      if (p.copy.array == array) all = all.rank() == 0 ? p.bounds : hull(all, p.bounds);
    return all;
  };
  const bool runs_own_text = !(on_cpu && kernel.cpu_text);
  const auto is_accumulated = [&](const plan::access_rule& rule) {
    return runs_own_text && kernel.parameters[index(rule.parameter)].accumulates == rule.op;
  };
  // Beside a result of each block there are no copies for each core.
  const auto& rules = o.launch->accesses->rules;
  const bool may_copy = on_cpu && std::all_of(rules.begin(), rules.end(), [&](const plan::access_rule& rule) {
                          return rule.mode != plan::access_mode::reduce || is_accumulated(rule);
                        });
  for (std::size_t a = 0; a < o.launch->arrays.size(); ++a) {
    const plan::launch_array& argument = o.launch->arrays[a];
    for (const plan::access_rule& rule : o.launch->accesses->rules) {
      const bool atomic = rule.mode == plan::access_mode::atomic && may_copy && is_accumulated(rule);
      if (rule.parameter != argument.parameter || (rule.mode != plan::access_mode::reduce && !atomic)) continue;
      const memory::array_format& format = copies.format(o.arrays[a]);
      const std::int64_t bytes = span_bytes(format.strides, all_of(o.arrays[a]), format.type.size);
      if (atomic && !is_copied(o, a, rule, bytes)) continue;
      std::byte* address = nullptr;
      std::memcpy(&address, arguments[index(argument.parameter)].data(), sizeof address);
      results.push_back(
          {argument.parameter, address, format.strides, format.type, rule.op,
           plan::declared_boxes(rule, o.launch->accesses->names, o.launch->space, o.part, argument.slice.shape()),
           bytes, is_accumulated(rule),
           is_registered(rule.op) ? backend.reduction(code.module->module(), rule.parameter) : nullptr});
    }
  }
  return results;
}

/// Compares the sizes of structures with what the compiled kernel has (rule B1). `layout` holds {size, alignment}
/// per parameter; null where the device has no table.
void check_layout(const kernel_entry& kernel, const plan::launch_op& o, const std::int64_t* layout,
                  const memory::residency& copies) {
  if (layout == nullptr) return;
  const auto check = [&](int parameter, std::int64_t given) {
    const kernels::parameter& p = kernel.parameters[index(parameter)];
    const std::int64_t wanted = layout[2 * parameter];
    if (p.is_struct && given != wanted)
      throw argument_error(cat("parameter '", p.name, "' of kernel '", kernel.name, "' is '", p.type_text, "' of ",
                               wanted, " bytes, but the argument has ", given));
  };
  for (std::size_t a = 0; a < o.launch->arrays.size(); ++a)
    if (index(o.launch->arrays[a].parameter) < kernel.arguments())
      check(o.launch->arrays[a].parameter, copies.format(o.arrays[a]).type.size);
  for (const plan::launch_scalar& s : o.launch->scalars) check(s.parameter, static_cast<std::int64_t>(s.value.size()));
}

}  // namespace

std::byte* launch_issuer::argument_address(const plan::launch_op& o, std::size_t array) const {
  const plan::launch_array& argument = o.launch->arrays[array];
  box first = argument.slice;
  if (planted("slice_pointer")) first.lo = extents::uniform(first.rank(), 0);
  for (int k = 0; k < first.rank(); ++k) first.hi[k] = first.lo[k] + 1;
  return work_.part({o.arrays[array], o.place}, first).data;
}

launch_code launch_issuer::code_of(const plan::launch_task& launch, location place) {
  std::shared_ptr<const kernel_entry> kernel = with_.kernels.find(launch.kernel);
  if (!kernel->text) return {std::move(kernel), nullptr};
  const memory::local_device& device = with_.devices[index(place.index)];
  auto module = with_.kernels.compiled(*kernel, *device.backend, device.index, launch);
  if (kernel->meanwhile && runs_meanwhile(*kernel, *module, *device.backend)) return {std::move(kernel), nullptr};
  return {std::move(kernel), std::move(module)};
}

bool launch_issuer::runs_meanwhile(const kernel_entry& kernel, const kernels::module_request& module,
                                   const device::backend& backend) {
  if (backend.name() != "cpu" || with_.checks.any()) return false;  // checks are about the text
  if (module.ready()) {
    if (!module.failure()) return false;
    try {
      std::rethrow_exception(module.failure());
    } catch (const missing_compiler& e) {
      if (with_.kernels.first_warning(0))
        log(log_level::warning,
            cat("kernel '", kernel.name, "' and others run as functions, which is slower: ", e.what()));
    } catch (...) {
      return false;  // the launch reports it
    }
  }
  live_statistics::add(with_.statistics.uncompiled, 1);
  return true;
}

void launch_issuer::issue(const plan::instruction& i, const plan::launch_op& o, launch_code code) {
  work_.reserve(i.id, i.operands, {o.place.index, o.workspace});
  live_statistics::add(with_.statistics.superblocks, 1);
  if (code.module)
    issue_source(o, std::move(code));
  else
    issue_native(i, o, code.kernel);
}

std::shared_ptr<access_check> launch_issuer::listener_of(const plan::launch_op& o,
                                                         const std::shared_ptr<const kernel_entry>& kernel) {
  const device::backend& backend = *with_.devices[index(o.place.index)].backend;
  if (!with_.checks.listens() || backend.name() != "cpu") return nullptr;
  if (!with_.checks.overdeclared)
    account_ = nullptr;
  else if (!account_ || !account_->is_of(*o.launch))
    account_ = std::make_shared<declaration_account>(o.launch, kernel, with_.kernels);
  return std::make_shared<access_check>(o, kernel, with_.memory, account_);
}

template <class Enqueue>
void launch_issuer::enqueue_checked(std::int32_t device, const std::shared_ptr<const access_check>& accesses,
                                    Enqueue enqueue) {
  if (!with_.checks.any()) {
    device_work work = work_.begin(device, device::queue_kind::compute, 1);
    const event last = enqueue(work);
    work_.end(work, last);
    return with_.memory.reserved_for(last);
  }
  const auto check =
      std::make_shared<launch_check>(with_.checks, work_.current(), with_.memory, with_.devices[index(device)]);
  std::vector<device::fill_desc> canaries = check->canaries();
  const std::vector<device::copy_desc> fetches = check->fetches();
  const int guards = check->has_guards_in_place() ? 1 : 0;
  device_work work =
      work_.begin(device, device::queue_kind::compute, static_cast<int>(canaries.size() + fetches.size()) + guards + 2);
  if (guards > 0)
    work.backend->native(work.next(work_.memory_waits()), [check](device::native_context&) { check->fill_guards(); });
  for (device::fill_desc& canary : canaries) work.backend->fill(work.next(work_.memory_waits()), std::move(canary));
  event last = enqueue(work);
  for (const device::copy_desc& fetch : fetches) last = work.backend->copy(work.next(), fetch);
  // A device with memory of its own may call native functions before what is queued ahead of them has ended. Accesses
  // of one launch after the other are compared, so that the first that is not declared is named, whatever runs beside
  // it.
  if (accesses || !work.backend->shares_host_memory()) last.wait();
  last = work.backend->native(work.next(), [check, accesses, named = with_.checks.access](device::native_context&) {
    if (accesses && named) accesses->verify();
    if (accesses) accesses->count_use();
    check->verify();
  });
  work_.end(work, last);
  with_.memory.reserved_for(last);
}

/// A module without the variable does not use it: another kind of device does.
void launch_issuer::add_variable(device::launch_desc& call, const plan::launch_op& o, std::size_t array,
                                 const launch_code& code, std::byte* contents) {
  const kernel_entry& kernel = *code.kernel;
  const kernels::file_variable& v = kernel.variables[index(o.launch->arrays[array].parameter) - kernel.arguments()];
  device::backend& backend = *with_.devices[index(o.place.index)].backend;
  device::module_variable* const found =
      backend.variable(code.module->module(), variable_symbol(backend.language(), v.name));
  if (found == nullptr) return;
  const std::int64_t bytes = with_.memory.format(o.arrays[array]).type.size;
  if (found->bytes != bytes)
    throw argument_error(cat("variable '", v.name, "' of kernel '", kernel.name, "' has ", found->bytes,
                             " bytes in the compiled kernel, but was set with ", bytes));
  call.variables.push_back({found, contents, v.changed_in_file ? 0 : o.arrays[array].value, v.changed});
}

void launch_issuer::issue_source(const plan::launch_op& o, launch_code code) {
  const memory::local_device& device = with_.devices[index(o.place.index)];
  const kernel_entry& kernel = *code.kernel;
  code.module->finished().wait();

  device::launch_desc call;
  call.function = code.module->function();
  if (kernel.has_structures) {
    const char* layout = parameters_symbol(device.backend->language());
    check_layout(kernel, o, static_cast<const std::int64_t*>(device.backend->symbol(code.module->module(), layout)),
                 with_.memory);
  }
  call.grid = three(o.launch->space.granules(), 1);
  call.block = three(o.launch->space.granule, 1);
  call.begin = three(o.part.lo, 0);
  call.end = three(o.part.hi, 1);
  call.shared_bytes = o.launch->shared_bytes;
  call.arguments.resize(kernel.arguments(), nullptr);
  for (std::size_t a = 0; a < o.launch->arrays.size(); ++a) {
    const plan::launch_array& argument = o.launch->arrays[a];
    std::byte* const address = argument_address(o, a);
    if (index(argument.parameter) >= kernel.arguments()) {
      add_variable(call, o, a, code, address);
      continue;
    }
    if (argument.by_value) call.loaded.push_back({argument.parameter, address});
    call.arguments[index(argument.parameter)] =
        argument.by_value ? device::argument_value(std::vector<std::byte>(with_.memory.format(o.arrays[a]).type.size))
                          : device::argument_value(address);
  }
  for (const plan::launch_scalar& s : o.launch->scalars) call.arguments[index(s.parameter)] = s.value;
  call.results = private_results(work_.current(), o, code, *device.backend, call.arguments, with_.memory);
  call.workspace = o.workspace;
  call.in_order = o.launch->plan->in_order;
  const std::shared_ptr<access_check> accesses = listener_of(o, code.kernel);
  call.accesses = accesses;
  work_.keep(std::move(code.module));

  enqueue_checked(o.place.index, accesses, [&](device_work& work) {
    return work.backend->launch(work.next(work_.memory_waits()), std::move(call));
  });
}

/// A native kernel and what it is called with, in one piece of memory.
struct launch_issuer::native_work {
  std::shared_ptr<const kernel_entry> kernel;       // owns the function
  std::shared_ptr<const plan::launch_task> launch;  // owns the scalars
  const native_kernel* function = nullptr;
  box points;
  std::vector<native_call::touched_box> touched;
  native_call::extras besides;
  std::span<native_array> arrays;  // one per parameter
  std::span<std::span<const std::byte>> scalars;

  explicit native_work(std::size_t parameters) {
    if (parameters > few) more_arrays_.resize(parameters), more_scalars_.resize(parameters);
    arrays = {parameters > few ? more_arrays_.data() : few_arrays_.data(), parameters};
    scalars = {parameters > few ? more_scalars_.data() : few_scalars_.data(), parameters};
  }
  native_work(const native_work&) = delete;
  native_work& operator=(const native_work&) = delete;

 private:
  static constexpr std::size_t few = 4;
  std::array<native_array, few> few_arrays_;
  std::array<std::span<const std::byte>, few> few_scalars_;
  std::vector<native_array> more_arrays_;
  std::vector<std::span<const std::byte>> more_scalars_;
};

/// The operands of a launch by parameter; parameters that have the same array each have all of its boxes.
std::vector<native_call::touched_box> touched_boxes(const plan::instruction& i, const plan::launch_op& o,
                                                    const memory::residency& copies) {
  std::vector<native_call::touched_box> boxes;
  for (std::size_t a = 0; a < o.launch->arrays.size(); ++a) {
    const plan::launch_array& argument = o.launch->arrays[a];
    for (const plan::operand& used : i.operands) {
      if (!(used.copy == plan::copy_ref{o.arrays[a], o.place})) continue;
      box bounds = intersect(used.bounds, argument.slice);
      for (int k = 0; k < bounds.rank(); ++k)
        bounds.lo[k] -= argument.slice.lo[k], bounds.hi[k] -= argument.slice.lo[k];
      if (!bounds.empty())
        boxes.push_back({argument.parameter, bounds, used.written, copies.format(o.arrays[a]).type.size});
    }
  }
  return boxes;
}

void launch_issuer::issue_native(const plan::instruction& i, const plan::launch_op& o,
                                 const std::shared_ptr<const kernel_entry>& kernel) {
  const memory::local_device& device = with_.devices[index(o.place.index)];
  const auto found = kernel->natives.find(device.backend->name());
  const native_kernel* const function = kernel->meanwhile                ? kernel->meanwhile.get()
                                        : found != kernel->natives.end() ? &found->second
                                                                         : nullptr;
  if (function == nullptr && device.backend->name() != "null")  // which calls none
    throw argument_error(
        cat("native kernel '", kernel->name, "' has no function for ", device.backend->name(), " devices"));
  const auto work = std::make_shared<native_work>(kernel->parameters.size());
  work->kernel = kernel;
  work->launch = o.launch;
  work->function = function;
  for (std::size_t a = 0; a < o.launch->arrays.size(); ++a) {
    const plan::launch_array& argument = o.launch->arrays[a];
    std::byte* const address = argument_address(o, a);
    if (argument.by_value)  // read when the function runs
      work->scalars[index(argument.parameter)] = {address, with_.memory.format(o.arrays[a]).type.size};
    else
      work->arrays[index(argument.parameter)] = {address, with_.memory.format(o.arrays[a]).strides,
                                                 argument.slice.shape()};
  }
  for (const plan::launch_scalar& s : o.launch->scalars) work->scalars[index(s.parameter)] = s.value;
  work->points = o.launch->space.points(o.part);
  work->besides = {
      kernel->contents ? std::span<const std::byte>(kernel->contents->payload) : std::span<const std::byte>(),
      o.workspace, with_.handles};
  if (!device.backend->shares_host_memory()) work->touched = touched_boxes(i, o, with_.memory);
  work->besides.touched = work->touched;
  auto run = [work](device::native_context& context) {
    native_call call{context, work->points, work->arrays, work->scalars, work->besides};
    (*work->function)(call);
  };
  enqueue_checked(o.place.index, nullptr, [&](device_work& queue) {
    return queue.backend->native(queue.next(work_.memory_waits()), std::move(run));
  });
}

}  // namespace tessera::runtime
