#include "tessera/device/cuda/compile/nvrtc.h"

#include <dlfcn.h>
#include <nvrtc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/abi.h"
#include "tessera/device/cuda/compile/nvrtc_messages.h"

namespace tessera::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "install the CUDA toolkit, or set CUDA_HOME to the directory it is in";

/// Where a CUDA toolkit may be. A relative CUDA_HOME is no place: it would let the working directory choose the
/// compiler.
std::vector<fs::path> toolkit_places() {
  std::vector<fs::path> places;
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home == '/') places.emplace_back(home);
  places.emplace_back("/usr/local/cuda");
  return places;
}

/// NVRTC's functions, and where its toolkit has headers. Opened once and never closed.
struct nvrtc_library {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcGetErrorString) error_text = nullptr;
  decltype(&nvrtcGetNumSupportedArchs) target_count = nullptr;
  decltype(&nvrtcGetSupportedArchs) targets = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;

  std::string failure;  ///< Empty if the library is usable.
  int major = 0;
  int minor = 0;
  std::vector<std::string> include_paths;

  nvrtc_library() {
    void* handle = open();
    if (handle == nullptr) return;
    if (!find_all(handle) || version(&major, &minor) != NVRTC_SUCCESS) {
      failure = cat("NVRTC, CUDA's run-time compiler, is too old; ", remedy);
      return;
    }
    for (const fs::path& place : toolkit_places()) {
      std::error_code ignored;
      if (!fs::exists(place / "include/cuda_fp16.h", ignored)) continue;
      include_paths.push_back((place / "include").string());
      if (fs::exists(place / "include/cccl", ignored)) include_paths.push_back((place / "include/cccl").string());
      break;
    }
  }

 private:
  void* open() {
    constexpr std::array<const char*, 3> names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    std::vector<std::string> files(names.begin(), names.end());
    for (const fs::path& place : toolkit_places())
      for (const char* name : names) files.push_back((place / "lib64" / name).string());
    std::string reason;
    for (const std::string& file : files) {
      if (void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
      const char* said = ::dlerror();
      if (reason.empty() && said != nullptr) reason = said;
    }
    failure = cat("NVRTC, CUDA's run-time compiler, cannot be opened (", reason, "); ", remedy);
    return nullptr;
  }

  bool find_all(void* handle) {
    bool all = true;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
      all = all && function != nullptr;
    };
    find(version, "nvrtcVersion");
    find(error_text, "nvrtcGetErrorString");
    find(target_count, "nvrtcGetNumSupportedArchs");
    find(targets, "nvrtcGetSupportedArchs");
    find(create, "nvrtcCreateProgram");
    find(destroy, "nvrtcDestroyProgram");
    find(compile, "nvrtcCompileProgram");
    find(log_size, "nvrtcGetProgramLogSize");
    find(log, "nvrtcGetProgramLog");
    find(cubin_size, "nvrtcGetCUBINSize");
    find(cubin, "nvrtcGetCUBIN");
    return all;
  }
};

const nvrtc_library& any_library() {
  static const nvrtc_library library;
  return library;
}

const nvrtc_library& library() {
  const nvrtc_library& found = any_library();
  if (!found.failure.empty()) throw compile_error(found.failure);
  return found;
}

void check(nvrtcResult result) {
  if (result != NVRTC_SUCCESS) throw compile_error(cat("NVRTC failed: ", library().error_text(result)));
}

/// A header that NVRTC gets from memory.
struct header {
  const char* name;
  const char* text;
};

/// Headers that a kernel or its headers may include. Most are empty: what device code uses of them is part of every
/// kernel's text, or built into NVRTC. The toolkit has others under another name.
constexpr std::array<header, 35> headers = {{
    {"assert.h", "\n"},
    {"cassert", "\n"},
    {"cfloat", "\n"},
    {"cinttypes", "\n"},
    {"climits", "\n"},
    {"cmath", "\n"},
    {"cstddef", "\n"},
    {"cstdint", "\n"},
    {"cstdio", "\n"},
    {"cstdlib", "\n"},
    {"cstring", "\n"},
    {"ctime", "\n"},
    {"float.h", "\n"},
    {"inttypes.h", "\n"},
    {"limits", "\n"},
    {"limits.h", "\n"},
    {"math.h", "\n"},
    {"stdbool.h", "\n"},
    {"stddef.h", "\n"},
    {"stdint.h", "\n"},
    {"stdio.h", "\n"},
    {"stdlib.h", "\n"},
    {"string.h", "\n"},
    {"time.h", "\n"},
    {"cuda.h", "\n"},
    {"cuda_runtime.h", "\n"},
    {"cuda_runtime_api.h", "\n"},
    {"device_functions.h", "\n"},
    {"device_launch_parameters.h", "\n"},
    {"vector_functions.h", "\n"},
    {"vector_types.h", "\n"},
    {"array", "#include <cuda/std/array>\nnamespace std { using namespace cuda::std; }\n"},
    {"tuple", "#include <cuda/std/tuple>\nnamespace std { using namespace cuda::std; }\n"},
    {"type_traits", "#include <cuda/std/type_traits>\nnamespace std { using namespace cuda::std; }\n"},
    {"utility", "#include <cuda/std/utility>\nnamespace std { using namespace cuda::std; }\n"},
}};

/// One compilation.
class program {
 public:
  explicit program(const std::string& text) {
    std::array<const char*, headers.size()> names{};
    std::array<const char*, headers.size()> texts{};
    for (std::size_t i = 0; i < headers.size(); ++i) names[i] = headers[i].name, texts[i] = headers[i].text;
    check(library().create(&program_, text.c_str(), "tessera/kernel", static_cast<int>(headers.size()), texts.data(),
                           names.data()));
  }
  ~program() { library().destroy(&program_); }
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  [[nodiscard]] std::vector<std::byte> compile(const std::vector<std::string>& options) {
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    const nvrtcResult result = library().compile(program_, static_cast<int>(words.size()), words.data());
    if (result == NVRTC_ERROR_COMPILATION)
      throw compile_error(cat("the kernel does not compile:\n", lay_out_nvrtc_messages(messages())));
    if (result != NVRTC_SUCCESS)
      throw compile_error(cat("NVRTC failed: ", library().error_text(result), "\n", messages()));
    std::size_t size = 0;
    check(library().cubin_size(program_, &size));
    std::vector<std::byte> binary(size);
    check(library().cubin(program_, reinterpret_cast<char*>(binary.data())));
    return binary;
  }

 private:
  [[nodiscard]] std::string messages() {
    std::size_t size = 0;
    if (library().log_size(program_, &size) != NVRTC_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    if (library().log(program_, text.data()) != NVRTC_SUCCESS) return {};
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }

  nvrtcProgram program_ = nullptr;
};

void refuse_unknown_target(int compute_capability) {
  int count = 0;
  check(library().target_count(&count));
  std::vector<int> known(static_cast<std::size_t>(count));
  check(library().targets(known.data()));
  if (std::find(known.begin(), known.end(), compute_capability) != known.end()) return;
  std::string list;
  for (const int k : known) list += cat(list.empty() ? "sm_" : ", sm_", k);
  throw compile_error(cat("NVRTC ", nvrtc_version(), " cannot compile for sm_", compute_capability,
                          "; install another CUDA toolkit, or take one of ", list));
}

/// What every kernel is compiled with. Functions without a qualifier are taken for device code, as on CPUs.
std::vector<std::string> common_options(int compute_capability) {
  return {cat("--gpu-architecture=sm_", compute_capability), library().major >= 12 ? "--std=c++20" : "--std=c++17",
          "-lineinfo", "-default-device", "-w"};
}

}  // namespace

bool nvrtc_available(std::string* refusal) {
  const std::string& reason = any_library().failure;
  if (refusal != nullptr) *refusal = reason;
  return reason.empty();
}

std::string nvrtc_version() { return cat(library().major, ".", library().minor); }

std::vector<std::byte> compile_cubin(const source_desc& source, int compute_capability) {
  refuse_unknown_target(compute_capability);
  std::vector<std::string> options = common_options(compute_capability);
  options.insert(options.end(), source.flags.begin(), source.flags.end());
  for (const std::string& path : source.include_paths) options.push_back("-I" + fs::absolute(path).string());
  for (const std::string& path : library().include_paths) options.push_back("-I" + path);
  return program(source.text).compile(options);
}

std::string nvrtc_identity(int compute_capability) {
  std::string identity = cat("NVRTC ", nvrtc_version(), ", kernel interface ", TESSERA_CUDA_ABI);
  for (const std::string& option : common_options(compute_capability)) identity += " " + option;
  for (const std::string& path : library().include_paths) identity += " -I" + path;
  return identity;
}

}  // namespace tessera::device
