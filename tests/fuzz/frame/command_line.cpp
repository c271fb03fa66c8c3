#include "tests/fuzz/frame/command_line.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tessera/base/text.h"
#include "tessera/device/host/launcher.h"

namespace tessera::fuzz {
namespace {

constexpr std::uint64_t endless = std::uint64_t{1} << 40;

/// Sets a number of any type.
template <class T>
option number_option(std::string name, std::string value, T& target) {
  return {std::move(name), std::move(value), [&target](std::uint64_t n) { target = static_cast<T>(n); }};
}

option flag_option(std::string name, bool& target, bool value) {
  return {std::move(name), "", [&target, value](std::uint64_t) { target = value; }};
}

/// The options of every fuzzer that must stand on every command line.
std::vector<option> leading_options(command& c) {
  return {number_option("--programs", "N", c.campaign.programs), number_option("--seed", "S", c.campaign.seed)};
}

/// Those that may be left out.
std::vector<option> common_options(command& c) {
  return {number_option("--first", "K", c.campaign.first),
          number_option("--jobs", "J", c.campaign.jobs),
          number_option("--time", "SECONDS", c.campaign.seconds),
          number_option("--hang", "SECONDS", c.campaign.hang_seconds),
          flag_option("--no-shrink", c.campaign.shrink, false),
          flag_option("--stop", c.campaign.stop, true),
          {"--show", "K", [&c](std::uint64_t n) { c.show = n; }}};
}

option soak_option(command& c, subject& tested) {
  return {"--soak", "SECONDS", [&c, &tested](std::uint64_t seconds) {
            c.campaign.soak = true;
            c.campaign.seconds = static_cast<int>(seconds);
            c.campaign.programs = endless;
            tested.prepare_soak();
          }};
}

std::uint64_t parse_number(std::string_view name, const char* text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text, text + std::strlen(text), value);
  if (status == std::errc{} && *end == 0 && end != text) return value;
  throw usage_error(cat(name, " takes a number"));
}

std::string text_of(const option& o) { return o.value.empty() ? o.name : cat(o.name, " ", o.value); }

}  // namespace

command parse_command_line(std::span<const char* const> words, subject& tested) {
  command parsed;
  std::vector<option> known = leading_options(parsed);
  for (const std::vector<option>& more : {common_options(parsed), tested.options()})
    known.insert(known.end(), more.begin(), more.end());
  known.push_back(soak_option(parsed, tested));
  known.push_back(flag_option("--help", parsed.help, true));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto o = std::find_if(known.begin(), known.end(), [&](const option& k) { return k.name == word; });
    if (o == known.end()) throw usage_error(cat("unknown option '", word, "'"));
    const bool last = i + 1 == words.size();
    o->set(o->value.empty() ? 0 : parse_number(word, last ? "" : words[++i]));
    if (parsed.help) break;
  }
  return parsed;
}

std::string usage_of(subject& tested) {
  command unused;
  constexpr std::size_t width = 118;
  const std::string name(tested.name());
  std::string text, line = name;
  for (const option& o : leading_options(unused)) line += cat(" ", text_of(o));
  const auto add = [&](const option& o) {
    const std::string word = cat(" [", text_of(o), "]");
    if (line.size() + word.size() > width) text += line + "\n", line = std::string(name.size(), ' ');
    line += word;
  };
  for (const option& o : tested.options()) add(o);
  for (const option& o : common_options(unused)) add(o);
  return cat(text, line, "\n", name, " ", text_of(soak_option(unused, tested)), " [--seed S]\n", tested.about(), "\n");
}

int run_fuzzer(int argc, char** argv, subject& tested) {
  command parsed;
  try {
    parsed = parse_command_line({argv + 1, argv + std::max(argc, 1)}, tested);
  } catch (const usage_error& e) {
    std::fprintf(stderr, "%s\n%s", e.what(), usage_of(tested).c_str());
    return 2;
  }
  if (parsed.help) return std::fputs(usage_of(tested).c_str(), stderr), 0;
  if (parsed.show) {
    std::fputs(tested.draw(parsed.campaign.seed, *parsed.show)->print(std::nullopt).c_str(), stdout);
    return 0;
  }
  const campaign_result result = run_campaign(tested, parsed.campaign);
  // Work that hangs or was abandoned must not keep the process from ending.
  std::fflush(stdout);
  if (this_process().ranks > 1 && result.failed == 0) return 0;  // MPI is finalised
  std::_Exit(result.failed == 0 ? 0 : 1);
}

}  // namespace tessera::fuzz
