#pragma once

#include <vector>

#include "tessera/device/backend.h"
#include "tessera/memory/residency.h"
#include "tessera/plan/instruction.h"

namespace tessera::runtime {

/// Which checks are made of every launch.
struct launch_checks {
  bool unwritten = false;     ///< Of what is declared `write`.
  bool guards = false;        ///< Around arrays.
  bool access = false;        ///< By `access_check`.
  bool overdeclared = false;  ///< By `declaration_account`.

  [[nodiscard]] bool listens() const { return access || overdeclared; }
  [[nodiscard]] bool any() const { return unwritten || guards || listens(); }
};

/// Checks of one launch by canaries, filled in before and looked for afterwards. `unwritten` (rule A3): what it
/// promises to write, and does not read, must not hold them any more; elements of less than four bytes are not checked,
/// because any value may be their own. `guards` (rule E6): unused memory on both sides of its arrays must still hold
/// them; an array that has none lies between addresses that cannot be touched. Where the device's memory is the host's,
/// guards are filled, and everything is looked at, in place; elsewhere queues fill and fetch.
class launch_check {
 public:
  /// `launch` outlives it.
  launch_check(launch_checks checks, const plan::instruction& launch, memory::residency& copies,
               const memory::local_device& device);

  /// Of what a queue is to fill.
  [[nodiscard]] std::vector<device::fill_desc> canaries() const;
  /// True if `fill_guards` is to be called before the launch, in the order of its queue.
  [[nodiscard]] bool has_guards_in_place() const;
  void fill_guards() const noexcept;
  /// Copies of where canaries were, to memory of the host that belongs to this object; none where memory is the host's.
  [[nodiscard]] std::vector<device::copy_desc> fetches();
  /// Throws `argument_error` that names the first element still unwritten, or the first byte touched outside of an
  /// array. Behind the launch and `fetches`.
  void verify() const;

 private:
  struct part {
    box bounds;  ///< Of elements; of guards: {0, 0} to {2, bytes of one guard}, before and behind the array.
    device::strided first;
    std::int64_t element = 1;
    array_id array;
    bool guard = false;
    std::vector<std::byte> fetched;  ///< Dense; empty where memory is the host's.
  };
  void add_promised(const plan::operand& o, memory::residency& copies);
  void add_guards(const plan::operand& o, memory::residency& copies, const memory::local_device& device);
  /// Where the elements of a part are looked at.
  [[nodiscard]] static device::strided seen(const part& p);
  void verify_written(const part& p) const;
  [[noreturn]] void refuse_unwritten(const part& p, const extents& element) const;
  void verify_guard(const part& p) const;

  const plan::instruction& launch_;
  const bool in_place_;
  std::vector<part> parts_;
};

}  // namespace tessera::runtime
