#include "tessera/algo/function/composed.h"

#include <span>

#include "tessera/base/bytes/hash.h"
#include "tessera/base/bytes/hex.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// States of members one behind the other; a member without state takes a byte, as in C++.
struct joined_state {
  state_layout layout;
  bool any = false;

  void add(const op& part) {
    constexpr std::byte none{};
    any = any || !part.state.empty();
    if (part.state.empty())
      layout.add(&none, 1, 1);
    else
      layout.add(part.state.data(), part.state.size(), part.state_alignment);
  }
};

op with_parts(op_text text, const std::vector<op>& parts, call_site here) {
  joined_state state;
  for (const op& part : parts) {
    if (part.runs_on_host())
      throw argument_error(cat(here.file, ":", here.line, ": '", part.text->name,
                               "' runs on the host and cannot be part of another function on the devices"));
    state.add(part);
    text.parts.push_back(part.text);
    text.names += " " + part.text->names;
  }
  text.has_state = state.any;
  op made;
  if (state.any) {
    made.state = state.layout.bytes();
    made.state_alignment = state.layout.alignment();
  }
  made.text = keep_text(std::move(text));
  return made;
}

std::string type_of(const op_parameter& p) {
  if (p.kind == parameter_kind::row) return cat("tessera::row<", p.type, ">");
  if (p.kind == parameter_kind::column) return cat("tessera::col<", p.type, ">");
  if (p.kind != parameter_kind::container) return p.type;
  if (p.axes == 1) return cat("tessera::vec<", p.type, ">");
  if (p.axes == 2) return cat("tessera::mat<", p.type, ">");
  return cat("tessera::ten<", p.type, ", ", p.axes, ">");
}

/// The text of the functor `name` that calls `outer` with the results of `inner`.
std::string composition_text(const std::string& name, const op& outer, const std::vector<op>& inner) {
  std::string members = cat("  ", outer.text->type, " outer;\n"), parameters, calls;
  int count = 0;
  for (std::size_t k = 0; k < inner.size(); ++k) {
    std::string list;
    for (const op_parameter& p : inner[k].text->parameters) {
      parameters += cat(count == 0 ? "" : ", ", type_of(p), " p", count);
      list += cat(list.empty() ? "" : ", ", "p", count++);
    }
    if (is_identity(inner[k])) {
      calls += cat(k == 0 ? "" : ", ", list);
    } else {
      members += cat("  ", inner[k].text->type, " inner", k, ";\n");
      calls += cat(k == 0 ? "" : ", ", "inner", k, "(", list, ")");
    }
  }
  return cat("namespace tessera {\nstruct ", name, " {\n", members, "  __device__ auto operator()(", parameters,
             ") const {\n    return outer(", calls, ");\n  }\n};\n}\n");
}

}  // namespace

bool is_identity(const op& function) { return function.text->type == "tessera::identity"; }

op wrapped(const std::string& name, const std::vector<op>& parts, const std::vector<std::string>& arguments,
           wrapped_signature signature, call_site here) {
  op_text text;
  text.parameters = std::move(signature.parameters);
  text.results = std::move(signature.results);
  std::string list;
  for (const op& part : parts) list += cat(list.empty() ? "" : ", ", part.text->type);
  for (const std::string& argument : arguments) list += cat(list.empty() ? "" : ", ", argument);
  text.type = list.empty() ? name : cat(name, "<", list, ">");
  text.name = parts.empty() ? name : parts.front().text->name;
  add_blocks(text, false, here);
  if (!name.starts_with("tessera::")) text.names += " " + name;  // not one of those that every kernel begins with
  for (const std::string& argument : arguments) text.names += " " + argument;
  return with_parts(std::move(text), parts, here);
}

op composed(const op& outer, const std::vector<op>& inner, call_site here) {
  if (is_identity(outer) && inner.size() == 1) return inner[0];
  bool changes = false;
  std::uint64_t numbers[2] = {outer.text->digest, 0};
  std::vector<op> members{outer};
  op_text text;
  for (const op& each : inner) {
    changes = changes || !is_identity(each);
    numbers[1] = each.text->digest;
    numbers[0] = hash_of(std::as_bytes(std::span(numbers)));
    if (!is_identity(each)) members.push_back(each);
    text.parameters.insert(text.parameters.end(), each.text->parameters.begin(), each.text->parameters.end());
  }
  if (!changes) return outer;
  const std::string name = "composed_" + hex(std::as_bytes(std::span(numbers, 1)));
  text.type = "tessera::" + name;
  text.text = composition_text(name, outer, inner);
  text.name = is_identity(outer) ? inner[0].text->name : outer.text->name;
  text.names = outer.text->names;
  for (const op& each : inner) text.names += " " + each.text->names;
  text.results = outer.text->results;
  return with_parts(std::move(text), members, here);
}

}  // namespace tessera::algo
