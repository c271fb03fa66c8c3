#include "tessera/kernel/source/cpu_text.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/source/reach.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

/// `axpy(int n, const float* x)`.
std::string signature_of(const kernel_text& kernel) {
  std::string text;
  for (const parameter& p : kernel.parameters)
    text += cat(text.empty() ? "" : ", ", p.type_text, p.name.empty() ? "" : " ", p.name);
  return cat(kernel.name, "(", text, ")");
}

/// Values by their types alone: whether one is const concerns the text itself.
bool alike(const parameter& a, const parameter& b) {
  const bool same_target = !a.is_pointer || a.is_const == b.is_const;
  const bool same_name = a.name == b.name || a.name.empty() || b.name.empty();
  return a.is_pointer == b.is_pointer && same_target && a.is_struct == b.is_struct && a.type == b.type &&
         a.structure == b.structure && same_name;
}

/// What is wrong with the parameters, or nothing.
std::string difference(const kernel_text& cpu, const kernel_text& cuda) {
  const std::size_t count = std::min(cpu.parameters.size(), cuda.parameters.size());
  for (std::size_t i = 0; i < count; ++i)
    if (!alike(cpu.parameters[i], cuda.parameters[i])) return cat("parameter ", i + 1, " differs");
  if (cpu.parameters.size() == cuda.parameters.size()) return {};
  return cat(cpu.parameters.size(), " parameters instead of ", cuda.parameters.size());
}

void check_signature(const kernel_text& cpu, const kernel_text& cuda) {
  const std::string wrong = difference(cpu, cuda);
  if (wrong.empty()) return;
  throw compile_error(cat(cpu.file, ":", cpu.line, ": the CPU text of kernel `", cuda.name,
                          "` has another signature than its CUDA text: ", wrong, "\n  CUDA text: ", signature_of(cuda),
                          ", ", cuda.file, ":", cuda.line, "\n  CPU text:  ", signature_of(cpu)));
}

void refuse_annotation(const kernel_text& cpu) {
  if (cpu.annotation.empty()) return;
  throw compile_error(cat(cpu.file, ":", cpu.annotation_line, ": the CPU text of kernel `", cpu.name,
                          "` has an annotation; that of the CUDA text holds for both: remove this one"));
}

void refuse_threads(const kernel_text& cpu) {
  if (!cpu.features.needs_block()) return;
  const parsed_kernel source = take_apart(cpu);
  const std::optional<token> word = find_block_word(source.parsed, source.needed);
  throw compile_error(cat(word ? source.list.position(*word) : cpu.file, ": the CPU text of kernel `", cpu.name,
                          "` has no threads: `", word ? word->text : "a barrier",
                          "` has no meaning there; one call does the work of all threads of its thread blocks"));
}

/// Both texts mean the same contents; kernels that share the CUDA text must know what changes.
void check_variables(const kernel_text& cpu, const kernel_text& cuda) {
  for (const file_variable& mine : cpu.variables) {
    bool changed = false;
    for (const file_variable& other : cuda.variables) {
      if (mine.name != other.name) continue;
      changed = other.changed_in_file;
      if (mine.bytes() && other.bytes() && mine.bytes() != other.bytes())
        throw compile_error(cat(cpu.file, ":", mine.line, ": variable `", mine.name, "` is ", mine.type_text,
                                ", but in the CUDA text ", other.type_text, ", ", cuda.file, ":", other.line));
    }
    if (mine.changed_in_file && !changed)
      throw compile_error(cat(cpu.file, ":", mine.line, ": the CPU text may change variable `", mine.name,
                              "`, the CUDA text does not"));
  }
}

}  // namespace

kernel_text parse_cpu_text(const std::string& source, const kernel_text& kernel) {
  const std::string file = cat(kernel.file, ", .cpu_source");
  try {
    kernel_text text = parse_kernel(source, file, kernel.name, kernel.defines, kernel.reductions);
    check_signature(text, kernel);
    refuse_annotation(text);
    refuse_threads(text);
    check_variables(text, kernel);
    text.fused = kernel.fused;
    text.features.whole_rows = true;
    return text;
  } catch (const compile_error& e) {
    if (std::string_view(e.what()).starts_with(file)) throw;
    throw compile_error(cat(file, ": ", e.what()));  // it stands in a header
  }
}

}  // namespace tessera::kernels
