// Every name of Thrust that names.def lists, called on small data and compared with the standard library.
#include "tests/algo/thrust/names.h"

#include <fstream>
#include <sstream>
#include <string>

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

TEST_CASE("the guide says why a name of Thrust does not exist") {
  std::ostringstream text;
  text << std::ifstream(TESSERA_SOURCE_FOLDER "/docs/guide/thrust.md").rdbuf();
  for (const absent_name& each : absent_names) {
    CAPTURE(each.name);
    CHECK(text.str().find("`" + each.name) != std::string::npos);
    CHECK(text.str().find(each.reason) != std::string::npos);
  }
}
