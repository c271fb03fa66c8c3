#include "tessera/plan/access/codec.h"

#include <algorithm>
#include <limits>

#include "tessera/base/bytes/byte_stream.h"
#include "tessera/base/checked.h"
#include "tessera/plan/access/expression_builder.h"

namespace tessera::plan {

namespace {

using op = expression::op;

using writer = byte_writer;
using reader = byte_reader;

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr int max_axes = max_rank;

void write(writer& to, const std::optional<expression>& e) {
  if (!e) return to.count(0);
  to.count(e->code().size() + 1);
  for (const auto& s : e->code()) {
    to.number(static_cast<std::int64_t>(s.code));
    if (s.code == op::constant || s.code == op::name) to.number(s.value);
  }
}

using table_ptr = std::shared_ptr<const interval_table>;

/// Lengths and distances, which wrap around as unsigned numbers do: rows that follow each other take few bytes.
void write_rows(writer& to, const intervals& rows) {
  to.count(static_cast<std::size_t>(rows.size()));
  std::uint64_t end = 0;
  for (std::int64_t r = 0; r < rows.size(); ++r) {
    const intervals::row row = rows[r];
    to.word(static_cast<std::uint64_t>(row.hi) - static_cast<std::uint64_t>(row.lo));
    if (row.empty()) continue;
    to.word(static_cast<std::uint64_t>(row.lo) - end);
    end = static_cast<std::uint64_t>(row.hi);
  }
}

intervals read_rows(reader& from) {
  std::vector<intervals::row> rows(from.count());
  std::uint64_t end = 0;
  for (intervals::row& row : rows) {
    const std::uint64_t length = from.word();
    if (length == 0) continue;
    const std::uint64_t begin = end + from.word();
    end = begin + length;
    row = {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
    if (row.lo >= row.hi) from.fail("a row of a table ends before it begins");
  }
  return intervals(rows);
}

/// What stands for the rows of tables.
enum class table_form : bool { rows, hash };

void write(writer& to, const std::vector<table_ptr>& tables, table_form form) {
  to.count(tables.size());
  for (const table_ptr& t : tables) {
    to.text(t->name);
    if (form == table_form::rows) {
      write_rows(to, t->rows);
    } else {
      to.number(t->rows.size());
      to.word(t->rows.hash());
    }
  }
}

/// The number of an index's table, from 1; 0 for none.
std::size_t number_of(const index_range& range, const std::vector<table_ptr>& tables) {
  if (!range.table) return 0;
  const auto same = [&](const table_ptr& t) { return *t == *range.table; };
  return static_cast<std::size_t>(std::find_if(tables.begin(), tables.end(), same) - tables.begin()) + 1;
}

void write(writer& to, const access_rule& rule, const std::vector<table_ptr>& tables) {
  to.number(rule.parameter);
  to.number(static_cast<std::int64_t>(rule.mode));
  to.number(static_cast<std::int64_t>(rule.op));
  to.number(rule.view ? rule.view->shape.rank() + 1 : 0);
  if (rule.view) {
    for (const std::int64_t extent : rule.view->shape) to.number(extent);
    to.number(rule.view->offset);
  }
  to.count(rule.indices.size());
  for (const index_range& range : rule.indices) {
    to.count(number_of(range, tables));
    write(to, range.first);
    if (range.table) continue;
    write(to, range.last);
    to.number(range.step);
  }
}

void write(writer& to, const access_pattern& pattern, table_form form) {
  to.number(pattern.single ? 1 : 0);
  to.count(pattern.names.size());
  for (const bound_name& n : pattern.names) {
    to.number(static_cast<std::int64_t>(n.from));
    to.number(n.axis);
    to.number(n.below ? 1 : 0);
    if (n.below) to.number(*n.below);
  }
  const std::vector<table_ptr> tables = tables_of(pattern);
  write(to, tables, form);
  to.count(pattern.rules.size());
  for (const access_rule& r : pattern.rules) write(to, r, tables);
}

/// Steps go through the builder, which refuses code that cannot be evaluated.
std::optional<expression> read_expression(reader& from, expression_builder& builder, std::size_t names) {
  const std::size_t steps = from.count();
  if (steps == 0) return std::nullopt;
  if (steps == 1) return expression();
  for (std::size_t s = 1; s < steps; ++s) {
    const op code = from.choice(op::maximum);
    if (code == op::constant)
      builder.constant(from.number());
    else if (code == op::name)
      builder.name(static_cast<int>(from.number(0, static_cast<std::int64_t>(names) - 1)));
    else
      builder.apply(code);
  }
  return builder.take();
}

std::optional<storage_view> read_view(reader& from) {
  const auto rank = static_cast<int>(from.number(0, max_axes + 1)) - 1;
  if (rank < 0) return std::nullopt;
  storage_view v{extents::uniform(rank, 0), 0};
  std::int64_t elements = 1;
  for (int a = 0; a < rank; ++a) {
    v.shape[a] = from.number(0, greatest);
    elements = checked_multiply(elements, std::max<std::int64_t>(v.shape[a], 1), "a view's element count");
  }
  v.offset = from.number(0, greatest);
  (void)checked_add(elements, v.offset, "a view's end");
  return v;
}

std::vector<table_ptr> read_tables(reader& from) {
  std::vector<table_ptr> tables;
  for (std::size_t n = from.count(); n > 0; --n) {
    std::string name = from.text();
    tables.push_back(std::make_shared<const interval_table>(interval_table{std::move(name), read_rows(from)}));
  }
  return tables;
}

access_rule read_rule(reader& from, expression_builder& builder, std::size_t names,
                      const std::vector<table_ptr>& tables) {
  access_rule rule;
  rule.parameter = static_cast<int>(from.number(0, std::numeric_limits<int>::max()));
  rule.mode = from.choice(access_mode::atomic);
  rule.op = from.choice(registered_op(most_registered - 1));
  rule.view = read_view(from);
  const auto indices = static_cast<std::size_t>(from.number(0, max_axes));
  for (std::size_t i = 0; i < indices; ++i) {
    index_range& range = rule.indices.emplace_back();
    const std::int64_t table = from.number(0, std::ssize(tables));
    range.first = read_expression(from, builder, names);
    if (table > 0) {
      range.table = tables[static_cast<std::size_t>(table - 1)];
      range.last = range.first;
      continue;
    }
    range.last = read_expression(from, builder, names);
    range.step = from.number(1, greatest);
  }
  return rule;
}

}  // namespace

std::vector<std::byte> access_codec::encode(const access_pattern& pattern) {
  std::vector<std::byte> out;
  encode(pattern, out);
  return out;
}

void access_codec::encode(const access_pattern& pattern, std::vector<std::byte>& out) {
  writer to(out);
  write(to, pattern, table_form::rows);
}

std::vector<std::byte> access_codec::code_of(const access_pattern& pattern) {
  std::vector<std::byte> out;
  writer to(out);
  write(to, pattern, table_form::hash);
  return out;
}

access_pattern access_codec::decode(std::span<const std::byte>& in) {
  reader from(in, "access pattern");
  access_pattern pattern;
  pattern.single = from.flag();
  const auto names = static_cast<std::size_t>(from.number(0, expression::max_names));
  for (std::size_t n = 0; n < names; ++n) {
    bound_name& name = pattern.names.emplace_back();
    name.from = from.choice(bound_name::kind::local);
    name.axis = static_cast<int>(from.number(0, max_axes - 1));
    if (from.flag()) name.below = from.number();
  }
  const std::vector<table_ptr> tables = read_tables(from);
  expression_builder builder;
  const std::size_t rules = from.count();
  for (std::size_t r = 0; r < rules; ++r) pattern.rules.push_back(read_rule(from, builder, names, tables));
  in = from.rest();
  return pattern;
}

}  // namespace tessera::plan
