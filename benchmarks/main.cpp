// tessera_bench [--json FILE] [--only TEXT] [--quick] [--list]
// Measures against the rivals beside this file. Ends with 1 if results disagree or a benchmark cannot run; a target
// that is missed is shown, not an error.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "benchmarks/harness.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace bench = tessera::bench;

namespace {

struct arguments {
  std::string json;
  std::string only;
  bool quick = false;
  bool list = false;
};

constexpr const char* usage = "usage: tessera_bench [--json FILE] [--only TEXT] [--quick] [--list]";

arguments parse(int argc, char** argv) {
  arguments parsed;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const bool takes_value = word == "--json" || word == "--only";
    if (takes_value && k + 1 == argc) throw tessera::argument_error(tessera::cat(word, " needs a value; ", usage));
    if (word == "--json")
      parsed.json = argv[++k];
    else if (word == "--only")
      parsed.only = argv[++k];
    else if (word == "--quick")
      parsed.quick = true;
    else if (word == "--list")
      parsed.list = true;
    else
      throw tessera::argument_error(tessera::cat("unknown argument '", word, "'; ", usage));
  }
  return parsed;
}

double load_average() {
  double load[1] = {0};
  return getloadavg(load, 1) == 1 ? load[0] : 0;
}

/// The number of benchmarks that could not be carried out.
int run(const std::vector<bench::benchmark>& all, const arguments& how, bench::session& session) {
  int failed = 0;
  for (const bench::benchmark& b : all) {
    if (b.name.find(how.only) == std::string::npos) continue;
    try {
      b.run(session);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %.2000s\n", b.name.c_str(), e.what());  // compilers can be talkative
      ++failed;
    }
  }
  return failed;
}

void summarise(const bench::session& session, int failed) {
  int aimed = 0, met = 0;
  for (const bench::row& r : session.rows()) {
    aimed += r.target ? 1 : 0;
    met += r.target && r.ratio >= *r.target ? 1 : 0;
  }
  std::printf("%d of %d targets met", met, aimed);
  if (failed > 0) std::printf(", %d benchmarks FAILED", failed);
  std::printf("; load average at the end %.1f\n", load_average());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const arguments how = parse(argc, argv);
    const std::vector<bench::benchmark> all = bench::all_benchmarks();
    if (how.list) {
      for (const bench::benchmark& b : all) std::printf("%s\n", b.name.c_str());
      return 0;
    }
    std::printf("load average at the start %.1f\n", load_average());
    bench::session session(how.quick);
    const int failed = run(all, how, session);
    summarise(session, failed);
    if (!how.json.empty()) {
      std::ofstream file(how.json);
      file << bench::to_json(session.rows());
      if (!file.flush()) throw tessera::io_error(tessera::cat("cannot write ", how.json));
    }
    return failed == 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera_bench: %s\n", e.what());
    return 2;
  }
}
