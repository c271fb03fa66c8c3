#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"

namespace tessera::algo {

inline constexpr int route_threads = 256;
inline constexpr std::int64_t most_owners = 1024;

// Kernels of requests that are taken to the owners of what they ask for, and of their answers (exec/routes/routes.h).
// Thread block b has the requests chunks[b] <= i < chunks[b + 1], which row b of the table `elements` names; row
// `parts` * b + d of the table `sent` names its requests to owner d where they are grouped, from begins[parts * b + d]
// on. Calls have their rows in `elements(b)`.

/// Counts the requests of each thread block to each of `parts` owners. `owner` computes the owner's number, below 0 for
/// requests that are not made.
[[nodiscard]] kernel_text count_requests_text(const op_text& function, const call_text& owner);

/// A value that a request carries.
struct carried_text {
  const op_text* function;
  const call_text* call;
};
/// Groups requests by owner, those to one owner in their order: what they carry, and where they stand in their chunk.
[[nodiscard]] kernel_text group_requests_text(const op_text& function, const call_text& owner,
                                              const std::vector<carried_text>& carried);

/// Thread block b answers requests rows[4 * b] <= k < rows[4 * b + 1] from the elements rows[4 * b + 2] <= i <
/// rows[4 * b + 3], which rows b of the tables `requests` and `owned` name: `answer(elements, request, first, last)`.
struct answer_types {
  std::string asked, owned, answer;
  int owned_axes = 1;
};
[[nodiscard]] kernel_text answer_requests_text(const operator_text& answer, const answer_types& types);

/// Brings answers to where their requests stand, as `last` shows them. Elements without requests keep what they have
/// unless `all` have one.
[[nodiscard]] kernel_text return_answers_text(const operator_text& last, bool all, int axes);

/// Stores values at the places that come with them, as `last` shows them; rows are as of `answer_requests_text`.
[[nodiscard]] kernel_text deliver_text(const operator_text& last, int axes);

/// Writes element at[b] to to[b], elements that `identity` copies; row b of the table `picked` names it.
[[nodiscard]] kernel_text pick_text(const op_text& identity, int axes);

}  // namespace tessera::algo
