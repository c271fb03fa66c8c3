#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tessera/base/defects.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/region.h"
#include "tessera/base/geometry/region_map.h"
#include "tessera/base/ids.h"
#include "tessera/base/index.h"
#include "tessera/base/small_list.h"
#include "tessera/plan/coherence/reader_list.h"
#include "tessera/plan/promised_copies.h"

namespace tessera::plan {

using constant_ptr = std::shared_ptr<const std::vector<std::byte>>;

/// Where the current contents of an element come from: nowhere yet, one value for all, or the owner in a partition.
using provenance = std::variant<std::monostate, constant_ptr, partition_ptr>;

/// The current contents of an element. Every change of contents gets a new version; a copy is current if it holds it.
struct ownership {
  provenance from;
  std::uint64_t version = 0;
  bool everywhere = false;  ///< Every rank holds it on some device.
  bool operator==(const ownership&) const = default;
};

/// One rank's view of one array. Owners are known for the whole array and are equal on all ranks; copies only for
/// this rank's memories; replicas only for what this rank owns.
class array_state {
 public:
  /// Who wrote an element of one copy last.
  struct copy_state {
    static constexpr std::uint64_t nothing = ~std::uint64_t{0};
    instruction_id writer;            ///< None: it has ended.
    std::uint64_t version = nothing;  ///< Of the contents it holds.
    bool operator==(const copy_state&) const = default;
  };
  using ranks = small_list<std::int32_t, 4>;  ///< Ascending.

  /// `memories` of this rank may hold copies. Private arrays have no home.
  array_state(const extents& array_shape, const dtype& element, partition_ptr parts, int memories);

  /// New contents everywhere in `area`: all copies of it are out of date. Writers up to `ended` may be forgotten.
  void invalidate(const region& area, const provenance& from, instruction_id ended = {});
  /// True if elements that hold a constant, or nothing yet, lie in many pieces between others: giving them to their
  /// home costs less than knowing where they are.
  [[nodiscard]] bool is_scattered() const;
  /// New contents of all of the array, from now on on the first device of every rank.
  void own_everywhere();

  /// Appends what an access to `bounds` in the copy in `memory` must wait for: the last writer, and a write for all
  /// readers since.
  void dependencies(int memory, const box& bounds, bool written, std::vector<instruction_id>& after);
  /// The copy in `memory` holds the current contents of `bounds` when `writer` has ended. Writers up to `ended` may be
  /// forgotten.
  void note_write(int memory, const box& bounds, instruction_id writer, instruction_id ended = {});
  /// `reader` uses `bounds` in the copy in `memory`. Readers up to `ended` are forgotten.
  void note_read(int memory, const box& bounds, instruction_id reader, instruction_id ended);
  /// All that used some copy last, with duplicates.
  [[nodiscard]] std::vector<instruction_id> users() const;

  /// Calls f(piece, is_current, ownership) for the parts of `bounds` in the copy in `memory`.
  template <class F>
  void visit_copy(int memory, const box& bounds, F f) const;
  /// What of `area` is not current in the copy in `memory`.
  [[nodiscard]] std::vector<box> missing(int memory, const region& area) const;

  /// Pieces of state kept.
  [[nodiscard]] std::size_t tracked() const;

  extents shape;
  dtype type;
  partition_ptr home;
  promised_ptr promised;  ///< Copies that are kept up to date; null: none.
  region_map<ownership> owners;
  region_map<ranks> replicas;  ///< Other ranks that hold what this rank owns.

 private:
  /// What is known of one copy.
  struct copy_record {
    region_map<copy_state> writers;
    reader_list readers;
    std::size_t looked_at = 0;  // pieces of `writers` since it was last made small
    std::size_t pieces = 0;     // that were left then
  };

  [[nodiscard]] const copy_record* find_copy(int memory) const {
    const auto& slot = copies_[index(memory)];
    return slot ? &*slot : nullptr;
  }
  copy_record& copy(int memory);
  /// Pieces looked at or changed after which joining pieces costs no more than that did.
  static std::size_t worth_joining(std::size_t pieces) { return 64 + pieces / 2; }
  static void forget_writers(copy_record& c, instruction_id ended);
  void join_owners(instruction_id ended);
  [[nodiscard]] partition_ptr joined_partition() const;

  std::vector<std::optional<copy_record>> copies_;  // per memory, made on first use
  std::uint64_t last_version_ = 0;
  std::size_t changes_ = 0;  // boxes of new contents since the owners were last joined
  std::size_t pieces_ = 1;   // of owners that were left then
  std::size_t unowned_ = 0;  // of these: constants, or nothing
};

// What follows is done for every operand of every instruction.

inline array_state::copy_record& array_state::copy(int memory) {
  auto& slot = copies_[index(memory)];
  if (!slot) slot.emplace(copy_record{{box::whole(shape), copy_state{}}, {}});
  return *slot;
}

inline void array_state::dependencies(int memory, const box& bounds, bool written, std::vector<instruction_id>& after) {
  auto& known = copies_[index(memory)];
  if (!known) return;
  const bool waits = !planted(written ? "write_after_write" : "read_after_write");
  known->writers.visit(bounds, [&](const box&, const copy_state& s) {
    ++known->looked_at;
    if (waits && s.writer != instruction_id{}) after.push_back(s.writer);
  });
  if (written && !planted("write_after_read")) known->readers.append_readers(bounds, after);
}

inline void array_state::note_write(int memory, const box& bounds, instruction_id writer, instruction_id ended) {
  copy_record& c = copy(memory);
  owners.visit(bounds, [&](const box& piece, const ownership& now) { c.writers.assign(piece, {writer, now.version}); });
  c.readers.erase(bounds, ended);
  if (++c.looked_at > worth_joining(c.pieces)) forget_writers(c, ended);
}

inline void array_state::note_read(int memory, const box& bounds, instruction_id reader, instruction_id ended) {
  copy_record& c = copy(memory);
  if (planted("reader_forgotten")) c.readers.clear();
  c.readers.add(bounds, reader, ended);
  if (c.looked_at > worth_joining(c.pieces)) forget_writers(c, ended);
}

template <class F>
void array_state::visit_copy(int memory, const box& bounds, F f) const {
  const copy_record* known = find_copy(memory);
  owners.visit(bounds, [&](const box& owned, const ownership& o) {
    if (known == nullptr) return f(owned, false, o);
    known->writers.visit(owned, [&](const box& piece, const copy_state& s) { f(piece, s.version == o.version, o); });
  });
}

}  // namespace tessera::plan
