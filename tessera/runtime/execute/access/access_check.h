#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tessera/memory/residency.h"
#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/access/access_recording.h"
#include "tessera/runtime/execute/access/declaration_account.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera::runtime {

/// Compares what the threads of one launch on a CPU device touch with what its annotation declares (rule A8). A thread
/// may touch what it declares itself; where the threads of a block work together (barriers, warp functions, shared
/// memory) what its block declares, because no split cuts a block and such threads load for each other; in a text
/// without threads (rule H22) what the row of blocks declares. Thread-safe.
class access_check final : public device::access_listener {
 public:
  /// `account` adds up what is used of what is declared; null: it is not counted.
  access_check(const plan::launch_op& launch, std::shared_ptr<const kernel_entry> kernel, memory::residency& copies,
               std::shared_ptr<declaration_account> account);

  [[nodiscard]] std::unique_ptr<device::access_recorder> record(void* const* parameters) override;
  /// After the launch. Throws `annotation_error` that names the first access, in the order of blocks and threads, that
  /// is not declared, and a rule that would declare it and others like it.
  void verify() const;
  /// After the launch: tells the account what was used.
  void count_use() const;

 private:
  class recorder;

  void add_array(const plan::launch_op& launch, std::size_t array, memory::residency& copies);
  [[nodiscard]] std::string message(const violation& v) const;
  [[nodiscard]] std::string suggestion(const violation& v) const;
  void take(access_recording& recording);

  const std::shared_ptr<const plan::launch_task> launch_;
  const std::shared_ptr<const kernel_entry> kernel_;
  const box part_;
  const std::shared_ptr<declaration_account> account_;
  std::vector<array_id> ids_;  // parallel to arrays_
  std::vector<checked_array> arrays_;
  bool by_blocks_ = false;
  std::mutex mutex_;
  std::vector<violation> violations_;
};

}  // namespace tessera::runtime
