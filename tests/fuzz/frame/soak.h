#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::fuzz {

/// Watches what the process holds of the system while programs come and go. Looks are taken between programs, when
/// nothing of any program should be left.
class soak {
 public:
  /// Looks at most 60 times in `length`. Temporary files are those in the folder that TMPDIR names.
  explicit soak(std::chrono::seconds length);

  /// Takes a look if it is time for one.
  void between_programs();

  /// Prints all looks and says whether anything grew: after the first third, while caches fill, descriptors, threads
  /// and temporary files must not change at all, resident memory by no more than a twentieth.
  [[nodiscard]] bool report() const;

 private:
  using clock = std::chrono::steady_clock;
  struct look {
    double second = 0;
    std::int64_t resident = 0, descriptors = 0, threads = 0, files = 0;
  };
  [[nodiscard]] look take() const;

  clock::time_point begin_ = clock::now(), next_ = begin_;
  clock::duration interval_;
  std::string folder_;
  std::vector<look> looks_;
};

}  // namespace tessera::fuzz
