#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/plan/access/access.h"

/// What an annotation says, before its constants are known. Made by the parser, resolved by `check_against`, read by
/// `bind`. Positions are byte offsets into the text.
namespace tessera::plan {

/// A constant that the annotation needs, and where its value comes from.
struct constant_slot {
  enum class source : std::uint8_t {
    launch,     ///< The launch's `.let`, or a template argument.
    parameter,  ///< The scalar parameter at position `index`; known after `check_against`.
    block_dim,  ///< blockDim, axis `index`.
    grid_dim,   ///< gridDim, axis `index`.
  };
  std::string name;
  source from = source::launch;
  int index = 0;
};

struct syntax_step {
  enum class kind : std::uint8_t { literal, constant, name, operation };
  kind type = kind::literal;
  expression::op operation = expression::op::constant;
  std::int64_t value = 0;  ///< The literal, or the index of the constant slot or of the bound name.
  std::uint32_t at = 0;
};

/// Postfix code; lets are already inlined.
struct expression_syntax {
  std::vector<syntax_step> code;
  bool uses_names = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct variable_syntax {
  bound_name::kind from = bound_name::kind::global;
  int axis = 0;
  std::optional<expression_syntax> below;
};

/// A table of intervals that the annotation needs, and where it is first named.
struct table_slot {
  std::string name;
  std::uint32_t at = 0;
};

struct index_syntax {
  std::optional<expression_syntax> first;
  std::optional<expression_syntax> last;  ///< Absent also for points and rows of tables.
  std::optional<expression_syntax> step;
  bool is_point = false;
  std::optional<std::size_t> table;  ///< Into annotation_syntax::tables: `first` tells its rows.
};

struct view_syntax {
  std::vector<std::optional<expression_syntax>> dims;  ///< At most one is absent: what is left.
  std::optional<expression_syntax> offset;
  std::uint32_t at = 0;
};

struct rule_syntax {
  std::string array;
  int parameter = -1;  ///< Known after `check_against`.
  access_mode mode = access_mode::read;
  reduce_op op = reduce_op::add;
  std::optional<std::size_t> view;  ///< Into annotation_syntax::views; also where an earlier rule gave it.
  std::vector<index_syntax> indices;
  std::uint32_t at = 0;
};

struct annotation_syntax {
  std::string text;
  std::vector<std::string> operations;  ///< Those that the kernel registers: names of `registered_op`s.
  bool single = false;
  std::vector<std::string> names;  ///< Of `variables`, in the same order.
  std::vector<variable_syntax> variables;
  std::vector<constant_slot> constants;
  std::vector<table_slot> tables;
  std::vector<view_syntax> views;
  std::vector<rule_syntax> rules;
  std::vector<access_rule> defaults;  ///< What a bare `single` declares; known after `check_against`.
  bool checked = false;
};

}  // namespace tessera::plan
