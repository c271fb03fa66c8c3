#include <cstdint>
#include <limits>

#include "tests/array/support.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

namespace {

constexpr const char* scale_source = R"(
//@tessera global i => read x[i], write y[i]
__global__ void scale(int n, float* y, const float* x, float factor, unsigned char flag) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = flag ? factor * x[i] : x[i];
}
)";

struct world {
  context ctx{quiet("cpu*2")};
  kernel scale = ctx.compile(scale_source, "scale");
  array<float> x = ctx.ones<float>({100});
  array<float> y = ctx.zeros<float>({100});
};

}  // namespace

TEST_CASE_FIXTURE(world, "a wrong number of arguments is refused with the signature") {
  const std::string text = message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, y, x); });
  CHECK(says(text, "launch of 'scale'", "takes 5 arguments, but 3 are given", "const float* x", "float factor"));
  CHECK(says(text, "launch_error_test.cpp:"));  // the line of the call
  CHECK_THROWS_AS(scale.launch({.threads = {100}}, 100, y, x, 2.0f, 1, 7), argument_error);
}

TEST_CASE_FIXTURE(world, "an array for a scalar, or a scalar for an array, is refused by parameter") {
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, y, y, x, 2.0f, 1); }), "parameter 'n'",
             "is a scalar (int)", "array is given"));
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, y, 3.0, 2.0f, 1); }),
             "parameter 'x'", "is a pointer", "array is expected", "float64"));
}

TEST_CASE_FIXTURE(world, "an array of another element type is refused with both types") {
  auto wrong = ctx.zeros<double>({100});
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, wrong, x, 2.0f, 1); }),
             "parameter 'y'", "points to float32", "holds float64"));
}

TEST_CASE_FIXTURE(world, "a scalar that does not fit its parameter is refused with its value") {
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 1ll << 40, y, x, 2.0f, 1); }),
             "parameter 'n'", "1099511627776", "does not fit into int32"));
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, y, x, 2.0f, 256); }),
             "parameter 'flag'", "256", "uint8"));
  CHECK(
      says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 1.5, y, x, 2.0f, 1); }), "1.5", "int32"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(scale.launch({.threads = {100}}, nan, y, x, 2.0f, 1), argument_error);
  CHECK_THROWS_AS(scale.launch({.threads = {100}}, 100, y, x, 2.0f, -1), argument_error);
}

TEST_CASE_FIXTURE(world, "an annotation that does not suit an array is refused with the place of the launch") {
  const kernel sum = ctx.compile(R"(
//@tessera global i => read x[i], reduce(+) total[0]
__global__ void sum(const float* x, float* total) { atomicAdd(total, x[threadIdx.x]); })",
                                 "sum");
  CHECK(says(message_of<argument_error>([&] { sum.launch({.threads = {100}}, x, ctx.zeros<float>({})); }),
             "launch_error_test.cpp:", "launch of 'sum'", "which has 0 axes; leave the index out"));
}

TEST_CASE_FIXTURE(world, "scalars are converted to their parameter's type") {
  scale.launch({.threads = {100}}, 100.0, y, x, 2, true);
  CHECK(y.read() == std::vector<float>(100, 2.0f));
}

TEST_CASE_FIXTURE(world, "threads, blocks and shared memory that cannot be are refused") {
  const auto launch = [&](const launch_options& settings) { scale.launch(settings, 100, y, x, 2.0f, 1); };
  CHECK(says(message_of<argument_error>([&] { launch({}); }), "give either .threads or .grid"));
  CHECK_THROWS_AS(launch({.threads = {100}, .grid = {1}}), argument_error);
  CHECK(says(message_of<argument_error>([&] { launch({.threads = {-5}}); }), "must not be negative", "{-5}"));
  CHECK(says(message_of<argument_error>([&] { launch({.threads = {5}, .block = {0}}); }), ".block must be positive"));
  CHECK(says(message_of<argument_error>([&] {
               launch({.threads = {5}, .block = {64, 64}});
             }),
             "4096 threads", "at most 1024"));
  CHECK(says(message_of<argument_error>([&] { launch({.threads = {1, 1, 1, 1}}); }), "4 axes", "at most 3"));
  CHECK(says(message_of<argument_error>([&] { launch({.threads = {5}, .shared = -1}); }), ".shared is negative"));
  const std::int64_t big = std::int64_t{1} << 40;
  CHECK(says(message_of<argument_error>([&] { launch({.threads = {big, big}}); }), "number of threads"));
  CHECK(says(message_of<argument_error>([&] { launch({.grid = {std::numeric_limits<std::int64_t>::max()}}); }),
             "number of threads", "overflows"));
  CHECK(says(message_of<argument_error>([&] { launch({.threads = {big}, .block = {1}}); }), "blocks along an axis"));
}

TEST_CASE_FIXTURE(world, "an array of another context is refused") {
  context other(quiet("cpu"));
  auto foreign = other.ones<float>({100});
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, y, foreign, 2.0f, 1); }),
             "parameter 'x'", "another context"));
}

TEST_CASE_FIXTURE(world, "an array that was never made is refused, a null array is not") {
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, y, array<float>(), 2.0f, 1); }),
             "parameter 'x'", "not created"));
  const kernel optional = ctx.native("optional", "int* y, const int* x", "global i => read x[i], write y[i]",
                                     support::everywhere([](native_call& call) {
                                       for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                                         call.data<int>(0)[i] = call.data<int>(1) == nullptr ? 7 : 8;
                                     }));
  auto result = ctx.empty<int>({10});
  optional.launch({.threads = {10}}, result, nullptr);
  CHECK(result.read() == std::vector<int>(10, 7));
}

TEST_CASE_FIXTURE(world, "an array whose rank does not suit the annotation is refused") {
  auto matrix = ctx.zeros<float>({10, 10});
  CHECK(says(message_of<argument_error>([&] { scale.launch({.threads = {100}}, 100, matrix, x, 2.0f, 1); }), "y[i]",
             "2"));
}

TEST_CASE_FIXTURE(world, "an unknown array in an annotation is an error that points at it") {
  const std::string text = message_of<annotation_error>(
      [&] { (void)ctx.compile(scale_source, "scale", {.annotation = "global i => read z[i], write y[i]"}); });
  CHECK(says(text, "kernel 'scale'", "read z[i]", "^"));
}

TEST_CASE_FIXTURE(world, "an array that no rule names is an error that suggests none") {
  CHECK(says(message_of<annotation_error>(
                 [&] { (void)ctx.compile(scale_source, "scale", {.annotation = "global i => write y[i]"}); }),
             "the array `x`", "none x"));
}

TEST_CASE_FIXTURE(world, "writing a const pointer is an error of the annotation") {
  CHECK(says(message_of<annotation_error>(
                 [&] { (void)ctx.compile(scale_source, "scale", {.annotation = "global i => write x[i], y[i]"}); }),
             "x", "const"));
}

TEST_CASE_FIXTURE(world, "an annotation that cannot be parsed shows where and what was expected") {
  CHECK(says(message_of<annotation_error>(
                 [&] { (void)ctx.compile(scale_source, "scale", {.annotation = "global i => read x[i"}); }),
             "global i => read x[i", "^", "expected"));
}

TEST_CASE_FIXTURE(world, "a constant that the launch does not give is refused by name") {
  const kernel k = ctx.compile(scale_source, "scale", {.annotation = "global i => read x[i*T:i*T+T-1], write y[i]"});
  CHECK(says(message_of<argument_error>([&] { k.launch({.threads = {100}}, 100, y, x, 2.0f, 1); }), "T", ".let"));
  k.launch({.threads = {100}, .let = {{"T", 1}}}, 100, y, x, 2.0f, 1);
  CHECK(y.read() == std::vector<float>(100, 2.0f));
}

TEST_CASE_FIXTURE(world, "a split by hand whose superblocks write the same elements is refused with both") {
  const kernel k = ctx.native("smear", "int* y", "global i => write y[i/10]", support::everywhere([](native_call&) {}));
  auto result = ctx.zeros<int>({10});
  const std::string text =
      message_of<argument_error>([&] { k.launch({.threads = {100}, .split = blocks(15)}, result); });
  CHECK(says(text, "'smear' cannot be split like this", "superblocks 0", "and 1", "both write 'y'",
             "leave the split out"));
  k.launch({.threads = {100}, .split = blocks(20)}, result);
  CHECK_NOTHROW(ctx.wait());
}

TEST_CASE_FIXTURE(world, "a split by hand that reads what another superblock writes is refused") {
  const kernel k =
      ctx.native("shift", "int* y", "global i => readwrite y[i:i+1]", support::everywhere([](native_call&) {}));
  auto result = ctx.zeros<int>({10});
  CHECK(says(message_of<argument_error>([&] { k.launch({.threads = {9}, .split = blocks(3)}, result); }), "'y'",
             "superblocks"));
  CHECK(says(k.explain({.threads = {9}}, result), "1 superblocks", "not split"));
}

TEST_CASE_FIXTURE(world, "a split by hand of a kernel that is one piece is refused, unless it is one superblock") {
  const char* const body = "__global__ void all(int* y) { if (blockIdx.x == 0 && threadIdx.x == 0) y[0] = 1; }";
  auto result = ctx.zeros<int>({10});
  for (const char* annotation : {"", "//@tessera single => readwrite y\n"}) {
    const kernel k = ctx.compile(std::string(annotation) + body, "all");
    CHECK(says(
        message_of<argument_error>([&] { k.launch({.threads = {64}, .block = {16}, .split = blocks(32)}, result); }),
        "'all'", "2 superblocks", "without annotation", "`single`"));
    CHECK_NOTHROW(k.launch({.threads = {64}, .block = {16}, .split = blocks(64)}, result));
  }
  CHECK(result.read()[0] == 1);
}

TEST_CASE_FIXTURE(world, "one array combined in two ways through two parameters is refused with both") {
  const kernel k = ctx.native("two", "int* a, int* b", "global i => reduce(+) a, reduce(max) b",
                              support::everywhere([](native_call&) {}));
  auto result = ctx.zeros<int>({10});
  CHECK(says(message_of<argument_error>([&] { k.launch({.threads = {10}}, result, result); }), "'a'", "`reduce(+)`",
             "`reduce(max)`"));
}

TEST_CASE_FIXTURE(world, "a split like an array that is not passed is refused") {
  auto other = ctx.zeros<float>({100});
  CHECK(says(
      message_of<argument_error>([&] { scale.launch({.threads = {100}, .split = like(other)}, 100, y, x, 2.0f, 1); }),
      "like(array)", "not passed"));
}

TEST_CASE("a file that cannot be read gives an io_error with its name") {
  context ctx(quiet("cpu"));
  CHECK(says(message_of<io_error>([&] { (void)ctx.load_kernel("/no/such/file.cu"); }), "/no/such/file.cu",
             "No such file", "working directory"));
  CHECK(says(message_of<io_error>([&] { (void)ctx.load_kernel("/"); }), "'/'", "directory"));
  CHECK_THROWS_AS((void)ctx.load_kernel("/dev/null"), compile_error);  // readable, but empty
}

TEST_CASE("a kernel that is not there gives a compile_error with the names that are") {
  context ctx(quiet("cpu"));
  CHECK(says(message_of<compile_error>([&] { (void)ctx.compile(scale_source, "scael"); }), "scael", "scale"));
  CHECK_THROWS_AS((void)ctx.compile("int x;", "scale"), compile_error);
  CHECK_THROWS_AS((void)ctx.compile("", ""), compile_error);
}

TEST_CASE("a kernel that was not loaded cannot be launched") {
  const kernel nothing;
  CHECK(says(message_of<argument_error>([&] { nothing.launch({.threads = {1}}); }), "not loaded"));
  CHECK(says(message_of<argument_error>([&] { (void)nothing.explain({.threads = {1}}); }), "not loaded"));
}

TEST_CASE("settings that make no sense are refused with an example of what does") {
  CHECK(says(message_of<argument_error>([] { context ctx(quiet("tpu")); }), "'tpu'", "cpu*4"));
  CHECK(says(message_of<argument_error>([] { context ctx(quiet("cpu*0")); }), "*0", "1 to 1024"));
  CHECK(says(message_of<argument_error>([] { context ctx(quiet("cpu", "everything")); }), "'everything' is no check",
             "unwritten"));
  const auto refusal = [](const char* variable, const char* value) {
    const support::scoped_variable nonsense(variable, value);
    return message_of<argument_error>([] { context ctx(quiet("cpu")); });
  };
  CHECK(says(refusal("TESSERA_LOG", "loud"), "TESSERA_LOG", "'loud'", "debug"));
  CHECK(says(refusal("TESSERA_DEVICE_MEMORY", "plenty"), "TESSERA_DEVICE_MEMORY", "'plenty'", "512MiB"));
  CHECK(says(refusal("TESSERA_CPU_TIER", "warp"), "TESSERA_CPU_TIER", "warp", "fiber"));
  CHECK(says(message_of<argument_error>([] { quiet("cpu").device_memory = "plenty"; }), "'plenty'", "512MiB"));
}

TEST_CASE("a kernel that cannot be made for the device is refused at every launch" * doctest::skip(support::on_gpu())) {
  context ctx(quiet("cpu"));
  const kernel assembly = ctx.compile("__global__ void f(int* y) { asm(\"mov.u32 %0, 1;\" : \"=r\"(y[0])); }", "f");
  auto z = ctx.zeros<int>({10});
  for (int again = 0; again < 2; ++again)
    CHECK(says(message_of<compile_error>([&] {
                 assembly.launch({.threads = {10}}, z);
                 ctx.wait();
               }),
               "f.cu:1", "assembly"));
}
