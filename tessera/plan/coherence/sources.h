#pragma once

#include <map>
#include <span>
#include <vector>

#include "tessera/plan/coherence/array_state.h"
#include "tessera/plan/coherence/crossings.h"
#include "tessera/plan/coherence/local_machine.h"

/// Which memories hold the current contents of an array: queries of its state that change nothing.
namespace tessera::plan {

/// Where to get some boxes from: ordered, so that both ranks number messages alike.
struct sources {
  std::map<constant_ptr, std::vector<box>> constants;
  std::map<int, std::vector<box>> local;   ///< By device of this rank.
  std::map<int, std::vector<box>> remote;  ///< By device, numbered through all ranks.
  std::vector<box> nothing;                ///< Has no contents.
  bool only_what_all_have = false;         ///< Of what other ranks own: the rest is sent in any case.
};

/// Finds sources for copies in the memories of one rank. Holds nothing between searches but their memory.
class source_search {
 public:
  /// Adds where `missing` of the array is, the owner's copy first; the copy on local device `except` is no source.
  void find(const local_machine& machine, const array_state& a, const box& missing, int except, sources& found);

 private:
  std::vector<partition::piece> pieces_;
};

/// The owners of `bounds`, which do not overlap, but for what every rank has.
[[nodiscard]] std::vector<owned_boxes> owners_of(const array_state& a, std::span<const box> bounds);

/// What each rank owns of `area`, but for what every rank has.
[[nodiscard]] std::vector<std::vector<box>> owned_by_rank(const array_state& a, const region& area,
                                                          const machine_table& machine);

}  // namespace tessera::plan
