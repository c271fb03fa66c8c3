#include "tessera/nd/emit/launch.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/emit/meanwhile.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/pointwise_text.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {
namespace {

argument bytes_argument(const void* data, std::size_t size, std::size_t alignment) {
  const auto* first = static_cast<const std::byte*>(data);
  return {argument::scalar{dtype::structure(size, alignment), std::vector<std::byte>(first, first + size)}};
}

constexpr std::array<std::byte, 16> zero_bytes{};

bool is_written_densely(const group& made, const launch_space& space, const group_array& a) {
  const std::vector<array_access>& accesses = space.space().accesses;
  return std::all_of(accesses.begin(), accesses.end(), [&](const array_access& access) {
    return &made.arrays[index(access.array)] != &a || is_seen_dense(space, access);
  });
}

/// The node needs its operands no more.
void let_go(node& made) {
  made.kind = node_kind::stored;
  for (node_ptr& operand : made.operands)
    if (operand) {
      --operand->readers;
      operand.reset();
    }
  made.over.reset();
  made.detail = std::monostate();
}

std::string pointwise_key(const group& made, const launch_space& space) {
  std::string key = "p";
  append_text_key(key, made, space);
  append_annotation_key(key, made, space);
  return key;
}

}  // namespace

const emitted_kernel& emitted_kernels::find(const std::string& key, const std::function<emitted_kernel()>& make,
                                            bool& is_new) {
  emitted_kernel* found = kernels_.find(key);
  is_new = found == nullptr;
  if (!is_new) return *found;
  static_cast<void>(kernels_.insert(key, make()));
  return *kernels_.find(key);
}

namespace {

kernel compiled(graph& owner, const group& made, const kernel_text& text, const annotation_text& rules,
                const native_kernel& function) {
  kernel_options options;
  options.is_generated = true;
  options.annotation = rules.text;
  options.cpu_source = text.cpu_text;
  options.fused = made.is_fast();
  if (!made.is_fast()) options.meanwhile = function;
  return owner.ctx().compile(text.text, text.name, options);
}

}  // namespace

emitted_kernel emit_kernel(graph& owner, const group& made, const kernel_text& text, annotation_text rules,
                           const native_kernel& function) {
  kernel code = compiled(owner, made, text, rules, function);
  return {std::move(code), std::move(rules.names)};
}

std::string describe_kernel(graph& owner, const group& made, const kernel_text& text, const annotation_text& rules) {
  const std::string tier = compiled(owner, made, text, rules, {}).tier();
  return cat("//@tessera ", rules.text, "\n", text.text, tier.empty() ? "" : cat("  on CPU devices as ", tier, "\n"));
}

std::vector<kernel> emitted_kernels::list() const {
  std::vector<kernel> all;
  kernels_.for_each([&](const std::string&, const emitted_kernel& each) { all.push_back(each.code); });
  return all;
}

void store(graph& owner, node& made, array_base elements) {
  made.array = std::move(elements);
  owner.note_elements(made);
  let_go(made);
}

void drop(node& passed) {
  passed.is_overwritten = true;
  let_go(passed);
}

std::vector<argument> make_arguments(graph& owner, const group& made, const launch_space& space, call_site here) {
  std::vector<argument> arguments;
  const std::vector<std::int64_t>& numbers = space.numbers();
  arguments.push_back(bytes_argument(numbers.data(), numbers.size() * sizeof numbers[0], alignof(std::int64_t)));
  if (!made.body.constants().empty()) {
    std::vector<std::byte> state = made.body.state();
    const std::size_t alignment = made.body.state_alignment();
    state.resize((state.size() + alignment - 1) / alignment * alignment);
    arguments.push_back(bytes_argument(state.data(), state.size(), alignment));
  }
  for (const group_array& a : made.arrays) {
    node& version = *a.version;
    if (a.is_written && version.array.record() == nullptr) {
      const simple_distribution where = version.placement.distribution_of(version.shape, owner.devices());
      version.array = owner.ctx().empty(version.shape, dtype::make(version.type), where, here);
      if (!is_written_densely(made, space, a))
        version.array.fill_bytes({zero_bytes.data(), dtype::make(version.type).size}, here);
    }
    arguments.push_back({owner.array_of(version)});
  }
  for (const node_ptr& scalar : made.scalars) arguments.push_back({owner.array_of(*scalar)});
  return arguments;
}

launch_options make_options(const emitted_kernel& emitted, const group& made, const launch_space& space,
                            std::int64_t threads, call_site here) {
  launch_options options;
  options.grid = space.grid();
  options.block = {threads};
  options.file = here.file;
  options.line = here.line;
  const std::vector<std::int64_t> values = annotation_numbers(made, space);
  options.let.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) options.let.emplace_back(emitted.names[k], values[k]);
  return options;
}

std::int64_t declared_bytes(const group& made) {
  std::vector<std::int64_t> most(made.arrays.size());
  for (const array_access& access : made.accesses) {
    std::int64_t elements = 1;
    if (made.arrays[index(access.array)].is_whole) elements = made.arrays[index(access.array)].version->size();
    for (int j = 0; j < made.domain.rank(); ++j) {
      const auto moves = [&](const access_axis& axis) { return axis.steps[index(j)] != 0; };
      if (std::any_of(access.axes.begin(), access.axes.end(), moves)) elements *= made.domain[j];
    }
    std::int64_t& known = most[index(access.array)];
    known = std::max(known, elements);
  }
  std::int64_t bytes = 0;
  for (std::size_t a = 0; a < most.size(); ++a)
    bytes += most[a] * static_cast<std::int64_t>(dtype::make(made.arrays[a].type).size);
  return bytes;
}

void launch_pointwise(graph& owner, const group& made, call_site here) {
  const launch_space space = launch_space::pointwise(made, owner);
  bool is_new = false;
  const emitted_kernel& emitted = owner.kernels().find(
      pointwise_key(made, space),
      [&] {
        return emit_kernel(owner, made, pointwise_text(made, space), make_annotation(made, space),
                           pointwise_function(made, space));
      },
      is_new);
  const std::vector<argument> arguments = make_arguments(owner, made, space, here);
  emitted.code.launch_with(make_options(emitted, made, space, pointwise_threads, here), arguments);
  graph_stats& counters = owner.counters();
  ++(is_new ? counters.kernels : counters.reused_kernels);
  ++counters.launches;
  counters.declared_bytes += declared_bytes(made);
}

std::string describe_pointwise(graph& owner, const group& made) {
  const launch_space space = launch_space::pointwise(made, owner);
  return describe_kernel(owner, made, pointwise_text(made, space), make_annotation(made, space));
}

}  // namespace tessera::nd
