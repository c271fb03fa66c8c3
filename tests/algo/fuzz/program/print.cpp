#include "tests/algo/fuzz/program/print.h"

#include "tessera/base/text.h"
#include "tests/algo/fuzz/program/resolve.h"

namespace tessera::fuzz {
namespace {

const char* type_text(value_kind type) {
  return type == value_kind::number ? "unsigned" : type == value_kind::real ? "double" : "cell";
}
std::string container_text(value_kind type, int axes) {
  if (axes == 3) return cat("ts::tensor<", type_text(type), ", 3>");
  return cat(axes == 1 ? "ts::vector<" : "ts::matrix<", type_text(type), ">");
}

std::string listed(const extents& shape) {
  std::string text;
  for (int k = 0; k < shape.rank(); ++k) text += cat(k == 0 ? "" : ", ", shape[k]);
  return text;
}

/// The words of one step.
class step_text {
 public:
  explicit step_text(const step& s) : s_(s) {}

  [[nodiscard]] std::string statement() const {
    if (s_.action < verb::read_element) return change();
    if (s_.action < verb::map_new) return host();
    return s_.action < verb::sort_elements ? skeleton() : algorithm_text(s_);
  }

 private:
  [[nodiscard]] std::string container(std::size_t place) const { return name_of(s_.type, s_.axes, s_.slot[place]); }
  [[nodiscard]] static std::string boxed(const std::string& name, const box& part) {
    if (part.rank() == 1) return cat(name, ".part(", part.lo[0], ", ", part.hi[0], ")");
    return cat(name, ".box(ts::box({", listed(part.lo), "}, {", listed(part.hi), "}))");
  }
  [[nodiscard]] std::string part(std::size_t place) const { return boxed(container(place), s_.part[place]); }
  [[nodiscard]] std::string part(std::size_t place, value_kind type, int axes) const {
    return boxed(name_of(type, axes, s_.slot[place]), s_.part[place]);
  }
  [[nodiscard]] std::string value() const { return cat("value_of<", type_text(s_.type), ">(", s_.n[2], ")"); }
  [[nodiscard]] std::string values(const std::string& count) const {
    return cat("values_of<", type_text(s_.type), ">(", count, ", ", s_.n[2], ")");
  }
  [[nodiscard]] std::string number() const { return cat("small<", type_text(s_.type), ">(", s_.n[2], ")"); }

  [[nodiscard]] std::string change() const {
    const std::string a = container(0), b = container(1), shape = listed(s_.shape);
    const std::string made = cat(a, " = ", container_text(s_.type, s_.axes), "(", s_.axes == 3 ? "{" : "", shape,
                                 s_.axes == 3 ? "}" : "", ", ");
    const std::string at = cat(a, ".begin() + ", s_.n[0]);
    switch (s_.action) {
      case verb::create:
        if (s_.axes == 1) return cat(a, " = ", container_text(s_.type, 1), "(", values(shape), ", in)");
        return cat(made, values(std::to_string(box::whole(s_.shape).volume())), ", in)");
      case verb::create_filled:
        return cat(made, value(), ", in)");
      case verb::copy:
        return cat(a, " = ", b);
      case verb::move:
        return cat(a, " = std::move(", b, "), ", b, " = ", container_text(s_.type, s_.axes), "(",
                   s_.axes == 3 ? "ts::extents{0, 0, 0}" : listed(extents::uniform(s_.axes, 0)), ", in)");
      case verb::swap:
        return cat("std::swap(", a, ", ", b, ")");
      case verb::resize:
        return cat(a, ".resize(", s_.axes == 3 ? cat("{", shape, "}") : shape, ", ", value(), ")");
      case verb::fill:
        return s_.axes == 1 ? cat(a, ".assign(", shape, ", ", value(), ")") : cat(a, ".fill(", value(), ")");
      case verb::push_back:
        return cat("for (auto x : ", values(std::to_string(s_.n[1])), ") ", a, ".push_back(x)");
      case verb::insert_value:
        return cat(a, ".insert(", at, ", ", s_.n[1], ", ", value(), ")");
      case verb::insert_values:
        return cat("{ auto x = ", values(std::to_string(s_.n[1])), "; ", a, ".insert(", at, ", x.begin(), x.end()); }");
      case verb::erase:
        return cat(a, ".erase(", at, ", ", a, ".begin() + ", s_.n[0] + s_.n[1], ")");
      case verb::reserve:
        return cat(a, ".reserve(", s_.n[0], ")");
      default:
        return cat(a, ".", word(), "()");
    }
  }

  [[nodiscard]] std::string host() const {
    const std::string a = container(0), loop = cat("for (int k = ", s_.n[0], "; k < ", s_.n[1], "; ++k) "),
                      one = cat(a, ".begin()[k]"), type = type_text(s_.type);
    const char* modes[] = {"ts::read", "ts::write", "ts::readwrite"};
    switch (s_.action) {
      case verb::read_element:
      case verb::read_run:
        return cat(loop, "check(", one, ".get())");
      case verb::write_element:
      case verb::write_run:
        return cat(loop, one, " = value_of<", type, ">(", s_.n[2], " + k)");
      case verb::add_to_element:
        return cat(loop, one, " = changed(", one, ".get(), ", s_.n[2], ")");
      case verb::swap_elements:
        return cat("swap(", a, ".begin()[", s_.n[0], "], ", a, ".begin()[", s_.n[3], "])");
      case verb::read_guard:
        return cat("check(", part(0), ".host(ts::read))");
      case verb::write_guard:
        return cat("std::ranges::copy(", values(std::to_string(s_.part[0].volume())), ", ", part(0),
                   ".host(ts::write).begin())");
      case verb::change_guard:
        return cat("{ auto h = ", part(0), ".host(ts::readwrite); for (auto& x : h) x = changed(x, ", s_.n[2], "); }");
      case verb::hold:
        return cat("auto held = ", part(0), ".host(", modes[s_.form], "); /* read and changed as by guards */");
      case verb::release:
        return "check(held); held.give_back()";
      case verb::read_part:
        return cat("check(", part(0), ".to_host())");
      case verb::compare:
        return cat("check(", a, " == ", container(1), ")");
      case verb::from_root:
        return cat(a, ".from_root(0, ", values(a + ".size()"), ")");
      case verb::from_own:
        return cat(a, ".from_own(", values(a + ".size()"), ")");
      case verb::local_part:
        return s_.form == 0 ? cat("check(", a, ".local(ts::read))")
                            : cat("for (auto& x : ", a, ".local(ts::readwrite)) x = changed(x, ", s_.n[2], ")");
      default:
        return cat(a, ".", s_.action == verb::flush && s_.form > 0 ? "release_device" : word(), "()");
    }
  }

  [[nodiscard]] std::string word() const {
    const char* names[] = {
#define TESSERA_VERB(name, weight) #name,
#include "tests/algo/fuzz/program/verbs.def"
#undef TESSERA_VERB
    };
    return names[static_cast<std::size_t>(s_.action)];
  }
  [[nodiscard]] std::string combination() const {
    if (s_.type == value_kind::cell) return "fuzzed::joined()";
    return s_.n[3] == 1 ? "ts::maximum()" : s_.n[3] == 2 ? "ts::minimum()" : "ts::plus()";
  }
  /// "a = f(x)" or "f.into(a.part(...), x)".
  [[nodiscard]] std::string applied(const std::string& f, const std::string& arguments) const {
    if (s_.fresh) return cat(container(0), " = ", f, "(", arguments, ")");
    return cat(f, ".into(", part(0), ", ", arguments, ")");
  }

  [[nodiscard]] std::string skeleton() const {
    const std::string k = cat("uniform(", s_.n[2], ")"), second = cat("second_uniform(", s_.n[2], ")");
    const std::string two = cat("difference<", type_text(s_.type), ">{", number(), "}");
    switch (s_.action) {
      case verb::map_new:
      case verb::map_into:
        return map_one(second);
      case verb::farm:
        return cat("ts::farm({", map_one(second), ", the same of ", part(2), " and ", part(0), "})");
      case verb::map_two:
        if (s_.type == value_kind::cell)
          return applied("ts::map<fuzzed::crossed>()", cat(part(1), ", ", part(2), ", ", k));
        return applied(cat("ts::map(", two, ")"), cat(part(1), ", ", part(2)));
      case verb::map_index:
        return applied(cat("ts::map<fuzzed::placed", s_.axes, ">()"), cat(part(1), ", ", k));
      case verb::map_whole:
        return map_whole(k);
      case verb::map_lines:
        return s_.form == 0 ? applied("ts::map<fuzzed::of_row>()", cat(part(2, s_.type, 2), ", ", part(1), ", ", k))
                            : applied("ts::map<fuzzed::of_column>()", cat(part(1), ", ", part(2, s_.type, 2), ", ", k));
      case verb::map_several:
        if (s_.fresh)
          return cat("std::tie(", container(0), ", ", name_of(value_kind::real, s_.axes, s_.slot[1]),
                     ") = ts::map(both{", k, "})(", part(2), ")");
        return cat("ts::map(both{", k, "}).into(", part(0), ", ", part(1, value_kind::real, s_.axes), ", ", part(2),
                   ")");
      case verb::map_to_cell:
        return applied("ts::map<fuzzed::made>()", part(1, value_kind::number, s_.axes));
      case verb::map_from_cell:
        return applied("ts::map<fuzzed::weight>()",
                       cat(part(1, value_kind::cell, s_.axes), ", (unsigned char)", s_.n[2]));
      case verb::map_counting:
        return applied(cat("ts::map(affine<unsigned>{", number(), "})"),
                       cat("ts::counting(", s_.n[0], "u, ", s_.n[1], "u)"));
      case verb::map_value:
        return applied("ts::map(with_uniforms())",
                       cat(part(1), ", ts::reduce(", part(2), ", ts::maximum()), ", second));
      default:
        return fold_or_stencil(two);
    }
  }

  [[nodiscard]] std::string map_one(const std::string& second) const {
    if (s_.type == value_kind::cell)
      return applied("ts::map<fuzzed::turned>()", cat(part(1), ", uniform(", s_.n[2], "), ", second));
    if (s_.action == verb::map_into && s_.form == 1)
      return applied("ts::map(with_uniforms())", cat(part(1), ", ", number(), ", ", second));
    return applied(cat("ts::map(affine<", type_text(s_.type), ">{", number(), "})"), part(1));
  }
  [[nodiscard]] std::string map_whole(const std::string& k) const {
    const std::string all = part(2, s_.type, s_.form + 1);
    if (s_.form == 0) return applied("ts::map<fuzzed::in_vector>()", cat(part(1), ", ", all, ", ", k));
    if (s_.form == 1) return applied("ts::map<fuzzed::in_matrix>()", cat(part(1), ", ", k, ", ", all));
    return applied("ts::map<fuzzed::in_tensor>()", cat(part(1), ", ", all, ", ", k));
  }

  [[nodiscard]] std::string fold_or_stencil(const std::string& two) const {
    switch (s_.action) {
      case verb::reduce_all:
        return cat("check(ts::reduce(", part(0), ", ", combination(), ").get())");
      case verb::reduce_wide:
        return cat("check(ts::reduce<double>(", part(0), ").get())");
      case verb::reduce_lines:
        return cat(container(0), s_.form == 0 ? " = ts::reduce_rows(" : " = ts::reduce_columns(", part(1, s_.type, 2),
                   ", ", combination(), ")");
      case verb::map_reduce:
        return cat("check(ts::map_reduce(scaled_difference(), ", combination(), ")(", part(0), ", ", part(1),
                   ").get())");
      case verb::scan: {
        const std::string by =
            s_.type == value_kind::cell ? cat("fuzzed::chained{uniform(", s_.n[2], ")}") : combination();
        if (s_.form == 1) return cat(container(0), " = ts::exclusive_scan(", part(1), ", ", value(), ", ", by, ")");
        if (s_.fresh) return cat(container(0), " = ts::inclusive_scan(", part(1), ", ", by, ")");
        return cat("ts::inclusive_scan_into(", part(0), ", ", part(1), ", ", by, ")");
      }
      case verb::pairs:
        return applied(cat("ts::map_pairs(", two, ")"), cat(part(1, s_.type, 1), ", ", part(2, s_.type, 1)));
      case verb::pairs_reduce:
        return applied(cat("ts::map_pairs_reduce(", two, ", ", combination(), ")"),
                       cat(part(1, s_.type, 1), ", ", part(2, s_.type, 1)));
      case verb::call_kernel:
        return cat("ts::call(add, {.threads = {", s_.part[0].volume(), "}}, ", s_.part[0].volume(), ", ", part(0), ", ",
                   number(), ")");
      default:
        return stencil();
    }
  }

  [[nodiscard]] std::string stencil() const {
    const int axes = s_.action == verb::overlap_lines ? 1 : s_.axes, form = s_.form % 3;
    const std::string radius =
        cat("{", s_.n[0], axes > 1 ? cat(", ", s_.n[1]) : "", axes > 2 ? cat(", ", s_.n[1]) : "", "}");
    const bool is_text = form == 2 && s_.type == value_kind::number && axes < 3;
    std::string text = is_text ? cat("ts::map_overlap<", axes, ", fuzzed::around", axes, ">(", radius, ")")
                               : cat("ts::map_overlap<", axes, ">(", form == 1 ? "far_around<" : "around<", axes,
                                     ">(), ", radius, ")");
    const std::string edges[] = {"ts::none", "ts::duplicate", "ts::cyclic", cat("ts::pad(", number(), ")")};
    text += cat(".edge(", edges[s_.n[3]], ")");
    if (s_.action == verb::overlap_lines) text += s_.form >= 3 ? ".along(ts::columns)" : ".along(ts::rows)";
    return applied(text, cat(part(1), ", ", number()));
  }

  const step& s_;
};

}  // namespace

std::string name_of(value_kind type, int axes, int slot) {
  return cat(type == value_kind::number ? "n"
             : type == value_kind::real ? "r"
                                        : "c",
             axes == 1   ? "v"
             : axes == 2 ? "m"
                         : "t",
             slot);
}

std::string text_of(const step& s) { return cat(step_text(s).statement(), s.refused ? " /* throws */" : ""); }

std::string as_cpp(const program& p, const std::optional<failure>& wrong) {
  std::string text = cat("// Functions: tests/algo/fuzz/program/functions.h. check(x): x is what the reference has.\n",
                         "ts::options how;\nhow.devices = \"", p.kind, "*", p.devices, "\";  // of each of ", p.ranks,
                         " ranks\nhow.small = ", p.shares_all ? 0 : 4096, ";\n");
  if (p.budget > 0) text += cat("how.device_memory = how.host_memory = \"", p.budget, "\";\n");
  text += "ts::container_options in(ts::context{how});\n";
  if (p.portion > 0) text += cat("in.portion = ", p.portion, ";\n");
  reference state;
  for (std::size_t k = 0; k < p.operations.size(); ++k) {
    const std::optional<step> s = resolve(state, p.operations[k]);
    if (!s) continue;
    text += cat(text_of(*s), ";", wrong && wrong->operation == k ? "  // " + wrong->message : std::string(), "\n");
    static_cast<void>(state.apply(*s));
  }
  if (wrong && wrong->operation >= p.operations.size()) text += cat("// ", wrong->message, "\n");
  return text;
}

}  // namespace tessera::fuzz
