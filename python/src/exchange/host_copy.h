#pragma once

#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <vector>

namespace tessera::python {

/// The elements of an array in memory of the host, row-major, for whoever asks for it by the buffer protocol or DLPack:
/// each holds on to it. Belongs to nobody else, so that it may be written.
struct host_copy {
  std::vector<std::byte> bytes;
  extents shape;
  std::vector<std::int64_t> steps;    ///< To the next element of each axis, in elements.
  std::vector<std::int64_t> strides;  ///< In bytes.
  scalar_kind kind{};

  host_copy(std::vector<std::byte> elements, const extents& shape, scalar_kind kind);
};

void bind_host_copy(nanobind::module_& module);

}  // namespace tessera::python
