// Every name of docs/reference/algorithms.md against the standard library, on ranks and devices, with any parts, types
// of elements and numbers of them, and with little memory.
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <regex>
#include <set>

#include "tessera/base/text.h"
#include "tests/algo/oracle/table.h"

using namespace tessera::support;

namespace {

using namespace oracle;
constexpr std::int64_t chunk = 4096;

struct setting {
  int ranks = 1;
  int devices = 1;        ///< Of each rank.
  bool is_short = false;  ///< Of memory: devices have a tenth of what three containers need.
};

/// Calls of all names for elements of one type.
template <class T>
class product {
 public:
  explicit product(const char* type) : type_(type) {}

  void run(const setting& where, const std::vector<std::int64_t>& sizes, const std::vector<parts>& forms) {
    std::erase_if(data_, [](const auto& each) { return each.first > 4 * chunk; });
    std::erase_if(answers_, [](const auto& each) { return each.first.second > 4 * chunk; });
    for (const std::int64_t n : sizes) prepare(n);
    const std::int64_t all = where.ranks * where.devices;
    ts::options settings = quiet("cpu*" + std::to_string(where.devices));
    settings.small = 0;
    if (where.is_short) {
      const std::int64_t most = *std::max_element(sizes.begin(), sizes.end());
      settings.device_memory = settings.host_memory = 3 * most * static_cast<std::int64_t>(sizeof(T)) / all / 10;
    }
    const auto body = [&](const ts::context& ctx) {
      for (const std::int64_t n : sizes)
        for (const parts form : forms) {
          if (all == 1 && form != parts::even) continue;
          for (std::size_t k = 0; k < rows_.size(); ++k)
            if (!where.is_short || !rows_[k].reads_whole) call(k, {*data_.at(n), ctx, all, form}, where);
        }
    };
    if (where.ranks == 1) {
      const ts::context ctx(settings);
      body(ctx);
    } else {
      for (const std::string& e : errors_on_ranks(
               where.ranks, [&](int) { return settings; }, body))
        wrong_.push_back(e);
    }
  }
  /// Says what was wrong.
  void report() const {
    MESSAGE(std::string(type_) << ": " << calls_ << " calls of " << rows_.size() << " names, " << wrong_.size()
                               << " wrong");
    for (std::size_t k = 0; k < std::min<std::size_t>(wrong_.size(), 20); ++k) FAIL_CHECK(wrong_[k]);
  }

 private:
  struct answer {
    observation expected;
    std::optional<observation> seen;  // of the first call
  };

  void prepare(std::int64_t n) {
    if (data_.count(n) > 0) return;
    data_[n] = std::make_unique<host_data<T>>(n);
    for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k].expected(*data_[n], answers_[{k, n}].expected);
  }

  void call(std::size_t number, const device_data<T>& data, const setting& where) {
    const row<T>& row = rows_[number];
    std::string error;
    observation seen;
    try {
      row.given(data, seen);
    } catch (const std::exception& e) {
      error = e.what();
    }
    const std::lock_guard lock(mutex_);
    ++calls_;
    answer& known = answers_.at({number, data.n()});
    if (error.empty() && !known.expected.equals(seen, row.rounds)) error = "not what the standard library gives";
    if (error.empty() && !known.seen) known.seen = seen;
    if (error.empty() && !(*known.seen == seen)) error = "other bits than elsewhere";
    if (!error.empty())
      wrong_.push_back(tessera::cat(row.name, " of ", data.n(), " elements of type ", type_, " in parts ",
                                    static_cast<int>(data.form), " on ", where.ranks, " ranks of ", where.devices,
                                    " devices", where.is_short ? " with little memory" : "", ": ", error));
  }

  const char* type_;
  table<T> rows_ = all_rows<T>();
  std::map<std::int64_t, std::unique_ptr<host_data<T>>> data_;
  std::map<std::pair<std::size_t, std::int64_t>, answer> answers_;
  std::mutex mutex_;
  std::int64_t calls_ = 0;
  std::vector<std::string> wrong_;
};

/// The names of the page's tables.
std::set<std::string> documented_names() {
  std::ifstream page(TESSERA_SOURCE_FOLDER "/docs/reference/algorithms.md");
  std::set<std::string> names;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `") || line.find("views::") != std::string::npos) continue;
    const std::string cell = line.substr(2, line.find(" | ") - 2);
    const std::regex quoted("`([a-z_]+)`");
    for (std::sregex_iterator k(cell.begin(), cell.end(), quoted), end; k != end; ++k)
      if ((*k)[1] != "_by_key") names.insert((*k)[1]);
    if (cell.find("`_by_key`") != std::string::npos) names.insert({"set_intersection_by_key", "set_difference_by_key"});
  }
  return names;
}

/// Sizes around none, the number of devices, and a chunk.
std::vector<std::int64_t> sizes_for(const setting& where) {
  const std::int64_t p = where.ranks * where.devices;
  std::set<std::int64_t> sizes{0, 1, p - 1, p, p + 1, chunk - 1, chunk, chunk + 1, 3 * chunk + 17};
  return {sizes.begin(), sizes.end()};
}

/// `all`: every number of elements in parts of every form; else a selection that differs from machine to machine.
template <class T>
void run_product(const char* type, bool all) {
  product<T> calls(type);
  std::size_t number = 0;
  for (const int ranks : {1, 2, 3, 4, 7})
    for (const int devices : {1, 3}) {
      const setting plenty{ranks, devices, false};
      const std::int64_t p = ranks * devices;
      const parts other = all_parts[1 + number++ % 3];
      if (all)
        calls.run(plenty, sizes_for(plenty), {parts::even, parts::uneven, parts::gaps, parts::single});
      else
        calls.run(plenty, {1, p + 1, chunk + 1, 3 * chunk + 17}, {parts::even, other});
      if (p <= 4 && !on_gpu()) calls.run({ranks, devices, true}, {20 * chunk * p}, {parts::even});
    }
  calls.report();
}

}  // namespace

TEST_CASE("the product has a row for every name of the reference") {
  std::set<std::string> names;
  for (const row<int>& each : all_rows<int>()) names.insert(each.name);
  CHECK(names.size() == all_rows<int>().size());
  CHECK(names == documented_names());
}

TEST_CASE("every name gives what the standard library gives") {
  product<int> ints("int");
  product<three> threes("three");
  for (const setting& where : {setting{1, 3}, setting{2, 1}}) {
    ints.run(where, {0, 1, 2, chunk + 1}, {parts::even, parts::gaps});
    threes.run(where, {chunk + 1}, {parts::uneven});
  }
  // Containers of many pages of a GPU would take the standard library minutes.
  if (!on_gpu()) ints.run({1, 2, true}, {40 * chunk}, {parts::even});
  ints.report();
  threes.report();
}

TEST_CASE("every name on all machines: int" * doctest::skip()) { run_product<int>("int", true); }
TEST_CASE("every name on all machines: float" * doctest::skip()) { run_product<float>("float", false); }
TEST_CASE("every name on all machines: structs of 3 bytes" * doctest::skip()) { run_product<three>("three", false); }
TEST_CASE("every name on all machines: structs of 24 bytes" * doctest::skip()) { run_product<wide>("wide", false); }
