#pragma once

namespace tessera::nd {

/// While one lives, operations that its thread records may be rounded together: a * b + c once instead of twice, where
/// they meet in one kernel. Results may then differ from NumPy's in the last bits, and between kinds of devices; they
/// are still the same on any number of devices and ranks. Kernels with an operation that was recorded otherwise round
/// as ever, and so do operations on host values. CPU devices wait for the compiler.
class fast_math {
 public:
  fast_math() { ++depth(); }
  ~fast_math() { --depth(); }
  fast_math(const fast_math&) = delete;
  fast_math& operator=(const fast_math&) = delete;

  [[nodiscard]] static bool is_on() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int count = 0;
    return count;
  }
};

}  // namespace tessera::nd
