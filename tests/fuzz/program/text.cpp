#include "tests/fuzz/program/text.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"

namespace tessera::fuzz {
namespace {

class annotation_writer {
 public:
  annotation_writer(const kernel& k, const grid& g, kernel_text& out) : kernel_(k), grid_(g), out_(out) {}

  void write() {
    std::string rules;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) add_rules(p, rules);
    std::string bindings;
    if (!kernel_.single) {
      for (const bound::kind from : {bound::kind::global, bound::kind::block, bound::kind::local})
        add_names(from, bindings);
      for (const std::string& let : lets_) bindings += (bindings.empty() ? "" : ", ") + let;
    }
    out_.annotation = kernel_.single ? "single => " + rules : bindings.empty() ? rules : bindings + " => " + rules;
  }

 private:
  /// A constant: a literal, a scalar argument, a name given in the launch, or the block's extent.
  std::string constant(std::int64_t v) {
    ++constants_;
    if (v == grid_.block.front() && v > 1 && (kernel_.salt & 1) != 0) return "blockDim.x";
    if (constants_ > kernel_.scalars || kernel_.single) return std::to_string(v);
    if (constants_ % 3 == 0) {
      out_.lets.emplace_back(cat("T", constants_), v);
      return out_.lets.back().first;
    }
    out_.scalars.push_back(v);
    return cat("n", out_.scalars.size() - 1);
  }

  std::string term(const index_expr::term& t) {
    const std::string name = name_text(kernel_.names[static_cast<std::size_t>(t.name)]);
    const std::int64_t factor = t.factor < 0 ? -t.factor : t.factor;
    return factor == 1 ? name : constant(factor) + "*" + name;
  }

  std::string expression(const index_expr& e) {
    std::string text;
    for (const index_expr::term& t : e.terms) {
      if (text.empty() && t.factor < 0) text = constant(e.constant);
      text += text.empty() ? "" : t.factor < 0 ? " - " : " + ";
      text += term(t);
    }
    const bool constant_first = !e.terms.empty() && e.terms.front().factor < 0;
    if (e.terms.empty()) text = e.constant < 0 ? cat("0 - ", -e.constant) : constant(e.constant);
    if (!e.terms.empty() && !constant_first && e.constant != 0)
      text += e.constant < 0 ? cat(" - ", constant(-e.constant)) : cat(" + ", constant(e.constant));
    if (e.divide != 1) text = cat("(", text, ") / ", constant(e.divide));
    if (e.modulo > 0) text = cat("(", text, ") % ", constant(e.modulo));
    if (e.added != 0) text += e.added < 0 ? cat(" - ", -e.added) : cat(" + ", e.added);
    if (!e.as_let || kernel_.single) return text;
    lets_.push_back(cat("t", lets_.size(), " = ", text));
    return cat("t", lets_.size() - 1);
  }

  std::string index(const index_spec& i) {
    std::string text;
    if (i.first) text = expression(*i.first);
    if (i.table >= 0) {
      const auto table = static_cast<std::size_t>(i.table);
      if (std::ranges::find(out_.tables, table) == out_.tables.end()) out_.tables.push_back(table);
      return cat(table_name(table), "(", text, ")");
    }
    if (i.is_point) return text;
    text += ":";
    if (i.last) text += expression(*i.last);
    if (i.step != 1) text += ":" + constant(i.step);
    return text;
  }

  void add_rules(std::size_t p, std::string& rules) {
    static constexpr std::array modes{"none", "read", "write", "readwrite", "reduce", "atomic"};
    const parameter& q = kernel_.parameters[p];
    bool first = true;
    const auto begin = [&](const std::string& mode) {
      if (!rules.empty()) rules += ", ";
      if (mode != mode_ || (kernel_.salt & 2) != 0) rules += mode + " ";
      mode_ = mode;
      rules += cat("p", p);
    };
    if (q.rules.empty()) begin("none");
    for (const rule& r : q.rules) {
      begin(combines(r.mode) ? cat(modes[static_cast<std::size_t>(r.mode)], "(", op_text(q.op), ")")
                             : modes[static_cast<std::size_t>(r.mode)]);
      if (q.view && first) rules += view(*q.view);
      first = false;
      if (r.indices.empty()) continue;
      std::string list;
      for (const index_spec& i : r.indices) list += (list.empty() ? "" : ", ") + index(i);
      rules += "[" + list + "]";
    }
  }

  std::string view(const storage_view& v) {
    std::string list;
    for (std::size_t k = 0; k < v.shape.size(); ++k)
      list += (k == 0 ? "" : ", ") + (k == 0 && v.open ? ":" : constant(v.shape[k]));
    return cat(" as [", list, "]", v.offset > 0 ? cat(" at ", v.offset) : "");
  }

  void add_names(bound::kind from, std::string& bindings) {
    static constexpr std::array kinds{"global", "block", "local"};
    std::array<std::string, 3> names{"_", "_", "_"};
    std::size_t count = 0;
    for (const bound& n : kernel_.names) {
      if (n.from != from) continue;
      const auto axis = static_cast<std::size_t>(n.axis);
      names[axis] = name_text(n) + (n.below ? cat(" < ", constant(*n.below)) : "");
      count = std::max(count, axis + 1);
    }
    if (count == 0) return;
    std::string list = names[0];
    for (std::size_t a = 1; a < count; ++a) list += ", " + names[a];
    bindings += cat(bindings.empty() ? "" : ", ", kinds[static_cast<std::size_t>(from)], " ",
                    count == 1 ? list : "[" + list + "]");
  }

  const kernel& kernel_;
  const grid& grid_;
  kernel_text& out_;
  std::vector<std::string> lets_;
  std::string mode_;
  int constants_ = 0;
};

}  // namespace

kernel_text text_of(const kernel& k, const grid& g) {
  kernel_text text;
  annotation_writer(k, g, text).write();
  for (std::size_t p = 0; p < k.parameters.size(); ++p)
    text.signature +=
        cat(p == 0 ? "" : ", ", k.parameters[p].is_const ? "const " : "", type_name(k.parameters[p].type), "* p", p);
  for (std::size_t n = 0; n < text.scalars.size(); ++n)
    text.signature += cat(text.signature.empty() ? "" : ", ", n % 2 == 0 ? "int" : "long long", " n", n);
  return text;
}

std::string type_name(element e) {
  static constexpr std::array<const char*, element_count> names{
      "int8_t",   "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t",
      "uint64_t", "float",   "double",  "bool",    "triple",  "rgb"};
  return names[static_cast<std::size_t>(e)];
}

std::string name_text(const bound& n) {
  static constexpr std::array<std::array<const char*, 3>, 3> names{
      {{"i", "j", "k"}, {"bi", "bj", "bk"}, {"li", "lj", "lk"}}};
  return names[static_cast<std::size_t>(n.from)][static_cast<std::size_t>(n.axis)];
}

std::string table_name(std::size_t table) { return cat("rows", table); }

std::string op_text(char op) {
  switch (op) {
    case '<':
      return "min";
    case '>':
      return "max";
    case 'm':
      return "argmin";
    case 's':
      return "extremes";
    case 'g':
      return "divisor_of";
    default:
      return {op};
  }
}

}  // namespace tessera::fuzz
