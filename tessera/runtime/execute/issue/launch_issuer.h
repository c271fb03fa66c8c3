#pragma once

#include <cstddef>
#include <memory>

#include "tessera/kernel/build/compile_service.h"
#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/access/access_check.h"
#include "tessera/runtime/execute/issue/work_issuer.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// The code that a launch runs on its device.
struct launch_code {
  std::shared_ptr<const kernel_entry> kernel;
  std::shared_ptr<kernels::module_request> module;  ///< Null where a function of the program runs.

  /// False while it is being compiled.
  [[nodiscard]] bool ready() const { return module == nullptr || module->ready(); }
  /// True if it could not be compiled. Requires `ready()`.
  [[nodiscard]] bool failed() const { return module != nullptr && module->failure() != nullptr; }
};

/// Turns launches into arguments and one call of a device. Each is the current instruction of the `work_issuer`. Used
/// by the thread that issues.
class launch_issuer {
 public:
  /// Both outlive it.
  launch_issuer(services& with, work_issuer& work) : with_(with), work_(work) {}

  /// Begins to compile the code if that has not happened yet, and never waits.
  [[nodiscard]] launch_code code_of(const plan::launch_task& launch, location place);
  /// Waits for the code to be compiled.
  void issue(const plan::instruction& i, const plan::launch_op& o, launch_code code);

 private:
  struct native_work;

  /// True if the kernel's function runs instead of its text, which is not compiled (yet).
  [[nodiscard]] bool runs_meanwhile(const kernel_entry& kernel, const kernels::module_request& module,
                                    const device::backend& backend);
  void issue_source(const plan::launch_op& o, launch_code code);
  void issue_native(const plan::instruction& i, const plan::launch_op& o,
                    const std::shared_ptr<const kernel_entry>& kernel);
  /// Array `array` of the launch holds the contents of a variable of the kernel's file.
  void add_variable(device::launch_desc& call, const plan::launch_op& o, std::size_t array, const launch_code& code,
                    std::byte* contents);
  [[nodiscard]] std::byte* argument_address(const plan::launch_op& o, std::size_t array) const;
  /// What listens to the accesses of a launch; null: nothing does.
  [[nodiscard]] std::shared_ptr<access_check> listener_of(const plan::launch_op& o,
                                                          const std::shared_ptr<const kernel_entry>& kernel);
  /// Enqueues `enqueue(work)` on the compute queue of `device`, between the two halves of the checks of launches.
  template <class Enqueue>
  void enqueue_checked(std::int32_t device, const std::shared_ptr<const access_check>& accesses, Enqueue enqueue);

  services& with_;
  work_issuer& work_;
  std::shared_ptr<declaration_account> account_;  // of the launch that was issued last
};

}  // namespace tessera::runtime
