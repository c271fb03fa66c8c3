// What the first launch of a kernel waits for: the compiler, or the cache.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/inputs.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/build/compile_service.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;

class temporary_directory {
 public:
  temporary_directory() {
    std::string name = (fs::temp_directory_path() / "tessera-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw io_error(cat("cannot make a directory like ", name));
    path_ = name;
  }
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// From a kernel's text to a function that can be launched. `mark` makes the text a new one.
double load_kernel(device::backend& backend, const std::string& directory, const std::string& source,
                   const std::string& mark) {
  kernels::compile_service service(backend, kernels::disk_cache(directory));
  return seconds_of([&] {
    const kernels::kernel_text text = kernels::parse_kernel(cat(source, "// ", mark, "\n"), "kernel.cu");
    const kernels::cpu_variant variant{kernels::choose_tier(text.features), {256}};
    device::source_desc desc{kernels::make_cpu_source(text, variant), {}, kernels::cpu_flags(text)};
    const auto request = service.request(0, std::move(desc), kernels::cpu_entry_symbol);
    request->finished().wait();
    static_cast<void>(request->function());
  });
}

/// A row against a fixed limit in milliseconds.
void add_limit(session& s, const std::string& name, const std::vector<double>& seconds, double limit,
               const std::string& limit_name, std::optional<double> target) {
  const auto ratio_at = [&](double q) { return limit / (quantile(seconds, q) * 1e3); };
  s.add({name, quantile(seconds, 0.5) * 1e3, limit, limit_name, "ms", ratio_at(0.5), ratio_at(0.75), ratio_at(0.25),
         target});
}

void measure(session& s, const std::string& kernel, std::optional<double> target) {
  const temporary_directory directory;
  const auto backend = device::make_cpu({});
  const std::string source = read_text(kernel_path(kernel + ".cu"));
  const int count = s.quick() ? 5 : 15;
  load_kernel(*backend, directory.path(), source, "warm-up");
  std::vector<double> cold, warm;
  for (int k = 0; k < count; ++k) {
    cold.push_back(load_kernel(*backend, directory.path(), source, cat(k)));
    // A backend of its own stands for the next process: it has loaded nothing yet. The compiler's identity, which is
    // part of the key, is asked for once per process.
    const auto next = device::make_cpu({});
    warm.push_back(load_kernel(*next, directory.path(), source, cat(k)));
  }
  add_limit(s, cat("compile.", kernel, ".cold"), cold, 250, "limit of 250 ms", target);
  add_limit(s, cat("compile.", kernel, ".cache_hit"), warm, 1, "limit of 1 ms", target);
}

}  // namespace

std::vector<benchmark> compile_benchmarks() {
  std::vector<benchmark> all;
  for (const char* kernel : {"stencil", "black_scholes"})
    all.push_back({cat("compile.", kernel), [name = std::string(kernel)](session& s) { measure(s, name, 1.0); }});
  return all;
}

}  // namespace tessera::bench
