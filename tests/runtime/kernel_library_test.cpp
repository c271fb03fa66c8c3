#include "tessera/runtime/kernel_library.h"

#include <doctest/doctest.h>

#include <memory>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tests/runtime/stub_backend.h"
#include "tests/support/resident_memory.h"

using namespace tessera;
using runtime::kernel_entry;
using runtime::kernel_library;
using support::stub_backend;

namespace {

using entry_ptr = std::shared_ptr<const kernel_entry>;

kernel_entry source_kernel(const std::string& name) {
  kernel_entry made;
  made.text = kernels::parse_kernel(cat("__global__ void ", name, "(float* y) { y[blockIdx.x] = 1; }"), name + ".cu");
  made.name = name;
  made.parameters = made.text->parameters;
  return made;
}

kernel_entry native_of(const std::string& name, std::shared_ptr<int> held) {
  kernel_entry made;
  made.name = name;
  made.natives.emplace("stub", [held](native_call&) {});
  return made;
}

/// A library over one device, without a cache on disk.
struct bench {
  explicit bench(device::kernel_language language = device::kernel_language::cpu)
      : backend(std::int64_t{1} << 30, language) {}

  std::shared_ptr<kernels::module_request> compile(const entry_ptr& kernel) {
    auto result = library.compiled(*kernel, backend, 0, launch);
    result->finished().wait();
    return result;
  }
  entry_ptr generated(int number) { return library.add(source_kernel(cat("kernel_", number))); }

  stub_backend backend;
  kernel_library library{{&backend}, "/dev/null/none", {}};
  plan::launch_task launch = [] {
    plan::launch_task made;
    made.space = {{1}, {1}};
    made.accesses = std::make_shared<const plan::access_pattern>();
    return made;
  }();
};

/// Sanitizers have memory of their own, which grows, and take long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace

TEST_CASE("equal source kernels are one, native ones never are") {
  bench t;
  const entry_ptr a = t.generated(1), b = t.generated(1), c = t.generated(2);
  CHECK(a == b);
  CHECK(a != c);
  CHECK(t.library.find(a->id) == a);
  const entry_ptr n = t.library.add(native_of("n", nullptr)), m = t.library.add(native_of("n", nullptr));
  CHECK(n->id != m->id);
}

TEST_CASE("a backend for CPUs compiles a kernel's text for CPUs, one for GPUs the other") {
  for (const auto language : {device::kernel_language::cpu, device::kernel_language::cuda}) {
    bench t(language);
    kernel_entry entry = source_kernel("f");
    entry.text = kernels::parse_kernel("// kernel_right\n__global__ void f(float* y) {}", "f.cu");
    entry.cpu_text = kernels::parse_cpu_text("// kernel_wrong\n__global__ void f(float* y) {}", *entry.text);
    const bool failed = t.compile(t.library.add(std::move(entry)))->failure() != nullptr;
    CHECK(failed == (language == device::kernel_language::cpu));
  }
}

TEST_CASE("kernels that differ in their texts for CPUs are not one") {
  bench t;
  const auto add = [&](const std::string& body) {
    kernel_entry entry = source_kernel("kernel_1");
    entry.cpu_text = kernels::parse_cpu_text("__global__ void kernel_1(float* y) {" + body + "}", *entry.text);
    return t.library.add(std::move(entry));
  };
  const entry_ptr a = add(""), b = add("y[0] = 1;");
  CHECK(a != b);
  CHECK(a == add(""));
  CHECK(a != t.generated(1));
}

TEST_CASE("of kernels that come without end the last thousands stay compiled, and memory stays flat") {
  constexpr int kernels = sanitized ? 5'000 : 20'000, recent = 1'000, full = 3'000;
  bench t;
  const std::uint64_t oldest = t.generated(0)->id;
  std::int64_t resident_when_full = 0;
  for (int k = 0; k < kernels; ++k) {
    t.compile(t.generated(k));
    if (k >= recent) t.compile(t.generated(k - recent));  // as new handles of the same text
    if (k == full) resident_when_full = support::resident_bytes();
  }
  CHECK(t.backend.compiled() == kernels);  // nothing was compiled twice
  CHECK(t.backend.loaded() <= runtime::kernels_kept);
  if (!sanitized) CHECK(support::resident_bytes() - resident_when_full < 8 << 20);
  CHECK_THROWS_AS((void)t.library.find(oldest), argument_error);
  t.compile(t.generated(0));  // of long ago
  CHECK(t.backend.compiled() == kernels + 1);
}

TEST_CASE("a module that is in use is not unloaded, however many others come") {
  bench t;
  const entry_ptr first = t.generated(0);
  std::shared_ptr<kernels::module_request> used = t.compile(first);
  for (int k = 1; k <= static_cast<int>(runtime::kernels_kept); ++k) t.compile(t.generated(k));
  CHECK(t.backend.loaded() == runtime::kernels_kept + 1);
  CHECK(t.library.find(first->id) == first);  // the handle holds it
  used.reset();
  CHECK(t.backend.loaded() == runtime::kernels_kept);
  t.compile(first);
  CHECK(t.backend.compiled() == static_cast<int>(runtime::kernels_kept) + 2);
}

TEST_CASE("a kernel that something holds is found after all handles are gone, and destroyed by who adds others") {
  bench t;
  const auto held = std::make_shared<int>(0);
  entry_ptr kernel = t.library.add(native_of("n", held));
  const std::uint64_t id = kernel->id;
  const auto crowd = [&] {  // more than the library keeps
    for (std::size_t k = 0; k < 2 * runtime::kernels_kept; ++k) (void)t.library.add(native_of("other", nullptr));
  };
  crowd();
  CHECK(held.use_count() == 2);
  CHECK(t.library.find(id)->name == "n");
  kernel.reset();
  CHECK(held.use_count() == 2);  // destroyed by a caller of `add` only
  crowd();
  CHECK(held.use_count() == 1);
  CHECK_THROWS_AS((void)t.library.find(id), argument_error);
}

TEST_CASE("a kernel that does not compile is not compiled again while it is recent") {
  bench t;
  const entry_ptr kernel = t.library.add(source_kernel("kernel_wrong"));
  CHECK(t.compile(kernel)->failure() != nullptr);
  CHECK(t.compile(kernel)->failure() != nullptr);
  CHECK(t.backend.compiled() == 1);
}

TEST_CASE("a warning about a kernel is given once") {
  bench t;
  CHECK(t.library.first_warning(7));
  CHECK_FALSE(t.library.first_warning(7));
  CHECK(t.library.first_warning(8));
}
