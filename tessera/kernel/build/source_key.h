#pragma once

#include "tessera/base/bytes/sha256.h"
#include "tessera/device/backend.h"

namespace tessera::kernels {

/// What a source and the headers it pulls in amount to.
struct source_key {
  digest contents;
  /// False if some `#include` names its file through a macro: the digest may then miss a header, so that results
  /// must not outlive the process.
  bool complete = true;
};

/// Digest of text, flags, include paths and, recursively, the contents of all files in the include paths that
/// `#include` lines name. Headers of the compiler itself are not read: they go with its version.
[[nodiscard]] source_key key_of(const device::source_desc& source);

}  // namespace tessera::kernels
