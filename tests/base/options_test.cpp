#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::scoped_variable;

namespace {

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const argument_error& e) {
    return e.what();
  }
  return "no error";
}

/// The options that the environment gives with one variable set.
options with(const char* variable, const std::string& value, const options& given = {}) {
  const scoped_variable set(variable, value);
  return with_environment(given);
}

bool says(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("'", part, "' is not in: ", text);
  return found;
}

}  // namespace

TEST_CASE("a size of memory is bytes, with a unit, or a percentage of what there is") {
  CHECK(memory_size().empty());
  CHECK(memory_size("").empty());
  CHECK(memory_size("4096").of(0) == 4096);
  CHECK(memory_size("512MiB").of(7) == 512 << 20);
  CHECK(memory_size("2GB").of(7) == 2'000'000'000);
  CHECK(memory_size("50%").of(1000) == 500);
  CHECK(memory_size(300).of(7) == 300);
  CHECK(memory_size("1KiB") == memory_size(1024));
  CHECK(memory_size(memory_size("50%").text()) == memory_size("50%"));
  CHECK(memory_size("2KiB").text() == "2048");
  for (const char* nonsense : {"plenty", "-1", "0", "101%", "3 apples", "1.5GiB", "%"})
    CHECK(says(refusal([&] { (void)memory_size(nonsense); }), std::string("'") + nonsense + "' is no size of memory"));
  CHECK(says(refusal([] { (void)memory_size(std::int64_t{0}); }), "0 bytes"));
  CHECK(says(refusal([] { (void)memory_size("9999999999TiB"); }), "size in bytes"));
}

TEST_CASE("a list of devices names kinds, numbers and counts") {
  CHECK(device_list().empty());
  const device_list list("cpu*4,cuda:1,cuda:2*3");
  CHECK(list.requests() == std::vector<device_request>{{"cpu", -1, 4}, {"cuda", 1, 1}, {"cuda", 2, 3}});
  CHECK(list.text() == "cpu*4,cuda:1,cuda:2*3");
  CHECK(device_list(list.requests()) == list);
  CHECK(says(refusal([] { (void)device_list("cpu*0"); }), "1 to 1024"));
  CHECK(says(refusal([] { (void)device_list("cpu*many"); }), "'cpu*many'"));
  CHECK(says(refusal([] { (void)device_list("cuda:-1"); }), "0 to 1023"));
  CHECK(says(refusal([] { (void)device_list("*2"); }), "empty entry"));
  CHECK(says(refusal([] { (void)device_list(std::vector<device_request>{{"cpu", -1, 0}}); }), "0 devices"));
}

TEST_CASE("checks are switched on by name") {
  CHECK(parse_checks("") == check_list{});
  CHECK(parse_checks("all") == check_list::all());
  CHECK(parse_checks("guards,lines") == check_list{.guards = true, .lines = true});
  CHECK(parse_checks(to_string(check_list{.unwritten = true, .ranks = true})) ==
        check_list{.unwritten = true, .ranks = true});
  CHECK(to_string(check_list::all()) == "all");
  CHECK(says(refusal([] { (void)parse_checks("everything"); }), "'everything' is no check"));
}

TEST_CASE("each variable of the environment sets its field, and wins over what the program says") {
  CHECK(with("TESSERA_DEVICES", "cpu*3").devices == device_list("cpu*3"));
  CHECK(with("TESSERA_DEVICE_MEMORY", "50%").device_memory == memory_size("50%"));
  CHECK(with("TESSERA_HOST_MEMORY", "1GiB").host_memory == memory_size("1GiB"));
  CHECK(with("TESSERA_SPILL_DIR", "/var/tmp").spill_dir == "/var/tmp");
  CHECK(with("TESSERA_SPILL_LIMIT", "1GB").spill_limit == memory_size("1GB"));
  CHECK(with("TESSERA_CHECK", "ranks").check == check_list{.ranks = true});
  CHECK(with("TESSERA_TRACE", "t.json").trace == "t.json");
  CHECK(with("TESSERA_LOG", "debug").log == log_level::debug);
  CHECK(with("TESSERA_CACHE_DIR", "/cache").cache_dir == "/cache");
  CHECK(with("TESSERA_CPU_TIER", "fiber").cpu_tier == tier_choice::fiber);
  CHECK(with("TESSERA_KERNEL_TIMEOUT", "1.5").kernel_timeout == options::seconds(1.5));
  CHECK(with("TESSERA_TIMEOUT", "0").timeout == options::seconds(0));
  CHECK(with("TESSERA_DETERMINISTIC", "1").deterministic);
  CHECK(with("TESSERA_SMALL", "64KiB").small == 65'536);
  CHECK(with("TESSERA_SMALL", "0").small == 0);
  CHECK(with("TESSERA_DRY_RUN_NODES", "64").dry_run_nodes == 64);
  CHECK(!with("TESSERA_PEER", "0").peer);
  CHECK(with("TESSERA_LOG_TRANSFERS", "1").log_transfers == "1");
  CHECK(with("TESSERA_DISTURB", "7").disturb == 7);

  options given;
  given.devices = "cpu*2";
  given.deterministic = true;
  CHECK(with("TESSERA_DEVICES", "null", given).devices == device_list("null"));
  CHECK(!with("TESSERA_DETERMINISTIC", "0", given).deterministic);
  CHECK(with("TESSERA_LOG", "info", given).devices == device_list("cpu*2"));
}

TEST_CASE("a variable that is set to nothing stands for the default") {
  options given;
  given.peer = false;
  given.timeout = options::seconds(3);
  given.devices = "cpu*2";
  CHECK(with("TESSERA_PEER", "", given).peer);
  CHECK(!with("TESSERA_TIMEOUT", "", given).timeout);
  CHECK(with("TESSERA_DEVICES", "", given).devices.empty());
}

TEST_CASE("a variable whose value makes no sense is named, with what is expected") {
  const std::vector<std::vector<std::string>> nonsense{
      {"TESSERA_DEVICES", "cpu*0", "1 to 1024"},    {"TESSERA_DEVICE_MEMORY", "plenty", "512MiB"},
      {"TESSERA_HOST_MEMORY", "-5", "512MiB"},      {"TESSERA_SPILL_LIMIT", "200%", "50%"},
      {"TESSERA_CHECK", "everything", "unwritten"}, {"TESSERA_LOG", "loud", "debug"},
      {"TESSERA_CPU_TIER", "warp", "fiber"},        {"TESSERA_KERNEL_TIMEOUT", "soon", "seconds"},
      {"TESSERA_TIMEOUT", "-1", "seconds"},         {"TESSERA_DETERMINISTIC", "yes", "1 or 0"},
      {"TESSERA_SMALL", "10%", "bytes or 0"},       {"TESSERA_SMALL", "tiny", "512MiB"},
      {"TESSERA_DRY_RUN_NODES", "0", "from 1 to"},  {"TESSERA_PEER", "no", "1 or 0"},
      {"TESSERA_DISTURB", "-3", "a number"},
  };
  for (const std::vector<std::string>& row : nonsense) {
    const std::string text = refusal([&] { (void)with(row[0].c_str(), row[1]); });
    CHECK(text.starts_with(row[0]));
    CHECK(says(text, "'" + row[1] + "'"));
    CHECK(says(text, row[2]));
  }
}

TEST_CASE("values that their types allow but that make no sense are refused, too") {
  const auto refused = [](auto change) {
    options settings;
    change(settings);
    return refusal([&] { (void)with_environment(settings); });
  };
  CHECK(says(refused([](options& settings) { settings.timeout = options::seconds(-1); }), "-1 seconds"));
  CHECK(says(refused([](options& settings) { settings.kernel_timeout = options::seconds(1e12); }), "time limit"));
  CHECK(says(refused([](options& settings) { settings.dry_run_nodes = -3; }), "-3 ranks"));
}

TEST_CASE("settings are listed as the environment would say them, defaults as nothing") {
  for (const auto& [name, value] : list_settings({})) {
    INFO(name);
    CHECK(value.empty());
  }
  options settings;
  settings.devices = "cpu*2";
  settings.host_memory = "1MiB";
  settings.check.guards = true;
  settings.timeout = options::seconds(1.5);
  settings.peer = false;
  settings.disturb = 0;
  std::vector<std::string> found;
  for (const auto& [name, value] : list_settings(settings))
    if (!value.empty()) found.push_back(name + "=" + value);
  CHECK(found == std::vector<std::string>{"TESSERA_DEVICES=cpu*2", "TESSERA_HOST_MEMORY=1048576",
                                          "TESSERA_CHECK=guards", "TESSERA_TIMEOUT=1.5", "TESSERA_PEER=0",
                                          "TESSERA_DISTURB=0"});
}
