#include "benchmarks/frame/program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr const char* usage =
    "options: [--json FILE] [--csv FILE] [--only TEXT,...] [--devices KIND] [--quick] [--list]";

double load_average() {
  double load[1] = {0};
  return getloadavg(load, 1) == 1 ? load[0] : 0;
}

/// The number of benchmarks that could not be carried out. What a program has measured when it is stopped is written.
int run(const std::vector<benchmark>& chosen, session& results, const command& asked) {
  int failed = 0;
  for (const benchmark& b : chosen) {
    try {
      b.run(results);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %.2000s\n", b.name.c_str(), e.what());  // compilers can be talkative
      ++failed;
    }
    write_results(results, asked);
  }
  return failed;
}

void summarise(const session& results, int failed) {
  int aimed = 0, met = 0;
  for (const row& r : results.rows()) {
    aimed += r.target ? 1 : 0;
    met += r.met() ? 1 : 0;
  }
  std::printf("%d of %d targets met", met, aimed);
  if (failed > 0) std::printf(", %d benchmarks FAILED", failed);
  std::printf("; load average at the end %.1f\n", load_average());
}

void write_file(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw io_error(cat("cannot write ", path));
}

int run_command(const command& asked, const std::vector<benchmark>& all) {
  if (asked.list) {
    for (const benchmark& b : all) std::printf("%s\n", b.name.c_str());
    return 0;
  }
  std::printf("load average at the start %.1f\n", load_average());
  session results(asked.quick, asked.devices);
  const int failed = run(selected(all, asked), results, asked);
  summarise(results, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

command parse_command_line(int argc, const char* const* argv) {
  command parsed;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const auto value = [&] {
      if (k + 1 == argc) throw argument_error(cat(word, " needs a value; ", usage));
      return std::string(argv[++k]);
    };
    if (word == "--json")
      parsed.json = value();
    else if (word == "--csv")
      parsed.csv = value();
    else if (word == "--only")
      parsed.only = value();
    else if (word == "--devices")
      parsed.devices = value();
    else if (word == "--quick")
      parsed.quick = true;
    else if (word == "--list")
      parsed.list = true;
    else
      throw argument_error(cat("unknown argument '", word, "'; ", usage));
  }
  return parsed;
}

std::vector<benchmark> selected(const std::vector<benchmark>& all, const command& asked) {
  std::vector<std::string> wanted;
  std::istringstream parts(asked.only);
  for (std::string part; std::getline(parts, part, ',');) wanted.push_back(part);
  std::vector<benchmark> chosen;
  for (const benchmark& b : all)
    if (wanted.empty() || std::any_of(wanted.begin(), wanted.end(),
                                      [&](const std::string& part) { return b.name.find(part) != std::string::npos; }))
      chosen.push_back(b);
  return chosen;
}

void write_results(const session& results, const command& asked) {
  write_file(asked.json, to_json(results.rows()));
  write_file(asked.csv, to_csv(results.rows()));
}

int run_program(int argc, const char* const* argv, const std::vector<benchmark>& all) {
  try {
    return run_command(parse_command_line(argc, argv), all);
  } catch (const std::exception& e) {
    const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "benchmarks";
    std::fprintf(stderr, "%s: %s\n", name.c_str(), e.what());
    return 2;
  }
}

}  // namespace tessera::bench
