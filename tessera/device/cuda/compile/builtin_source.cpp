#include "tessera/device/cuda/compile/builtin_source.h"

#include <array>
#include <string_view>

#include "tessera/base/text.h"

namespace tessera::device::cuda {

/// Made by embed_text.cmake.
std::string_view builtin_text(std::string_view name);

namespace {

/// Names in elements.cu, in the order of scalar_kind; a bool is combined as its byte.
constexpr std::array<std::string_view, 15> element_types{"u8",
                                                         "signed char",
                                                         "short",
                                                         "int",
                                                         "i64",
                                                         "u8",
                                                         "unsigned short",
                                                         "unsigned",
                                                         "u64",
                                                         "half_number",
                                                         "bfloat_number",
                                                         "float",
                                                         "double",
                                                         "complex_float",
                                                         "complex_double"};

}  // namespace

std::string general_kernels() {
  return cat(builtin_text("elements.cu"), builtin_text("boxes.cu"), builtin_text("builtin_kernels.cu"));
}

std::string private_kernels(scalar_kind kind) {
  return cat(builtin_text("private_abi.h"), builtin_text("elements.cu"), "typedef ",
             element_types.at(static_cast<std::size_t>(kind)), " element_type;\n", builtin_text("private_kernels.cu"),
             builtin_text("element_kernels.cu"));
}

std::string registered_kernels() {
  return cat("namespace __tessera_private {\n", builtin_text("private_abi.h"), builtin_text("elements.cu"),
             builtin_text("boxes.cu"), builtin_text("private_kernels.cu"), builtin_text("registered_kernels.cu"),
             "}\n");
}

}  // namespace tessera::device::cuda
