#include <sstream>

#include "tessera/base/text.h"
#include "tests/fuzz/print/program.h"
#include "tests/fuzz/program/text.h"
#include "tests/fuzz/program/thread.h"

namespace tessera::fuzz {
namespace {

std::string plus(const std::string& text, std::int64_t v) {
  if (v == 0) return text;
  return v < 0 ? cat(text, " - ", -v) : cat(text, " + ", v);
}

class body_printer {
 public:
  explicit body_printer(const kernel& k) : kernel_(k) {}

  std::string print(const int_list& block) {
    out_ << "    for_points(c, [&](" << coordinates(block.size()) << ") {\n";
    print_tables();
    for (const bound& n : kernel_.names) print_name(n, block);
    out_ << "      std::uint64_t h = " << kernel_.salt << "u, n = 0;\n";
    for (std::size_t a = 0; a < block.size(); ++a)
      out_ << "      h = mix(h, static_cast<std::uint64_t>(" << axis_name(a) << "));\n";
    for_each_rule([](access m) { return m == access::read || m == access::readwrite; }, block,
                  [](const parameter&, const rule&, const std::string&) { return "h = mix(h, load(e));"; });
    for_each_rule(modifies, block, [](const parameter& p, const rule& r, const std::string& type) {
      if (combines(r.mode))
        return cat("e = combined('", p.op, "', e, contribution<", type, ">('", p.op, "', mix(h, n++)));");
      const std::string store = cat("e = make<", type, ">(m);");
      return cat("const std::uint64_t m = mix(h, n++); ", r.mode == access::readwrite ? "if (m % 4 != 0) " : "", store);
    });
    out_ << "      (void)n;\n    });\n";
    return out_.str();
  }

 private:
  static std::string axis_name(std::size_t a) { return name_text({bound::kind::global, static_cast<int>(a), {}}); }

  static std::string coordinates(std::size_t axes) {
    std::string text;
    for (std::size_t a = 0; a < 3; ++a)
      text += cat(a == 0 ? "" : ", ", "[[maybe_unused]] std::int64_t ", a < axes ? axis_name(a) : cat("unused", a));
    return text;
  }

  void print_tables() {
    for (std::size_t t = 0; t < kernel_.tables.size(); ++t)
      out_ << "      [[maybe_unused]] static const row_table " << table_name(t) << "{" << rows_text(kernel_.tables[t])
           << "};\n";
  }

  void print_name(const bound& n, const int_list& block) {
    const auto axis = static_cast<std::size_t>(n.axis);
    if (n.from == bound::kind::global && axis < block.size()) return;
    const std::int64_t extent = axis < block.size() ? block[axis] : 1;
    out_ << "      [[maybe_unused]] const std::int64_t " << name_text(n) << " = ";
    if (axis >= block.size())
      out_ << "0;\n";
    else
      out_ << axis_name(axis) << (n.from == bound::kind::block ? " / " : " % ") << extent << ";\n";
  }

  std::string expression(const index_expr& e) const {
    std::string text;
    for (const index_expr::term& t : e.terms)
      text += cat(text.empty() ? "" : " + ", t.factor == 1 ? "" : cat(t.factor, " * "),
                  name_text(kernel_.names[static_cast<std::size_t>(t.name)]));
    text = text.empty() ? std::to_string(e.constant) : plus(text, e.constant);
    if (e.divide != 1) text = cat("floor_div(", text, ", ", e.divide, ")");
    if (e.modulo > 0) text = cat("floor_mod(", text, ", ", e.modulo, ")");
    return plus(text, e.added);
  }

  /// What has to hold for the rule to apply.
  std::string condition(const rule& r, const int_list& block) const {
    std::string text;
    const auto add = [&](const std::string& c) { text += (text.empty() ? "" : " && ") + c; };
    for (std::size_t n = 0; n < kernel_.names.size(); ++n) {
      bool used = false;
      for (const index_spec& i : r.indices)
        for (const auto& e : {i.first, i.last})
          if (e)
            for (const index_expr::term& t : e->terms) used = used || static_cast<std::size_t>(t.name) == n;
      if (used && kernel_.names[n].below) add(cat(name_text(kernel_.names[n]), " < ", *kernel_.names[n].below));
    }
    if (r.leader)
      for (std::size_t a = 0; a < block.size(); ++a)
        if (block[a] > 1 && !uses_threads_of(kernel_, r, a)) add(cat(axis_name(a), " % ", block[a], " == 0"));
    return text.empty() ? "" : cat("if (", text, ") ");
  }

  template <class Select, class Action>
  void for_each_rule(Select select, const int_list& block, Action action) {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const parameter& q = kernel_.parameters[p];
      for (const rule& r : q.rules) {
        if (!select(r.mode)) continue;
        const std::string type = type_name(q.type);
        std::string indices;
        for (const index_spec& i : r.indices) {
          if (i.table >= 0) {
            indices += cat(indices.empty() ? "" : ", ", table_name(static_cast<std::size_t>(i.table)), ".at(",
                           expression(*i.first), ")");
            continue;
          }
          const std::string first = i.first ? expression(*i.first) : "0";
          const std::string last = i.is_point ? first : i.last ? expression(*i.last) : "end";
          indices += cat(indices.empty() ? "" : ", ", "{", first, ", ", last, ", ", i.step, "}");
        }
        out_ << "      " << condition(r, block) << "each<" << type << ">(c, " << p << ", {" << indices << "}, "
             << view(q) << ", [&](" << (modifies(r.mode) ? "" : "const ") << type << "& e) { " << action(q, r, type)
             << " });\n";
      }
    }
  }

  static std::string view(const parameter& p) {
    if (!p.view) return "{}";
    std::string list;
    for (const std::int64_t n : p.view->shape) list += cat(list.empty() ? "" : ", ", n);
    return cat("{{", list, "}, ", p.view->offset, "}");
  }

  const kernel& kernel_;
  std::ostringstream out_;
};

}  // namespace

std::string rows_text(const row_table& t) {
  std::string text;
  for (std::size_t r = 0; r < t.lo.size(); ++r) text += cat(r == 0 ? "" : ", ", "{", t.lo[r], ", ", t.hi[r], "}");
  return "{" + text + "}";
}

std::string native_body(const kernel& k, const int_list& block) { return body_printer(k).print(block); }

}  // namespace tessera::fuzz
