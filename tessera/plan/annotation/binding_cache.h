#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tessera/plan/access/bound_accesses.h"
#include "tessera/plan/annotation/annotation.h"

namespace tessera::plan {

/// Remembers the last few bindings of one annotation, so that a loop pays for each once. Thread-safe.
class binding_cache {
 public:
  /// As `plan::bind`; `a` is always the same annotation.
  [[nodiscard]] std::shared_ptr<const bound_accesses> bind(const annotation& a, const bind_context& context);

 private:
  struct entry {
    std::vector<std::int64_t> key;
    std::vector<named_intervals> tables;
    std::shared_ptr<const bound_accesses> bound;
  };
  static constexpr std::size_t most = 16;

  std::mutex mutex_;
  std::vector<entry> recent_;  // last used first
};

}  // namespace tessera::plan
