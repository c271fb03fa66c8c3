#include "tessera/kernel/source/registered.h"

#include <doctest/doctest.h>

#include "tests/kernel/cpu_kernel.h"
#include "tests/support/cuda_compiling.h"
#include "tests/support/messages.h"

using namespace tessera;
using namespace tessera::kernels;
using support::message_of;

namespace {

/// `take` is reached by the operation alone; macros have the names of what is written behind the text.
constexpr const char* text = R"(
#define first 1
#define prepare 2
#define T 3
#define s 4
#define value 5
namespace app {
struct best { double height; int at; };
__device__ bool is_better(const best& a, const best& b) { return b.height > a.height; }
}
__device__ __forceinline__ void take(app::best& a, const app::best& b) { if (is_better(a, b)) a = b; }
__global__ void highest(app::best* top, int* counts, const double* x) { top->height = x[blockIdx.x]; counts[0] = 1; }
)";

const std::vector<registered_reduction> operations{
    {"argmax", "{-INFINITY, -1}", "take(a, b);"},
    {"count", "0", "// whatever T is\n  a += b;"},
};

kernel_text parsed(const std::vector<registered_reduction>& of = operations) {
  return parse_kernel(text, "peak.cu", "highest", {}, of);
}

std::string refusal(const std::vector<registered_reduction>& of) {
  return message_of<argument_error>([&] { static_cast<void>(parsed(of)); });
}

struct best {
  double height;
  int at;
};

}  // namespace

TEST_CASE("an operation is compiled with its kernel for CPUs, in every form, and combines elements at any distance") {
  const std::vector<reduced_parameter> reduced{{0, 0}, {1, 1}};
  for (const std::string& compiler : support::compilers())
    for (const device::source_desc& source : {choose_cpu_source(parsed(), {32, 1, 1}, "", reduced),
                                              choose_cpu_source(parsed(), {32, 1, 1}, "fiber", reduced),
                                              instrumented_cpu_source(parsed(), {32, 1, 1}, reduced)}) {
      device::module_table modules;
      const auto id = modules.load(device::compile_shared_object(source, {.executable = compiler}));
      const auto* top = static_cast<const tessera_cpu_reduction*>(modules.symbol(id, "tessera_reduction_0"));
      const auto* count = static_cast<const tessera_cpu_reduction*>(modules.symbol(id, "tessera_reduction_1"));
      REQUIRE(top != nullptr);
      REQUIRE(count != nullptr);
      CHECK(modules.symbol(id, "tessera_reduction_2") == nullptr);
      CHECK(top->bytes == sizeof(best));
      best e{};
      top->identity(&e);
      CHECK(e.height == -std::numeric_limits<double>::infinity());
      CHECK(e.at == -1);
      std::vector<best> to{{1, 1}, {5, 2}, {3, 3}, {0, 4}}, from{{2, 10}, {4, 20}, {9, 30}, {7, 40}};
      top->combine(to.data(), sizeof(best), from.data(), sizeof(best), 2);
      top->combine(&to[3], 2 * sizeof(best), &from[3], -static_cast<long long>(sizeof(best)), 1);
      CHECK(to[0].at == 10);
      CHECK(to[1].at == 2);
      CHECK(to[2].at == 3);
      CHECK(to[3].at == 40);
      int counts[4] = {1, 2, 3, 4};
      const int more[2] = {10, 20};
      count->combine(counts, 2 * sizeof(int), more, sizeof(int), 2);
      CHECK(std::vector<int>(counts, counts + 4) == std::vector{11, 2, 23, 4});
    }
}

TEST_CASE("an operation is compiled into kernels of its own for GPUs, with elements of any size") {
  if (!support::can_compile_for_cuda()) return;
  const auto binary = support::compile_for_cuda(parsed(), {true, {}, {{0, 0}, {1, 1}}});
  const std::string_view all(reinterpret_cast<const char*>(binary.data()), binary.size());
  for (const char* name : {"prepare", "combine", "combine_few", "finish", "fold", "fill"})
    for (const char* parameter : {"_0", "_1"}) {
      INFO(name, parameter);
      CHECK(all.find(std::string("tessera_") + name + parameter) != std::string_view::npos);
    }
  const kernel_text large = parse_kernel(
      "struct bins { int n[100]; };\n__global__ void k(bins* b) { b->n[threadIdx.x] = 1; }", "k.cu", "k", {},
      std::vector<registered_reduction>{{"add", "{}", "for (int i = 0; i < 100; ++i) a.n[i] += b.n[i];"}});
  CHECK_FALSE(support::compile_for_cuda(large, {true, {}, {{0, 0}}}).empty());
}

TEST_CASE("an error in an operation's text carries the operation's name and line, on CPUs and GPUs") {
  const kernel_text wrong = parsed({{"argmax", "{-INFINITY, -1}", "int n = 1;\n  a.hight = n;"}});
  const std::vector<reduced_parameter> reduced{{0, 0}};
  const std::string on_cpu = message_of<compile_error>([&] {
    static_cast<void>(device::compile_shared_object(choose_cpu_source(wrong, {32, 1, 1}, "", reduced)));
  });
  INFO(on_cpu);
  CHECK(on_cpu.find("peak.cu, .reductions argmax, .combine:2:") != std::string::npos);
  const kernel_text badly = parsed({{"argmax", "{undeclared_thing, -1}",
                                     ""
                                     "a = b;"}});
  const std::string identity = message_of<compile_error>([&] {
    static_cast<void>(device::compile_shared_object(choose_cpu_source(badly, {32, 1, 1}, "", reduced)));
  });
  INFO(identity);
  CHECK(identity.find("peak.cu, .reductions argmax, .identity:1:") != std::string::npos);
  if (!support::can_compile_for_cuda()) return;
  const std::string on_gpu = message_of<compile_error>([&] {
    static_cast<void>(support::compile_for_cuda(wrong, {true, {}, reduced}));
  });
  INFO(on_gpu);
  CHECK(on_gpu.find("peak.cu, .reductions argmax, .combine:2:") != std::string::npos);
}

TEST_CASE("operations without a proper name or text are refused, by name") {
  CHECK(refusal({{"min", "0", "a += b;"}}) ==
        "peak.cu, .reductions: `min` is a built-in operation; choose another name");
  CHECK(refusal({{"+", "0", "a += b;"}}) == "peak.cu, .reductions: `+` is a built-in operation; choose another name");
  CHECK(refusal({{"while", "0", "a += b;"}}) == "peak.cu, .reductions: `while` is a word of C++; choose another name");
  for (const char* name : {"", "2nd", "arg min", "a-b", "_"})
    CHECK(refusal({{name, "0", "a += b;"}}).find("` is no name") != std::string::npos);
  CHECK(refusal({{"one", "0", "a += b;"}, {"two", "0", "a += b;"}, {"one", "1", "a *= b;"}}) ==
        "peak.cu, .reductions: `one` is given twice");
  CHECK(refusal({{"one", "", "a += b;"}}) == "peak.cu, .reductions one, .identity: it is empty");
  CHECK(refusal({{"one", "0", " // nothing"}}) == "peak.cu, .reductions one, .combine: it is empty");
  CHECK(refusal({{"one", "0", "if (b < a) { a = b;"}}) == "peak.cu, .reductions one, .combine: `{` is not closed");
  CHECK(refusal({{"one", "0", "a = b; } void f() {"}}) == "peak.cu, .reductions one, .combine: `}` closes nothing");
  CHECK(refusal(std::vector<registered_reduction>(65, {"x", "0", "a = b;"})) ==
        "peak.cu, .reductions: a kernel has at most 64 operations, not 65");
}
