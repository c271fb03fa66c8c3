#pragma once

#include "tessera/device/backend.h"

/// Crashes of kernels on CPU devices: SIGSEGV, SIGBUS and SIGFPE raised by a kernel's own code write one line to
/// standard error that names the launch, and the kernel's source line if its library has a table of lines
/// (`line_table`). Then happens what would have happened without: a handler that the program installed before is
/// called, or the process ends by that signal, with its core dump.
namespace tessera::device {

/// Installs the handlers; only the first call does anything. One that the program installs later replaces them.
void report_crashes();

/// Says, from construction to destruction, which launch's kernel the calling thread runs; scopes nest. Costs a few
/// stores: the line is made by the handler, without memory or locks, because a native kernel may crash wherever it
/// calls. A second fault while the line is made ends the process without it.
class kernel_scope {
 public:
  /// `watch` describes the launch and outlives the scope; null: crashes are reported without a name.
  explicit kernel_scope(const observer* watch) noexcept;
  ~kernel_scope();
  kernel_scope(const kernel_scope&) = delete;
  kernel_scope& operator=(const kernel_scope&) = delete;

 private:
  const bool outer_active_;
  const observer* const outer_watch_;
};

}  // namespace tessera::device
