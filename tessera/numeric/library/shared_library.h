#pragma once

#include <string>
#include <vector>

namespace tessera::numeric {

/// A library that is opened at run time, and stays open. Immutable afterwards.
class shared_library {
 public:
  /// Opens the first of `files` that can be. `name` is what messages call it, `remedy` what they advise.
  shared_library(std::string name, const std::vector<std::string>& files, std::string remedy);

  [[nodiscard]] bool is_open() const { return handle_ != nullptr; }
  /// The file, or why there is none, in one sentence.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Null if it is not open, or has no such function.
  [[nodiscard]] void* find(const std::string& function) const;
  template <class F>
  bool find(F& function, const std::string& name) const {
    function = reinterpret_cast<F>(find(name));
    return function != nullptr;
  }
  /// As `find`; throws `missing_library` if there is none.
  template <class F>
  void require(F& function, const std::string& name) const {
    if (!find(function, name)) refuse(name);
  }
  /// Throws `missing_library` unless it is open.
  void require_open() const {
    if (!is_open()) refuse({});
  }

 private:
  [[noreturn]] void refuse(const std::string& function) const;

  std::string name_, remedy_, text_;
  void* handle_ = nullptr;
};

/// Names of a library of CUDA: plain, and in the folders of a toolkit.
[[nodiscard]] std::vector<std::string> cuda_files(const std::vector<std::string>& names);

}  // namespace tessera::numeric
