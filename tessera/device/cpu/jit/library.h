#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tessera::device {

class loaded_lines;

/// A shared library in this process, made of compiled kernels. Thread-safe.
///
/// The destructor unloads it: no thread may be in one of its functions. A library with thread-local storage stays for
/// good, because every thread that ran it has a block of its own whose end only the C library knows: up to glibc 2.33
/// unloading it while other threads start or touch theirs is a race. Such libraries are few: kernels that keep
/// `__shared__` variables or indices per thread.
class library {
 public:
  /// Loads a library from memory: no file that could be exchanged is involved. Equal libraries are one, except those
  /// with variables of their own, of which each call gives a fresh copy. The last ones that were asked for stay loaded
  /// although nothing uses them. Throws `compile_error`.
  [[nodiscard]] static std::shared_ptr<const library> load(std::span<const std::byte> binary);

  /// Of a handle of the system's loader; `lines` may be null.
  library(void* handle, bool stays, std::unique_ptr<const loaded_lines> lines);
  ~library();
  library(const library&) = delete;
  library& operator=(const library&) = delete;

  /// Address of an exported symbol, or null.
  [[nodiscard]] void* find(const std::string& symbol) const;

 private:
  void* const handle_;
  const bool stays_;
  std::unique_ptr<const loaded_lines> lines_;
};

}  // namespace tessera::device
