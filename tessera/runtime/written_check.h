#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/memory/residency.h"
#include "tessera/plan/instruction.h"

namespace tessera::runtime {

/// The check `unwritten` (rule A3): what a launch promises to write, and does not read, is filled with a canary before
/// and must not hold it afterwards. Elements of less than four bytes are not checked: any value may be their own.
class written_check {
 public:
  written_check(const plan::instruction& launch, memory::residency& copies);

  [[nodiscard]] std::vector<device::fill_desc> canaries() const;
  /// Copies of what was promised, to memory of the host that this object's copies share.
  [[nodiscard]] std::vector<device::copy_desc> fetches() const;
  /// Throws `argument_error` that names the first element still unwritten. After `fetches`.
  void verify() const;

 private:
  struct part {
    box where;
    device::strided first;
    std::int64_t element = 1;
    array_id array;
    std::shared_ptr<std::vector<std::byte>> fetched;  // dense
  };
  void verify(const part& p) const;

  std::string launch_;
  std::vector<part> parts_;
};

}  // namespace tessera::runtime
