#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tessera/base/containers/recent_map.h"
#include "tessera/base/containers/weak_map.h"
#include "tessera/device/backend.h"
#include "tessera/kernel/build/compile_service.h"
#include "tessera/kernel/source/cpu_text.h"
#include "tessera/kernel/source/registered.h"
#include "tessera/kernel/source/signature.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/annotation/binding_cache.h"
#include "tessera/plan/task.h"
#include "tessera/runtime/native_call.h"
#include "tessera/runtime/variables/variable_accesses.h"

namespace tessera::runtime {

/// A kernel as the runtime knows it. Immutable but for its compiled variants, which are guarded.
struct kernel_entry {
  std::uint64_t id = 0;
  std::string name;
  std::vector<kernels::parameter> parameters;  ///< Of its signature, then one for each of `variables`.
  bool has_structures = false;  ///< Among them, whose sizes only the compiled kernel knows. Set by `add`.
  std::optional<plan::annotation> annotation;
  std::shared_ptr<plan::binding_cache> bindings = std::make_shared<plan::binding_cache>();
  std::optional<kernels::kernel_text> text;        ///< Source kernels.
  std::optional<kernels::kernel_text> cpu_text;    ///< What CPU devices compile instead of it (`parse_cpu_text`).
  std::shared_ptr<const native_kernel> meanwhile;  ///< What CPU devices run while the text is compiled; null: nothing.
  std::map<std::string, native_kernel> natives;    ///< Native kernels, by backend name.
  /// Of native kernels that are known by what they consist of; null: each is one of its own.
  struct native_contents {
    std::uint32_t version = 1;
    std::vector<std::byte> payload;
    std::shared_ptr<const plan::workspace_function> workspace;  ///< Null: none.
  };
  std::shared_ptr<const native_contents> contents;

  /// Variables of its file that it uses and that may be set or changed, of both texts. Set by `add`.
  std::vector<kernels::file_variable> variables;
  std::uint64_t file = 0;  ///< Equal for kernels that share their variables: those of one text. Set by `add`.
  std::shared_ptr<variable_accesses> with_variables;

  /// The parameters of its signature.
  [[nodiscard]] std::size_t arguments() const { return parameters.size() - variables.size(); }
  [[nodiscard]] bool changes_variables() const;
};

/// What modules for `language` call the variable `name` of a kernel's file.
[[nodiscard]] std::string variable_symbol(device::kernel_language language, const std::string& name);

/// The symbol under which modules for `language` keep the sizes of their kernel's parameters.
[[nodiscard]] const char* parameters_symbol(device::kernel_language language);

/// How many kernels of a context stay compiled, and known by their contents, although nothing holds them.
inline constexpr std::size_t kernels_kept = 2048;

/// The kernels of a context and their compiled variants. Handles and launches under way own kernels; whatever runs
/// compiled code owns that. Beyond these the library keeps what was used last, so that front ends may generate kernels
/// without end. A kernel, and a native one's function with all that it holds, is destroyed on a thread that calls `add`
/// or with the library: never on a thread of the runtime, which what it holds might wait for. Thread-safe.
class kernel_library {
 public:
  /// How kernels are compiled for CPUs.
  struct compilation {
    std::string tier{};         ///< "loop", "split", "fiber" or empty.
    bool lines = false;         ///< Libraries know their source lines, for reports of crashes.
    bool instrumented = false;  ///< Kernels tell their accesses; `tier` does not count then.
  };

  /// One compile service per backend, whose results come after delays that `disturbance` says.
  kernel_library(const std::vector<device::backend*>& backends, const std::string& cache_dir, compilation cpu,
                 const device::random_delays& disturbance = {});

  /// Equal source kernels are one, and so are native ones with `contents`; any other native kernel is one of its own,
  /// even under an equal name.
  std::shared_ptr<const kernel_entry> add(kernel_entry entry);
  /// Throws `argument_error` if there is none, or nothing holds it any more.
  [[nodiscard]] std::shared_ptr<const kernel_entry> find(std::uint64_t id) const;

  /// The kernel compiled for a device and for what `launch` asks of it; begins compiling on first demand and never
  /// waits for the compiler. Whatever runs the function holds the result until it has ended.
  std::shared_ptr<kernels::module_request> compiled(const kernel_entry& entry, device::backend& backend, int device,
                                                    const plan::launch_task& launch);

  /// The tier in which CPU devices run a source kernel, and why.
  [[nodiscard]] std::string describe_tier(const kernel_entry& entry) const;

  /// True the first time it is asked about a kernel: what should be said once per kernel. Forgets those of long ago.
  bool first_warning(std::uint64_t id);

  [[nodiscard]] kernels::compile_counters counters() const;

 private:
  struct variant {
    std::uint64_t kernel;
    device::backend* backend;
    int device;
    std::array<std::int64_t, 3> block;  ///< Zeros where one text serves all blocks.
    bool private_results;
    std::vector<int> loaded;                          ///< Parameters.
    std::vector<kernels::reduced_parameter> reduced;  ///< By registered operations.
    auto operator<=>(const variant&) const = default;
  };

  [[nodiscard]] static variant variant_of(const kernel_entry& entry, device::backend& backend, int device,
                                          const plan::launch_task& launch);
  [[nodiscard]] device::source_desc source_of(const kernel_entry& entry, device::kernel_language language,
                                              const variant& wanted) const;
  [[nodiscard]] device::source_desc wrapped(const kernels::kernel_text& text, device::kernel_language language,
                                            const variant& wanted) const;
  /// Puts into `gone` what nothing but the library holds, of those that it no longer keeps.
  void retire(std::shared_ptr<const kernel_entry> entry, std::vector<std::shared_ptr<const kernel_entry>>& gone);
  [[nodiscard]] kernels::compile_service& service_of(const device::backend& backend) const;

  std::vector<std::pair<device::backend*, std::unique_ptr<kernels::compile_service>>> services_;
  const compilation cpu_;
  mutable std::mutex mutex_;
  weak_map<std::uint64_t, const kernel_entry> entries_;
  recent_map<std::uint64_t, std::shared_ptr<const kernel_entry>> recent_entries_{kernels_kept};
  std::vector<std::shared_ptr<const kernel_entry>> retired_;  // no longer recent, but perhaps held by others
  std::size_t sweep_at_ = 16;                                 // entries of retired_
  recent_map<variant, std::shared_ptr<kernels::module_request>> variants_;
  recent_map<std::uint64_t, bool> warned_{kernels_kept};
  std::uint64_t natives_ = 0;
};

}  // namespace tessera::runtime
