#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tessera/base/geometry/region.h"
#include "tessera/plan/access/index_spread.h"
#include "tessera/plan/task.h"
#include "tessera/runtime/execute/access/checked_array.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera::runtime {

/// Adds up, over the superblocks of one launch that this rank runs, which of the declared elements its threads used.
/// Rules that declare far more are written to the log, once per kernel: when all blocks of the launch have run, or when
/// the last owner lets go of the account. Elements that are combined do not count. Thread-safe.
class declaration_account {
 public:
  static constexpr std::int64_t fewest_elements = 256;  ///< That a rule must declare to be reported.

  /// `kernels` remembers which kernels were reported, and outlives it.
  declaration_account(std::shared_ptr<const plan::launch_task> launch, std::shared_ptr<const kernel_entry> kernel,
                      kernel_library& kernels)
      : launch_(std::move(launch)), kernel_(std::move(kernel)), kernels_(kernels) {}
  ~declaration_account();
  declaration_account(const declaration_account&) = delete;
  declaration_account& operator=(const declaration_account&) = delete;

  [[nodiscard]] bool is_of(const plan::launch_task& launch) const { return launch_.get() == &launch; }
  /// Where the use of an array is marked, by the first parameter that it is passed for.
  [[nodiscard]] std::shared_ptr<mark_table> table(int parameter, std::int64_t elements);
  /// How the indices lie that some blocks touched, of the array that is passed for `parameter` first.
  void note(int parameter, const plan::index_spread& read, const plan::index_spread& written);
  /// What the blocks `part` declare of an array.
  void add(const checked_array& array, const box& part);
  /// All arrays of the blocks `part` have been added.
  void add_part(const box& part);

 private:
  struct declaration {
    region elements;    // in the coordinates of the array
    int parameter = 0;  // the first that the array is passed for
    extents shape;
  };
  struct spread {
    plan::index_spread read, written;
  };
  void report();
  [[nodiscard]] std::int64_t count_used(const plan::access_rule& rule, const declaration& declared) const;
  /// What is said of a rule; empty if it declares what is used.
  [[nodiscard]] std::string complaint(const plan::access_rule& rule, const declaration& declared) const;
  [[nodiscard]] std::string tighter(const plan::access_rule& rule, const declaration& declared) const;

  const std::shared_ptr<const plan::launch_task> launch_;
  const std::shared_ptr<const kernel_entry> kernel_;
  kernel_library& kernels_;
  std::mutex mutex_;
  std::map<const plan::access_rule*, declaration> rules_;
  std::map<int, std::shared_ptr<mark_table>> tables_;  // by parameter
  std::map<int, spread> spreads_;                      // by parameter
  std::int64_t blocks_ = 0;
  bool reported_ = false;
};

}  // namespace tessera::runtime
