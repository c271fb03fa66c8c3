#include "benchmarks/frame/row.h"

#include <cmath>
#include <cstdio>

#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

/// A number with few digits; `missing` for what is not finite.
std::string number(double value, const char* missing) {
  if (!std::isfinite(value)) return missing;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string json_number(double value) { return number(value, "null"); }

std::string verdict(const row& r) {
  if (!r.target) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%6.3f %s", *r.target, r.met() ? "met" : "MISSED");
  return text;
}

/// A field of comma-separated values: in quotes, with quotes doubled, where it needs them.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void print_table_head() {
  std::printf(
      "%s\n",
      "benchmark                                            ours        rival  unit          ratio   quartiles   "
      "   target");
}

void print_row(const row& r) {
  if (r.compared())
    std::printf("%-46s %10.4g %12.4g  %-12s %6.3f  [%.2f, %.2f]  %s\n", r.name.c_str(), r.ours, r.rival, r.unit.c_str(),
                r.ratio, r.low, r.high, verdict(r).c_str());
  else
    std::printf("%-46s %10.4g %12s  %-12s\n", r.name.c_str(), r.ours, "", r.unit.c_str());
  std::fflush(stdout);
}

std::string to_json(const std::vector<row>& rows) {
  std::string text = "[";
  for (const row& r : rows) {
    const auto or_null = [&](double value) { return r.compared() ? json_number(value) : "null"; };
    text += cat(text.size() > 1 ? ",\n " : "\n ", "{\"name\": \"", r.name, "\", \"ours\": ", json_number(r.ours),
                ", \"rival\": ", or_null(r.rival), ", \"rival_name\": \"", r.rival_name, "\", \"unit\": \"", r.unit,
                "\", \"ratio\": ", or_null(r.ratio),
                ", \"spread\": ", r.compared() ? cat("[", json_number(r.low), ", ", json_number(r.high), "]") : "null",
                ", \"target\": ", r.target ? json_number(*r.target) : "null", "}");
  }
  return text + "\n]\n";
}

std::string to_csv(const std::vector<row>& rows) {
  std::string text = "series,size,ours,rival,unit,ratio,low,high,rival_name\n";
  for (const row& r : rows) {
    if (r.series.empty()) continue;
    const auto or_empty = [&](double value) { return r.compared() ? number(value, "") : ""; };
    text += cat(csv_text(r.series), ",", number(r.size, ""), ",", number(r.ours, ""), ",", or_empty(r.rival), ",",
                csv_text(r.unit), ",", or_empty(r.ratio), ",", or_empty(r.low), ",", or_empty(r.high), ",",
                csv_text(r.rival_name), "\n");
  }
  return text;
}

}  // namespace tessera::bench
