// tessera_cocluster: finds clusters of rows and columns of a matrix that may be larger than memory. See the usage
// below.
#include <tessera/tessera.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "examples/cocluster/hidden_matrix.h"
#include "examples/cocluster/solver.h"

namespace {

using namespace cocluster;

constexpr const char* usage =
    R"(usage: tessera_cocluster generate FILE [--rows N] [--columns N] [--row-clusters N] [--column-clusters N] [--seed N]
       tessera_cocluster find FILE [--row-clusters N] [--column-clusters N] [--iterations N] [--starts N]
                                   [--tolerance X] [--seed N] [--output PREFIX] [--no-progress]

  generate   writes a matrix with hidden clusters (1000 x 600, 5 x 4) in NumPy's format
  find       puts rows and columns into clusters (8 x 6) until an iteration changes their cost by less than the part X
             (1e-6) of it, from so many starts at random (1). Writes PREFIX.rows.txt, PREFIX.columns.txt and a picture
             of the sorted matrix, PREFIX.pgm. FILE holds 32-bit floats that are not negative (numpy.save)
)";

/// What makes no sense on the command line.
struct usage_error : tessera::argument_error {
  using argument_error::argument_error;
};

struct request {
  std::string command, file, output = "cocluster";
  hidden_matrix hidden{{1000, 600}, 5, 4, 1};
  settings search;
  bool progress = true;
};

template <class T>
T number_above_zero(const std::string& option, const std::string& text) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range) throw usage_error(option + ": " + text + " is too large");
  if (status != std::errc() || end != text.data() + text.size() || !(value > 0))
    throw usage_error(option + " takes a number above 0, not '" + text + "'");
  return value;
}

request parse(const std::vector<std::string>& words) {
  request asked;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    const auto value = [&]() -> const std::string& {
      if (k + 1 == words.size()) throw usage_error(word + " needs a value");
      return words[++k];
    };
    if (word == "--rows")
      asked.hidden.shape.rows = number_above_zero<std::int64_t>(word, value());
    else if (word == "--columns")
      asked.hidden.shape.columns = number_above_zero<std::int64_t>(word, value());
    else if (word == "--row-clusters")
      asked.search.row_clusters = asked.hidden.row_clusters = number_above_zero<int>(word, value());
    else if (word == "--column-clusters")
      asked.search.column_clusters = asked.hidden.column_clusters = number_above_zero<int>(word, value());
    else if (word == "--seed")
      asked.search.seed = asked.hidden.seed = number_above_zero<std::uint64_t>(word, value());
    else if (word == "--iterations")
      asked.search.iterations = number_above_zero<int>(word, value());
    else if (word == "--starts")
      asked.search.starts = number_above_zero<int>(word, value());
    else if (word == "--tolerance")
      asked.search.tolerance = number_above_zero<double>(word, value());
    else if (word == "--output")
      asked.output = value();
    else if (word == "--no-progress")
      asked.progress = false;
    else if (word.starts_with("-"))
      throw usage_error("unknown option '" + word + "'");
    else if (asked.command.empty())
      asked.command = word;
    else if (asked.file.empty())
      asked.file = word;
    else
      throw usage_error("what is '" + word + "'?");
  }
  if (asked.command != "generate" && asked.command != "find")
    throw usage_error(asked.command.empty() ? "generate or find?" : "there is no command '" + asked.command + "'");
  if (asked.file.empty()) throw usage_error("which file?");
  return asked;
}

void generate(const request& asked) {
  const matrix_shape shape = asked.hidden.shape;
  if (shape.rows > (std::int64_t{1} << 60) / shape.columns) throw usage_error("no file can be that large");
  asked.hidden.write(asked.file);
  std::printf("%s: %lld x %lld, %d x %d clusters\n", asked.file.c_str(), static_cast<long long>(shape.rows),
              static_cast<long long>(shape.columns), asked.hidden.row_clusters, asked.hidden.column_clusters);
}

observer printer(std::int64_t rows) {
  observer watch;
  watch.loaded = [rows, tenths = std::int64_t{0}](std::int64_t done) mutable {
    if (done * 10 / rows == tenths) return;
    tenths = done * 10 / rows;
    std::printf("loaded %3lld %%\n", static_cast<long long>(10 * tenths));
    std::fflush(stdout);
  };
  watch.iterated = [](int start, int iteration, double cost) {
    std::printf("start %d, iteration %3d: cost %.10g\n", start + 1, iteration, cost);
    std::fflush(stdout);
  };
  return watch;
}

void find(const request& asked) {
  matrix_reader file(asked.file);
  tessera::context ctx;
  const bool speaks = ctx.rank() == 0;
  if (speaks) require_writable(asked.output);
  const observer watch = asked.progress && speaks ? printer(file.shape().rows) : observer{};
  solver search(ctx, file, asked.search, COCLUSTER_KERNELS, watch);
  const auto begin = std::chrono::steady_clock::now();
  const solution found = search.find();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!speaks) return;
  write_results(asked.output, found, picture_of(file, found));
  std::printf("%lld x %lld elements, cost %.10g after %d iterations; %.3g s for all starts\n",
              static_cast<long long>(file.shape().rows), static_cast<long long>(file.shape().columns), found.cost,
              found.iterations, seconds);
  std::printf("wrote %s.rows.txt, %s.columns.txt, %s.pgm\n", asked.output.c_str(), asked.output.c_str(),
              asked.output.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const request asked = parse({argv + 1, argv + argc});
    asked.command == "generate" ? generate(asked) : find(asked);
    return 0;
  } catch (const usage_error& e) {
    std::fprintf(stderr, "tessera_cocluster: %s\n%s", e.what(), usage);
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera_cocluster: %s\n", e.what());
    return 1;
  }
}
