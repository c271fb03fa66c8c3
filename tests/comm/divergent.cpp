// A job in which rank 1 makes one call that the others do not make: divergent WHAT.
#include <tessera/tessera.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace ts = tessera;

int main(int argc, char** argv) {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank == nullptr) rank = std::getenv("PMI_RANK");  // MPICH
  if (argc != 2 || rank == nullptr) return 2;
  const std::string what = std::string(rank) == "1" ? argv[1] : "";
  try {
    ts::context ctx;
    const ts::kernel scale = ctx.compile(R"(
      //@tessera global i => readwrite x[i]
      __global__ void scale(int n, float a, float* x) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] *= a;
      })",
                                         "scale");
    const int n = 1000;
    auto x = ctx.full<float>({n}, 1.0F);
    for (int t = 0; t < 500; ++t) {
      if (t == 300 && what == "read") static_cast<void>(x.read());
      if (t == 300 && what == "skip") continue;
      scale.launch({.threads = {n}}, n, t == 300 && what == "scalar" ? 2.0F : 1.0F, x);
    }
    if (what != "short") static_cast<void>(x.read());
    return 0;
  } catch (const ts::divergence_error& e) {
    std::cerr << "rank " << rank << ": divergence_error: " << e.what() << std::endl;
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "rank " << rank << ": " << e.what() << std::endl;
    return 1;
  }
}
