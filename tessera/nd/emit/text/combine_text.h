#pragma once

#include <string>
#include <vector>

#include "tessera/nd/emit/text/sequence_text.h"
#include "tessera/nd/fuse/reduction_functions.h"

namespace tessera::nd {

/// Lists of variables whose names end with their numbers, one per type.
using type_list = std::vector<scalar_kind>;
/// "a0, a1"; `at` stands behind each.
[[nodiscard]] std::string names(const char* name, const type_list& of, const char* at = "");
[[nodiscard]] std::string declared(const char* name, const type_list& of, const std::string& behind,
                                   const std::string& indent, const char* before = "");
/// All that are not empty, with commas between them.
[[nodiscard]] std::string joined(std::initializer_list<std::string> lists);

/// Text that combines the elements of a piece: elements `begin` to `begin + n` of a sequence, in 128 lanes that are
/// then folded by halves. Variables: lanes0, ..., the lane states (arrays, of which 0 has the result after the fold);
/// squares0, ..., squared distances of the second pass; average0, ..., the means that these are taken from.
class combine_text : public sequence_text {
 protected:
  /// `values` are the lane states of an element. `id` stands behind the names of functions.
  combine_text(const group& made, const launch_space& space, std::string across, const reduction_functions& functions,
               std::vector<kernels::expression::value> values, std::string id = "");

  [[nodiscard]] const reduction_functions& functions() const { return f_; }
  /// The functions that combine, behind a definition of ND_FUNCTION.
  [[nodiscard]] std::string function_texts() const;
  [[nodiscard]] std::string call(const char* function) const;

  /// Puts the element into the lane `at`: as the first there if `is_first` holds, else combined with what is there.
  [[nodiscard]] std::string take(const std::string& indent, bool second, const std::string& is_first,
                                 const char* at) const;
  /// The means of a piece.
  [[nodiscard]] std::string means(const std::string& indent) const;
  /// Two loops over a run: one that sets lanes, one that combines with them; `more` is done with each element of the
  /// first pass.
  [[nodiscard]] std::string cpu_runs(bool second, const std::string& is_first, const std::string& count,
                                     const char* lane, const std::string& indent, const std::string& more = {}) const;
  [[nodiscard]] std::string cpu_pass(bool second, const std::string& more = {}) const;
  [[nodiscard]] std::string cpu_fold(bool second) const;

 private:
  const reduction_functions& f_;
  std::string id_;
  bool is_inner_;
};

}  // namespace tessera::nd
