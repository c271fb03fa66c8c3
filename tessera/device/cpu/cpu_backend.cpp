#include "tessera/device/cpu/cpu_backend.h"

#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cpu/run/crash_report.h"
#include "tessera/device/host/strided.h"

namespace tessera::device {

cpu_backend::cpu_backend(const cpu_options& options) : queued_backend("cpu", options) {
  report_crashes();
  int index = 0;
  for (const device_info& d : devices()) {
    add_queues(executors_.emplace_back(index, d.cores, memory_of(index), costs_));
    ++index;
  }
}

cpu_backend::~cpu_backend() { end_queues(); }

event cpu_backend::fill(const order& ordering, fill_desc fill) {
  if (fill.identity_of != nullptr) fill.value = identity_value(fill.identity_of);
  return queued_backend::fill(ordering, std::move(fill));
}

event cpu_backend::launch(const order& ordering, launch_desc launch) {
  const tessera_cpu_entry entry = modules_.entry(launch.function);
  return enqueue(ordering, launch_work{std::move(launch), entry, ordering.watch});
}

std::vector<std::byte> cpu_backend::compile(int, const source_desc& source) { return compile_shared_object(source); }

std::string cpu_backend::compiler_identity(int) { return device::compiler_identity(); }

module_id cpu_backend::load(int, std::span<const std::byte> binary) { return modules_.load(binary); }

function_id cpu_backend::find(module_id module, const std::string& symbol) { return modules_.find(module, symbol); }

const void* cpu_backend::symbol(module_id module, const std::string& name) { return modules_.symbol(module, name); }

const reduction_code* cpu_backend::reduction(module_id module, int parameter) {
  const void* const found = modules_.symbol(module, cat("tessera_reduction_", parameter));
  if (found == nullptr) throw compile_error(cat("the compiled module has no operation for parameter ", parameter));
  return static_cast<const reduction_code*>(found);
}

std::unique_ptr<backend> make_cpu(const cpu_options& options) { return std::make_unique<cpu_backend>(options); }

}  // namespace tessera::device
