#pragma once

#include <string>

#include "tessera/base/file_descriptor.h"

namespace tessera::device {

/// A new directory under $TMPDIR (or /tmp) that only this user can enter, removed with all it holds when the object
/// ends. What a killed process left behind is removed by the next one. Throws `compile_error` if there is no place.
class private_directory {
 public:
  private_directory();
  private_directory(const private_directory&) = delete;
  private_directory& operator=(const private_directory&) = delete;
  ~private_directory();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  file_descriptor lock_;  // held while the directory is in use
};

}  // namespace tessera::device
