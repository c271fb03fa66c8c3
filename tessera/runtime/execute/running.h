#pragma once

#include <atomic>
#include <string>

#include "tessera/device/backend.h"
#include "tessera/runtime/execute/executor.h"

namespace tessera::runtime {

/// `reason` with `context` put in front of its message; the kind of error stays, foreign exceptions become
/// `device_error`.
[[nodiscard]] std::exception_ptr with_context(const std::exception_ptr& reason, const std::string& context);

[[nodiscard]] std::string what_of(const std::exception_ptr& reason);

/// "main.cpp:12: kernel 'stencil', superblock 3 (blocks [0:4]) on device 1", or the verb and its array: what an error
/// concerns.
[[nodiscard]] std::string describe(const plan::instruction& i);

/// Watches the pieces of device work that make up one instruction: skips it if what it reads has failed, notes
/// failures, heals what it overwrites, records it in the timeline. Behind the last piece it puts itself on the list
/// `ended`, to be destroyed where instructions are made. A device may refuse a piece on one thread while another tells
/// of the end of the one before.
class executor::running final : public device::observer {
 public:
  running(services& with, std::atomic<running*>& ended, plan::instruction i)
      : with_(with), ended_(ended), instruction_(std::move(i)) {}

  /// To be called before the first piece is enqueued: how many there are, and the row of the timeline they belong to.
  void expect(int steps, int row) { steps_ = steps, row_ = row; }
  [[nodiscard]] const plan::instruction& what() const { return instruction_; }

  bool admit() noexcept override;
  void started() noexcept override;
  void ended() noexcept override { finish_step(); }
  void failed(std::exception_ptr reason) noexcept override;
  [[nodiscard]] std::string describe() const override { return runtime::describe(instruction_); }

 private:
  void finish_step() noexcept;

  friend class executor;

  services& with_;
  std::atomic<running*>& ended_;
  running* next_ = nullptr;  // in the list of those that have ended
  const plan::instruction instruction_;
  std::atomic<int> steps_{1};
  int row_ = 0;
  std::atomic<bool> lost_{false};  // failed or skipped
  bool begun_ = false;
  trace::clock::time_point begin_;
};

}  // namespace tessera::runtime
