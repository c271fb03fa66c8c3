#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/device/backend.h"
#include "tessera/kernel/source/registered.h"
#include "tessera/kernel/source/signature.h"

namespace tessera::kernels {

/// How the threads of a block run on a CPU core.
enum class tier : std::uint8_t {
  loop,   ///< A vectorised loop over threads; kernels without barriers, warp functions and shared memory.
  split,  ///< Cut at the barriers: a loop over threads for each stretch between two of them.
  fiber,  ///< One fiber per thread.
  row,    ///< Texts of `parse_cpu_text`: one call for a row of thread blocks, no threads.
};
[[nodiscard]] std::string_view to_string(tier form);

/// One compiled form of a kernel. Kernels with `features.any_block()` or `features.whole_rows` have the same text for
/// every block.
struct cpu_variant {
  tier form = tier::loop;
  extents block = {1, 1, 1};  ///< Threads per block, x y z; missing axes are 1.
  /// Tells each access with its thread (`tessera_access_services`), to be compiled with `cpu_access_flags`. One thread
  /// at a time, of a block of its own size, also where the form is a loop; never `split`, whose loops share what all
  /// threads do alike.
  bool instrumented = false;
  std::vector<reduced_parameter> reduced{};  ///< What the text exports as `tessera_cpu_reduction`s.

  /// Threads run in loops that the compiler may turn into vectors.
  [[nodiscard]] bool by_loops() const { return form == tier::loop && !instrumented; }
};

/// The fastest tier that a kernel allows: this is the only place where one is chosen. `forced` is the value of
/// TESSERA_CPU_TIER, empty for none: "fiber" always holds; "loop" and "split" hold where the kernel allows. Texts with
/// `whole_rows` have no threads, so that nothing can be forced. Throws `argument_error` for any other word.
[[nodiscard]] tier choose_tier(const feature_set& features, std::string_view forced = {});

/// Why a kernel gets the tier that `choose_tier` gives it, in words: of fibers, what keeps it from being cut.
[[nodiscard]] std::string tier_reason(const feature_set& features, std::string_view forced = {});

/// A complete C++ translation unit that exports `tessera_entry`, of type `tessera_cpu_entry`; `tessera_parameters`,
/// one {size, alignment} of two 64-bit numbers per parameter (of a pointer's element), ended by zeros; and
/// `tessera_symbols`, {name, address, bytes} of each `__constant__` and `__device__` variable, ended by nulls.
/// Messages of the compiler about the user's text carry the user's file and line. Throws `compile_error` for what
/// only CPUs refuse (assembly in texts for GPUs), `argument_error` for a block over 1024 threads, and
/// `std::logic_error` for a tier that the kernel does not allow.
[[nodiscard]] std::string make_cpu_source(const kernel_text& kernel, const cpu_variant& variant);

/// What to compile for a kernel on a CPU: the text of the tier that `choose_tier` gives, with flags and folders. Beside
/// the text of a kernel that is cut at its barriers stands that with fibers, which is compiled if the first cannot be.
/// The kernel is taken apart once for both.
[[nodiscard]] device::source_desc choose_cpu_source(const kernel_text& kernel, const extents& block,
                                                    std::string_view forced = {},
                                                    const std::vector<reduced_parameter>& reduced = {});

/// What to compile for a kernel whose accesses are told: a loop where its threads do not work together, else fibers.
[[nodiscard]] device::source_desc instrumented_cpu_source(const kernel_text& kernel, const extents& block,
                                                          const std::vector<reduced_parameter>& reduced = {});

/// The flags to compile it with: optimisation for this machine without changing what floating-point expressions mean.
[[nodiscard]] std::vector<std::string> cpu_flags(const kernel_text& kernel);

/// More flags, for a library that knows its source lines (see `device::line_table`). The machine code stays as it is.
[[nodiscard]] std::vector<std::string> cpu_line_flags();

/// The flags of an instrumented kernel, source lines included. Optimised little: no access is moved far or joined with
/// another. The compiler's own additions are `device::compile_shared_object`'s.
[[nodiscard]] std::vector<std::string> cpu_access_flags(const kernel_text& kernel);

inline constexpr const char* cpu_entry_symbol = "tessera_entry";
inline constexpr const char* cpu_parameters_symbol = "tessera_parameters";
inline constexpr const char* cpu_symbols_symbol = "tessera_symbols";

}  // namespace tessera::kernels
