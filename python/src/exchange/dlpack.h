#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

/// DLPack, versions 0 and 1: how libraries hand arrays to each other. Arrays are copied, once each way.
namespace tessera::python {

/// The structures of the protocol, as its specification lays them out.
struct dl_device {
  std::int32_t kind, number;
};
struct dl_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct dl_tensor {
  void* data;
  dl_device device;
  std::int32_t rank;
  dl_type type;
  std::int64_t* shape;
  std::int64_t* steps;
  std::uint64_t offset;
};
struct dl_managed {
  dl_tensor tensor;
  void* owner;
  void (*release)(dl_managed*);
};
struct dl_version {
  std::uint32_t major, minor;
};
struct dl_managed_versioned {
  dl_version version;
  void* owner;
  void (*release)(dl_managed_versioned*);
  std::uint64_t flags;
  dl_tensor tensor;
};

void bind_dlpack(nanobind::module_& module);

}  // namespace tessera::python
