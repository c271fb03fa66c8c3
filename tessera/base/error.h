#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

/// What every failure that reaches the user derives from. The message says what went wrong, names what it concerns
/// (kernel, array, superblock, device, source line) and, where there is one, the remedy.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The annotation text is wrong or contradicts the kernel; points at the column.
class annotation_error : public error {
 public:
  using error::error;
};

/// Kernel source that cannot be parsed, compiled or loaded; carries the compiler's message with the user's lines.
class compile_error : public error {
 public:
  using error::error;
};

/// There is no compiler, or it cannot be started.
class missing_compiler : public compile_error {
 public:
  using compile_error::compile_error;
};

/// A call with a wrong count, type, shape, size or array.
class argument_error : public error {
 public:
  using error::error;
};

/// A matrix that an operation of linear algebra cannot be done with: singular, not positive definite, or one whose
/// eigenvalues are not found.
class linalg_error : public argument_error {
 public:
  using argument_error::argument_error;
};

/// A library that the call needs is not on this machine; says which packages bring it.
class missing_library : public error {
 public:
  using error::error;
};

/// A memory is exhausted, or a launch can never fit.
class out_of_memory : public error {
 public:
  using error::error;
};

/// A device or a kernel running on it failed.
class device_error : public error {
 public:
  using error::error;
};

/// The network or another rank failed.
class comm_error : public error {
 public:
  using error::error;
};

/// The ranks of a job made different calls.
class divergence_error : public error {
 public:
  using error::error;
};

/// A file could not be read or written.
class io_error : public error {
 public:
  using error::error;
};

}  // namespace tessera
