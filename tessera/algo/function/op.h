#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera/base/dtype.h"

namespace tessera::algo {

/// What a parameter of a function is, as its type says.
enum class parameter_kind : std::uint8_t {
  plain,      ///< An element of a container, or a number or struct that is the same for all: the argument decides.
  index,      ///< Where the element stands; takes no argument.
  container,  ///< All elements of a container.
  row,        ///< The row of a matrix with the element's row number.
  column,     ///< The column of a matrix with the element's column number.
  region,     ///< The neighbourhood of an element.
};

struct op_parameter {
  parameter_kind kind = parameter_kind::plain;
  std::string type;  ///< As device text spells it: of the value, or of the elements behind it.
  dtype element;
  int axes = 0;  ///< Of an index, a container or a region.
  /// How far a recorded function looks around an element of a region, per axis; -1 where only its text knows.
  std::array<int, 4> reach{-1, -1, -1, -1};
};

struct op_result {
  std::string type;
  dtype element;
};

/// The part of an operator that kernels are compiled from; equal for operators that differ in numbers alone.
struct op_text {
  std::string type;      ///< Of the functor, as the text spells it.
  std::string text;      ///< Defines it, behind the TS_DEVICE blocks that it needs.
  std::string names{};   ///< What decides which blocks these are, besides the words of the text.
  std::string blocks{};  ///< Their text.
  std::string name;      ///< For messages, traces and the names of kernels.
  std::vector<op_parameter> parameters;
  std::vector<op_result> results;  ///< Several: the call operator returns a `tessera::tuple`.
  bool has_state = false;
  std::vector<std::shared_ptr<const op_text>> parts{};  ///< Operators that the text calls, defined before it.
  std::uint64_t digest = 0;                             ///< Of all that; equal on all ranks.
};

struct host_argument;
class kernel_cache;

/// A function as host code, for a row of `count` elements at a time (function/host.h).
struct host_code {
  std::shared_ptr<const void> function{};
  void (*row)(const void* function, const host_argument* arguments, std::int64_t count,
              std::byte* const* results) = nullptr;
  std::shared_ptr<kernel_cache> kernels{};  ///< That call it; null where it only stands beside another one.
  std::uint64_t number = 0;                 ///< Tells functions of one type apart, within this process.

  /// What a kernel keeps of it: not the kernels, one of which it is.
  [[nodiscard]] host_code called() const { return {function, row, nullptr, number}; }
};

/// A user's function, however it was written: a functor as text, and the bytes of its state; or host code, whose
/// `text` only describes it and names no functor. The one form that skeletons and algorithms know.
struct op {
  std::shared_ptr<const op_text> text;
  std::vector<std::byte> state{};
  std::size_t state_alignment = 1;
  host_code host{};

  [[nodiscard]] bool runs_on_host() const { return text->type.empty(); }
};

/// Fills in the digest and keeps the text: equal texts are one object.
[[nodiscard]] std::shared_ptr<const op_text> keep_text(op_text text);

/// All that a kernel with these operators needs in front of it, each definition once.
[[nodiscard]] std::string definitions_of(const std::vector<const op_text*>& operators);

/// Members one behind the other as a C++ struct has them, for states whose members are listed.
class state_layout {
 public:
  void add(const void* bytes, std::size_t size, std::size_t alignment);
  [[nodiscard]] std::vector<std::byte> bytes() const;
  [[nodiscard]] std::size_t alignment() const { return alignment_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t alignment_ = 1;
};

}  // namespace tessera::algo
