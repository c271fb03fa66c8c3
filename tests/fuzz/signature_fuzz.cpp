#include <cstdint>
#include <string>

#include "tessera/base/error.h"
#include "tessera/kernel/cpu_wrapper.h"
#include "tessera/kernel/token.h"

/// The input is kernel source. Whatever it says, it is either refused with one of our errors or parsed, analysed and
/// wrapped; tokens never overlap and never leave the text.

using namespace tessera;
using namespace tessera::kernels;

namespace {

void require(bool condition) {
  if (!condition) __builtin_trap();
}

void check_tokens(const std::string& source) {
  const char* done = source.data();
  for (const token& t : tokenise(source, "fuzz.cu").tokens) {
    require(!t.text.empty() && t.text.data() >= done);
    done = t.text.data() + t.text.size();
    require(done <= source.data() + source.size());
  }
}

void wrap(const std::string& source, const std::string& name) {
  try {
    const kernel_text kernel = parse_kernel(source, "/nonexistent/fuzz.cu", name);
    require(kernel.name == name || name.empty());
    static_cast<void>(make_device_source(kernel));
    const tier how = source.size() % 2 == 0 ? tier::loop : tier::fiber;
    require(!make_cpu_source(kernel, {how, {32, 2}}).empty());
  } catch (const error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string source(reinterpret_cast<const char*>(data), size);
  check_tokens(source);
  for (const std::string& name : list_kernels(source)) wrap(source, name);
  wrap(source, "");
  return 0;
}
