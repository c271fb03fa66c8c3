// Fits a cubic to many points: by the normal equations (a product of matrices shared by all devices, a small Cholesky
// factorisation), and by QR, which loses fewer digits.
#include "check.h"

namespace nd = tessera::nd;

namespace {

constexpr std::int64_t points = 20'000, degree = 3;
const std::vector<double> truth{0.5, -1.25, 0.75, 2};

/// x with R x = y, by QR of the columns.
nd::array solve_by_qr(const nd::array& columns, const nd::array& y) {
  const auto [Q, R] = nd::linalg::qr(columns);
  return nd::linalg::solve(R, nd::matmul(Q.transpose(), y));
}

/// To nine digits: what is behind them depends on the library.
std::vector<double> rounded(const std::vector<double>& x) {
  std::vector<double> made;
  for (const double each : x) made.push_back(std::round(each * 1e9) / 1e9);
  return made;
}

}  // namespace

int main() {
  const nd::array t = nd::linspace(-1, 1, points);
  std::vector<nd::array> powers{nd::ones<double>({points})};
  for (std::int64_t k = 1; k <= degree; ++k) powers.push_back(powers.back() * t);
  const nd::array columns = nd::stack(powers, 1), y = nd::matmul(columns, nd::from(truth));

  try {
    const nd::array gram = nd::matmul(columns.transpose(), columns), right = nd::matmul(columns.transpose(), y);
    const nd::array L = nd::linalg::cholesky(gram);
    const nd::array by_normal = nd::linalg::solve(L.transpose(), nd::linalg::solve(L, right));
    const std::vector<double> by_qr = rounded(solve_by_qr(columns, y).read<double>());
    int wrong = example::report("least squares", rounded(by_normal.read<double>()), truth);
    wrong += example::require(by_qr == truth, "QR gives the same");
    const double misfit = nd::linalg::vector_norm(nd::matmul(columns, by_normal) - y).item<double>();
    return wrong + example::require(misfit < 1e-9, "the curve goes through all points");
  } catch (const tessera::missing_library& e) {
    std::printf("least squares: skipped, %s\n", e.what());
    return 0;
  }
}
