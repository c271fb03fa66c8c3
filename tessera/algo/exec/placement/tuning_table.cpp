#include "tessera/algo/exec/placement/tuning_table.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

constexpr std::string_view heading = "tessera tuning 1";

/// "4096:1.5e-06".
std::optional<tuning_point> point_of(const std::string& word) {
  long long bytes = 0;
  double seconds = 0;
  if (std::sscanf(word.c_str(), "%lld:%lf", &bytes, &seconds) != 2 || bytes < 0 || !(seconds > 0)) return std::nullopt;
  return tuning_point{bytes, seconds};
}

/// "cpu*4|map|4096:1.5e-06 65536:2e-05".
std::optional<tuning_row> row_of(const std::string& line) {
  const std::size_t first = line.find('|'), second = first == line.npos ? first : line.find('|', first + 1);
  if (second == line.npos) return std::nullopt;
  tuning_row row{line.substr(0, first), line.substr(first + 1, second - first - 1)};
  std::istringstream words(line.substr(second + 1));
  for (std::string word; words >> word;) {
    const std::optional<tuning_point> point = point_of(word);
    if (!point || (!row.points.empty() && point->bytes <= row.points.back().bytes)) return std::nullopt;
    row.points.push_back(*point);
  }
  if (row.points.empty()) return std::nullopt;
  return row;
}

}  // namespace

void tuning_table::set(tuning_row row) {
  std::sort(row.points.begin(), row.points.end(),
            [](const tuning_point& a, const tuning_point& b) { return a.bytes < b.bytes; });
  const auto same = [&](const tuning_row& r) { return r.devices == row.devices && r.function == row.function; };
  const auto found = std::find_if(rows_.begin(), rows_.end(), same);
  if (found != rows_.end())
    *found = std::move(row);
  else
    rows_.push_back(std::move(row));
}

std::optional<double> tuning_table::seconds(std::string_view devices, std::string_view function,
                                            std::int64_t bytes) const {
  const auto same = [&](const tuning_row& r) { return r.devices == devices && r.function == function; };
  const auto found = std::find_if(rows_.begin(), rows_.end(), same);
  if (found == rows_.end()) return std::nullopt;
  const std::vector<tuning_point>& points = found->points;
  const auto above =
      std::find_if(points.begin(), points.end(), [&](const tuning_point& p) { return p.bytes >= bytes; });
  if (above == points.begin()) return above->seconds;
  const tuning_point& below = *(above - 1);
  const auto given = static_cast<double>(bytes), low = static_cast<double>(below.bytes);
  if (above == points.end()) return below.seconds * (given / std::max(low, 1.0));
  return below.seconds + (above->seconds - below.seconds) * (given - low) / (static_cast<double>(above->bytes) - low);
}

std::string tuning_table::text() const {
  std::string all = cat(heading, "\n");
  for (const tuning_row& row : rows_) {
    all += cat(row.devices, "|", row.function, "|");
    for (const tuning_point& p : row.points) {
      char number[48];
      std::snprintf(number, sizeof number, "%lld:%.9g ", static_cast<long long>(p.bytes), p.seconds);
      all += number;
    }
    all += "\n";
  }
  return all;
}

tuning_table tuning_table::parse(std::string_view text) {
  tuning_table table;
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != heading) return table;
  while (std::getline(lines, line))
    if (std::optional<tuning_row> row = row_of(line)) table.set(std::move(*row));
  return table;
}

}  // namespace tessera::algo
