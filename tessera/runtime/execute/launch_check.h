#pragma once

#include <memory>
#include <string>
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
/// them; an array that has none lies between addresses that cannot be touched.
class launch_check {
 public:
  launch_check(launch_checks checks, const plan::instruction& launch, memory::residency& copies,
               const memory::local_device& device);

  [[nodiscard]] std::vector<device::fill_desc> canaries() const;
  /// Copies of where they were, to memory of the host that this object's copies share.
  [[nodiscard]] std::vector<device::copy_desc> fetches() const;
  /// Throws `argument_error` that names the first element still unwritten, or the first byte touched outside of an
  /// array. After `fetches`.
  void verify() const;

 private:
  struct part {
    box bounds;
    device::strided first;
    std::int64_t element = 1;
    array_id array;
    std::shared_ptr<std::vector<std::byte>> fetched;  // dense
    bool guard = false;                               ///< `bounds` is in bytes from the first of the array.
  };
  void add_promised(const plan::instruction& launch, const plan::operand& o, memory::residency& copies);
  void add_guards(const plan::operand& o, memory::residency& copies, const memory::local_device& device);
  void verify_written(const part& p) const;
  void verify_guard(const part& p) const;

  std::string launch_;
  std::vector<part> parts_;
};

}  // namespace tessera::runtime
