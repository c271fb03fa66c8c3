#include "tessera/algo/function/callable.h"

#include <algorithm>
#include <cctype>

#include "tessera/algo/function/device_text.h"
#include "tessera/base/bytes/hash.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// "a::b<c>" as "a::b": templates are declared by their name.
std::string_view without_arguments(std::string_view name) { return name.substr(0, name.find('<')); }

/// Structs of device/algorithms.h, which every kernel of an algorithm has; their arguments may be the program's.
bool is_of_library(std::string_view type) {
  return type.starts_with("tessera::") && !is_declared(without_arguments(type));
}

void require_text(std::string_view name, call_site here) {
  if (!is_declared(without_arguments(name)))
    throw argument_error(cat(here.file, ":", here.line, ": '", name, "' has no device text: put it in TS_DEVICE(...)"));
}

}  // namespace

void add_blocks(op_text& text, bool functor_needs_text, call_site here) {
  if (functor_needs_text) require_text(text.name, here);
  std::string names = text.name;
  const auto need = [&](const std::string& type, const dtype& element) {
    if (element.kind != scalar_kind::structure) return;
    if (!is_of_library(type)) require_text(type, here);
    names += " " + type;
  };
  for (const op_parameter& p : text.parameters)
    if (p.kind != parameter_kind::index) need(p.type, p.element);
  for (const op_result& r : text.results) need(r.type, r.element);
  text.blocks = blocks_needed_by(names + " " + text.text);
  text.names = std::move(names);
}

std::uint64_t number_of_state(const std::vector<std::byte>& state) { return hash_of(state); }

void wrap_function(op_text& text, const std::string& name, call_site here) {
  require_text(name, here);
  std::string plain(name);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  text.name = name;
  text.type = "tessera::call_" + plain;
  text.text = cat("namespace tessera {\nstruct call_", plain,
                  " {\n  template <class... A>\n  __device__ auto operator()(A... a) const {\n    return ::", name,
                  "(a...);\n  }\n};\n}\n");
}

}  // namespace tessera::algo
