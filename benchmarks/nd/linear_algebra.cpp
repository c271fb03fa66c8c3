// Products of matrices and factorisations on one CPU device, beside direct calls of the library that they use, with as
// many threads.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"

namespace tessera::bench {
namespace {

/// OpenBLAS, called directly. Tessera lets it have one thread but for its own calls, so that each call here sets them.
class library {
 public:
  library() {
    const char* const named = std::getenv("TESSERA_OPENBLAS");
    handle_ = dlopen(named != nullptr ? named : "libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) return;
    prefix_ = dlsym(handle_, "scipy_dgemm_") != nullptr ? "scipy_" : "";
    set_threads_ = reinterpret_cast<void (*)(int)>(dlsym(handle_, (prefix_ + "openblas_set_num_threads").c_str()));
  }
  [[nodiscard]] bool is_there() const { return set_threads_ != nullptr; }
  template <class... Arguments>
  void call(const std::string& name, Arguments... arguments) const {
    using function = void (*)(Arguments...);
    const auto found = reinterpret_cast<function>(dlsym(handle_, (prefix_ + name).c_str()));
    set_threads_(static_cast<int>(std::thread::hardware_concurrency()));
    found(arguments...);
    set_threads_(1);
  }

 private:
  void* handle_ = nullptr;
  std::string prefix_;
  void (*set_threads_)(int) = nullptr;
};

constexpr std::size_t one_letter = 1;  // Fortran's lengths of texts

template <class T>
void measure_product(session& s, const library& blas, const cpu_arena& a, const char* gemm, const char* type) {
  const std::int64_t n = s.quick() ? 256 : 1536;
  const nd::array x = nd::as_type(nd::generator(1).normal({n, n}), dtype_of<T>().kind),
                  y = nd::as_type(nd::generator(2).normal({n, n}), dtype_of<T>().kind);
  const std::vector<T> px = x.read<T>(), py = y.read<T>();
  std::vector<T> pz(px.size());
  const auto ours = [&] {
    nd::eval({nd::matmul(x, y)});
    context(a.ctx).wait();
  };
  const auto theirs = [&] {
    const int size = static_cast<int>(n);
    const T one(1), zero(0);
    blas.call(gemm, "N", "N", &size, &size, &size, &one, py.data(), &size, px.data(), &size, &zero, pz.data(), &size,
              one_letter, one_letter);
  };
  a.settle(ours);
  theirs();
  require_equal(nd::matmul(x, y), pz, "nd.matmul");
  add_pair(s, {.name = cat("nd.matmul.", type, ".", n), .rival = "OpenBLAS", .target = 0.95}, ours, theirs);
}

void measure_products(session& s) {
  const library blas;
  if (!blas.is_there()) {
    std::puts("nd.matmul: OpenBLAS was not found (package libopenblas0-pthread)");
    return;
  }
  const cpu_arena a;
  measure_product<float>(s, blas, a, "sgemm_", "float32");
  measure_product<double>(s, blas, a, "dgemm_", "float64");
}

void measure_factorisations(session& s) {
  const library lapack;
  if (!lapack.is_there()) {
    std::puts("nd.linalg: OpenBLAS was not found (package libopenblas0-pthread)");
    return;
  }
  const cpu_arena a;
  const std::int64_t n = s.quick() ? 128 : 1024;
  const int size = static_cast<int>(n);
  const nd::array g = nd::generator(1).normal({n, n}),
                  x = nd::matmul(g, g.transpose()) + nd::eye<double>(n, n) * static_cast<double>(n);
  const std::vector<double> elements = x.read<double>();
  std::vector<double> copy, values(elements.size()), work(elements.size() * 3);
  std::vector<int> integers(static_cast<std::size_t>(5 * n + 3));
  const int work_size = static_cast<int>(work.size()), integer_size = static_cast<int>(integers.size());
  int info = 0;
  const auto add = [&](const char* name, const auto& ours, const auto& theirs) {
    const auto our_run = [&] {
      ours();
      context(a.ctx).wait();
    };
    const auto their_run = [&] {
      copy = elements;
      theirs();
      if (info != 0) throw std::runtime_error(cat(name, ": LAPACK says ", info));
    };
    a.settle(our_run);
    add_pair(s, {.name = cat("nd.linalg.", name, ".", n), .rival = "LAPACK of OpenBLAS", .target = 0.95}, our_run,
             their_run);
  };
  add(
      "cholesky", [&] { static_cast<void>(nd::linalg::cholesky(x)); },
      [&] { lapack.call("dpotrf_", "U", &size, copy.data(), &size, &info, one_letter); });
  add(
      "inv", [&] { static_cast<void>(nd::linalg::inv(x)); },
      [&] {
        lapack.call("dgetrf_", &size, &size, copy.data(), &size, integers.data(), &info);
        lapack.call("dgetri_", &size, copy.data(), &size, integers.data(), work.data(), &work_size, &info);
      });
  add(
      "qr", [&] { static_cast<void>(nd::linalg::qr(x)); },
      [&] {
        lapack.call("dgeqrf_", &size, &size, copy.data(), &size, values.data(), work.data(), &work_size, &info);
        lapack.call("dorgqr_", &size, &size, &size, copy.data(), &size, values.data(), work.data(), &work_size, &info);
      });
  add(
      "eigh", [&] { static_cast<void>(nd::linalg::eigh(x)); },
      [&] {
        lapack.call("dsyevd_", "V", "U", &size, copy.data(), &size, values.data(), work.data(), &work_size,
                    integers.data(), &integer_size, &info, one_letter, one_letter);
      });
}

}  // namespace

std::vector<benchmark> linear_algebra_benchmarks() {
  return {{"nd.matmul", measure_products}, {"nd.linalg", measure_factorisations}};
}

}  // namespace tessera::bench
