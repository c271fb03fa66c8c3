#include "benchmarks/algo/rivals/algorithms_by_cuda.h"

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/tuple.h>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "benchmarks/algo/rivals/scratched.cuh"

namespace tessera::bench::by_cuda {
namespace {

struct is_below {
  float limit;
  __host__ __device__ bool operator()(float v) const { return v < limit; }
};
struct earlier_key {
  __host__ __device__ bool operator()(const record& a, const record& b) const { return a.key < b.key; }
};
struct product {
  __host__ __device__ float operator()(const thrust::tuple<float, float>& both) const {
    return thrust::get<0>(both) * thrust::get<1>(both);
  }
};

template <class T>
cudaError_t copied(std::int64_t n, const T* from, T* to) {
  return from == to ? cudaSuccess
                    : cudaMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice);
}

/// A second place for n elements, which lives as long as the call that holds it.
template <class T>
std::shared_ptr<by_hand::device_array<T>> room(std::int64_t n) {
  return std::make_shared<by_hand::device_array<T>>(n);
}

template <class T>
std::unique_ptr<cub_call> sort_of(std::int64_t n, const T* from, T* work) {
  return with_scratch([=, spare = room<T>(n)](void* scratch, std::size_t& bytes) {
    cub::DoubleBuffer<T> keys(work, spare->data());
    if (scratch == nullptr) return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, n);
    check(copied(n, from, work));
    check(cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, n));
    return copied<T>(n, keys.Current(), work);
  });
}

}  // namespace

std::unique_ptr<cub_call> cub_sort(std::int64_t n, const std::uint32_t* from, std::uint32_t* work) {
  return sort_of(n, from, work);
}
std::unique_ptr<cub_call> cub_sort(std::int64_t n, const std::uint64_t* from, std::uint64_t* work) {
  return sort_of(n, from, work);
}

std::unique_ptr<cub_call> cub_sort_pairs(std::int64_t n, const std::uint32_t* from, const std::uint32_t* values_from,
                                         std::uint32_t* work, std::uint32_t* values) {
  using number = std::uint32_t;
  return with_scratch([=, spare = room<number>(n), more = room<number>(n)](void* scratch, std::size_t& bytes) {
    cub::DoubleBuffer<number> k(work, spare->data()), v(values, more->data());
    if (scratch == nullptr) return cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, n);
    check(copied(n, from, work));
    check(copied(n, values_from, values));
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, n));
    check(copied<number>(n, k.Current(), work));
    return copied<number>(n, v.Current(), values);
  });
}

std::unique_ptr<cub_call> cub_sort_records(std::int64_t n, const record* from, record* work) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    if (scratch != nullptr) check(copied(n, from, work));
    return cub::DeviceMergeSort::StableSortKeys(scratch, bytes, work, n, earlier_key{});
  });
}

std::unique_ptr<cub_call> cub_copy_if(std::int64_t n, const float* x, float limit, float* out, std::int64_t* count) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, x, out, count, n, is_below{limit});
  });
}

std::unique_ptr<cub_call> cub_unique(std::int64_t n, const int* x, int* out, std::int64_t* count) {
  return with_scratch(
      [=](void* scratch, std::size_t& bytes) { return cub::DeviceSelect::Unique(scratch, bytes, x, out, count, n); });
}

std::unique_ptr<cub_call> cub_reduce_by_key(std::int64_t n, const int* keys, const int* values, int* keys_out,
                                            int* sums_out, std::int64_t* count) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, keys, keys_out, values, sums_out, count,
                                          ::cuda::std::plus<>{}, n);
  });
}

std::unique_ptr<cub_call> cub_histogram(std::int64_t n, const float* x, int bins, int* counts) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, x, counts, bins + 1, 0.0f, 1.0f, n);
  });
}

void thrust_gather(std::int64_t n, const std::int64_t* from, const float* x, float* out) {
  thrust::gather(thrust::device, from, from + n, x, out);
}

void thrust_scatter(std::int64_t n, const float* x, const std::int64_t* to, float* out) {
  thrust::scatter(thrust::device, x, x + n, to, out);
}

void thrust_merge(std::int64_t n, const float* x, const float* y, float* out) {
  thrust::merge(thrust::device, x, x + n, y, y + n, out);
}

void thrust_lower_bound(std::int64_t n, const float* sorted, const float* queries, std::int64_t* out) {
  thrust::lower_bound(thrust::device, sorted, sorted + n, queries, queries + n, out);
}

std::int64_t thrust_chain(std::int64_t n, const float* x, const float* y, float limit, float* sums, float* out) {
  const auto both = thrust::make_transform_iterator(thrust::make_zip_iterator(thrust::make_tuple(x, y)), product{});
  thrust::inclusive_scan(thrust::device, both, both + n, sums);
  return thrust::copy_if(thrust::device, sums, sums + n, out, is_below{limit}) - out;
}

}  // namespace tessera::bench::by_cuda
