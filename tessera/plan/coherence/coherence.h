#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "tessera/base/defects.h"
#include "tessera/base/geometry/region.h"
#include "tessera/base/geometry/region_map.h"
#include "tessera/base/small_list.h"
#include "tessera/plan/coherence/crossings.h"
#include "tessera/plan/coherence/mail.h"
#include "tessera/plan/instruction.h"
#include "tessera/plan/machine.h"

namespace tessera::plan {

using constant_ptr = std::shared_ptr<const std::vector<std::byte>>;

/// Where the current contents of an element come from: nowhere yet, one value for all, or the owner in a partition.
using origin = std::variant<std::monostate, constant_ptr, partition_ptr>;

/// The current contents of an element. Every change of contents gets a new version; a copy is current if it holds it.
struct ownership {
  origin from;
  std::uint64_t version = 0;
  bool everywhere = false;  ///< Every rank holds it on some device.
  bool operator==(const ownership&) const = default;
};

/// One rank's view of one array. Owners are known for the whole array and are equal on all ranks; copies only for
/// this rank's memories; replicas only for what this rank owns.
struct array_state {
  /// What happened last to an element of one copy.
  struct copy_state {
    static constexpr std::uint64_t nothing = ~std::uint64_t{0};
    instruction_id writer;
    std::uint64_t version = nothing;        ///< Of the contents it holds.
    small_list<instruction_id, 3> readers;  ///< Since the last write.
    bool operator==(const copy_state&) const = default;
  };

  array_state(const extents& array_shape, const dtype& element, partition_ptr parts, int memories);

  /// The copy in local memory `index`, made on first use.
  region_map<copy_state>& copy(int index);
  [[nodiscard]] const region_map<copy_state>* find_copy(int index) const;
  /// New contents everywhere in `where`: all copies of it are out of date.
  void invalidate(const region& where, const origin& from);
  /// Calls f(piece, is_current, ownership) for the parts of `where` in the copy in local memory `index`.
  template <class F>
  void visit_copy(int index, const box& where, F f) const;

  extents shape;
  dtype type;
  partition_ptr home;
  region_map<ownership> owners;
  using ranks = small_list<std::int32_t, 4>;  ///< Ascending.
  region_map<ranks> replicas;                 ///< Other ranks that hold what this rank owns.

 private:
  std::vector<std::optional<region_map<copy_state>>> copies_;
  std::uint64_t last_version_ = 0;
};

template <class F>
void array_state::visit_copy(int index, const box& where, F f) const {
  const auto* copy = find_copy(index);
  owners.visit(where, [&](const box& owned, const ownership& o) {
    if (copy == nullptr) return f(owned, false, o);
    copy->visit(owned, [&](const box& piece, const copy_state& s) { f(piece, s.version == o.version, o); });
  });
}

/// Tracks every array's copies on one rank and emits the instructions that keep them coherent (section D).
/// Dependencies follow from operands alone: reading waits for the last writer, writing for it and all readers since.
class coherence {
 public:
  coherence(machine_table machine, node_id node);

  void create(array_id id, const extents& shape, const dtype& type, const partition_ptr& home);
  [[nodiscard]] bool knows(array_id id) const { return arrays_.contains(id); }
  [[nodiscard]] array_state& at(array_id id) { return arrays_.at(id); }
  /// A private array that lives until `release`, known to this rank only.
  array_id make_temporary(const extents& shape, const dtype& type);
  void release(array_id id);

  /// Appends an instruction, with the dependencies that its operands imply and those in `also`.
  template <class What>
  instruction_id emit(What what, std::vector<operand> operands, std::vector<instruction_id> also = {}) {
    instruction& made = append(std::move(operands), std::move(also));
    made.what = std::move(what);
    return made.id;
  }

  instruction_id send(node_id peer, location source, std::vector<message_part> parts,
                      std::vector<instruction_id> also = {});
  instruction_id receive(node_id peer, location target, std::vector<message_part> parts);

  /// What must be current in the copy on a device of this rank.
  struct need {
    array_id array;
    int device = 0;
    const region* where = nullptr;
  };
  /// Brings to this rank what all ranks want of some arrays and not all of them have, through `device`; collective.
  struct common_need {
    array_id array;
    const region* where = nullptr;
  };
  void spread(std::span<const common_need> what, int device);
  /// Brings what superblocks read of `bounds`, which do not overlap, to their ranks: sends what this rank owns and they
  /// do not have, receives what others own and this rank does not have.
  void exchange(array_id id, const partition_ptr& readers, std::span<const box> bounds, mail& messages);
  void exchange(array_id id, const crossings& what, mail& messages);
  /// Makes it current from what is on this rank after an exchange: fills and local copies. Returns what has no contents
  /// at all.
  std::vector<box> pull(const need& n);
  /// Makes `where` current where it is at home, on all ranks. Returns what has no contents on this one, and which part
  /// is at home on which device.
  std::map<int, region> bring_home(array_id id, const region& where, std::vector<box>* nothing = nullptr);
  /// Brings contents to host memory; the ids of the last instructions on this rank, and what has no contents.
  std::vector<instruction_id> gather_to_host(const host_exchange& what, std::vector<box>& nothing);
  /// New contents from host memory, at home; the ids of the instructions that use it.
  std::vector<instruction_id> scatter_from_host(const host_exchange& what);

  /// Gives an array of one element what is at `where` now, on every rank. False if nothing is.
  bool keep(const snapshot_task& what);
  /// New contents of all of the array, from now on on the first device of every rank.
  void own_everywhere(array_id id);

  /// `out` and `take` (see `planner::plan`) are used until the task ends.
  void begin_task(task_id task, std::vector<instruction>& out, const instruction_taker& take);
  /// Emits a horizon if enough has happened since the last one.
  void end_task();

  [[nodiscard]] const machine_table& machine() const { return machine_; }
  [[nodiscard]] node_id node() const { return node_; }
  [[nodiscard]] int local_devices() const { return local_devices_; }
  [[nodiscard]] location local(int device) const { return {node_, device}; }
  [[nodiscard]] location host() const { return {node_, location::host_index}; }
  /// Pieces of state kept, all arrays together.
  [[nodiscard]] std::size_t tracked() const;

 private:
  /// Where to get some boxes from: ordered, so that both ranks number messages alike.
  struct sources {
    std::map<constant_ptr, std::vector<box>> constants;
    std::map<int, std::vector<box>> local;   // by local device
    std::map<int, std::vector<box>> remote;  // by device through all ranks
    std::vector<box> nothing;
    bool only_what_all_have = false;  ///< Of what other ranks own: the rest is sent in any case.
  };

  instruction& append(std::vector<operand> operands, std::vector<instruction_id> also);
  void collect(const operand& o, std::vector<instruction_id>& after);
  void record(const operand& o, instruction_id id);
  [[nodiscard]] int memory_index(location where) const { return where.is_host() ? local_devices_ : where.index; }
  void find_sources(array_state& a, const box& missing, int except, sources& found);
  /// Who owns `bounds`, which do not overlap, but for what every rank has.
  [[nodiscard]] std::vector<owned_boxes> owners_of(const array_state& a, std::span<const box> bounds) const;
  [[nodiscard]] std::vector<box> not_yet_sent(array_state& a, const crossing& c);
  [[nodiscard]] std::vector<box> not_yet_here(const array_state& a, const crossing& c,
                                              std::vector<box>& requested) const;
  void find_replicas(array_state& a, const partition::piece& owned, int except, sources& found);
  [[nodiscard]] std::vector<box> missing(const need& n) const;
  void emit_pull(array_id id, sources&& found, copy_ref target, const extents& shift,
                 std::vector<instruction_id>* emitted);
  std::vector<instruction_id> gather_everywhere(const host_exchange& what, std::vector<box>& nothing);
  std::vector<instruction_id> gather_on_one(const host_exchange& what, std::vector<box>& nothing);
  std::vector<instruction_id> gather_own(const host_exchange& what, std::vector<box>& nothing);
  [[nodiscard]] std::vector<box> own_boxes_of(const host_exchange& what);
  /// Copies between host memory, which holds `outer`, and the parts of it that are at home on devices of this rank.
  void copy_own(const host_exchange& what, array_id buffer, const box& outer, bool out,
                std::vector<instruction_id>& done);
  /// What each rank owns of `where`, but for what every rank has.
  [[nodiscard]] std::vector<std::vector<box>> by_rank(const array_state& a, const region& where) const;

  machine_table machine_;
  node_id node_;
  int local_devices_;
  std::unordered_map<array_id, array_state> arrays_;
  std::vector<std::uint64_t> sent_, received_;
  std::uint64_t next_temporary_ = std::uint64_t{1} << 63;
  std::uint64_t next_instruction_ = 1;
  std::uint64_t last_horizon_ = 0, previous_horizon_ = 0;
  task_id task_;
  std::vector<instruction>* out_ = nullptr;
  const instruction_taker* take_ = nullptr;
  std::vector<partition::piece> pieces_;  // of one search; kept for its memory
  crossing_cache crossings_;
};

[[nodiscard]] inline std::vector<box> list(const region& r) { return {r.boxes().begin(), r.boxes().end()}; }

/// The boxes as operands of one copy.
[[nodiscard]] std::vector<operand> operands_of(const copy_ref& copy, std::span<const box> boxes, bool written);
/// What a message reads or writes in one memory.
[[nodiscard]] std::vector<operand> operands_of(location where, std::span<const message_part> parts, bool written);
/// What a copy reads and writes.
[[nodiscard]] std::vector<operand> operands_of(const copy_op& o);

}  // namespace tessera::plan
