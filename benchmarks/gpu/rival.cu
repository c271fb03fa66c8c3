#include "benchmarks/gpu/rival.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "benchmarks/kernels/nbody.cu"
#include "benchmarks/kernels/stencil.cu"
#include "benchmarks/kernels/vector_add.cu"
#include "examples/04_matrix_product_tiled.cu"

namespace tessera::bench {
namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

/// Floats on the device.
class device_floats {
 public:
  explicit device_floats(std::size_t n) : n_(n) { check(cudaMalloc(&data_, n * sizeof(float))); }
  explicit device_floats(const floats& values) : device_floats(values.size()) {
    check(cudaMemcpy(data_, values.data(), n_ * sizeof(float), cudaMemcpyHostToDevice));
  }
  ~device_floats() { cudaFree(data_); }
  device_floats(const device_floats&) = delete;
  device_floats& operator=(const device_floats&) = delete;

  float* get() const { return data_; }
  int size() const { return static_cast<int>(n_); }
  floats read() const {
    floats values(n_);
    check(cudaMemcpy(values.data(), data_, n_ * sizeof(float), cudaMemcpyDeviceToHost));
    return values;
  }
  void swap(device_floats& other) { std::swap(data_, other.data_); }

 private:
  std::size_t n_;
  float* data_ = nullptr;
};

unsigned blocks(int n, int size) { return static_cast<unsigned>((n + size - 1) / size); }

class vector_add_rival final : public gpu_rival {
 public:
  vector_add_rival(const floats& a, const floats& b) : a_(a), b_(b), c_(a.size()) {}
  void run(int launches) override {
    for (int k = 0; k < launches; ++k) add<<<blocks(a_.size(), 256), 256>>>(a_.size(), c_.get(), a_.get(), b_.get());
    check(cudaDeviceSynchronize());
  }
  floats read() const override { return c_.read(); }

 private:
  device_floats a_, b_, c_;
};

class stencil_rival final : public gpu_rival {
 public:
  explicit stencil_rival(const floats& input) : input_(input), output_(input.size()) {}
  void run(int launches) override {
    for (int k = 0; k < launches; ++k) {
      stencil<<<blocks(input_.size(), 256), 256>>>(input_.size(), output_.get(), input_.get());
      input_.swap(output_);
    }
    check(cudaDeviceSynchronize());
  }
  floats read() const override { return input_.read(); }

 private:
  device_floats input_, output_;
};

class product_rival final : public gpu_rival {
 public:
  product_rival(int n, const floats& a, const floats& b) : n_(n), a_(a), b_(b), c_(a.size()) {}
  void run(int launches) override {
    const dim3 grid(blocks(n_, TILE), blocks(n_, TILE));
    for (int k = 0; k < launches; ++k) product<<<grid, dim3(TILE, TILE)>>>(n_, n_, n_, c_.get(), a_.get(), b_.get());
    check(cudaDeviceSynchronize());
  }
  floats read() const override { return c_.read(); }

 private:
  int n_;
  device_floats a_, b_, c_;
};

class nbody_rival final : public gpu_rival {
 public:
  nbody_rival(const floats& x, const floats& y, const floats& z, const floats& mass)
      : x_(x), y_(y), z_(z), mass_(mass), ax_(x.size()), ay_(x.size()), az_(x.size()) {}
  void run(int launches) override {
    for (int k = 0; k < launches; ++k)
      nbody<<<blocks(x_.size(), 256), 256>>>(x_.size(), x_.get(), y_.get(), z_.get(), mass_.get(), ax_.get(), ay_.get(),
                                             az_.get());
    check(cudaDeviceSynchronize());
  }
  floats read() const override { return ax_.read(); }

 private:
  device_floats x_, y_, z_, mass_, ax_, ay_, az_;
};

class link_in_both_directions final : public gpu_link {
 public:
  link_in_both_directions() {
    for (int d = 0; d < 2; ++d) {
      check(cudaStreamCreateWithFlags(&streams_[d], cudaStreamNonBlocking));
      check(cudaMalloc(&device_[d], block));
      check(cudaMallocHost(&host_[d], block));
    }
  }
  ~link_in_both_directions() override {
    for (int d = 0; d < 2; ++d) {
      cudaStreamDestroy(streams_[d]);
      cudaFree(device_[d]);
      cudaFreeHost(host_[d]);
    }
  }
  void exchange(std::int64_t bytes) override {
    for (std::int64_t done = 0; done < bytes; done += block) {
      check(cudaMemcpyAsync(device_[0], host_[0], block, cudaMemcpyHostToDevice, streams_[0]));
      check(cudaMemcpyAsync(host_[1], device_[1], block, cudaMemcpyDeviceToHost, streams_[1]));
    }
    for (cudaStream_t s : streams_) check(cudaStreamSynchronize(s));
  }

 private:
  static constexpr std::int64_t block = std::int64_t{32} << 20;
  cudaStream_t streams_[2] = {};
  void* device_[2] = {};
  void* host_[2] = {};
};

}  // namespace

std::unique_ptr<gpu_rival> rival_vector_add(const floats& a, const floats& b) {
  return std::make_unique<vector_add_rival>(a, b);
}
std::unique_ptr<gpu_rival> rival_stencil(const floats& input) { return std::make_unique<stencil_rival>(input); }
std::unique_ptr<gpu_rival> rival_product(int n, const floats& a, const floats& b) {
  return std::make_unique<product_rival>(n, a, b);
}
std::unique_ptr<gpu_rival> rival_nbody(const floats& x, const floats& y, const floats& z, const floats& mass) {
  return std::make_unique<nbody_rival>(x, y, z, mass);
}

std::unique_ptr<gpu_link> make_link() { return std::make_unique<link_in_both_directions>(); }

}  // namespace tessera::bench
