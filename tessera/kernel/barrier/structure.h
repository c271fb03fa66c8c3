#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/barrier/bounds.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// Why a kernel cannot be cut at its barriers.
struct cut_refused {
  std::string reason;
};

[[noreturn]] void refuse_cut(const outline& source, std::size_t position, std::string_view reason);

/// A variable that is declared beside the kernel's barriers, not inside a statement without any.
struct block_variable {
  std::string_view name;
  declarator declared;
  token_range scope;
  bool is_constant = false;          ///< `constexpr`.
  bool is_static = false;            ///< Declared for the whole block as it is.
  bool counts_a_loop = false;        ///< Declared by the head of a loop around barriers.
  std::size_t item = 0;              ///< Its declaration; into `split_structure::items`.
  std::vector<std::size_t> changes;  ///< The items that do nothing but assign to it.
};

/// A name of a shared variable or a type.
struct block_name {
  std::string_view name;
  token_range scope;
};

/// A condition or a loop around places where threads meet, or a condition on a thread's index.
struct split_control {
  token_range whole;
  token_range condition;
  bool is_loop = false;
  std::size_t otherwise = 0;         ///< Position of `else`; `whole.end` if there is none.
  bool has_barrier = false;          ///< All threads of the block meet inside.
  std::optional<index_bound> bound;  ///< The condition, if it is one on a thread's index.
};

/// One branch of a control: what is inside runs for some of the threads, perhaps.
struct split_region {
  std::size_t control = 0;
  bool otherwise = false;
  std::size_t parent = 0;  ///< Into `split_structure::regions`; `no_region` if there is none.
};
inline constexpr std::size_t no_region = static_cast<std::size_t>(-1);

enum class item_kind : std::uint8_t {
  plain,        ///< A statement without a barrier.
  declaration,  ///< A declaration of variables, without a barrier.
  change,       ///< An assignment to a variable, without a barrier.
  once,         ///< A declaration for the whole block: shared variables, constants, types.
  jump,         ///< `if (...) break;` of a loop around barriers.
  head,         ///< A part of the head of a loop or condition around barriers.
  exchange,     ///< `auto __tessera_w0 = __shfl_sync(...);`
  cut,          ///< A barrier, or an edge of a block around one.
};

struct split_item {
  item_kind kind = item_kind::plain;
  token_range range;
  bool in_loop = false;                ///< Within a loop around barriers.
  std::size_t region = no_region;      ///< The innermost around it.
  std::size_t control = no_region;     ///< Of a condition's head: into `split_structure::controls`.
  std::vector<std::size_t> variables;  ///< Declared here; into `split_structure::variables`.
  std::optional<assignment> change;
  token_range condition;  ///< What must be the same for all threads; of a change, for it to be the same.
};

/// A kernel's body read down to its barriers.
struct split_structure {
  std::vector<split_item> items;  ///< In the order of the text.
  std::vector<block_variable> variables;
  std::vector<split_control> controls;
  std::vector<split_region> regions;
  std::vector<std::vector<token_range>> lists;  ///< The statements of each block around places where threads meet.
  std::vector<token_range> barriers;            ///< Calls without a result.
  std::vector<std::size_t> shared;              ///< `__shared__` and `static` of variables of the block.
  bool shares_pointers = false;                 ///< Some shared variable may hold an address.
  std::vector<block_name> others;  ///< Names of what is declared for the whole block, and is no variable of a thread.

  /// The variable that `name` means at `position`, if it is one of these.
  [[nodiscard]] block_variable* find(std::string_view name, std::size_t position);
  [[nodiscard]] std::size_t index_of(const block_variable& v) const {
    return static_cast<std::size_t>(&v - variables.data());
  }
};

/// Conditions on a thread's index are controls if `bounds` takes them. Throws `cut_refused`.
[[nodiscard]] split_structure read_structure(const outline& source, token_range body, const bound_filter& bounds);

}  // namespace tessera::kernels
