#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/kernel/source/cpu_text.h"
#include "tessera/kernel/source/token.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"
#include "tessera/kernel/wrap/cuda_wrapper.h"

/// The input is kernel source. Whatever it says, it is either refused with one of our errors or parsed and analysed;
/// tokens never overlap and never leave the text. A small share of the inputs, chosen by their contents, is wrapped
/// too: that costs a hundred times as much, because it writes the whole text that a compiler would get.

using namespace tessera;
using namespace tessera::kernels;

namespace {

constexpr std::uint32_t inputs_per_wrapped = 1024;
constexpr std::uint32_t inputs_per_check = 16;

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

std::uint32_t digest(const std::string& source) {
  std::uint32_t hash = 2166136261U;
  for (const char c : source) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash ^ hash >> 15;
}

void wrap(const kernel_text& kernel) {
  static_cast<void>(make_cuda_source(kernel));
  for (const tier form : {tier::loop, tier::fiber}) require(!make_cpu_source(kernel, {form, {32, 2}}).empty());
  require(!choose_cpu_source(kernel, {32, 2}).text.empty());
  require(!choose_cpu_source(parse_cpu_text(kernel.source, kernel), {32, 2}).text.empty());
}

void try_kernel(const std::string& source, const std::string& name, bool wrapped) {
  try {
    const kernel_text kernel = parse_kernel(source, "/nonexistent/fuzz.cu", name);
    require(kernel.name == name || name.empty());
    if (wrapped) wrap(kernel);
  } catch (const error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string source(reinterpret_cast<const char*>(data), size);
  const std::uint32_t lot = digest(source);
  if (lot % inputs_per_check == 0) check_tokens(source);
  const bool wrapped = lot % inputs_per_wrapped == 0;
  const std::vector<std::string> names = list_kernels(source);
  if (!names.empty()) try_kernel(source, names[lot % names.size()], wrapped);
  // What has no kernel, or leaves it open which, is refused: the same every time, and errors are expensive.
  if (names.size() != 1 && lot % inputs_per_check == 0) try_kernel(source, "", wrapped);
  return 0;
}
