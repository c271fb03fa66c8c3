#pragma once

#include <string_view>
#include <vector>

#include "tessera/kernel/barrier/names.h"
#include "tessera/kernel/barrier/structure.h"

namespace tessera::kernels {

/// Decides what the variables of a kernel are (see plan.h), by what their values are made of.
class variable_roles {
 public:
  /// All must outlive this. Throws `cut_refused` where a loop or condition around a barrier may differ between
  /// threads.
  variable_roles(const outline& source, const known_names& names, split_structure& structure, token_range body);

  /// Has one value for all threads of a block.
  [[nodiscard]] bool is_same(std::size_t variable) const { return same_[variable]; }
  /// Computed from the thread's index alone, and never changed.
  [[nodiscard]] bool is_indexed(std::size_t variable) const { return indexed_[variable]; }
  /// Parameters that the kernel may change.
  [[nodiscard]] const std::vector<std::string_view>& changed_parameters() const { return changed_parameters_; }

  /// Whether an expression is the same for all threads of a block when it is evaluated.
  [[nodiscard]] bool is_same_for_block(token_range expression) { return is_made_of(expression, made_of::block); }
  /// Whether an expression is made of numbers that are the same for all threads and of numbers computed from the
  /// thread's index alone.
  [[nodiscard]] bool is_of_index(token_range expression) { return is_made_of(expression, made_of::index); }
  /// Whether the name at `position` is a variable that holds a thread's index on an axis.
  [[nodiscard]] bool is_thread_index(std::size_t position);
  /// Whether a function of this name is a cast, or one of CUDA's that only computes.
  [[nodiscard]] bool only_computes(std::string_view function) const;
  /// Whether the threads that reach a control may go different ways.
  [[nodiscard]] bool is_divergent(const split_control& control) {
    return !control.is_loop && !is_made_of(control.condition, made_of::block);
  }

 private:
  enum class made_of : std::uint8_t {
    block,   ///< One value for all threads of a block when it is evaluated.
    thread,  ///< Depends on the thread's index besides, and gives the same whenever it is evaluated.
    index,   ///< Numbers; depends on the thread's index besides, and may change with what is the same for all.
  };

  [[nodiscard]] bool is_made_of(token_range range, made_of basis);
  [[nodiscard]] bool is_known(std::string_view word, const token& next, std::size_t position, made_of basis);
  [[nodiscard]] bool is_steady(const block_variable& v) const;
  [[nodiscard]] bool is_plain(const block_variable& v) const;
  [[nodiscard]] bool is_table(const block_variable& v) const;
  [[nodiscard]] bool begins_same(const block_variable& v);
  [[nodiscard]] bool changes_for_some(const block_variable& v, std::size_t item);
  [[nodiscard]] bool changes_elsewhere(const block_variable& v);
  void find_same();
  void require_same();
  void require_same_jump(const split_item& item);
  void find_indexed();

  const outline& source_;
  const known_names& names_;
  split_structure& structure_;
  std::vector<bool> same_, indexed_;  // per variable
  std::vector<std::string_view> changed_parameters_;
};

}  // namespace tessera::kernels
