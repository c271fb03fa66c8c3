#pragma once

#include <string>

#include "tessera/device/backend.h"
#include "tessera/runtime/executor.h"

namespace tessera::runtime {

/// `reason` with `context` put in front of its message; the kind of error stays, foreign exceptions become
/// `device_error`.
[[nodiscard]] std::exception_ptr with_context(const std::exception_ptr& reason, const std::string& context);

[[nodiscard]] std::string what_of(const std::exception_ptr& reason);

/// "main.cpp:12: kernel 'stencil', superblock 3 (blocks [0:4]) on device 1", or the verb and its array: what an error
/// concerns.
[[nodiscard]] std::string describe(const plan::instruction& i);

/// Watches the pieces of device work that make up one instruction: skips it if what it reads has failed, notes
/// failures, heals what it overwrites, records it in the timeline. Deletes itself behind the last piece.
class executor::running final : public device::observer {
 public:
  running(services& with, std::unique_ptr<plan::instruction> i, int steps, int row)
      : with_(with), instruction_(std::move(i)), steps_(steps), row_(row) {}

  bool admit() noexcept override;
  void started() noexcept override;
  void ended() noexcept override { finish_step(); }
  void failed(std::exception_ptr reason) noexcept override;

 private:
  void finish_step() noexcept;

  services& with_;
  std::unique_ptr<plan::instruction> instruction_;
  int steps_;
  int row_;
  bool lost_ = false;  // failed or skipped
  bool begun_ = false;
  trace::clock::time_point begin_;
};

}  // namespace tessera::runtime
