// The code of docs/guide/arrays.md, which this file holds block by block.
#include <cmath>
#include <complex>
#include <cstdio>

#include "tests/nd/support.h"
#include "tests/support/guide.h"

TEST_CASE("the code of the guide to arrays runs") {
  const ts::context ctx = tessera::support::make_context({"cpu*3", 256 << 10});
  ts::set_default_context(ctx);
  const ts::kernel twice = ts::default_context().compile(R"(
//@tessera global i => readwrite v[i]
__global__ void twice(long long n, float* v) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
})",
                                                         "twice");
  // clang-format off
nd::array a = nd::zeros<float>({300, 200});           // default context: every device of every rank
nd::array b = nd::full({200}, 2.5f);                  // the type is that of the number
nd::array c = nd::from(std::vector<double>{1, 2, 3});  // a copy of host data
nd::array d = nd::arange(10), e = nd::linspace(0, 1, 11), f = nd::eye<double>(3, 3);
nd::array g = nd::generator(42).normal({300, 200});   // the same numbers on any devices and ranks
nd::array h = nd::empty<float>({8});                  // not defined until it is written; nd::empty_like(a)
nd::array i = nd::linspace<float>(0, 1, 11);          // evenly spaced numbers are float64 unless it is said
CHECK(h.size() == 8);
CHECK(i.type() == ts::scalar_kind::float32);
CHECK(c.size() + d.size() + e.size() + f.size() == 33);
CHECK(g.shape() == a.shape());
nd::array whole = nd::arange(5), real = whole * 0.5;  // int64 and a real number: float64
nd::array single = nd::ones<float>({5}) * 0.1;        // stays float32
nd::array bytes = nd::as_type(real, ts::scalar_kind::uint8);
CHECK(real.type() == ts::scalar_kind::float64);
CHECK(single.type() == ts::scalar_kind::float32);
CHECK(bytes.read<std::uint8_t>() == std::vector<std::uint8_t>{0, 0, 1, 1, 2});
nd::array m = nd::arange(12).reshape({3, 4});
nd::array row = nd::arange(4), column = nd::arange(3)(nd::all, nd::new_axis);
nd::array sum = m + row * column;                     // {3, 4}, {4} and {3, 1}
nd::array part = nd::where(m % 2 == 0, m, -1);
CHECK(sum(2, 3).item<int>() == 11 + 3 * 2);
CHECK(part(1, 1).item<int>() == -1);
nd::array u = nd::zeros<float>({8, 8});
u(0, nd::all) = 1;                                    // the first row
u(nd::_(1, nd::end), -1) = 2;                         // the last column, below it
u(nd::_(0, nd::end, 2), nd::_(0, nd::end, 2)) += 10;  // every other element of every other row
nd::array corner = u(nd::_(0, 2), nd::_(0, 2));       // sees what is written to u
u.transpose()(3) *= 2;                                // column 3
CHECK(corner.read<float>() == std::vector<float>{11, 1, 0, 0});
CHECK(u(0, 3).item<float>() == 2);
CHECK(u(7, 7).item<float>() == 2);
nd::array before = u + 1;  // u as it is now
u(nd::all) = 0;
nd::array after = u + 1;   // all ones
CHECK(before(0, 0).item<float>() == 12);
CHECK(after.sum().item<float>() == 64);
CHECK(corner(0, 0).item<float>() == 0);
nd::array q = nd::arange(12).reshape({3, 4});
q(q % 2 == 0) = -1;                                   // where the mask is true
q(q > 6) += 100;
nd::array odd = q(q > 0);                             // {6}: the elements in their order
nd::array picked = q(nd::from<int>({2, 0, -1}));      // rows 2, 0 and 2; the first axis
CHECK(odd.read<std::int64_t>() == std::vector<std::int64_t>{1, 3, 5, 107, 109, 111});
CHECK(picked.read<std::int64_t>() ==
      std::vector<std::int64_t>{-1, 109, -1, 111, -1, 1, -1, 3, -1, 109, -1, 111});
CHECK(nd::clip(m, std::nullopt, 5).max().item<int>() == 5);
nd::array x = nd::arange(12).reshape({3, 4}) * 0.5;
nd::array total = x.sum(), columns = x.mean(0), rows = nd::max(x, -1, true);  // {}, {4}, {3, 1}
nd::array spread = x.std(1), place = x.argmin();
nd::array running = nd::cumulative_sum(x, 1);
CHECK(columns.read<double>() == std::vector<double>{2, 2.5, 3, 3.5});
CHECK(rows.shape() == ts::extents{3, 1});
CHECK(place.item<int>() == 0);
CHECK(running(2, 3).item<double>() == 19);
CHECK(spread(0).item<double>() == doctest::Approx(std::sqrt(0.3125)));
double value = total.item<double>();                  // one element, converted; waits
std::vector<double> all = x.read<double>();           // all elements, of the array's own type; waits
nd::fetch({columns, spread});                         // one wait for several
CHECK(value == 33);
CHECK(all.size() == 12);
nd::array mesh = nd::zeros<float>({400, 400}, {.split = {0, 1}});  // tiles
nd::array table = nd::ones<float>({100}, {.split = nd::layout::replicated()});
nd::array turned = nd::resplit(mesh, 1);              // new array, cut along axis 1
CHECK(turned.split() == nd::layout(1));
CHECK(table.sum().item<float>() == 100);
twice.launch({.threads = {200}}, 200, b);  // waits for nothing; what b needs is carried out before
nd::array same = nd::from_engine(b.engine_array());
CHECK(b(7).item<float>() == 5);
CHECK(same(199).item<float>() == 5);
  // clang-format on
}

TEST_CASE("the code of the guide to linear algebra and transforms runs") {
  const ts::context ctx = tessera::support::make_context({"cpu*3", 256 << 10}, 1 << 20);
  ts::set_default_context(ctx);
  // clang-format off
nd::array A = nd::generator(1).normal({100, 40}), v = nd::ones<double>({40});
nd::array Av = nd::matmul(A, v), gram = nd::matmul(A.transpose(), A);
nd::array x2 = nd::linalg::solve(gram, v);
auto [Q, R] = nd::linalg::qr(A);
auto [eigenvalues, eigenvectors] = nd::linalg::eigh(gram);
nd::array lengths = nd::linalg::vector_norm(A, 1);
nd::array inverses = nd::linalg::inv(nd::eye<double>(3, 3) + nd::ones<double>({500, 3, 3}));  // a stack
CHECK(Av.shape() == ts::extents{100});
CHECK(nd::max(nd::abs(nd::matmul(gram, x2) - v)).item<double>() < 1e-10);
CHECK(nd::max(nd::abs(nd::matmul(Q, R) - A)).item<double>() < 1e-12);
CHECK(nd::min(eigenvalues).item<double>() > 0);
CHECK(eigenvectors.shape() == gram.shape());
CHECK(lengths.shape() == ts::extents{100});
CHECK(inverses(499, 0, 1).item<double>() == doctest::Approx(-0.25));
nd::array singular = nd::linalg::inv(nd::zeros<double>({90, 90}));
try {
  std::vector<double> never = singular.read<double>();
} catch (const ts::linalg_error& e) {
  std::puts(e.what());  // ...: the matrix is singular
}
nd::array signal = nd::generator(2).normal({8, 1000});
nd::array spectrum = nd::fft::rfft(signal);           // {8, 501}, along the last axis
nd::array loud = nd::where(nd::abs(spectrum) > 40.0, spectrum, 0);
nd::array again = nd::fft::irfft(loud, 1000);
nd::array image = nd::fft::fftn(nd::ones<float>({64, 48}), {}, {}, nd::fft::norm::ortho);
nd::array centred = nd::fft::fftshift(image);
CHECK(spectrum.shape() == ts::extents{8, 501});
CHECK(again.shape() == ts::extents{8, 1000});
CHECK(std::abs(centred(32, 24).item<std::complex<float>>()) == doctest::Approx(std::sqrt(64.0f * 48)));
  // clang-format on
}

TEST_CASE("the guide to arrays has the code that is run here") {
  tessera::support::check_guide("arrays.md", "nd/guide_test.cpp", 13);
}
