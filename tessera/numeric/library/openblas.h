#pragma once

#include <mutex>
#include <shared_mutex>
#include <string>
#include <type_traits>

#include "tessera/numeric/library/shared_library.h"

namespace tessera::numeric {

/// The library that has LAPACK and, if it is OpenBLAS, products of matrices that are worth to be called: of the
/// process, opened at first use. Functions have Fortran's names without a prefix, or with the one of the wheel
/// scipy-openblas32.
class openblas {
 public:
  [[nodiscard]] static const openblas& find();

  /// Whether there is OpenBLAS, not only the reference library.
  [[nodiscard]] bool has_products() const { return set_threads_ != nullptr; }
  [[nodiscard]] const shared_library& library() const { return library_; }
  /// The function of this name in Fortran, "dgemm". Throws `missing_library`.
  template <class F>
  [[nodiscard]] F function(const std::string& name) const {
    F found = nullptr;
    library_.require(found, prefix_ + name + "_");
    return found;
  }

  /// Calls `body` while the library works with one thread, as calls on all cores need it.
  template <class Body>
  void with_one_thread(Body body) const {
    const std::shared_lock lock(threads_mutex_);
    body();
  }
  /// Calls `body` while the library may use so many threads. No other call runs.
  template <class Body>
  void with_threads(int count, Body body) const {
    if (set_threads_ == nullptr || count <= 1) return with_one_thread(body);
    const std::unique_lock lock(threads_mutex_);
    set_threads_(count);
    struct reset {
      void (*set)(int);
      ~reset() { set(1); }
    } const after{set_threads_};
    body();
  }

 private:
  openblas();

  shared_library library_;
  std::string prefix_;
  void (*set_threads_)(int) = nullptr;
  mutable std::shared_mutex threads_mutex_;
};

}  // namespace tessera::numeric
