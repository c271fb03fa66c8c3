#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// What a CUDA programmer writes by hand: kernels compiled by nvcc, launched one after the other on one stream. Nothing
/// here waits unless it says so. Calls throw std::runtime_error if CUDA reports an error.
namespace tessera::bench::by_hand {

/// Bytes from cudaMalloc.
class memory {
 public:
  explicit memory(std::size_t bytes);
  ~memory();
  memory(memory&& other) noexcept;
  memory& operator=(memory&&) = delete;

  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }
  [[nodiscard]] std::size_t size() const { return bytes_; }
  void clear() const;
  void write(const void* from) const;                 ///< All bytes; waits.
  [[nodiscard]] std::vector<std::byte> read() const;  ///< Waits.

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

/// Waits for everything.
void wait();

// Contents (kernels/fill.cu).
void fill_floats(std::int64_t n, unsigned seed, float* x);
void fill_ints(std::int64_t n, unsigned seed, int below, int* x);

// Reductions: the result is cleared, then the kernel of kernels/reductions.cu runs.
void total(int n, const float* x, float* sum);
void row_sums(int width, int height, const float* m, float* sums);
void column_sums(int width, int height, const float* m, float* sums);
void shared_histogram(int n, const int* x, unsigned* bins);
void scatter_add(int n, int bins, const int* at, const float* values, float* y);
// Reductions with NVIDIA's library of device algorithms.
void cub_total(int n, const float* x, float* sum);
void cub_histogram(int n, const int* x, unsigned* bins);

// The kernels of benchmarks/kernels with the same names.
void shuffle_sum(int n, const float* x, float* y);
void layernorm(int rows, int m, const float* x, float* y);
void softmax(int rows, int m, const float* x, float* y);
void warp_rows(int rows, int m, const float* a, const float* x, float* y);
void block_tile(int n, const float* x, float* y);
void block_scan(int n, const float* x, float* y);
void block_sort(int n, const float* x, float* y);
void block_histogram(int blocks, int n, const float* x, float* counts);
void histogram(int n, const int* x, unsigned* bins);
void grid_stride(int blocks, int n, float a, const float* x, float* y);
void wide_axpy(int n, float a, const float* x, float* y);
void wide_bytes(int n, unsigned char* y);
void naive_product(int n, const float* a, const float* b, float* c);
void monte_carlo(int n, int steps, float* y);

/// y += a * x, the product of x and y, and its value on the host; waits.
[[nodiscard]] float axpy_and_dot(int n, float a, const float* x, float* y, float* sum);

/// Conjugate gradients with the kernels of example 17; scalars stay on the GPU.
class solver {
 public:
  virtual ~solver() = default;
  /// So many steps, then the residual; waits.
  [[nodiscard]] virtual double round(int steps) = 0;
};
/// `per_block`: products are added up in blocks of threads, with one atomic operation each; else as in the example.
[[nodiscard]] std::unique_ptr<solver> make_solver(int width, int height, const std::vector<float>& right_side,
                                                  bool per_block);

/// Steps that each write an array and add it to another; the array is allocated in the stream for each. Waits.
void steps_with_temporary(std::int64_t steps, std::int64_t n, float* sum);
/// y[i] = 1.
void set_ones(std::int64_t n, float* y);
/// y[i] = x[i] + 1.
void add_one(int n, float* y, const float* x);
/// Copies one element between host and GPU; waits.
void write_element(float* to, float value);
[[nodiscard]] float read_element(const float* from);

}  // namespace tessera::bench::by_hand
