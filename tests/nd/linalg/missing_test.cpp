// Where there is no LAPACK: a process of its own, since libraries are looked for once.
#include <doctest/doctest.h>

#include "tests/nd/linalg/matrices.h"

using namespace tessera::support;

TEST_CASE("without LAPACK, factorisations name the packages that bring it, and all else works" * doctest::skip()) {
  for_each_large_setting([] {
    for (const std::int64_t n : {3, 90}) {
      CAPTURE(n);
      const nd::array a = nd::eye<double>(n, n) * 2;
      CHECK_THROWS_AS(static_cast<void>(la::inv(a).read<double>()), ts::missing_library);
      const std::string message = message_of([&] { static_cast<void>(la::svdvals(a).read<double>()); });
      CHECK(message.find("libopenblas0") != std::string::npos);
      CHECK(message.find("scipy-openblas32") != std::string::npos);
      CHECK(nd::sum(nd::matmul(a, a)).item<double>() == static_cast<double>(4 * n));
      CHECK(nd::fft::fft(a)(0, 0).item<std::complex<double>>() == 2.0);
    }
  });
}
