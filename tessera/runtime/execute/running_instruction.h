#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "tessera/device/backend.h"
#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// "main.cpp:12: kernel 'stencil', superblock 3 (blocks [0:4]) on device 1", or the verb and its array: what an error
/// concerns.
[[nodiscard]] std::string describe(const plan::instruction& i);

/// Watches the pieces of device work that make up one instruction: skips it if what it reads has failed, notes
/// failures, heals what it overwrites, records it in the timeline. Behind the last piece it puts itself on a list of
/// those that have ended, to be destroyed on the thread that makes instructions: there their memory is used again, and
/// neither the executor nor the devices spend time on it. A device may refuse a piece on one thread while another tells
/// of the end of the one before.
class running_instruction final : public device::observer {
 public:
  /// Instructions whose work has ended. Any thread adds to it; one thread at a time clears it.
  class ended_list {
   public:
    ended_list() = default;
    ended_list(const ended_list&) = delete;
    ended_list& operator=(const ended_list&) = delete;
    ~ended_list() { clear(); }
    void clear() noexcept;

   private:
    friend class running_instruction;
    std::atomic<running_instruction*> first_{nullptr};
  };

  running_instruction(services& with, ended_list& ended, plan::instruction i)
      : with_(with), ended_(ended), instruction_(std::move(i)) {}

  /// To be called before the first piece is enqueued: how many there are, and the row of the timeline they belong to.
  void expect(int steps, int row) { steps_ = steps, row_ = row; }
  /// Keeps what its work uses until all pieces have ended.
  void keep(std::shared_ptr<const void> used) { kept_ = std::move(used); }
  [[nodiscard]] const plan::instruction& instruction() const { return instruction_; }

  bool admit() noexcept override;
  void started() noexcept override;
  void ended() noexcept override { finish_step(); }
  void failed(std::exception_ptr reason) noexcept override;
  void describe(fixed_text& text) const noexcept override;

 private:
  void finish_step() noexcept;
  void record() noexcept;

  services& with_;
  ended_list& ended_;
  running_instruction* next_ = nullptr;  // in the list of those that have ended
  const plan::instruction instruction_;
  std::shared_ptr<const void> kept_;
  std::atomic<int> steps_{1};
  int row_ = 0;
  std::atomic<bool> lost_{false};  // failed or skipped
  bool begun_ = false;
  trace::clock::time_point begin_;
};

}  // namespace tessera::runtime
