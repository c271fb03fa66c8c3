#include "tessera/algo/function/trace.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "tessera/algo/function/type_name.h"
#include "tessera/base/bytes/hash.h"
#include "tessera/base/bytes/hex.h"
#include "tessera/base/containers/recent_map.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"

namespace tessera::algo {
namespace {

constexpr std::size_t most_texts = 4096;

struct recorder {
  kernels::expression body;
  bool active = false;
};

recorder& this_thread() {
  thread_local recorder made;
  return made;
}

void append(std::string& key, const void* bytes, std::size_t size) {
  key.append(static_cast<const char*>(bytes), size);
}

/// All that decides the text of an expression, and nothing else.
std::string key_of(const kernels::expression& body, const std::vector<op_parameter>& parameters,
                   const std::vector<kernels::expression::value>& results) {
  std::string key;
  key.reserve(32 * body.steps().size() + 64);
  for (const op_parameter& p : parameters) {
    const int words[] = {static_cast<int>(p.kind), static_cast<int>(p.element.kind), p.axes};
    append(key, words, sizeof words);
  }
  for (const kernels::scalar_step& step : body.steps()) {
    const std::uint16_t words[] = {static_cast<std::uint16_t>(step.operation),
                                   static_cast<std::uint16_t>(planted("types_share_text") ? scalar_kind{} : step.type),
                                   step.place,
                                   step.operands[0],
                                   step.operands[1],
                                   step.operands[2]};
    append(key, words, sizeof words);
    append(key, &step.detail, sizeof step.detail);
  }
  append(key, results.data(), results.size() * sizeof results[0]);
  return key;
}

/// Finds out how far the expression looks around the elements of its regions.
void note_reach(const kernels::expression& body, std::vector<op_parameter>& parameters) {
  for (const kernels::scalar_step& step : body.steps()) {
    if (step.operation != kernels::opcode::neighbour) continue;
    const std::array<int, 4> offsets = kernels::unpack_offsets(step.detail);
    std::array<int, 4>& reach = parameters[step.place].reach;
    for (std::size_t k = 0; k < offsets.size(); ++k) reach[k] = std::max(reach[k], std::abs(offsets[k]));
  }
}

std::shared_ptr<const op_text> print(const kernels::expression& body, std::vector<op_parameter> parameters,
                                     const std::vector<kernels::expression::value>& results, const std::string& key) {
  op_text made;
  const std::uint64_t hash = hash_of(std::as_bytes(std::span(key)));
  const std::string name = "op_" + hex(std::as_bytes(std::span(&hash, 1)));
  std::vector<kernels::printed_parameter> printed;
  for (const op_parameter& p : parameters)
    printed.push_back({p.kind == parameter_kind::region ? cat("tessera::region", p.axes, "<", p.type, ">") : p.type,
                       p.kind == parameter_kind::region ? p.axes : 0});
  made.type = "tessera::" + name;
  made.text = cat("namespace tessera {\n", kernels::print_functor(body, name, printed, results), "}\n");
  made.name = name;
  made.parameters = std::move(parameters);
  made.has_state = !body.constants().empty();
  for (const kernels::expression::value step : results) {
    const dtype type = dtype::make(body.type_of(step));
    made.results.push_back({scalar_name(type), type});
  }
  return keep_text(std::move(made));
}

/// Texts of the expressions recorded last, so that recording one again prints nothing.
std::shared_ptr<const op_text> text_of(const kernels::expression& body, std::vector<op_parameter> parameters,
                                       const std::vector<kernels::expression::value>& results) {
  static std::mutex mutex;
  static recent_map<std::string, std::shared_ptr<const op_text>> texts(most_texts);
  const std::string key = key_of(body, parameters, results);
  const std::lock_guard lock(mutex);
  if (const auto* found = texts.find(key)) return *found;
  auto made = print(body, std::move(parameters), results, key);
  static_cast<void>(texts.insert(key, made));
  return made;
}

}  // namespace

kernels::expression& recorded() {
  recorder& own = this_thread();
  if (!own.active) throw argument_error("a ts::sym outside of a function that is being recorded has no meaning");
  return own.body;
}

recording::recording() {
  recorder& own = this_thread();
  if (own.active) throw argument_error("a recorded function calls a skeleton with another function that is recorded");
  own.active = true;
  own.body.clear();
}

recording::~recording() { this_thread().active = false; }

op recording::finish(std::vector<op_parameter> parameters, const std::vector<kernels::expression::value>& results) {
  const kernels::expression& body = this_thread().body;
  note_reach(body, parameters);
  op made{text_of(body, std::move(parameters), results), body.state(), body.state_alignment()};
  const std::size_t alignment = made.state_alignment;
  made.state.resize((made.state.size() + alignment - 1) / alignment * alignment);
  return made;
}

op_parameter scalar_parameter(const dtype& type) { return {parameter_kind::plain, scalar_name(type), type, 0}; }

op_parameter region_parameter(const dtype& type, int axes) {
  return {parameter_kind::region, scalar_name(type), type, axes};
}

}  // namespace tessera::algo
