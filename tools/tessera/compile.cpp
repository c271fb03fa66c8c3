#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cuda/compile/nvrtc.h"
#include "tessera/kernel/source/signature.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"
#include "tessera/kernel/wrap/cuda_wrapper.h"
#include "tessera/plan/annotation/annotation.h"
#include "tools/tessera/commands.h"

namespace tessera::tool {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || !text) throw io_error(cat("cannot read '", path, "': ", std::strerror(errno)));
  return std::move(text).str();
}

void row(const char* name, const std::string& value) { std::printf("  %-12s %s\n", name, value.c_str()); }

std::string type_of(const kernels::parameter& p) {
  const std::string type = p.is_struct ? "structure" : to_string(p.type);
  if (!p.is_pointer) return "scalar " + type;
  return cat("array of ", type, p.is_const ? ", only read" : "");
}

void print_parameters(const kernels::kernel_text& kernel) {
  std::size_t widest = 0;
  for (const kernels::parameter& p : kernel.parameters)
    widest = std::max(widest, p.type_text.size() + p.name.size() + 1);
  const char* heading = "parameters";
  for (const kernels::parameter& p : kernel.parameters) {
    std::string declared = cat(p.type_text, " ", p.name);
    declared.resize(widest, ' ');
    row(heading, cat(declared, "  ", type_of(p)));
    heading = "";
  }
  if (kernel.parameters.empty()) row(heading, "none");
}

bool print_annotation(const kernels::kernel_text& kernel) {
  if (kernel.annotation.empty()) {
    row("annotation", "none: it runs unsplit, on one device");
    return true;
  }
  row("annotation", kernel.annotation);
  try {
    std::vector<plan::parameter_info> infos;
    for (const kernels::parameter& p : kernel.parameters) infos.push_back({p.name, p.is_pointer, p.is_const});
    plan::annotation parsed = plan::parse_annotation(kernel.annotation);
    plan::check_against(parsed, infos);
    row("", parsed.single() ? "correct; unsplit by its own word" : "correct");
    return true;
  } catch (const annotation_error& e) {
    std::printf("%s:%u: error in the annotation: %s\n", kernel.file.c_str(), kernel.annotation_line, e.what());
    return false;
  }
}

std::string blocks_text(const kernels::feature_set& f) {
  if (f.any_block()) return "any size gives the same result, so the CPU chooses its own";
  std::string axes;
  for (std::size_t a = 0; a < 3; ++a)
    if (!f.reblockable[a]) axes += cat(axes.empty() ? "" : ", ", std::string(1, "xyz"[a]));
  return cat("kept as launched along ", axes);
}

/// The compute capability that a target such as sm_90 names; 0 for the CPU.
int gpu_of(const std::string& target) { return target == "cpu" ? 0 : std::stoi(target.substr(3)); }

bool compile_for(const std::string& target, const kernels::kernel_text& kernel, const std::string& forced) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    const int gpu = gpu_of(target);
    device::source_desc source;
    if (gpu > 0) {
      source.text = kernels::make_cuda_source(kernel);
      if (!kernel.include_directory.empty()) source.include_paths.push_back(kernel.include_directory);
    } else {
      source = kernels::choose_cpu_source(kernel, {256}, forced);
    }
    const auto binary = gpu > 0 ? device::compile_cubin(source, gpu) : device::compile_shared_object(source);
    const auto spent = std::chrono::steady_clock::now() - begin;
    row(target.c_str(), cat("OK, ", std::chrono::duration_cast<std::chrono::milliseconds>(spent).count(), " ms, ",
                            binary.size(), " bytes"));
    return true;
  } catch (const error& e) {
    row(target.c_str(), cat("FAILED: ", e.what()));
    return false;
  }
}

bool report_kernel(const std::string& source, const std::string& name, const compile_request& request) {
  try {
    const kernels::kernel_text kernel = kernels::parse_kernel(source, request.file, name, request.defines);
    std::printf("%s:%u: kernel %s%s\n", kernel.file.c_str(), kernel.line, kernel.scope.c_str(), kernel.name.c_str());
    print_parameters(kernel);
    const bool annotated = print_annotation(kernel);
    const kernels::tier tier = kernels::choose_tier(kernel.features, request.tier);
    if (request.target == "cpu") {
      row("tier", cat(kernels::to_string(tier), ": ", kernels::tier_reason(kernel.features, request.tier)));
      row("blocks", blocks_text(kernel.features));
    }
    return compile_for(request.target, kernel, request.tier) && annotated;
  } catch (const error& e) {
    std::printf("kernel %s\n%s\n", name.c_str(), e.what());
    return false;
  }
}

/// `--define A=B` as name and value; a bare name is 1, as on a compiler's command line.
std::pair<std::string, std::string> definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || text.empty()) throw usage_error("--define is '" + text + "'; NAME or NAME=VALUE is expected");
  if (equals == std::string::npos) return {text, "1"};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

bool is_gpu_target(const std::string& target) {
  const std::string_view digits = target.starts_with("sm_") ? std::string_view(target).substr(3) : std::string_view{};
  return digits.size() >= 2 && digits.size() <= 3 && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

compile_request parse_compile(std::span<const std::string> arguments) {
  compile_request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("-")) {
      if (!request.file.empty()) throw usage_error("compile takes one file, but '" + word + "' is another");
      request.file = word;
      continue;
    }
    if (word != "--kernel" && word != "--target" && word != "--tier" && word != "--define")
      throw usage_error("compile has no option '" + word + "'");
    if (++i == arguments.size()) throw usage_error(word + " wants a value behind it");
    if (word == "--kernel") request.kernel = arguments[i];
    if (word == "--target") request.target = arguments[i];
    if (word == "--tier") request.tier = arguments[i];
    if (word == "--define") request.defines.push_back(definition(arguments[i]));
  }
  if (request.file.empty()) throw usage_error("compile wants a file, such as kernel.cu");
  if (request.target != "cpu" && !is_gpu_target(request.target))
    throw usage_error("--target is '" + request.target + "'; cpu, or a GPU such as sm_90, is expected");
  if (!request.tier.empty() && request.tier != "loop" && request.tier != "split" && request.tier != "fiber")
    throw usage_error("--tier is '" + request.tier + "'; loop, split or fiber is expected");
  return request;
}

int compile(const compile_request& asked) {
  compile_request request = asked;
  if (request.tier.empty()) request.tier = to_string(with_environment({}).cpu_tier);
  std::string missing;
  if (request.target != "cpu" && !device::nvrtc_available(&missing)) throw compile_error(missing);
  const std::string source = contents_of(request.file);
  std::vector<std::string> names = kernels::list_kernels(source, request.defines);
  if (names.empty()) throw compile_error(cat(request.file, " holds no kernel (no __global__ function)"));
  if (!request.kernel.empty()) {
    if (std::find(names.begin(), names.end(), request.kernel) == names.end()) {
      const std::string near = nearest_name(request.kernel, names);
      throw compile_error(
          cat(request.file, " holds no kernel '", request.kernel, "'",
              near.empty() ? cat("; there is '", names.front(), "'") : cat("; did you mean '", near, "'?")));
    }
    names = {request.kernel};
  }
  bool good = true;
  for (const std::string& name : names) good = report_kernel(source, name, request) && good;
  return good ? 0 : 1;
}

}  // namespace tessera::tool
