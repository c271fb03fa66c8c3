#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"
#include "tessera/plan/distribution.h"
#include "tessera/plan/launch_arguments.h"
#include "tessera/plan/split/launch_grid.h"
#include "tessera/plan/split/split.h"

/// What the user asked for, as plain values: the planner's only input. A task can be serialised (rule G2): it names
/// kernels and arrays by id and holds no pointers but shared constants that are values themselves.
namespace tessera::plan {

/// Brings an array into being; its contents are undefined.
struct create_task {
  array_id array;
  extents shape;  ///< Rank 1 to 8.
  dtype type;
  layout home;
  /// Derived from the rest; not serialised, made anew where it is missing.
  partition_ptr parts;
};

/// The last handle is gone. Local: not part of the stream that ranks compare.
struct drop_task {
  array_id array;
};

/// Sets a box to one value; costs nothing until it is read.
struct fill_task {
  array_id array;
  box bounds;
  std::vector<std::byte> value;
};

/// Whose host memory takes part in an exchange.
struct host_ranks {
  enum class kind : std::uint8_t {
    every,  ///< Every rank has all elements.
    one,    ///< `rank` has all elements, the others none.
    own,    ///< Every rank has the elements that are at home on its devices.
    here,   ///< This rank alone, of elements that every rank holds: not part of the stream that ranks compare.
  };
  kind form = kind::every;
  node_id rank{0};
  bool operator==(const host_ranks&) const = default;
};

/// Host memory, known here as `buffers`: one, dense and of the shape of `bounds`; none where other ranks have the
/// elements; or, where every rank has its own, one for each of `own_boxes`.
struct host_exchange {
  array_id array;
  box bounds;
  host_ranks ranks;
  std::vector<array_id> buffers;
  std::uint64_t ticket = 0;
  std::uint64_t contents = 0;  ///< A hash of what all ranks write, if they are to compare it.
};

/// Copies host memory into a box of the array.
struct host_write_task : host_exchange {};
/// Copies a box of the array into host memory.
struct host_read_task : host_exchange {};

/// Keeps one element of an array as it is now: every rank gets it as `value`, an array of one element.
struct snapshot_task {
  array_id array;
  box bounds;
  array_id value;
};

struct launch_task {
  std::uint64_t kernel = 0;  ///< Content hash or registered number of the kernel.
  std::string name;
  domain space;
  split_spec split;
  std::int64_t shared_bytes = 0;
  std::shared_ptr<const access_pattern> accesses;
  std::vector<launch_array> arrays;
  std::vector<launch_scalar> scalars;
  call_site site;  ///< Not serialised.
  /// Derived from the rest; not serialised, made anew where it is missing.
  std::shared_ptr<const split_plan> plan;
  std::uint64_t accesses_hash = 0;
};

/// Tells `ticket` when everything asked for before has ended.
struct fence_task {
  std::uint64_t ticket = 0;
};

using task_body = std::variant<create_task, drop_task, fill_task, host_write_task, host_read_task, snapshot_task,
                               std::shared_ptr<const launch_task>, fence_task>;

struct task {
  task_id id;
  call_site site;
  task_body body;
};

}  // namespace tessera::plan
