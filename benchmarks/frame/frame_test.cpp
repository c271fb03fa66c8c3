#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/program.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

command parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("a comparison's ratio is the median of the pairs' ratios, not the ratio of the medians") {
  const comparison c = summary_of({1, 2, 10}, {2, 2, 5});
  CHECK(c.ours == 2);
  CHECK(c.rival == 2);
  CHECK(c.ratio == 1);
  CHECK(c.low == doctest::Approx(0.75));
  CHECK(c.high == doctest::Approx(1.5));
}

TEST_CASE("both sides run equally often, in turns that begin with either") {
  std::string turns;
  const comparison c = compare([&] { return turns += 'o', 1.0; }, [&] { return turns += 'r', 2.0; },
                               {.pairs = 3, .warm_up = 1, .bursts = 2, .seconds = 0});
  CHECK(turns == "orroorroorroorro");
  CHECK(c.ours == 2);  // of two bursts
  CHECK(c.ratio == 2);
}

TEST_CASE("a session names the devices that the user asked for, alone or several logical ones") {
  CHECK(session(true).devices() == "cpu");
  CHECK(session(true, parsed({"--devices", "cuda:0"}).devices).devices(2) == "cuda:0*2");
}

TEST_CASE("sizes go up by a factor and end with the last one") {
  CHECK(size_steps(10, 1000, 10) == std::vector<std::int64_t>{10, 100, 1000});
  CHECK(size_steps(8, 100, 2) == std::vector<std::int64_t>{8, 16, 32, 64, 100});
  CHECK(size_steps(5, 5, 2) == std::vector<std::int64_t>{5});
}

TEST_CASE("rows are written as JSON, with null for what they do not have") {
  session s(false);
  s.add_times("a.compared", {2, 4, 2, 1.5, 2.5}, "by hand", 10, "ms", 0.9);
  s.add({"a.reported", 3, 0, "", "us", 0, 0, 0, std::nullopt});
  s.add_figures("a.infinite", 0, 1, "best", "MiB", std::nullopt);
  CHECK(to_json(s.rows()) ==
        "[\n {\"name\": \"a.compared\", \"ours\": 20, \"rival\": 40, \"rival_name\": \"by hand\", \"unit\": \"ms\", "
        "\"ratio\": 2, \"spread\": [1.5, 2.5], \"target\": 0.9},\n"
        " {\"name\": \"a.reported\", \"ours\": 3, \"rival\": null, \"rival_name\": \"\", \"unit\": \"us\", "
        "\"ratio\": null, \"spread\": null, \"target\": null},\n"
        " {\"name\": \"a.infinite\", \"ours\": 0, \"rival\": 1, \"rival_name\": \"best\", \"unit\": \"MiB\", "
        "\"ratio\": null, \"spread\": [null, null], \"target\": null}\n]\n");
  CHECK(s.rows()[0].met());
  CHECK_FALSE(s.rows()[1].met());
}

TEST_CASE("points of a series are rows like others, and lines of the table against problem size") {
  session s(false);
  s.add_times("other", {1, 1, 1, 1, 1}, "by hand", 1, "s", std::nullopt);
  s.add_point("axpy", 1000, {1e-3, 2e-3, 2, 1, 3}, "C++, \"best\" flags", 1e3, "ms");
  s.add_point("axpy", 2000, {2e-3, 0, 0, 0, 0}, "", 1e3, "ms");
  CHECK(s.rows()[1].name == "axpy.1000");
  CHECK(to_csv(s.rows()) ==
        "series,size,ours,rival,unit,ratio,low,high,rival_name\n"
        "axpy,1000,1,2,ms,2,1,3,\"C++, \"\"best\"\" flags\"\n"
        "axpy,2000,2,,ms,,,,\n");
}

TEST_CASE("a quick look takes fewer pairs") {
  const pairing asked{.pairs = 25, .bursts = 10};
  CHECK(session(false).scaled(asked).pairs == 25);
  CHECK(session(true).scaled(asked).pairs == 5);
  CHECK(session(true).scaled(asked).bursts == 2);
}

TEST_CASE("the command line names files and the benchmarks that are wanted") {
  const command c = parsed({"--json", "a.json", "--csv", "a.csv", "--only", "b.", "--quick"});
  CHECK(c.json == "a.json");
  CHECK(c.csv == "a.csv");
  CHECK(c.quick);
  const std::vector<benchmark> all{{"a.one", {}}, {"b.one", {}}, {"a.b.", {}}};
  const std::vector<benchmark> chosen = selected(all, c);
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].name == "b.one");
  CHECK(selected(all, parsed({})).size() == 3);
  CHECK(selected(all, parsed({"--only", "a.o,b.o"})).size() == 2);
  CHECK_THROWS_AS(static_cast<void>(parsed({"--jason", "x"})), argument_error);
  CHECK_THROWS_AS(static_cast<void>(parsed({"--only"})), argument_error);
}

TEST_CASE("a program says whether all its benchmarks ran, and writes what it measured") {
  const std::string name = cat("tessera_bench_frame_", getpid(), ".json");
  const std::string file = (std::filesystem::temp_directory_path() / name).string();
  const std::vector<benchmark> all{{"good", [](session& s) { s.add_figures("good", 1, 2, "by hand", "s", 1.0); }},
                                   {"bad", [](session&) { throw error("results differ"); }}};
  const std::array good{"program", "--only", "good", "--json", file.c_str()};
  CHECK(run_program(5, good.data(), all) == 0);
  CHECK(read_text(file).find("\"good\"") != std::string::npos);
  std::filesystem::remove(file);
  const std::array failing{"program", "--json", file.c_str()};
  CHECK(run_program(3, failing.data(), all) == 1);  // what was measured before is written
  CHECK(read_text(file).find("\"good\"") != std::string::npos);
  std::filesystem::remove(file);
  const std::array both{"program"};
  const std::array unknown{"program", "--unknown"};
  CHECK(run_program(1, both.data(), all) == 1);
  CHECK(run_program(2, unknown.data(), all) == 2);
}

TEST_CASE("values fall into bins alike, all into one, or into the first ones most often") {
  const auto count = [](const std::string& frequencies, int bin) {
    const std::vector<int> values = bin_numbers(10'000, 16, frequencies);
    for (const int v : values) REQUIRE((v >= 0 && v < 16));
    return std::count(values.begin(), values.end(), bin);
  };
  CHECK(std::abs(count("uniform", 3) - 625) < 200);
  CHECK(count("one_bin", 8) == 10'000);
  CHECK(count("zipf", 0) > 3 * count("zipf", 4));
}

TEST_CASE("a team of threads does every item once, in every loop") {
  thread_team team(3);
  std::vector<std::atomic<int>> times(1000);
  for (int loop = 0; loop < 20; ++loop)
    team.run(1000, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
    });
  for (const std::atomic<int>& t : times) CHECK(t == 20);
}

}  // namespace tessera::bench
