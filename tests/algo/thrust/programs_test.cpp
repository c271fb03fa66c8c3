// Well-known programs in the spelling of Thrust. Lines that a program for Thrust has to change end with `// was: ...`.
#include <doctest/doctest.h>
#include <tessera/thrust.h>  // was: the headers of thrust/

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/algo/algorithm/support.h"

// clang-format off
namespace ports {
TS_DEVICE(  // was: nothing; a functor's text is registered
struct saxpy_functor : public thrust::binary_function<float, float, float> {
  const float a;
  saxpy_functor(float _a) : a(_a) {}
  __host__ __device__
  float operator()(const float& x, const float& y) const { return a * x + y; }
};

typedef thrust::tuple<float, float, float> Float3;
struct DotProduct : public thrust::binary_function<Float3, Float3, float> {
  __host__ __device__
  float operator()(const Float3& a, const Float3& b) const {
    return thrust::get<0>(a) * thrust::get<0>(b) + thrust::get<1>(a) * thrust::get<1>(b) +
           thrust::get<2>(a) * thrust::get<2>(b);
  }
};

template <typename T>
struct linear_index_to_row_index : public thrust::unary_function<T, T> {
  T C;
  __host__ __device__ linear_index_to_row_index(T C) : C(C) {}
  __host__ __device__ T operator()(T i) { return i / C; }
};

struct is_word_start : public thrust::binary_function<char, char, bool> {
  __host__ __device__ static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
  __host__ __device__ bool operator()(const char& left, const char& right) const {
    return is_letter(right) && !is_letter(left);
  }
};

struct estimate_pi : public thrust::unary_function<unsigned int, float> {
  __host__ __device__
  float operator()(unsigned int thread_id) {
    float sum = 0;
    unsigned int N = 1000;
    unsigned int seed = thread_id * 7919u + 1;
    thrust::default_random_engine rng(seed);
    thrust::uniform_real_distribution<float> u01(0, 1);
    for (unsigned int i = 0; i < N; ++i) {
      float x = u01(rng);
      float y = u01(rng);
      if (x * x + y * y <= 1.0f) sum += 1.0f;
    }
    return 4.0f * sum / (float)N;
  }
};)  // was: nothing
}  // namespace ports
// clang-format on

using namespace ports;

namespace {

/// A program uses the default context; here one of three devices.
struct on_three_devices {
  on_three_devices() { ts::set_default_context(ctx); }
  ts::context ctx{tessera::support::cut_everywhere("cpu*3")};
};

}  // namespace

TEST_CASE("saxpy, with a functor and with placeholders") {
  const on_three_devices here;
  thrust::device_vector<float> X(1000), Y(1000, 2.0f);
  thrust::sequence(X.begin(), X.end());
  thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(), saxpy_functor(3.0f));
  CHECK(Y[999] == 2999);

  using namespace thrust::placeholders;
  const float A = 3;
  thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(), A * _1 + _2);
  CHECK(Y[999] == 5996);
}

TEST_CASE("dot products of vectors whose members are stored apart") {
  const on_three_devices here;
  const int N = 1000;
  thrust::device_vector<float> A0(N, 1), A1(N, 2), A2(N, 3), B0(N), B1(N, 5), B2(N, 6), result(N);
  thrust::sequence(B0.begin(), B0.end());

  typedef thrust::device_vector<float>::iterator FloatIterator;
  typedef thrust::tuple<FloatIterator, FloatIterator, FloatIterator> FloatIteratorTuple;
  typedef thrust::zip_iterator<FloatIteratorTuple> Float3Iterator;
  Float3Iterator A_first = thrust::make_zip_iterator(thrust::make_tuple(A0.begin(), A1.begin(), A2.begin()));
  Float3Iterator A_last = thrust::make_zip_iterator(thrust::make_tuple(A0.end(), A1.end(), A2.end()));
  Float3Iterator B_first = thrust::make_zip_iterator(thrust::make_tuple(B0.begin(), B1.begin(), B2.begin()));
  thrust::transform(A_first, A_last, B_first, result.begin(), DotProduct());
  CHECK(result[0] == 28);
  CHECK(result[999] == 1027);

  const float all = thrust::inner_product(A_first, A_last, B_first, 0.0f, thrust::plus<float>(), DotProduct());
  CHECK(all == thrust::reduce(result.begin(), result.end()));
}

TEST_CASE("run lengths of text, and how many words it has") {
  const on_three_devices here;
  const std::string text = "aaabbbbbcddeeeeeeeeeff";
  thrust::device_vector<char> input(text.begin(), text.end()), output(std::ssize(text));
  thrust::device_vector<int> lengths(std::ssize(text));
  const std::size_t num_runs =
      static_cast<std::size_t>(thrust::reduce_by_key(input.begin(), input.end(), thrust::constant_iterator<int>(1),
                                                     output.begin(), lengths.begin())
                                   .first -
                               output.begin());
  std::string encoded;
  for (std::size_t i = 0; i < num_runs; ++i)
    encoded += char(output[static_cast<std::int64_t>(i)]) + std::to_string(int(lengths[static_cast<std::int64_t>(i)]));
  CHECK(encoded == "a3b5c1d2e9f2");

  const std::string sentence = "a program counts the words of a sentence";
  thrust::device_vector<char> letters(sentence.begin(), sentence.end());
  const int words = thrust::inner_product(letters.begin(), letters.end() - 1, letters.begin() + 1, 1,
                                          thrust::plus<int>(), is_word_start());
  CHECK(words == 8);
}

TEST_CASE("the sums of the rows of a matrix") {
  const on_three_devices here;
  const int R = 50, C = 80;
  thrust::device_vector<int> array(R * C), row_sums(R), row_indices(R);
  thrust::default_random_engine rng;
  thrust::uniform_int_distribution<int> dist(10, 99);
  thrust::generate(array.begin(), array.end(), [&] { return dist(rng); });
  thrust::reduce_by_key(
      thrust::make_transform_iterator(thrust::counting_iterator<int>(0), linear_index_to_row_index<int>(C)),
      thrust::make_transform_iterator(thrust::counting_iterator<int>(0), linear_index_to_row_index<int>(C)) + (R * C),
      array.begin(), row_indices.begin(), row_sums.begin(), thrust::equal_to<int>(), thrust::plus<int>());
  const std::vector<int> all = array.to_host();
  for (int i = 0; i < R; ++i) {
    int sum = 0;
    for (int j = 0; j < C; ++j) sum += all[static_cast<std::size_t>(i * C + j)];
    CHECK(row_sums[i] == sum);
    CHECK(row_indices[i] == i);
  }
}

namespace {

template <typename IndexVector, typename ValueVector>
void sum_sparse_vectors(const IndexVector& A_index, const ValueVector& A_value, const IndexVector& B_index,
                        const ValueVector& B_value, IndexVector& C_index, ValueVector& C_value) {
  typedef typename IndexVector::value_type IndexType;
  typedef typename ValueVector::value_type ValueType;
  const auto temp_size = A_index.size() + B_index.size();
  IndexVector temp_index(temp_size);
  ValueVector temp_value(temp_size);
  thrust::merge_by_key(A_index.begin(), A_index.end(), B_index.begin(), B_index.end(), A_value.begin(), B_value.begin(),
                       temp_index.begin(), temp_value.begin());
  const auto C_size = thrust::inner_product(temp_index.begin(), temp_index.end() - 1, temp_index.begin() + 1, 1,
                                            thrust::plus<int>(), thrust::not_equal_to<IndexType>());
  C_index.resize(C_size);
  C_value.resize(C_size);
  thrust::reduce_by_key(temp_index.begin(), temp_index.end(), temp_value.begin(), C_index.begin(), C_value.begin(),
                        thrust::equal_to<IndexType>(), thrust::plus<ValueType>());
}

}  // namespace

TEST_CASE("the sum of two sparse vectors") {
  const on_three_devices here;
  thrust::device_vector<int> A_index{2, 3, 5, 8}, B_index{1, 2, 8, 9, 11}, C_index;
  thrust::device_vector<float> A_value{10, 60, 20, 40}, B_value{50, 30, 80, 30, 50}, C_value;
  sum_sparse_vectors(A_index, A_value, B_index, B_value, C_index, C_value);
  CHECK(C_index.to_host() == std::vector<int>{1, 2, 3, 5, 8, 9, 11});
  CHECK(C_value.to_host() == std::vector<float>{50, 40, 60, 20, 120, 30, 50});
}

TEST_CASE("pi by random numbers, one engine per element") {
  const on_three_devices here;
  const int M = 300;
  float estimate = thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(M),
                                            estimate_pi(), 0.0f, thrust::plus<float>());
  estimate /= M;
  CHECK(std::abs(estimate - 3.1416f) < 0.02f);
}
