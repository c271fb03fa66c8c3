// Every name of Thrust that names.def lists, called on small data and compared with the standard library.
#include "tests/algo/thrust/names.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tessera/algo/exec/kernel_cache.h"
#include "tests/support/cuda_compiling.h"

namespace {

struct listed_name {
  const char* name;
  void (*call)();
};
const listed_name all_names[] = {
#define THRUST_NAME(name) {#name, names::name},
#define THRUST_ABSENT(name, reason)
#include "tests/algo/thrust/names.def"
#undef THRUST_NAME
#undef THRUST_ABSENT
};

struct absent_name {
  std::string name, reason;
};
const absent_name absent_names[] = {
#define THRUST_NAME(name)
#define THRUST_ABSENT(name, reason) {#name, reason},
#include "tests/algo/thrust/names.def"
#undef THRUST_NAME
#undef THRUST_ABSENT
};

/// The names of Thrust that a text has: kernels in which they are the same differ in types.
std::string names_of_thrust(const std::string& text) {
  std::set<std::string> found;
  const std::string scope = "thrust::", inner = "detail::";
  for (std::size_t at = text.find(scope); at != std::string::npos; at = text.find(scope, at)) {
    at += scope.size();
    if (text.compare(at, inner.size(), inner) == 0) at += inner.size();
    found.insert(text.substr(at, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at) - at));
  }
  std::string all;
  for (const std::string& each : found) all += " " + each;
  return all;
}

}  // namespace

TEST_CASE("every name of Thrust gives what the standard library gives") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    const ts::context ctx(tessera::support::cut_everywhere(devices));
    ts::set_default_context(ctx);
    CAPTURE(devices);
    for (const listed_name& each : all_names) {
      CAPTURE(each.name);
      CHECK_NOTHROW(each.call());
    }
  }
}

TEST_CASE("texts for GPUs of every name of Thrust give the same on CPUs, and compile for GPUs") {
  const bool compiles = tessera::support::can_compile_for_cuda();
  tessera::support::cuda_sources sources;
  {
    const ts::context ctx(tessera::support::cut_everywhere("cpu"));
    ts::set_default_context(ctx);
    const ts::algo::gpu_texts_on_cpus texts;
    for (const listed_name& each : all_names) {
      CAPTURE(each.name);
      CHECK_NOTHROW(each.call());
    }
    std::set<std::string> added;
    for (const ts::algo::kernel_text& each : texts.made)
      if (compiles && each.text.find("thrust::") != std::string::npos &&
          added.insert(each.name + names_of_thrust(each.text)).second)
        sources.add(each.text, each.name);
  }
  CHECK((!compiles || sources.size() > 30));
  CHECK(sources.failures() == std::vector<std::string>());
}

TEST_CASE("the guide says why a name of Thrust does not exist") {
  std::ostringstream text;
  text << std::ifstream(TESSERA_SOURCE_FOLDER "/docs/guide/thrust.md").rdbuf();
  for (const absent_name& each : absent_names) {
    CAPTURE(each.name);
    CHECK(text.str().find("`" + each.name) != std::string::npos);
    CHECK(text.str().find(each.reason) != std::string::npos);
  }
}
