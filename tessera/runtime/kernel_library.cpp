#include "tessera/runtime/kernel_library.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"
#include "tessera/kernel/wrap/cuda_wrapper.h"

namespace tessera::runtime {
namespace {

std::optional<kernels::disk_cache> open_cache(const std::string& directory) {
  kernels::disk_cache cache(directory);
  if (cache.enabled()) return cache;
  log(log_level::warning, "compiled kernels are not kept: " + cache.reason());
  return std::nullopt;
}

/// Equal kernels have equal ids on all ranks, whatever the order in which they were loaded. The contents of a native
/// kernel cannot be compared: `ordinal` tells them apart by the order of their registration.
std::uint64_t content_id(const kernel_entry& entry, std::uint64_t ordinal) {
  sha256 hash;
  hash.add_field(entry.name);
  hash.add_field(std::to_string(ordinal));
  for (const kernels::parameter& p : entry.parameters) hash.add_field(p.type_text);
  if (entry.text) {
    hash.add_field(entry.text->source);
    for (const auto& [name, value] : entry.text->defines) hash.add_field(name), hash.add_field(value);
    if (entry.text->fused) hash.add_field(*entry.text->fused ? "fused" : "not fused");
    if (entry.cpu_text) hash.add_field("CPU text"), hash.add_field(entry.cpu_text->source);
  }
  if (entry.annotation) hash.add_field(std::string(entry.annotation->text()));
  for (const auto& [backend, function] : entry.natives)
    if (!entry.contents) hash.add_field(backend);  // ranks may have functions for different kinds of devices
  if (entry.contents) {
    const std::vector<std::byte>& payload = entry.contents->payload;
    hash.add_field(cat("version ", entry.contents->version));
    hash.add_field({reinterpret_cast<const char*>(payload.data()), payload.size()});
  }
  const digest d = hash.finish();
  std::uint64_t id = 0;
  std::memcpy(&id, d.bytes.data(), sizeof id);
  return id;
}

std::uint64_t file_id(const kernels::kernel_text& text) {
  sha256 hash;
  hash.add_field(text.source.substr(0, text.file_bytes));
  for (const auto& [name, value] : text.defines) hash.add_field(name), hash.add_field(value);
  const digest d = hash.finish();
  std::uint64_t id = 0;
  std::memcpy(&id, d.bytes.data(), sizeof id);
  return id;
}

/// Finds the variables of the file that the kernel uses in one of its texts, and gives them parameters.
void add_variables(kernel_entry& entry) {
  const auto take = [&](const kernels::kernel_text& text) {
    for (const kernels::file_variable& v : text.variables) {
      const bool concerns = v.reached && !v.is_const &&
                            (!v.holds_addresses || v.changed || v.begins == kernels::file_variable::beginning::nothing);
      if (!concerns) continue;
      const auto known = std::find_if(entry.variables.begin(), entry.variables.end(),
                                      [&](const kernels::file_variable& k) { return k.name == v.name; });
      if (known == entry.variables.end()) {
        entry.variables.push_back(v);
        continue;
      }
      known->changed = known->changed || v.changed;
      known->changed_in_file = known->changed_in_file || v.changed_in_file;
    }
  };
  if (!entry.text->variables.empty() || entry.cpu_text) entry.file = file_id(*entry.text);
  take(*entry.text);
  if (entry.cpu_text) take(*entry.cpu_text);
  if (entry.variables.empty()) return;
  entry.with_variables = std::make_shared<variable_accesses>();
  for (const kernels::file_variable& v : entry.variables) {
    kernels::parameter p;
    p.name = v.name;
    p.type_text = v.type_text;
    p.is_pointer = true;
    p.is_const = !v.changed;
    entry.parameters.push_back(std::move(p));
  }
}

bool has_private_results(const plan::launch_task& launch) {
  const auto& rules = launch.accesses->rules;
  return std::any_of(rules.begin(), rules.end(),
                     [](const plan::access_rule& r) { return r.mode == plan::access_mode::reduce; });
}

/// Ascending, without duplicates.
std::vector<kernels::reduced_parameter> reduced_parameters(const plan::launch_task& launch) {
  std::vector<kernels::reduced_parameter> result;
  for (const plan::access_rule& r : launch.accesses->rules)
    if (plan::combines(r.mode) && is_registered(r.op)) result.push_back({r.parameter, registered_number(r.op)});
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::size_t count_devices(const std::vector<device::backend*>& backends) {
  std::size_t sum = 0;
  for (const device::backend* b : backends) sum += b->devices().size();
  return sum;
}

const char* entry_symbol(device::kernel_language language) {
  return language == device::kernel_language::cuda ? kernels::cuda_entry_symbol : kernels::cpu_entry_symbol;
}

}  // namespace

const char* parameters_symbol(device::kernel_language language) {
  return language == device::kernel_language::cuda ? kernels::cuda_parameters_symbol : kernels::cpu_parameters_symbol;
}

bool kernel_entry::changes_variables() const {
  return std::any_of(variables.begin(), variables.end(), [](const kernels::file_variable& v) { return v.changed; });
}

std::string variable_symbol(device::kernel_language language, const std::string& name) {
  return language == device::kernel_language::cuda ? kernels::cuda_symbol_name(name) : name;
}

kernel_library::kernel_library(const std::vector<device::backend*>& backends, const std::string& cache_dir,
                               compilation cpu, const device::random_delays& disturbance)
    : cpu_(std::move(cpu)), variants_(kernels_kept * count_devices(backends)) {
  (void)kernels::choose_tier({}, cpu_.tier);  // refuses an unknown word now instead of at the first launch
  for (device::backend* b : backends)
    services_.emplace_back(b, std::make_unique<kernels::compile_service>(*b, open_cache(cache_dir), disturbance));
}

std::shared_ptr<const kernel_entry> kernel_library::add(kernel_entry entry) {
  for (const kernels::parameter& p : entry.parameters) entry.has_structures = entry.has_structures || p.is_struct;
  if (entry.text && entry.variables.empty()) add_variables(entry);
  std::vector<std::shared_ptr<const kernel_entry>> gone;  // are destroyed when the lock is free
  const std::lock_guard lock(mutex_);
  entry.id = content_id(entry, entry.natives.empty() || entry.contents ? 0 : ++natives_);
  const std::uint64_t id = entry.id;
  std::shared_ptr<const kernel_entry> result = entries_.find(id);
  if (result == nullptr) {
    result = std::make_shared<const kernel_entry>(std::move(entry));
    entries_.insert(id, result);
  }
  if (recent_entries_.find(id) == nullptr)
    if (auto last = recent_entries_.insert(id, result)) retire(*std::move(last), gone);
  return result;
}

void kernel_library::retire(std::shared_ptr<const kernel_entry> entry,
                            std::vector<std::shared_ptr<const kernel_entry>>& gone) {
  retired_.push_back(std::move(entry));
  if (retired_.size() < sweep_at_) return;
  const auto unused = std::partition(retired_.begin(), retired_.end(), [](const auto& e) { return e.use_count() > 1; });
  gone.assign(std::move_iterator(unused), std::move_iterator(retired_.end()));
  retired_.erase(unused, retired_.end());
  sweep_at_ = 2 * retired_.size() + 16;
}

std::shared_ptr<const kernel_entry> kernel_library::find(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const kernel_entry> found = entries_.find(id);
  if (found == nullptr) throw argument_error(cat("no kernel with id ", id, " is loaded"));
  return found;
}

device::source_desc kernel_library::source_of(const kernel_entry& entry, device::kernel_language language,
                                              const variant& wanted) const {
  const bool is_cpu_text = language == device::kernel_language::cpu && entry.cpu_text;
  const kernels::kernel_text& text = is_cpu_text ? *entry.cpu_text : *entry.text;
  device::source_desc source = wrapped(text, language, wanted);
  if (text.is_generated) source.shown = text.source.substr(0, text.file_bytes);
  return source;
}

device::source_desc kernel_library::wrapped(const kernels::kernel_text& text, device::kernel_language language,
                                            const variant& wanted) const {
  device::source_desc source;
  if (language == device::kernel_language::cpu) {
    const extents block{wanted.block[0], wanted.block[1], wanted.block[2]};
    if (cpu_.instrumented) return kernels::instrumented_cpu_source(text, block, wanted.reduced);
    source = kernels::choose_cpu_source(text, block, cpu_.tier, wanted.reduced);
    if (cpu_.lines)
      for (std::string& flag : kernels::cpu_line_flags()) source.flags.push_back(std::move(flag));
    return source;
  }
  source.text = kernels::make_cuda_source(text, {wanted.private_results, wanted.loaded, wanted.reduced});
  if (text.fused) source.flags.push_back(*text.fused ? "-fmad=true" : "-fmad=false");
  if (!text.include_directory.empty()) source.include_paths.push_back(text.include_directory);
  return source;
}

std::string kernel_library::describe_tier(const kernel_entry& entry) const {
  const kernels::feature_set& features = (entry.cpu_text ? *entry.cpu_text : *entry.text).features;
  return cat(to_string(kernels::choose_tier(features, cpu_.tier)), ": ", kernels::tier_reason(features, cpu_.tier));
}

kernel_library::variant kernel_library::variant_of(const kernel_entry& entry, device::backend& backend, int device,
                                                   const plan::launch_task& launch) {
  variant key{entry.id, &backend, device, {}, false, {}, reduced_parameters(launch)};
  if (backend.language() == device::kernel_language::cuda) {
    key.private_results = has_private_results(launch);
    for (const plan::launch_array& a : launch.arrays)
      if (a.by_value) key.loaded.push_back(a.parameter);
  } else
    for (std::size_t k = 0; k < key.block.size(); ++k)
      key.block[k] = static_cast<int>(k) < launch.space.granule.rank() ? launch.space.granule[static_cast<int>(k)] : 1;
  return key;
}

kernels::compile_service& kernel_library::service_of(const device::backend& backend) const {
  for (const auto& [owner, service] : services_)
    if (owner == &backend) return *service;
  throw argument_error("a kernel was asked for a backend that this context does not have");
}

std::shared_ptr<kernels::module_request> kernel_library::compiled(const kernel_entry& entry, device::backend& backend,
                                                                  int device, const plan::launch_task& launch) {
  const variant key = variant_of(entry, backend, device, launch);
  {
    const std::lock_guard lock(mutex_);
    if (const auto* found = variants_.find(key)) return *found;
  }
  // Without the lock: writing the source takes longer than everything else here, and equal requests are one.
  auto made =
      service_of(backend).request(device, source_of(entry, backend.language(), key), entry_symbol(backend.language()));
  std::shared_ptr<kernels::module_request> gone;  // is unloaded when the lock is free
  const std::lock_guard lock(mutex_);
  if (const auto* found = variants_.find(key)) return *found;
  if (auto last = variants_.insert(key, made)) gone = *std::move(last);
  return made;
}

bool kernel_library::first_warning(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  if (warned_.find(id) != nullptr) return false;
  static_cast<void>(warned_.insert(id, true));
  return true;
}

kernels::compile_counters kernel_library::counters() const {
  kernels::compile_counters sum;
  for (const auto& [owner, service] : services_) {
    const kernels::compile_counters c = service->counters();
    sum.compiled += c.compiled;
    sum.disk_hits += c.disk_hits;
    sum.memory_hits += c.memory_hits;
    sum.requests += c.requests;
    sum.compile_milliseconds += c.compile_milliseconds;
  }
  return sum;
}

}  // namespace tessera::runtime
