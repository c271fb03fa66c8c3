#include "tessera/array/context.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>

#include "tessera/array/default_context.h"
#include "tessera/array/launch.h"
#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || !text)
    throw io_error(cat("cannot read the kernel file '", path, "': ", std::strerror(errno),
                       "; the path is relative to the working directory"));
  return std::move(text).str();
}

/// Parses and checks the annotation; its errors say where it stands.
std::optional<plan::annotation> annotation_of(const kernels::kernel_text& text, const std::string& instead) {
  const std::string& source = instead.empty() ? text.annotation : instead;
  if (source.empty()) return std::nullopt;
  try {
    std::vector<std::string> operations;
    for (const registered_reduction& r : text.reductions) operations.push_back(r.name);
    plan::annotation a = plan::parse_annotation(source, operations);
    plan::check_against(a, infos_of(text.parameters));
    return a;
  } catch (const annotation_error& e) {
    const std::string position =
        instead.empty() ? cat(text.file, ":", text.annotation_line) : cat(text.file, ", .annotation");
    throw annotation_error(cat(position, ": annotation of kernel '", text.name, "': ", e.what()));
  }
}

void add_meanwhile(runtime::kernel_entry& entry, const native_kernel& function) {
  const auto refuse = [&](const char* reason) {
    throw argument_error(cat("kernel '", entry.name, "' cannot have a function to run meanwhile: it ", reason));
  };
  const auto is_used = [](const kernels::file_variable& v) { return v.reached && !v.is_const; };
  if (std::any_of(entry.text->variables.begin(), entry.text->variables.end(), is_used))
    refuse("uses variables of its file");
  const auto combines = [](const auto& rule) { return plan::combines(rule.mode); };
  if (entry.annotation &&
      std::any_of(entry.annotation->syntax().rules.begin(), entry.annotation->syntax().rules.end(), combines))
    refuse("combines results");
  entry.meanwhile = std::make_shared<const native_kernel>(function);
}

runtime::kernel_entry entry_of(const std::string& source, const std::string& file, const kernel_options& settings) {
  kernels::define_list defines;
  for (const auto& [name, value] : settings.defines) defines.emplace_back(name, value);
  runtime::kernel_entry entry;
  entry.text = kernels::parse_kernel(source, file, settings.name, std::move(defines), settings.reductions);
  entry.text->fused = settings.fused;
  entry.text->is_generated = settings.is_generated;
  if (!settings.cpu_source.empty()) entry.cpu_text = kernels::parse_cpu_text(settings.cpu_source, *entry.text);
  if (entry.cpu_text) entry.cpu_text->is_generated = settings.is_generated;
  entry.name = entry.text->name;
  entry.parameters = entry.text->parameters;
  entry.annotation = annotation_of(*entry.text, settings.annotation);
  if (settings.meanwhile) add_meanwhile(entry, settings.meanwhile);
  return entry;
}

runtime::kernel_entry native_entry(const std::string& name, const std::string& parameters,
                                   const std::string& annotation, std::map<std::string, native_kernel> functions) {
  if (functions.empty()) throw argument_error(cat("native kernel '", name, "' has no function"));
  runtime::kernel_entry entry =
      entry_of(cat("__global__ void ", name, "(", parameters, ") {}"), name, {name, annotation, {}});
  entry.text.reset();
  entry.natives = std::move(functions);
  return entry;
}

}  // namespace

context::context() : context(options{}) {}
context::context(const options& settings) : engine_(std::make_shared<runtime::engine>(settings)) {}

tessera::kernel context::load_kernel(const std::string& path, const kernel_options& settings) {
  return {engine_, engine_->add_kernel(entry_of(contents_of(path), path, settings))};
}

tessera::kernel context::compile(const std::string& source, const std::string& name, const kernel_options& settings) {
  kernel_options named = settings;
  named.name = name;
  return {engine_, engine_->add_kernel(entry_of(source, name + ".cu", named))};
}

tessera::kernel context::native(const std::string& name, const std::string& signature, const std::string& annotation,
                                std::map<std::string, native_kernel> functions) {
  return {engine_, engine_->add_kernel(native_entry(name, signature, annotation, std::move(functions)))};
}

tessera::kernel context::native(native_definition definition) {
  runtime::kernel_entry entry =
      native_entry(definition.name, definition.parameters, definition.annotation, std::move(definition.functions));
  auto contents = std::make_shared<runtime::kernel_entry::native_contents>();
  contents->version = definition.version;
  contents->payload = std::move(definition.payload);
  if (definition.workspace)
    contents->workspace = std::make_shared<const plan::workspace_function>(std::move(definition.workspace));
  entry.contents = std::move(contents);
  return {engine_, engine_->add_kernel(std::move(entry))};
}

array_base context::empty(const extents& shape, const dtype& type, const distribution& placement, call_site here) {
  std::int64_t bytes = type.size;
  for (const std::int64_t n : shape) {
    if (n < 0) throw argument_error(cat("an array's shape has a negative extent: ", to_string(shape)));
    if (n > 0) bytes = checked_multiply(bytes, n, "the size of an array in bytes");
  }
  const extents plan_shape = shape.rank() == 0 ? extents{1} : shape;
  return array_base(
      engine_->create({shape, type, placement.parts(plan_shape, engine_->machine().device_count())}, here));
}

context context::of(const array_base& array) {
  if (!array.record()) throw argument_error("the context of an array that was not created");
  return context(array.record()->owner);
}

tessera::host_memory context::host_memory(std::int64_t bytes) { return {engine_, bytes}; }

void context::wait() { engine_->wait_all(); }
statistics context::stats() const { return engine_->stats(); }
void context::on_transfer(std::function<void(const transfer_record&)> listener) {
  engine_->on_transfer(std::move(listener));
}
int context::rank() const { return engine_->node().value; }
int context::ranks() const { return engine_->machine().node_count(); }

std::vector<context::device_description> context::devices() const {
  std::vector<device_description> result;
  for (const plan::device_spec& d : engine_->machine().specs(engine_->node()))
    result.push_back({d.name, d.cores, d.budget});
  return result;
}

machine_description context::machine() const {
  const plan::machine_table& table = engine_->machine();
  machine_description result{table.node_count(), {}};
  for (int rank = 0; rank < result.ranks; ++rank)
    for (const plan::device_spec& d : table.specs(node_id(rank)))
      result.devices.push_back({rank,
                                d.kind,
                                d.name,
                                d.cores,
                                d.budget,
                                {d.speeds.from_host, d.speeds.to_host, d.speeds.between, d.speeds.measured}});
  return result;
}

namespace {

std::mutex default_mutex;
bool has_default = false;

/// To be called only when there is a context: static objects are destroyed in the reverse order of their making, so the
/// slot is destroyed, and its work finished, before what contexts of the process share (the worker pool, MPI).
std::optional<context>& default_slot() {
  static std::optional<context> current;
  return current;
}

}  // namespace

context default_context() {
  const std::lock_guard lock(default_mutex);
  if (has_default) return *default_slot();
  const context made;
  default_slot() = made;
  has_default = true;
  return made;
}

void set_default_context(const context& ctx) {
  const std::lock_guard lock(default_mutex);
  default_slot() = ctx;
  has_default = true;
}

void forget_default_context() {
  std::optional<context> last;  // ends outside of the lock
  const std::lock_guard lock(default_mutex);
  if (!has_default) return;
  last.swap(default_slot());
  has_default = false;
}

}  // namespace tessera
