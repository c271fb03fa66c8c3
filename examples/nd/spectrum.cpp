// Finds the tones of a noisy signal by its spectrum, takes everything else away and goes back: transforms along an axis
// of many lines, shared by all devices.
#include <complex>
#include <numbers>

#include "check.h"

namespace nd = tessera::nd;

namespace {

constexpr std::int64_t channels = 24, length = 2'000;
constexpr double rate = 1'000;  // samples per second

/// Two tones of each channel's own, and noise.
std::vector<double> make_signal() {
  const std::vector<float> noise = example::numbers(channels * length);
  std::vector<double> x(noise.begin(), noise.end());
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t k = 0; k < length; ++k) {
      const double t = 2 * std::numbers::pi * static_cast<double>(k) / rate;
      const auto low = static_cast<double>(20 + c), high = static_cast<double>(150 + 5 * c);
      x[static_cast<std::size_t>(c * length + k)] += 3 * std::sin(low * t) + 2 * std::cos(high * t) - 0.5;
    }
  return x;
}

/// How much of a frequency a line has, by a plain sum.
double magnitude(const double* line, double frequency) {
  std::complex<double> sum = 0;
  for (std::int64_t k = 0; k < length; ++k)
    sum += line[k] * std::polar(1.0, -2 * std::numbers::pi * frequency * static_cast<double>(k) / rate);
  return std::abs(sum);
}

}  // namespace

int main() {
  const std::vector<double> signal = make_signal();
  const nd::array x = nd::from<double>({channels, length}, signal);

  const nd::array spectrum = nd::fft::rfft(x), size = nd::abs(spectrum);
  const nd::array frequencies = nd::fft::rfftfreq(length, 1 / rate);
  const nd::array strongest = nd::take(frequencies, size.argmax(1));
  const nd::array loud = size > 500.0;  // noise stays below; a tone has about a thousand times its height
  const nd::array clean = nd::fft::irfft(nd::where(loud, spectrum, 0), length);

  const std::vector<double> tones = strongest.read<double>(), heights = nd::max(size, 1).read<double>();
  std::vector<double> result = tones, expected;
  for (std::int64_t c = 0; c < channels; ++c) expected.push_back(static_cast<double>(20 + c));
  for (std::int64_t c = 0; c < channels; ++c) {
    result.push_back(heights[static_cast<std::size_t>(c)]);
    expected.push_back(magnitude(signal.data() + c * length, static_cast<double>(20 + c)));
  }
  int wrong = example::report_close("spectrum", result, expected, 1e-11);

  // Without the noise the two tones are left, whose energy is that of sines: half the squares of their heights.
  const std::vector<double> energy = nd::mean(nd::square(clean), 1).read<double>();
  for (const double each : energy) wrong += example::require(std::abs(each - 6.5) < 0.1, "two tones are left");
  return wrong;
}
