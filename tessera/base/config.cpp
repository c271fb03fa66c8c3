#include "tessera/base/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "tessera/base/checked.h"

extern char** environ;

namespace tessera {
namespace {

struct variable {
  const char* name;
  std::string options::*field;
};

constexpr std::array<variable, 17> variables{{
    {"TESSERA_DEVICES", &options::devices},
    {"TESSERA_DEVICE_MEMORY", &options::device_memory},
    {"TESSERA_HOST_MEMORY", &options::host_memory},
    {"TESSERA_SPILL_DIR", &options::spill_dir},
    {"TESSERA_SPILL_LIMIT", &options::spill_limit},
    {"TESSERA_CHECK", &options::check},
    {"TESSERA_TRACE", &options::trace},
    {"TESSERA_LOG", &options::log},
    {"TESSERA_CACHE_DIR", &options::cache_dir},
    {"TESSERA_CPU_TIER", &options::cpu_tier},
    {"TESSERA_KERNEL_TIMEOUT", &options::kernel_timeout},
    {"TESSERA_TIMEOUT", &options::timeout},
    {"TESSERA_DETERMINISTIC", &options::deterministic},
    {"TESSERA_DRY_RUN_NODES", &options::dry_run_nodes},
    {"TESSERA_PEER", &options::peer},
    {"TESSERA_LOG_TRANSFERS", &options::log_transfers},
    {"TESSERA_DISTURB", &options::disturb},
}};

/// Read elsewhere: by the compiler driver, by the network and by test builds.
constexpr std::array other_variables{"TESSERA_CXX", "TESSERA_MPI_PLUGIN", "TESSERA_MESSAGE_LIMIT", "TESSERA_DEFECT"};

std::int64_t unit_of(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 12> units{{{"", 1},
                                                                             {"B", 1},
                                                                             {"KiB", std::int64_t{1} << 10},
                                                                             {"MiB", std::int64_t{1} << 20},
                                                                             {"GiB", std::int64_t{1} << 30},
                                                                             {"TiB", std::int64_t{1} << 40},
                                                                             {"KB", 1000},
                                                                             {"MB", 1000'000},
                                                                             {"GB", 1000'000'000},
                                                                             {"TB", 1000'000'000'000},
                                                                             {"M", std::int64_t{1} << 20},
                                                                             {"G", std::int64_t{1} << 30}}};
  for (const auto& [name, bytes] : units)
    if (name == unit) return bytes;
  return 0;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

options with_environment(options given) {
  for (const variable& v : variables)
    if (const char* value = std::getenv(v.name)) given.*v.field = value;
  return given;
}

std::vector<std::pair<std::string, std::string>> list_settings(const options& how) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const variable& v : variables) settings.emplace_back(v.name, how.*v.field);
  return settings;
}

std::vector<std::string> environment_complaints() {
  std::vector<std::string> known, complaints;
  for (const variable& v : variables) known.emplace_back(v.name);
  known.insert(known.end(), other_variables.begin(), other_variables.end());
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("TESSERA_")) continue;
    const std::string name(text.substr(0, text.find('=')));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_name(name, known);
    complaints.push_back(name + " is no setting of Tessera" + (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  return complaints;
}

std::int64_t parse_bytes(std::string_view text, std::int64_t whole, std::string_view what) {
  std::int64_t number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const bool percent = unit == "%";
  if (status != std::errc{} || number <= 0 || (percent ? number > 100 : unit_of(unit) == 0))
    throw argument_error(cat(what, " is '", text, "'; a size such as 512MiB, 2GiB or 50% is expected"));
  if (percent) return whole / 100 * number;
  return checked_multiply(number, unit_of(unit), "a size in bytes");
}

namespace {

int parse_count(std::string_view item, std::string_view text, char sign, int least, int most) {
  int value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size() || value < least || value > most)
    throw argument_error(cat("'", item, "' in the list of devices: a number from ", least, " to ", most,
                             " is expected behind '", sign, "'"));
  return value;
}

}  // namespace

std::vector<device_request> parse_devices(std::string_view text) {
  std::vector<device_request> result;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    std::string_view kind = item;
    device_request request;
    if (const std::size_t star = kind.find('*'); star != std::string_view::npos) {
      request.count = parse_count(item, kind.substr(star + 1), '*', 1, 1024);
      kind = kind.substr(0, star);
    }
    if (const std::size_t colon = kind.find(':'); colon != std::string_view::npos) {
      request.ordinal = parse_count(item, kind.substr(colon + 1), ':', 0, 1023);
      kind = kind.substr(0, colon);
    }
    request.kind = kind;
    if (request.kind.empty())
      throw argument_error("the list of devices has an empty entry; an example of a list is cpu*4");
    result.push_back(std::move(request));
  }
  return result;
}

check_list parse_checks(std::string_view text) {
  check_list list;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool all = word == "all";
    if (!all && word != "uninitialised" && word != "unwritten" && word != "guards" && word != "lines" &&
        word != "ranks")
      throw argument_error(
          cat("'", word,
              "' is no check; all, uninitialised, unwritten, guards, lines or ranks is expected in TESSERA_CHECK"));
    list.uninitialised |= all || word == "uninitialised";
    list.unwritten |= all || word == "unwritten";
    list.guards |= all || word == "guards";
    list.lines |= all || word == "lines";
    list.ranks |= all || word == "ranks";
  }
  return list;
}

bool parse_flag(std::string_view text, std::string_view what) {
  if (text != "1" && text != "0" && !text.empty())
    throw argument_error(cat(what, " is '", text, "'; 1 or 0 is expected"));
  return text == "1";
}

std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most, std::string_view what) {
  std::int64_t value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size() || value < least || value > most)
    throw argument_error(cat(what, " is '", text, "'; a number from ", least, " to ", most, " is expected"));
  return value;
}

double parse_seconds(std::string_view text, std::string_view what) {
  double value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size() || !(value >= 0) || value > 1e9)
    throw argument_error(cat(what, " is '", text, "'; a number of seconds is expected"));
  return value;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& k : known) {
    const std::size_t distance = edit_distance(name, k);
    if (distance < least) least = distance, best = k;
  }
  return best;
}

}  // namespace tessera
