#include "tessera/device/cuda/compile/nvrtc.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/device/cuda/compile/builtin_source.h"
#include "tessera/device/cuda/compile/nvrtc_messages.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using device::compile_cubin;
using device::lay_out_nvrtc_messages;

namespace {

bool can_compile() {
  std::string reason;
  const bool can = device::nvrtc_available(&reason);
  if (!can) MESSAGE("skipped: ", reason);
  return can;
}

device::source_desc source(std::string text) { return {std::move(text), {}, {}}; }

/// What compiling gives as an error; empty if it succeeds.
std::string failure(const device::source_desc& text, int target = 90) {
  try {
    (void)compile_cubin(text, target);
  } catch (const compile_error& e) {
    return e.what();
  }
  return {};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("messages of NVRTC are laid out as other compilers' are") {
  CHECK(lay_out_nvrtc_messages("a b.cu(20): error: identifier \"y\" is undefined\n  int x = y;\n          ^\n\n"
                               "1 error detected in the compilation of \"tessera/kernel\".\n") ==
        "a b.cu:20:9: error: identifier \"y\" is undefined\n");
  CHECK(lay_out_nvrtc_messages("f(2).cu(3): catastrophic error: no file\n  #include \"q\"\n               ^\n\n") ==
        "f(2).cu:3:14: catastrophic error: no file\n");
  CHECK(lay_out_nvrtc_messages("k.cu(7): warning #177-D: unused\n  int x;\n      ^\n\nRemark: about flags\n") ==
        "Remark: about flags\n");
  CHECK(
      lay_out_nvrtc_messages("k.cu(1): error: many match:\n            f(int)\n            f(float)\n  f();\n  ^\n") ==
      "k.cu:1:1: error: many match:\n            f(int)\n            f(float)\n");
  CHECK(lay_out_nvrtc_messages("ptxas error : too much shared data") == "ptxas error : too much shared data\n");
  CHECK(lay_out_nvrtc_messages("").empty());
}

TEST_CASE("errors behind the user's text are left out where the user's own text has some") {
  const std::string own = "k.cu(1): error: wrong\n\n";
  const std::string consequence = "tessera/entry(2): error: so this is wrong too\n\n";
  CHECK(lay_out_nvrtc_messages(own + consequence) == "k.cu:1: error: wrong\n");
  CHECK(lay_out_nvrtc_messages(consequence) == "tessera/entry:2: error: so this is wrong too\n");
}

TEST_CASE("NVRTC turns source into a binary for each kind of GPU") {
  if (!can_compile()) return;
  for (const int target : {80, 90}) {
    const std::vector<std::byte> binary = compile_cubin(source("__global__ void k(int* a) { *a = 1; }"), target);
    REQUIRE(binary.size() > 4);
    CHECK(std::string(reinterpret_cast<const char*>(binary.data()) + 1, 3) == "ELF");
  }
  CHECK_FALSE(device::nvrtc_version().empty());
  CHECK(device::nvrtc_identity(80) != device::nvrtc_identity(90));
}

TEST_CASE("the built-in kernels compile for GPUs, for numbers of every form") {
  if (!can_compile()) return;
  CHECK(failure(source(device::cuda::general_kernels())).empty());
  for (const scalar_kind kind : {scalar_kind::boolean, scalar_kind::float16, scalar_kind::complex128})
    CHECK(failure(source(device::cuda::private_kernels(kind))).empty());
}

TEST_CASE("an error of NVRTC carries the user's file, line and column, and no warnings") {
  if (!can_compile()) return;
  const std::string message = failure(
      source("#line 41 \"wave.cu\"\n__device__ void f() { int unused; }\n__device__ int b = undeclared_thing;\n"));
  CHECK(message ==
        "the kernel does not compile:\nwave.cu:42:20: error: identifier \"undeclared_thing\" is undefined\n");
}

TEST_CASE("NVRTC finds the user's headers, and standard ones are always there") {
  if (!can_compile()) return;
  const support::temporary_directory place;
  std::filesystem::create_directory(place / "my headers");
  place.write("my headers/answer.h", "#include <cstdint>\n#include <cuda_runtime.h>\n#define ANSWER 42\n");
  device::source_desc text = source("#include \"answer.h\"\n#include <cmath>\nstatic_assert(ANSWER == 42, \"\");\n");
  CHECK(holds(failure(text), "answer.h"));
  text.include_paths = {place / "my headers"};
  CHECK(failure(text).empty());
  text.include_paths = {std::filesystem::relative(place / "my headers").string()};
  CHECK(failure(text).empty());
}

TEST_CASE("a GPU that NVRTC does not know is an error that names those it knows") {
  if (!can_compile()) return;
  const std::string message = failure(source("int a;"), 11);
  CHECK(holds(message, "cannot compile for sm_11"));
  CHECK(holds(message, "sm_90"));
}

TEST_CASE("several threads may compile at once") {
  if (!can_compile()) return;
  std::string first, second;
  std::thread other([&] { second = failure(source("__global__ void k(int* a) { *a = wrong_2; }")); });
  for (int i = 0; i < 3; ++i) first += failure(source("__global__ void k(int* a) { *a = 1; }"));
  other.join();
  CHECK(first.empty());
  CHECK(holds(second, "wrong_2"));
}
