#include "tessera/runtime/launch_request.h"

#include "tessera/base/text.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera::runtime {

std::string label_of(const launch_request& request) {
  return cat(request.site.file, ":", request.site.line, ": launch of '", request.kernel->name, "'");
}

std::string label_of(const launch_request& request, int parameter) {
  return cat(label_of(request), ": parameter '", request.kernel->parameters[static_cast<std::size_t>(parameter)].name,
             "'");
}

}  // namespace tessera::runtime
