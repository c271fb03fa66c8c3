#include "tessera/base/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <numeric>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

extern char** environ;

namespace tessera {
namespace {

constexpr int most_ranks = 1 << 20;
constexpr std::array<std::string_view, 4> tier_names{"", "loop", "split", "fiber"};

template <class Number>
Number number_of(std::string_view text, std::string_view name, std::string_view expected) {
  Number value{};
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size())
    throw argument_error(cat(name, " is '", text, "'; ", expected, " is expected"));
  return value;
}

// `read(text, name, field)` gives a field the value of its variable, `written(field)` is that value as text.

void read(std::string_view text, std::string_view, std::string& field) { field = text; }
std::string written(const std::string& field) { return field; }

void read(std::string_view text, std::string_view, device_list& field) { field = device_list(text); }
std::string written(const device_list& field) { return field.text(); }

void read(std::string_view text, std::string_view, memory_size& field) { field = memory_size(text); }
std::string written(const memory_size& field) { return field.text(); }

void read(std::string_view text, std::string_view, check_list& field) { field = parse_checks(text); }
std::string written(const check_list& field) { return to_string(field); }

void read(std::string_view text, std::string_view, log_level& field) { field = parse_log_level(text); }
std::string written(log_level field) { return std::string(to_string(field)); }

void read(std::string_view text, std::string_view, tier_choice& field) { field = parse_tier(text); }
std::string written(tier_choice field) { return std::string(to_string(field)); }

void read(std::string_view text, std::string_view name, bool& field) {
  if (text != "1" && text != "0") throw argument_error(cat(name, " is '", text, "'; 1 or 0 is expected"));
  field = text == "1";
}
std::string written(bool field) { return field ? "1" : "0"; }

void read(std::string_view text, std::string_view name, int& field) {
  field = static_cast<int>(parse_integer(text, 1, most_ranks, name));
}
std::string written(int field) { return std::to_string(field); }

void read(std::string_view text, std::string_view name, std::int64_t& field) {
  if (text.ends_with('%')) throw argument_error(cat(name, " is '", text, "'; a number of bytes or 0 is expected"));
  field = text == "0" ? 0 : memory_size(text).of(0);
}
std::string written(std::int64_t field) { return std::to_string(field); }

void read(std::string_view text, std::string_view name, std::optional<std::uint64_t>& field) {
  field = number_of<std::uint64_t>(text, name, "a number");
}
std::string written(const std::optional<std::uint64_t>& field) { return std::to_string(field.value_or(0)); }

void read(std::string_view text, std::string_view name, std::optional<options::seconds>& field) {
  constexpr std::string_view expected = "a number of seconds";
  const auto value = number_of<double>(text, name, expected);
  if (!(value >= 0) || value > 1e9) throw argument_error(cat(name, " is '", text, "'; ", expected, " is expected"));
  field = options::seconds(value);
}
std::string written(const std::optional<options::seconds>& field) {
  return cat(field.value_or(options::seconds(0)).count());
}

struct variable {
  const char* name;
  void (*read)(options& into, std::string_view text, std::string_view name);
  std::string (*written)(const options& from);
};

template <auto Field>
constexpr variable made_of(const char* name) {
  return {name,
          [](options& into, std::string_view text, std::string_view variable_name) {
            if (text.empty())
              into.*Field = options{}.*Field;
            else
              read(text, variable_name, into.*Field);
          },
          [](const options& from) { return from.*Field == options{}.*Field ? std::string() : written(from.*Field); }};
}

constexpr std::array<variable, 18> variables{{
    made_of<&options::devices>("TESSERA_DEVICES"),
    made_of<&options::device_memory>("TESSERA_DEVICE_MEMORY"),
    made_of<&options::host_memory>("TESSERA_HOST_MEMORY"),
    made_of<&options::spill_dir>("TESSERA_SPILL_DIR"),
    made_of<&options::spill_limit>("TESSERA_SPILL_LIMIT"),
    made_of<&options::check>("TESSERA_CHECK"),
    made_of<&options::trace>("TESSERA_TRACE"),
    made_of<&options::log>("TESSERA_LOG"),
    made_of<&options::cache_dir>("TESSERA_CACHE_DIR"),
    made_of<&options::cpu_tier>("TESSERA_CPU_TIER"),
    made_of<&options::kernel_timeout>("TESSERA_KERNEL_TIMEOUT"),
    made_of<&options::timeout>("TESSERA_TIMEOUT"),
    made_of<&options::deterministic>("TESSERA_DETERMINISTIC"),
    made_of<&options::small>("TESSERA_SMALL"),
    made_of<&options::dry_run_nodes>("TESSERA_DRY_RUN_NODES"),
    made_of<&options::peer>("TESSERA_PEER"),
    made_of<&options::log_transfers>("TESSERA_LOG_TRANSFERS"),
    made_of<&options::disturb>("TESSERA_DISTURB"),
}};

/// Read elsewhere: by the compiler driver, by what opens plugins, by the network and by test builds.
constexpr std::array other_variables{"TESSERA_CXX",      "TESSERA_MPI_PLUGIN",    "TESSERA_CUB_PLUGIN",
                                     "TESSERA_OPENBLAS", "TESSERA_MESSAGE_LIMIT", "TESSERA_DEFECT"};

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

/// What types allow and settings do not.
void refuse_nonsense(const options& settings) {
  constexpr double longest = 1e9;
  for (const auto& limit : {settings.kernel_timeout, settings.timeout})
    if (limit && !(limit->count() >= 0 && limit->count() <= longest))
      throw argument_error(cat("a time limit of ", limit->count(), " seconds; 0 (none) to ", longest, " are possible"));
  if (settings.small < 0)
    throw argument_error(cat("launches of ", settings.small, " bytes are small; 0 (none) or more are possible"));
  if (settings.dry_run_nodes < 0 || settings.dry_run_nodes > most_ranks)
    throw argument_error(cat("a dry run on ", settings.dry_run_nodes, " ranks; 1 to ", most_ranks, " are possible"));
}

}  // namespace

options with_environment(options given) {
  for (const variable& v : variables) {
    const char* const value = std::getenv(v.name);
    if (value == nullptr) continue;
    try {
      v.read(given, value, v.name);
    } catch (const argument_error& e) {
      const std::string_view reason = e.what();
      if (reason.starts_with(v.name)) throw;
      throw argument_error(cat(v.name, ": ", reason));
    }
  }
  refuse_nonsense(given);
  return given;
}

std::vector<std::pair<std::string, std::string>> list_settings(const options& chosen) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const variable& v : variables) settings.emplace_back(v.name, v.written(chosen));
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

tier_choice parse_tier(std::string_view text) {
  for (std::size_t i = 0; i < tier_names.size(); ++i)
    if (tier_names[i] == text) return static_cast<tier_choice>(i);
  throw argument_error(cat("'", text, "' is no form of a kernel; loop, split or fiber is expected"));
}

std::string_view to_string(tier_choice tier) { return tier_names[static_cast<std::size_t>(tier)]; }

std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most, std::string_view setting) {
  const std::string expected = cat("a number from ", least, " to ", most);
  const auto value = number_of<std::int64_t>(text, setting, expected);
  if (value < least || value > most) throw argument_error(cat(setting, " is '", text, "'; ", expected, " is expected"));
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
