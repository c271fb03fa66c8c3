#include "benchmarks/frame/rival_kernel.h"

#include "benchmarks/frame/inputs.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cpu/jit/module.h"

namespace tessera::bench {
namespace {

/// Not -ffast-math itself: it would change how the whole process treats denormal numbers.
const std::vector<std::string> best_flags{"-std=c++20",
                                          "-O3",
                                          "-march=native",
                                          "-fno-math-errno",
                                          "-fno-trapping-math",
                                          "-fno-signed-zeros",
                                          "-fassociative-math",
                                          "-freciprocal-math",
                                          "-ffinite-math-only",
                                          "-ffp-contract=fast",
                                          "-fopenmp-simd",
                                          "-DRIVAL_BEST_FLAGS",
                                          "-fPIC",
                                          "-shared",
                                          "-Wl,--no-as-needed",
                                          "-lmvec",
                                          "-lm"};

device::module_table& libraries() {
  static device::module_table table;
  return table;
}

}  // namespace

rival_kernel::rival_kernel(const std::string& path, rival_flags flags, const std::vector<std::string>& same_flags) {
  const device::source_desc desc{cat("#line 1 \"", path, "\"\n", read_text(path)),
                                 {source_path("")},
                                 flags == rival_flags::same ? same_flags : best_flags};
  const device::module_id library = libraries().load(device::compile_shared_object(desc));
  const void* found = libraries().symbol(library, "rival");
  if (found == nullptr) throw compile_error(cat(path, " defines no function `rival`"));
  entry_ = reinterpret_cast<entry>(const_cast<void*>(found));
}

void rival_kernel::run(thread_team& team, std::int64_t n, const std::vector<void*>& parameters) const {
  team.run(n, [&](std::int64_t begin, std::int64_t end) { entry_(begin, end, parameters.data()); });
}

}  // namespace tessera::bench
