#include "tessera/numeric/library/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::numeric {

shared_library::shared_library(std::string name, const std::vector<std::string>& files, std::string remedy)
    : name_(std::move(name)), remedy_(std::move(remedy)) {
  std::string reasons;
  for (const std::string& file : files) {
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      text_ = file;
      return;
    }
    const char* const reason = dlerror();
    reasons += cat(reasons.empty() ? "" : "; ", reason != nullptr ? reason : file);
  }
  text_ = cat(name_, " cannot be opened (", reasons, ")");
}

void* shared_library::find(const std::string& function) const {
  return handle_ != nullptr ? dlsym(handle_, function.c_str()) : nullptr;
}

void shared_library::refuse(const std::string& function) const {
  if (handle_ == nullptr) throw missing_library(cat(text_, ": ", remedy_));
  throw missing_library(cat(name_, " (", text_, ") has no function ", function, ": ", remedy_));
}

std::vector<std::string> cuda_files(const std::vector<std::string>& names) {
  std::vector<std::string> files = names;
  const char* const home = std::getenv("CUDA_HOME");
  for (const std::string& folder :
       {std::string(home != nullptr && *home == '/' ? home : ""), std::string("/usr/local/cuda")})
    for (const std::string& name : names)
      if (!folder.empty()) files.push_back(cat(folder, "/lib64/", name));
  return files;
}

}  // namespace tessera::numeric
