#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"
#include "tessera/base/settings/check_list.h"
#include "tessera/plan/layout.h"
#include "tessera/runtime/report/statistics.h"
#include "tessera/runtime/report/transfer_record.h"

namespace tessera {
struct options;
struct rehearsal;
}  // namespace tessera
namespace tessera::plan {
class machine_table;
}

namespace tessera::runtime {

struct array_record;
struct engine_state;
struct host_transfer;
struct kernel_entry;
struct launch_request;
class pending_transfer;
class ticket;

/// How an array is made.
struct array_spec {
  extents shape;
  dtype type;
  plan::layout home;
  bool is_value = false;  ///< See `array_record`.
};

/// One rank of a running system: its devices, its planner and its executor. Front ends make arrays and submit launches
/// here; nothing above knows devices, queues or ranks. Calls return at once unless they say otherwise; results are as
/// if calls were carried out one after the other. Thread-safe. Its destructor finishes all work.
///
/// A call throws `argument_error` for what it is given, and what stopped the engine, if anything did; a failure of the
/// work itself is thrown where its results are next waited for.
class engine : public std::enable_shared_from_this<engine> {
 public:
  explicit engine(const options& given);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Makes a kernel known, or finds the equal one that is.
  [[nodiscard]] std::shared_ptr<const kernel_entry> add_kernel(kernel_entry kernel);
  /// Cuts the launch, begins to compile its kernel where that is needed and puts it at the end of the stream.
  void launch(launch_request request);
  /// Replaces the contents of a variable of the kernel's file (rule H34); `type` is that of one element of what is
  /// given.
  void set_variable(const kernel_entry& kernel, std::string_view name, std::span<const std::byte> value,
                    const dtype& type, call_site site);
  /// The contents of a variable of the kernel's file, on every rank; waits for them.
  [[nodiscard]] std::vector<std::byte> get_variable(const kernel_entry& kernel, std::string_view name,
                                                    const dtype& type, call_site site);
  /// How the launch would be cut, placed and fed now, as text; nothing runs.
  [[nodiscard]] std::string explain(launch_request request);
  /// In which form CPU devices run a kernel, and why; empty if they do not compile it.
  [[nodiscard]] std::string tier_of(const kernel_entry& kernel) const;
  /// What the launches would move and hold if they were submitted now; nothing runs. Waits for everything submitted.
  [[nodiscard]] rehearsal rehearse(std::vector<launch_request> requests);

  [[nodiscard]] std::shared_ptr<const array_record> create(const array_spec& array, call_site site);
  /// As `create`, for an array that the engine itself holds until it ends: the record does not keep it alive.
  [[nodiscard]] std::shared_ptr<const array_record> create_own(const array_spec& array, call_site site);
  /// The last handle of an array is gone.
  void drop(array_id array) noexcept;
  /// What messages and the transfer log call an array; "array 7" unless it was given a name.
  void set_name(array_id array, std::string name);
  [[nodiscard]] std::string name_of(array_id array) const;
  /// Sets a box of an array to one element's bytes; costs nothing until it is read.
  void fill(const array_record& array, const box& bounds, std::vector<std::byte> value, call_site site);
  /// A copy of the one element of `bounds` as it is now, for every rank: an array of one element that nothing changes.
  [[nodiscard]] std::shared_ptr<const array_record> keep(const array_record& array, const box& bounds, call_site site);

  /// Begins to copy between an array and host memory.
  [[nodiscard]] std::shared_ptr<pending_transfer> exchange(const host_transfer& transfer, call_site site);
  /// The boxes of `bounds` that are at home on the devices of this rank, in an order that depends on the array alone.
  [[nodiscard]] std::vector<box> own_parts(const array_record& array, const box& bounds) const;

  /// Host memory for the program that all devices reach at the speed of their links; given back before the engine ends.
  /// Throws `out_of_memory`.
  [[nodiscard]] std::shared_ptr<std::byte> host_memory(std::int64_t bytes);

  /// Waits for everything submitted; throws the first failure that has not been thrown yet.
  void wait_all();
  [[nodiscard]] statistics stats();
  /// Has `listener` called for every movement of bytes from now on, on a thread of the engine or of a device; null:
  /// none is called. It must be short and must not use the engine.
  void on_transfer(std::function<void(const transfer_record&)> listener);
  [[nodiscard]] const plan::machine_table& machine() const;
  [[nodiscard]] node_id node() const;
  /// Which checks of programs are on: front ends make theirs with them.
  [[nodiscard]] const check_list& checks() const;
  /// What a front end has measured on this machine in an earlier run, and keeps for later ones (`machine_notes`): on
  /// this rank alone. Nothing where the cache directory is not used.
  [[nodiscard]] std::optional<std::vector<std::byte>> find_note(std::string_view name) const;
  void store_note(std::string_view name, std::span<const std::byte> contents);

 private:
  friend class pending_transfer;
  /// Waits; throws what made one of `buffers` fail, or what stopped the engine.
  void wait(ticket& done, std::span<const array_id> buffers);
  void release_host(std::span<const array_id> buffers);
  [[nodiscard]] std::shared_ptr<const array_record> create(const array_spec& array, const extents& plan_shape,
                                                           std::shared_ptr<engine> owner, call_site site);

  std::unique_ptr<engine_state> state_;
};

}  // namespace tessera::runtime
