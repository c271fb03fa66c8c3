#pragma once

/// Execution policies, accepted in front of the arguments of every algorithm. They have no effect: the devices of the
/// default context compute, wherever a policy points, and the engine orders launches by what they read and write.
namespace thrust {

struct execution_policy {
  /// A stream, an event or an allocator.
  template <class X>
  [[nodiscard]] constexpr const execution_policy& on(const X&) const {
    return *this;
  }
  template <class X>
  [[nodiscard]] constexpr const execution_policy& operator()(const X&) const {
    return *this;
  }
};

// clang-format off
inline constexpr execution_policy device{}, host{}, seq{};
namespace cuda { inline constexpr execution_policy par{}, par_nosync{}; }
namespace omp { inline constexpr execution_policy par{}; }
namespace tbb { inline constexpr execution_policy par{}; }
namespace cpp { inline constexpr execution_policy par{}; }
namespace system {
namespace cuda = thrust::cuda;
namespace omp = thrust::omp;
namespace tbb = thrust::tbb;
namespace cpp = thrust::cpp;
}  // namespace system
// clang-format on
inline constexpr execution_policy par{};

}  // namespace thrust
