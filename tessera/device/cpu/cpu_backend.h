#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tessera/device/cpu/jit/module.h"
#include "tessera/device/cpu/run/cpu_runner.h"
#include "tessera/device/host/queued_backend.h"

namespace tessera::device {

/// The cores of this machine as devices. See `make_cpu`; programs need this class only to run functions that are part
/// of the process itself.
class cpu_backend final : public queued_backend {
 public:
  explicit cpu_backend(const cpu_options& options);
  ~cpu_backend() override;

  /// An id for a function of this process, to be used as if it had been loaded and found.
  [[nodiscard]] function_id adopt(tessera_cpu_entry entry) { return modules_.adopt(entry); }

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::int64_t tiny_copy_bytes() const override { return 4096; }
  event fill(const order& ordering, fill_desc fill) override;
  event launch(const order& ordering, launch_desc launch) override;
  [[nodiscard]] std::vector<std::byte> compile(int device, const source_desc& source) override;
  [[nodiscard]] std::string compiler_identity(int device) override;
  [[nodiscard]] module_id load(int device, std::span<const std::byte> binary) override;
  void unload(module_id module) noexcept override { modules_.unload(module); }
  [[nodiscard]] function_id find(module_id module, const std::string& symbol) override;
  [[nodiscard]] const void* symbol(module_id module, const std::string& name) override;
  [[nodiscard]] module_variable* variable(module_id module, const std::string& name) override {
    return modules_.variable(module, name);
  }
  [[nodiscard]] const reduction_code* reduction(module_id module, int parameter) override;

 private:
  module_table modules_;
  cost_table costs_;
  std::deque<cpu_runner> executors_;
};

}  // namespace tessera::device
