#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/array/array.h"
#include "tessera/array/distribution.h"
#include "tessera/array/host_memory.h"
#include "tessera/array/kernel.h"
#include "tessera/array/machine.h"
#include "tessera/base/config.h"
#include "tessera/base/reduction.h"
#include "tessera/runtime/native_call.h"
#include "tessera/runtime/report/statistics.h"
#include "tessera/runtime/report/transfer_record.h"

namespace tessera {

/// How a kernel is loaded.
struct kernel_options {
  std::string name{};                                          ///< Which kernel of a file with several.
  std::string annotation{};                                    ///< Instead of the comment above the kernel.
  std::vector<std::pair<std::string, std::string>> defines{};  ///< Macros: name and value.
  /// Whether a * b + c may be rounded once. By default as the compilers of the devices do it: on GPUs only. Without,
  /// sums, products, quotients and square roots have the same bits on CPUs and GPUs.
  std::optional<bool> fused{};
  /// A second text of the kernel, for CPU devices (rule H22): equal name and parameters, no threads. One call does the
  /// work of `tessera_blocks` thread blocks along x, from `blockIdx` on, so that its loops can be long and vectorised.
  std::string cpu_source{};
  /// A function that does what the kernel does, bit for bit: CPU devices run it while the kernel is being compiled, and
  /// where there is no compiler (rule H40). It finds the arguments as a native kernel does. Not for kernels that
  /// combine results, or use variables of their file.
  native_kernel meanwhile{};
  /// Operations of the kernel's own, for `reduce(name)` (rule A4).
  std::vector<registered_reduction> reductions{};
  /// The text was made by a front end: where a compiler refuses it, the message shows it.
  bool is_generated = false;
};

/// All devices of all ranks as one. Everything a program makes belongs to a context and outlives it if it must.
/// Thread-safe; with several threads calls count in the order they are made.
class context {
 public:
  /// Every device of every rank, as the environment says.
  context();
  explicit context(const options& settings);

  /// Loads a kernel from a CUDA file or from text. Throws `io_error`, `compile_error` for a signature that cannot be
  /// used, `annotation_error`, and `argument_error` for reductions that are none; errors in the kernel's body, and in
  /// what its reductions do, come with its first launch.
  [[nodiscard]] kernel load_kernel(const std::string& path, const kernel_options& settings = {});
  [[nodiscard]] kernel compile(const std::string& source, const std::string& name, const kernel_options& settings = {});

  /// A kernel that is a function: `signature` is its parameter list as in CUDA ("int n, float* y, const float* x"),
  /// `functions` one function per kind of device ("cpu").
  [[nodiscard]] kernel native(const std::string& name, const std::string& signature, const std::string& annotation,
                              std::map<std::string, native_kernel> functions);
  /// A kernel that is a function and known by its contents, so that ranks may define kernels in any order.
  [[nodiscard]] kernel native(native_definition definition);

  /// An array of elements of `type`, for front ends that know types only at run time (rule H19). Contents are undefined
  /// until written.
  [[nodiscard]] array_base empty(const extents& shape, const dtype& type, const distribution& placement = automatic(),
                                 call_site here = call_site::current());
  /// The context that `array` belongs to.
  [[nodiscard]] static context of(const array_base& array);

  /// Contents are undefined until written.
  template <class T>
  [[nodiscard]] array<T> empty(const extents& shape, const distribution& placement = automatic(),
                               call_site here = call_site::current()) {
    return array<T>(empty(shape, dtype_of<T>(), placement, here));
  }
  template <class T>
  [[nodiscard]] array<T> full(const extents& shape, const T& value, const distribution& placement = automatic(),
                              call_site here = call_site::current()) {
    array<T> a = empty<T>(shape, placement, here);
    a.fill(value, here);
    return a;
  }
  template <class T>
  [[nodiscard]] array<T> zeros(const extents& shape, const distribution& placement = automatic(),
                               call_site here = call_site::current()) {
    return full<T>(shape, T{}, placement, here);
  }
  template <class T>
  [[nodiscard]] array<T> ones(const extents& shape, const distribution& placement = automatic(),
                              call_site here = call_site::current()) {
    return full<T>(shape, T(1), placement, here);
  }
  /// A copy of host data, row-major.
  template <class T>
  [[nodiscard]] array<T> from(const extents& shape, std::span<const T> data,
                              const distribution& placement = automatic(), call_site here = call_site::current()) {
    array<T> a = empty<T>(shape, placement, here);
    a.write(data, here);
    return a;
  }
  /// A copy of host data of which every rank has only its own elements (see `array_base::own_boxes`).
  template <class T>
  [[nodiscard]] array<T> from_own(const extents& shape, std::span<const T> data,
                                  const distribution& placement = automatic(), call_site here = call_site::current()) {
    array<T> a = empty<T>(shape, placement, here);
    a.write_own(data, here);
    return a;
  }

  /// Host memory that the devices of this rank reach at the speed of their links. Throws `out_of_memory` if there is
  /// not so much.
  [[nodiscard]] tessera::host_memory host_memory(std::int64_t bytes);

  /// Waits for everything; throws the first failure that was not reported yet.
  void wait();
  [[nodiscard]] statistics stats() const;
  /// Has `listener` called for every movement of bytes from now on (rule H27), on a thread of Tessera; null: none is
  /// called. It must be short and must not use the context. TESSERA_LOG_TRANSFERS writes the same as lines.
  void on_transfer(std::function<void(const transfer_record&)> listener);

  struct device_description {
    std::string name;
    int cores = 1;
    std::int64_t memory = 0;
  };
  /// The devices of this rank.
  [[nodiscard]] std::vector<device_description> devices() const;
  /// The devices of all ranks with their memories and links; equal on all ranks.
  [[nodiscard]] machine_description machine() const;
  [[nodiscard]] int rank() const;
  [[nodiscard]] int ranks() const;

  /// For front ends, which submit their launches there.
  [[nodiscard]] const std::shared_ptr<runtime::engine>& engine() const { return engine_; }

 private:
  explicit context(std::shared_ptr<runtime::engine> engine) : engine_(std::move(engine)) {}

  std::shared_ptr<runtime::engine> engine_;
};

/// The context that calls without one use (rule H20): the one given last to `set_default_context`, else one that is
/// made at first use, as the environment says. It lives until the process ends, and ends before MPI does.
[[nodiscard]] context default_context();
void set_default_context(const context& ctx);

}  // namespace tessera
