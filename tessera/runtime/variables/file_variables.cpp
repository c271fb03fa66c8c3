#include "tessera/runtime/variables/file_variables.h"

#include <algorithm>

#include "tessera/base/config.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/wrap/cuda_wrapper.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/engine_state.h"
#include "tessera/runtime/host_transfer.h"

namespace tessera::runtime {
namespace {

using kernels::file_variable;

/// "__constant__ float[4] 'c' of filter.cu:3".
std::string describe(const kernel_entry& kernel, const file_variable& v) {
  return cat(v.is_constant ? "__constant__ " : "__device__ ", v.type_text, " '", v.name, "' of ", kernel.text->file,
             ":", v.line);
}

std::string_view last_part(std::string_view path) {
  const std::size_t at = path.rfind("::");
  return at == std::string_view::npos ? path : path.substr(at + 2);
}

std::string position(call_site site) { return cat(site.file, ":", site.line, ": "); }

/// Of both texts.
std::vector<const file_variable*> variables_of(const kernel_entry& kernel) {
  std::vector<const file_variable*> all;
  if (kernel.text)
    for (const file_variable& v : kernel.text->variables) all.push_back(&v);
  if (kernel.cpu_text)
    for (const file_variable& v : kernel.cpu_text->variables)
      if (std::none_of(all.begin(), all.end(), [&](const file_variable* known) { return known->name == v.name; }))
        all.push_back(&v);
  return all;
}

[[noreturn]] void throw_unknown(const kernel_entry& kernel, std::string_view name, const std::string& where) {
  std::vector<std::string> names;
  std::string list;
  for (const file_variable* v : variables_of(kernel)) {
    names.push_back(v->name);
    list += cat(list.empty() ? "" : ", ", v->name);
  }
  const std::string near = nearest_name(name, names);
  throw argument_error(cat(where, "the file of kernel '", kernel.name, "' has no __constant__ or __device__ variable '",
                           name, "'", near.empty() ? "" : cat("; did you mean '", near, "'?"),
                           list.empty() ? "; it has none" : cat("; there are: ", list)));
}

/// How a launch touches a variable: all of it, each thread.
plan::access_rule rule_for(const kernel_entry& kernel, std::size_t variable) {
  plan::access_rule rule;
  rule.parameter = static_cast<int>(kernel.arguments() + variable);
  rule.mode = kernel.variables[variable].changed && !planted("variable_split") ? plan::access_mode::readwrite
                                                                               : plan::access_mode::read;
  return rule;
}

}  // namespace

const file_variable& file_variables::find(const kernel_entry& kernel, std::string_view name, call_site site) {
  const file_variable* found = nullptr;
  bool several = false;
  for (const file_variable* v : variables_of(kernel)) {
    if (v->name == name) return *v;
    if (last_part(v->name) != name) continue;
    several = found != nullptr;
    found = v;
  }
  if (several)
    throw argument_error(cat(position(site), "several variables of the file of kernel '", kernel.name, "' are called '",
                             name, "'; give the namespace, too"));
  if (found == nullptr) throw_unknown(kernel, name, position(site));
  return *found;
}

file_variables::record_ptr file_variables::contents_of(const kernel_entry& kernel, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = contents_.find({kernel.file, name});
  return found == contents_.end() ? nullptr : found->second;
}

std::vector<file_variables::record_ptr> file_variables::attach(launch_request& request, demand wanted) {
  const kernel_entry& kernel = *request.kernel;
  std::vector<record_ptr> held;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < kernel.variables.size(); ++i) {
    const file_variable& v = kernel.variables[i];
    record_ptr contents = contents_of(kernel, v.name);
    if (v.holds_addresses)
      throw argument_error(cat(label_of(request), ": kernel '", kernel.name, "' uses ", describe(kernel, v),
                               ", which holds an address, true on one device only; pass the array as an argument"));
    if (!contents && v.begins == file_variable::beginning::nothing)
      throw argument_error(cat(label_of(request), ": kernel '", kernel.name, "' uses ", describe(kernel, v),
                               ", which has no initialiser and was never set; call k.set(\"", v.name,
                               "\", ...) before the launch"));
    if (!contents && v.changed && wanted == demand::make) contents = begin(kernel, v, request.site);
    if (!contents) continue;
    request.arrays.push_back({static_cast<int>(kernel.arguments() + i), contents, box::whole(contents->plan_shape)});
    held.push_back(std::move(contents));
    used.push_back(i);
  }
  if (!used.empty())
    request.accesses = kernel.with_variables->find(request.accesses, used, [&] {
      plan::access_pattern pattern = request.accesses->pattern;
      for (const std::size_t i : used) pattern.rules.push_back(rule_for(kernel, i));
      return plan::bind_accesses(std::move(pattern));
    });
  return held;
}

void refuse_split_changes(const launch_request& request, const plan::launch_task& task) {
  const std::int64_t superblocks = task.plan->grid->size();
  if (superblocks == 1 || planted("variable_split")) return;
  for (const file_variable& v : request.kernel->variables)
    if (v.changed)
      throw argument_error(cat(
          label_of(request), ": kernel '", request.kernel->name, "' may change ", describe(*request.kernel, v),
          ", which all its threads share, but the launch is split into ", superblocks,
          " superblocks; pass the variable as an array (atomic(+), readwrite), or launch with .split = ts::whole()"));
}

file_variables::record_ptr file_variables::make_array(const file_variable& v, std::int64_t bytes, call_site site) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
  if (bytes > most)
    throw argument_error(cat(position(site), "variable '", v.name, "' has ", bytes, " bytes; at most ", most,
                             " are possible: pass an array to the kernel"));
  plan::layout on_first;
  on_first.form = plan::layout::kind::on_device;
  record_ptr array = owner_.create_own({{}, dtype::structure(static_cast<std::size_t>(bytes), 1), on_first}, site);
  owner_.set_name(array->id, cat("variable '", v.name, "'"));
  return array;
}

file_variables::record_ptr file_variables::begin(const kernel_entry& kernel, const file_variable& v, call_site site) {
  const std::lock_guard one_makes_it(beginning_);
  if (record_ptr known = contents_of(kernel, v.name)) return known;
  const std::int64_t bytes = bytes_of(kernel, v);
  record_ptr array = make_array(v, bytes, site);
  if (v.begins == file_variable::beginning::zeros) {
    owner_.fill(*array, box::whole(array->plan_shape), std::vector<std::byte>(static_cast<std::size_t>(bytes)), site);
  } else {
    launch_request request;
    request.kernel = reader_of(kernel, v);
    request.space = {{1}, {1}};
    plan::access_rule all;
    all.mode = plan::access_mode::write;
    request.accesses = plan::bind_accesses({{}, {all}, true});
    request.arrays.push_back({0, array, box::whole(array->plan_shape)});
    request.name = cat("initial contents of '", v.name, "'");
    request.site = site;
    owner_.launch(std::move(request));
  }
  const std::lock_guard lock(mutex_);
  return contents_[{kernel.file, v.name}] = array;
}

std::shared_ptr<const kernel_entry> file_variables::reader_of(const kernel_entry& kernel, const file_variable& v) {
  const auto has = [&](const file_variable& other) { return other.name == v.name; };
  const std::vector<file_variable>& first = kernel.text->variables;
  const kernels::kernel_text& text =
      std::any_of(first.begin(), first.end(), has) || !kernel.cpu_text ? *kernel.text : *kernel.cpu_text;
  kernel_entry reader;
  reader.text = kernels::parse_kernel(text.source + kernels::variable_reader(v.name), text.file,
                                      kernels::variable_reader_name, text.defines);
  reader.name = kernels::variable_reader_name;
  reader.parameters = reader.text->parameters;
  return owner_.add_kernel(std::move(reader));
}

/// Where tokens do not tell, a compiled module does.
std::int64_t file_variables::bytes_of(const kernel_entry& kernel, const file_variable& v) {
  if (const std::optional<std::int64_t> bytes = v.bytes()) return *bytes;
  const key name{kernel.file, v.name};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = sizes_.find(name); found != sizes_.end()) return found->second;
  }
  const std::shared_ptr<const kernel_entry> reader = reader_of(kernel, v);
  const memory::local_device& device = state_.devices.front();
  plan::launch_task task;
  task.space = {{1}, {1}};
  task.accesses = std::make_shared<const plan::access_pattern>();
  const auto module = state_.kernels->compiled(*reader, *device.backend, device.index, task);
  module->finished().wait();
  const device::module_variable* found =
      device.backend->variable(module->module(), variable_symbol(device.backend->language(), v.name));
  if (found == nullptr) throw argument_error(cat(describe(kernel, v), " is in no compiled kernel"));
  const std::lock_guard lock(mutex_);
  return sizes_[name] = found->bytes;
}

void file_variables::check_type(const kernel_entry& kernel, const file_variable& v, std::int64_t bytes,
                                const dtype& type, const std::string& call) {
  if (v.holds_addresses)
    throw argument_error(cat(call, ": ", describe(kernel, v),
                             " holds an address, which is true on one device only; pass arrays as arguments"));
  const std::int64_t wanted = bytes_of(kernel, v), size = type.size;
  if ((v.is_struct || interchangeable(type, v.type)) && bytes == wanted) return;
  const std::string expected = v.is_struct ? cat(wanted, " bytes")
                                           : cat(wanted / static_cast<std::int64_t>(v.type.size), " x ",
                                                 to_string(v.type), ", ", wanted, " bytes");
  throw argument_error(cat(call, ": ", describe(kernel, v), " holds ", expected, "; the call has ", bytes / size, " x ",
                           to_string(type), ", ", bytes, " bytes"));
}

void file_variables::set(const kernel_entry& kernel, std::string_view name, std::span<const std::byte> value,
                         const dtype& type, call_site site) {
  const file_variable& v = find(kernel, name, site);
  const std::string call = cat(position(site), "set(\"", name, "\")");
  if (v.is_const)
    throw argument_error(cat(call, ": ", describe(kernel, v), " is const: it keeps its initialiser, as in CUDA"));
  check_type(kernel, v, static_cast<std::int64_t>(value.size()), type, call);
  record_ptr array = make_array(v, static_cast<std::int64_t>(value.size()), site);
  owner_.fill(*array, box::whole(array->plan_shape), {value.begin(), value.end()}, site);
  const std::lock_guard lock(mutex_);
  std::swap(contents_[{kernel.file, v.name}], array);  // the old one goes when the lock is free
}

std::vector<std::byte> file_variables::get(const kernel_entry& kernel, std::string_view name, const dtype& type,
                                           call_site site) {
  const file_variable& v = find(kernel, name, site);
  const std::string call = cat(position(site), "get(\"", name, "\")");
  const std::int64_t bytes = bytes_of(kernel, v);
  check_type(kernel, v, bytes / type.size * type.size, type, call);
  record_ptr array = contents_of(kernel, v.name);
  if (!array && v.begins == file_variable::beginning::nothing)
    throw argument_error(cat(call, ": ", describe(kernel, v), " has no initialiser and was never set"));
  if (!array) array = begin(kernel, v, site);
  std::vector<std::byte> result(static_cast<std::size_t>(bytes));
  owner_.exchange({host_transfer::direction::read, array, box::whole(array->plan_shape), result.data()}, site)->wait();
  return result;
}

}  // namespace tessera::runtime
