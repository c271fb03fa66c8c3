#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/bytes/fixed_text.h"
#include "tessera/base/dtype.h"
#include "tessera/base/event.h"
#include "tessera/base/geometry/block_boxes.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/reduction.h"
#include "tessera/device/access_listener.h"
#include "tessera/device/argument_value.h"
#include "tessera/device/device_link.h"
#include "tessera/device/native_context.h"

/// What a device can do. One backend drives all devices of one kind; a new kind of device is one more class here and
/// nothing above changes. Plain descriptions say *what* to do, verbs do it.
namespace tessera::device {

struct device_info {
  std::string name;         ///< "cpu:0"
  int cores = 1;            ///< Threads that work on one launch (CPU) or multiprocessors (GPU).
  std::int64_t memory = 0;  ///< Bytes this device may hold.
};

/// Each device has one queue per purpose. Work of one queue runs in order; queues run beside each other.
enum class queue_kind : std::uint8_t { compute, copy_in, copy_out };
inline constexpr int queues_per_device = 3;
inline constexpr std::array<std::string_view, queues_per_device> queue_names{"compute", "copy in", "copy out"};

struct queue_id {
  int device = 0;
  queue_kind kind = queue_kind::compute;
  bool operator==(const queue_id&) const = default;
};

/// A box of elements in memory: `data` is the first element of the box, strides are in bytes.
struct strided {
  std::byte* data = nullptr;
  extents strides;
};

/// Copies `count` elements; overlapping source and target are not allowed.
struct copy_desc {
  strided target;
  strided source;
  extents count;
  std::int64_t element_bytes = 1;
};

/// A registered operation (`registered_reduction`) as it was compiled with a kernel, for the elements of one parameter.
/// What it consists of is the backend's own, which keeps it until the module is unloaded.
struct reduction_code;

/// Sets `count` elements to `value` (one element's bytes), or to the identity of a registered operation.
struct fill_desc {
  strided target;
  extents count;
  std::vector<std::byte> value;
  const reduction_code* identity_of = nullptr;  ///< If given, `value` does not count.
};

/// target = op(target, source), element by element; or target = source if `overwrite`.
struct fold_desc {
  strided target;
  strided source;
  extents count;
  dtype type;
  reduce_op op = reduce_op::add;
  bool overwrite = false;
  const reduction_code* code = nullptr;  ///< Of a registered operation.
};

using module_id = std::uint32_t;
using function_id = std::uint32_t;  ///< Unique within a backend, valid until its module is unloaded.

/// A parameter whose every thread block owns a private result (`reduce`): the backend gives each block a buffer that
/// starts at the identity and combines it into the target afterwards. Combination order depends only on the
/// launch and the number of cores, never on timing; and on the launch alone if it is `in_order`. What blocks
/// reach `by_atomics` alone they may share, unless the launch is in order.
struct private_result {
  int parameter = 0;            ///< Position in `launch_desc::arguments`; must be a pointer.
  std::byte* origin = nullptr;  ///< Address of the array's element 0 in the accumulating copy.
  extents strides;              ///< Of the array, in bytes.
  dtype type;
  reduce_op op = reduce_op::add;
  block_boxes elements;                 ///< What each block declares.
  std::int64_t most_bytes = unlimited;  ///< Of any block, from its first to behind its last element.
  /// The kernel reaches it by atomics alone, of this operation, and does not use what they return: blocks that run one
  /// after the other may share a result.
  bool by_atomics = false;
  const reduction_code* code = nullptr;  ///< Of a registered operation.

  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;
};

/// An argument that is in the device's memory when the launch begins, instead of `launch_desc::arguments`. Kernels must
/// have been compiled for that where the backend's language asks for it (see `kernels::cuda_variant`).
struct loaded_argument {
  int parameter = 0;
  std::byte* from = nullptr;
};

/// A variable of a loaded module, where its functions find it.
struct module_variable {
  std::byte* address = nullptr;  ///< On the device.
  std::int64_t bytes = 0;
  std::uint64_t held = 0;  ///< The stamp of what was put there last. Only the device's compute queue looks at it.
};

/// What a launch finds in a variable of its module: copied there before it, unless it is there already.
struct variable_contents {
  module_variable* variable = nullptr;  ///< Of the module of `launch_desc::function`.
  std::byte* contents = nullptr;        ///< On the device, as long as the variable.
  std::uint64_t stamp = 0;              ///< Stands for contents that never change; 0: they may have, copy them.
  bool changed = false;                 ///< The launch may change the variable: it is copied back behind it.
};

/// Runs the thread blocks [begin, end) of the virtual grid `grid`.
struct launch_desc {
  function_id function = 0;
  extents grid;        ///< Blocks of the whole launch, x y z.
  extents block;       ///< Threads per block, x y z.
  extents begin, end;  ///< Blocks to run now, x y z.
  std::int64_t shared_bytes = 0;
  std::vector<argument_value> arguments{};  ///< In signature order, of the right sizes.
  std::vector<private_result> results{};
  std::vector<loaded_argument> loaded{};
  std::vector<variable_contents> variables{};
  /// Bytes that the private results of blocks may take beside each other; those of one block are allowed in any case.
  std::int64_t workspace = private_result::unlimited;
  bool in_order = false;  ///< Results of blocks are combined one after the other, x fastest, onto what is there.
  /// Is told what threads touch, by CPU devices, if the kernel was compiled for that. May be null.
  std::shared_ptr<access_listener> accesses{};
};

/// A function of this process, run when its turn comes on a queue.
using native_function = std::function<void(native_context&)>;

/// Receives the outcome of one piece of work. Called on the thread that runs the work; must not block.
class observer {
 public:
  /// Asked once everything the work waits for has happened, or is with a device that can no longer refuse it. False:
  /// do not run it, count it as ended.
  virtual bool admit() noexcept = 0;
  virtual void started() noexcept {}
  virtual void ended() noexcept {}
  /// Called instead of `ended` if the work threw.
  virtual void failed(std::exception_ptr reason) noexcept = 0;
  /// Names the work, for messages. Takes no lock and no memory: called by the handler of a crash, too.
  virtual void describe(fixed_text& /*text*/) const noexcept {}

 protected:
  ~observer() = default;
};

/// Where and after what to do a piece of work. `watch` may be null and must live until the returned event happened.
struct order {
  queue_id queue;
  std::span<const event> after;  ///< Each must be waitable (see `can_wait`); read during the call only.
  observer* watch = nullptr;
};

/// Kernel source, complete: nothing is looked up but user headers in `include_paths`.
struct source_desc {
  std::string text;
  std::vector<std::string> include_paths;
  std::vector<std::string> flags;  ///< Backend-specific, part of the cache key.
  std::string otherwise = {};      ///< A slower form of the same, for CPUs: compiled if `text` cannot be. May be empty.
  std::string subject = "the kernel";  ///< What messages of the compiler call it; no part of the cache key.
  std::string shown = {};              ///< What they show of it; no part of the cache key. Empty: nothing.
};

/// Among `source_desc::flags` for CPUs: the compiler calls functions that the text defines before each access.
inline constexpr const char* instrument_flag = "-fsanitize=thread";

/// What a backend's `compile` takes: kernels wrapped for a CPU's C++ compiler, or CUDA C++.
enum class kernel_language : std::uint8_t { cpu, cuda };

/// Thread-safe. Verbs return at once with the event of their end.
class backend {
 public:
  virtual ~backend() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual kernel_language language() const = 0;
  [[nodiscard]] virtual std::span<const device_info> devices() const = 0;

  /// True if its devices' memory is ordinary memory of this process, which every backend can copy from and to.
  [[nodiscard]] virtual bool shares_host_memory() const = 0;

  /// Addresses on `device` for `bytes`, aligned to 256 bytes and surrounded by guard space. Null when there is no room:
  /// out of memory is a value.
  [[nodiscard]] virtual std::byte* allocate(int device, std::int64_t bytes) = 0;
  /// How much of the guard space on each side of an allocation of so many bytes is unused memory; none if an access
  /// there faults.
  [[nodiscard]] virtual std::int64_t guard_bytes(int /*device*/, std::int64_t /*bytes*/) const { return 0; }
  /// Puts memory behind the bytes [begin, end) of what `allocate` gave, before work touches them; contents undefined
  /// where there was none. False when none is left.
  [[nodiscard]] virtual bool back(int device, std::byte* data, std::int64_t begin, std::int64_t end) = 0;
  /// Takes the memory behind whole pages of [begin, end) away again, and their contents with it. No work may be using
  /// them.
  virtual void unback(int device, std::byte* data, std::int64_t begin, std::int64_t end) noexcept = 0;
  /// The unit in which `back` gives memory to an allocation of so many bytes. One of a single page has all its memory
  /// from `allocate` on, and no more than its own bytes.
  [[nodiscard]] virtual std::int64_t page_bytes(int device, std::int64_t bytes) const = 0;
  virtual void deallocate(int device, std::byte* data, std::int64_t bytes) noexcept = 0;

  /// Memory of the host that copies of this backend reach at the speed of the link; null when there is none left.
  [[nodiscard]] virtual std::byte* allocate_host(std::int64_t bytes) = 0;
  virtual void deallocate_host(std::byte* data, std::int64_t bytes) noexcept = 0;

  /// The way that copies between two of its devices take.
  [[nodiscard]] virtual device_link link(int /*from*/, int /*to*/) const { return device_link::same; }

  /// Copies between its devices of up to so many bytes are done soonest on the compute queue of the target, before the
  /// launch that wants them: a queue of their own would only add a wait.
  [[nodiscard]] virtual std::int64_t tiny_copy_bytes() const { return 0; }

  /// True if a queue of this backend can itself wait for `e`; otherwise the caller waits before it enqueues.
  [[nodiscard]] virtual bool can_wait(const event& e) const = 0;
  virtual event copy(const order& ordering, const copy_desc& copy) = 0;
  virtual event fill(const order& ordering, fill_desc fill) = 0;
  virtual event fold(const order& ordering, const fold_desc& fold) = 0;
  virtual event launch(const order& ordering, launch_desc launch) = 0;
  virtual event native(const order& ordering, native_function function) = 0;

  /// Turns source into a binary for `device`; blocks, so it is called on a compiler thread. Throws `compile_error`
  /// with the compiler's messages.
  [[nodiscard]] virtual std::vector<std::byte> compile(int device, const source_desc& source) = 0;
  /// Everything besides the source that decides what `compile` gives: compiler version, flags, processor.
  [[nodiscard]] virtual std::string compiler_identity(int device) = 0;
  [[nodiscard]] virtual module_id load(int device, std::span<const std::byte> binary) = 0;
  /// Gives up a loaded binary; no launch of its functions is under way or will be made. Ids may come back for others.
  virtual void unload(module_id module) noexcept = 0;
  [[nodiscard]] virtual function_id find(module_id module, const std::string& symbol) = 0;
  /// Address of a symbol of a module in host memory, or null (CPU: exported tables such as type sizes).
  [[nodiscard]] virtual const void* symbol(module_id module, const std::string& name) = 0;
  /// A variable of a module that was loaded for one device, by the name that the backend's language gives it: the same
  /// object each time, until the module is unloaded. Null if there is none.
  [[nodiscard]] virtual module_variable* variable(module_id /*module*/, const std::string& /*name*/) { return nullptr; }
  /// The registered operation that a module was compiled with for a parameter of its kernel. Throws `compile_error` if
  /// there is none; null from devices that do nothing.
  [[nodiscard]] virtual const reduction_code* reduction(module_id /*module*/, int /*parameter*/) { return nullptr; }
};

/// Delays drawn from a seed before each piece of work, to provoke every order that events allow. 0: none.
struct random_delays {
  std::uint64_t seed = 0;
  std::int64_t max_delay_ns = 0;
};

struct cpu_options {
  int devices = 1;
  int cores = 0;            ///< In all, shared out evenly, at least one each; 0: all of this machine.
  std::int64_t memory = 0;  ///< Per device; 0: this machine's memory shared out evenly.
  random_delays disturbance{};
};

/// Devices that are shares of this machine's cores, each with a memory of its own.
[[nodiscard]] std::unique_ptr<backend> make_cpu(const cpu_options& options);

/// Keeps binaries that a backend makes for itself from one process to the next. Thread-safe; never throws.
class binary_cache {
 public:
  virtual ~binary_cache() = default;
  /// The binary stored under `key`, or nothing.
  [[nodiscard]] virtual std::vector<std::byte> find(const std::string& key) = 0;
  virtual void store(const std::string& key, std::span<const std::byte> binary) = 0;
};

struct cuda_options {
  std::vector<int> gpus;    ///< One logical device each; a GPU named n times is shared by n devices.
  std::int64_t memory = 0;  ///< Per device; 0: nearly all of the GPU's free memory, shared out evenly.
  random_delays disturbance{};
  std::chrono::nanoseconds kernel_timeout{0};  ///< A kernel that runs longer costs the process its GPU; 0: none does.
  std::shared_ptr<binary_cache> cache{};       ///< May be null.
  bool peers = true;  ///< False: copies between devices go through the host, also between those of one GPU.
};

/// How many GPUs can be used; if none, `reason` says so in one sentence.
[[nodiscard]] int count_gpus(std::string* reason = nullptr);

/// Bytes that GPU `ordinal` has.
[[nodiscard]] std::int64_t gpu_memory(int ordinal);

/// Logical devices on GPUs. Throws `device_error` where there is no GPU, driver or run-time compiler.
[[nodiscard]] std::unique_ptr<backend> make_cuda(const cuda_options& options);

/// Devices that do nothing, in the right order: for tests and for measuring what everything else costs.
[[nodiscard]] std::unique_ptr<backend> make_null(const cpu_options& options);

}  // namespace tessera::device
