#include <tessera/tessera.h>

#include <cmath>
#include <functional>
#include <memory>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/rival.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

/// Our side of one problem on some devices.
class our_program {
 public:
  explicit our_program(const std::string& devices) : context_(on(devices)) {}
  virtual ~our_program() = default;
  our_program(const our_program&) = delete;
  our_program& operator=(const our_program&) = delete;

  void run(int launches) {
    for (int k = 0; k < launches; ++k) step();
    context_.wait();
  }
  [[nodiscard]] virtual floats read() const = 0;

 protected:
  virtual void step() = 0;
  static options on(const std::string& devices) {
    options settings;
    settings.devices = devices;
    return settings;
  }
  static extents shape(const floats& values) { return {static_cast<std::int64_t>(values.size())}; }
  context context_;
};

class our_vector_add final : public our_program {
 public:
  our_vector_add(const std::string& devices, const floats& a, const floats& b)
      : our_program(devices),
        n_(static_cast<int>(a.size())),
        kernel_(context_.load_kernel(kernel_path("vector_add.cu"))),
        a_(context_.from<float>(shape(a), a)),
        b_(context_.from<float>(shape(b), b)),
        c_(context_.empty<float>(shape(a))) {}
  floats read() const override { return c_.read(); }

 private:
  void step() override { kernel_.launch({.threads = {n_}, .block = {256}}, n_, c_, a_, b_); }
  int n_;
  kernel kernel_;
  array<float> a_, b_, c_;
};

class our_stencil final : public our_program {
 public:
  our_stencil(const std::string& devices, const floats& input)
      : our_program(devices),
        n_(static_cast<int>(input.size())),
        kernel_(context_.load_kernel(kernel_path("stencil.cu"))),
        input_(context_.from<float>(shape(input), input)),
        output_(context_.empty<float>(shape(input))) {}
  floats read() const override { return input_.read(); }

 private:
  void step() override {
    kernel_.launch({.threads = {n_}, .block = {256}}, n_, output_, input_);
    std::swap(input_, output_);
  }
  int n_;
  kernel kernel_;
  array<float> input_, output_;
};

class our_product final : public our_program {
 public:
  our_product(const std::string& devices, int n, const floats& a, const floats& b)
      : our_program(devices),
        n_(n),
        kernel_(context_.load_kernel(source_path("examples/04_matrix_product_tiled.cu"))),
        a_(context_.from<float>({n, n}, a)),
        b_(context_.from<float>({n, n}, b)),
        c_(context_.empty<float>({n, n})) {}
  floats read() const override { return c_.read(); }

 private:
  void step() override { kernel_.launch({.threads = {n_, n_}, .block = {16, 16}}, n_, n_, n_, c_, a_, b_); }
  int n_;
  kernel kernel_;
  array<float> a_, b_, c_;
};

class our_nbody final : public our_program {
 public:
  our_nbody(const std::string& devices, const floats& x, const floats& y, const floats& z, const floats& mass)
      : our_program(devices),
        n_(static_cast<int>(x.size())),
        kernel_(context_.load_kernel(kernel_path("nbody.cu"))),
        x_(context_.from<float>(shape(x), x)),
        y_(context_.from<float>(shape(y), y)),
        z_(context_.from<float>(shape(z), z)),
        mass_(context_.from<float>(shape(mass), mass)),
        ax_(context_.empty<float>(shape(x))),
        ay_(context_.empty<float>(shape(x))),
        az_(context_.empty<float>(shape(x))) {}
  floats read() const override { return ax_.read(); }

 private:
  void step() override { kernel_.launch({.threads = {n_}, .block = {256}}, n_, x_, y_, z_, mass_, ax_, ay_, az_); }
  int n_;
  kernel kernel_;
  array<float> x_, y_, z_, mass_, ax_, ay_, az_;
};

/// What both sides get, made when it is measured.
struct gpu_case {
  std::string name;
  int launches = 1;  ///< Enough for 10 ms and more.
  std::function<std::unique_ptr<our_program>(const std::string& devices)> ours;
  std::function<std::unique_ptr<gpu_rival>()> rival;
};

constexpr std::int64_t many = std::int64_t{1} << 27, bodies = 1 << 16;
constexpr int rows = 4096;

floats numbers(std::int64_t n, std::uint32_t seed, float low = 0) { return contents({{n}, low, 1}, seed); }

std::vector<gpu_case> cases() {
  return {
      {"vector_add", 100,
       [](const std::string& d) { return std::make_unique<our_vector_add>(d, numbers(many, 1), numbers(many, 2)); },
       [] { return rival_vector_add(numbers(many, 1), numbers(many, 2)); }},
      {"stencil", 100, [](const std::string& d) { return std::make_unique<our_stencil>(d, numbers(many, 3)); },
       [] { return rival_stencil(numbers(many, 3)); }},
      {"product", 2,
       [](const std::string& d) {
         return std::make_unique<our_product>(d, rows, numbers(std::int64_t{rows} * rows, 4),
                                              numbers(std::int64_t{rows} * rows, 5));
       },
       [] {
         return rival_product(rows, numbers(std::int64_t{rows} * rows, 4), numbers(std::int64_t{rows} * rows, 5));
       }},
      {"nbody", 10,
       [](const std::string& d) {
         return std::make_unique<our_nbody>(d, numbers(bodies, 6), numbers(bodies, 7), numbers(bodies, 8),
                                            numbers(bodies, 9));
       },
       [] { return rival_nbody(numbers(bodies, 6), numbers(bodies, 7), numbers(bodies, 8), numbers(bodies, 9)); }},
  };
}

/// Both were compiled from one text by two compilers of one maker: the same up to rounding.
void compare_results(const floats& ours, const floats& rival) {
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - rival[i]) <= 1e-4f * std::max(1.0f, std::abs(rival[i]))))
      throw error(cat("element ", i, " is ", ours[i], " and the rival's ", rival[i]));
}

template <class Rival>
void measure(session& s, const std::string& name, const gpu_case& measured, our_program& ours, Rival& rival,
             const std::string& rival_name, double target) {
  ours.run(measured.launches);
  rival.run(measured.launches);
  compare_results(ours.read(), rival.read());
  const auto timed = [&](auto& side) { return seconds_of([&] { side.run(measured.launches); }); };
  const comparison c =
      compare([&] { return timed(ours); }, [&] { return timed(rival); }, s.scaled({.pairs = 15, .seconds = 1}));
  s.add_times(name, c, rival_name, 1e3, cat("ms/", measured.launches, " launches"), target);
}

}  // namespace

std::vector<benchmark> in_memory_benchmarks() {
  std::vector<benchmark> all;
  for (const gpu_case& c : cases()) {
    all.push_back({cat("gpu.", c.name), [c](session& s) {
                     const auto ours = c.ours("cuda:0");
                     const auto rival = c.rival();
                     measure(s, cat("gpu.", c.name), c, *ours, *rival, "CUDA, the same kernel launched by hand", 0.98);
                   }});
    all.push_back({cat("gpu_split.", c.name), [c](session& s) {
                     const auto four = c.ours("cuda:0*4");
                     const auto one = c.ours("cuda:0");
                     measure(s, cat("gpu_split.", c.name), c, *four, *one, "Tessera on one device", 0.90);
                   }});
  }
  return all;
}

}  // namespace tessera::bench
