#pragma once

#include <string>
#include <vector>

#include "tessera/kernel/barrier/names.h"
#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/barrier/subscripts.h"
#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// An element of an array in shared memory that lies across: `s[threadIdx.x ^ j]`, where `j` is the same for all
/// threads. Within a stretch no thread may touch what another one changes, so that these elements can be read for all
/// threads before the loop over them, and written behind it: all at once, as permutations of vectors
/// (device/crossings.h).
struct crossing {
  token_range element;
  std::string array, distance;  ///< `s`, `j`.
  bool is_written = false;      ///< `s[...] = value;`, the last that the stretch has to do with `s`; else it is read.
};

/// Finds the crossings of stretches.
class crossing_finder {
 public:
  /// All must outlive this.
  crossing_finder(const outline& source, const declaration& kernel, const known_names& names,
                  split_structure& structure, variable_roles& roles);

  /// Those of one stretch that all threads of the block run. A thread reads before it has changed anything of the
  /// array; where in doubt, an element is none of these.
  [[nodiscard]] std::vector<crossing> find(token_range statements);

 private:
  [[nodiscard]] bool is_plain_array(std::string_view name) const;
  [[nodiscard]] std::string distance_of(token_range subscript, token_range statements);
  [[nodiscard]] std::string distance_in(token_range sum, token_range statements);
  [[nodiscard]] bool is_index(token_range range, token_range statements);
  [[nodiscard]] bool is_distance(token_range range, token_range statements);
  [[nodiscard]] std::size_t end_of_change(std::size_t open) const;

  const outline& source_;
  token_range body_;
  const known_names& names_;
  split_structure& structure_;
  variable_roles& roles_;
  std::vector<std::string_view> arrays_;
};

/// What stands before the loop over the threads of stretch `number`, and behind it. The elements become those of arrays
/// with one for each thread.
struct crossing_text {
  std::string before, behind;
};
[[nodiscard]] crossing_text write_crossings(const outline& source, const std::vector<crossing>& crossings,
                                            std::size_t number, text_edits& edits);

}  // namespace tessera::kernels
