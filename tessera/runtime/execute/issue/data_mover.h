#pragma once

#include <cstdint>

#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/issue/launch_issuer.h"
#include "tessera/runtime/execute/issue/work_issuer.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// Issues the instructions that copy, fill and fold elements of arrays, in parts where they are large. Each is the
/// current instruction of the `work_issuer`. Used by the thread that issues.
class data_mover {
 public:
  /// Both outlive it.
  data_mover(services& with, work_issuer& work) : with_(with), work_(work) {}

  void issue(const plan::copy_op& o);
  /// `code`: of the launch whose registered operation the instruction needs. Both wait for it to be compiled.
  void issue(const plan::fill_op& o, const launch_code& code);
  void issue(const plan::fold_op& o, const launch_code& code);

 private:
  /// The target's device copies, unless only the source's can reach both memories.
  [[nodiscard]] bool pulls(const plan::copy_op& o) const;
  /// Between devices of one backend that is better off without a queue for it.
  [[nodiscard]] bool is_tiny(const plan::copy_op& o, std::int64_t bytes) const;
  /// A registered operation on the device that runs the current instruction, which keeps it; null without code.
  const device::reduction_code* operation(const launch_code& code, location place, int parameter);
  /// Of a copy between devices.
  [[nodiscard]] device_link way_of(const plan::copy_op& o) const;
  void count_copy(const plan::copy_op& o, std::int64_t bytes);
  void log_copy(const plan::copy_op& o);

  services& with_;
  work_issuer& work_;
};

}  // namespace tessera::runtime
