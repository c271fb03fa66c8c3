#pragma once

#include <cstdint>
#include <memory>
#include <vector>

/// The rival on a GPU: the same kernels, compiled by nvcc and launched by hand on memory from cudaMalloc.
namespace tessera::bench {

/// One problem on the GPU. Calls end the program with a message if CUDA reports an error.
class gpu_rival {
 public:
  virtual ~gpu_rival() = default;
  /// Launches so many times, each launch using what the one before made, and waits for the last.
  virtual void run(int launches) = 0;
  /// What the last launch wrote.
  [[nodiscard]] virtual std::vector<float> read() const = 0;
};

using floats = std::vector<float>;

[[nodiscard]] std::unique_ptr<gpu_rival> rival_vector_add(const floats& a, const floats& b);
[[nodiscard]] std::unique_ptr<gpu_rival> rival_stencil(const floats& input);
/// Square matrices of n rows.
[[nodiscard]] std::unique_ptr<gpu_rival> rival_product(int n, const floats& a, const floats& b);
[[nodiscard]] std::unique_ptr<gpu_rival> rival_nbody(const floats& x, const floats& y, const floats& z,
                                                     const floats& mass);

/// The link between host and GPU.
class gpu_link {
 public:
  virtual ~gpu_link() = default;
  /// Copies `bytes` from page-locked host memory to the GPU and as many back at the same time.
  virtual void exchange(std::int64_t bytes) = 0;
};
[[nodiscard]] std::unique_ptr<gpu_link> make_link();

}  // namespace tessera::bench
