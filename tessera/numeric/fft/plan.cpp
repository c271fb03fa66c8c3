#include "tessera/numeric/fft/plan.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "tessera/base/index.h"
#include "tessera/numeric/fft/transform.h"

namespace tessera::numeric {
namespace {

/// Elements of a line that lanes hold in a core's cache.
constexpr std::int64_t most_in_lanes = 4096;
/// Below it a line alone is not worth to be split.
constexpr std::int64_t least_to_split = 256;
constexpr std::size_t most_plans = 64;

/// Radices of the passes: eights first, since each pass goes through all elements.
std::vector<int> radices_of(std::int64_t n) {
  std::vector<int> found;
  for (const int prime : {13, 11, 7, 5, 3})
    for (; n % prime == 0; n /= prime) found.push_back(prime);
  for (; n % 8 == 0 && n != 16; n /= 8) found.push_back(8);
  for (; n % 4 == 0; n /= 4) found.push_back(4);
  if (n == 2) found.push_back(2);
  return found;
}

/// The divisor of n that is nearest to its square root, among those up to `most`; the other factor is not smaller.
std::int64_t balanced_divisor(std::int64_t n, std::int64_t most) {
  std::int64_t best = 1;
  for (std::int64_t d = 2; d <= most && d <= n / d; ++d)
    if (n % d == 0) best = d;
  return best;
}

/// The least length of a convolution of lines of `n` elements whose transform is quick.
std::int64_t convolution_length(std::int64_t n) {
  const std::int64_t least = 2 * n - 1;
  std::int64_t best = 1;
  while (best < least) best *= 2;
  // A power of 2, or 3, 5, 9 or 15 times one, if that is less.
  for (const std::int64_t factor : {3, 5, 9, 15}) {
    std::int64_t m = factor;
    while (m < least) m *= 2;
    if (m % 4 == 0) best = std::min(best, m);
  }
  return best;
}

fft_plan<float>::way way_of(std::int64_t length, bool few) {
  using way = fft_plan<float>::way;
  const std::int64_t inner = is_smooth(length) ? length : convolution_length(length);
  const bool fits = inner <= most_in_lanes && !(few && inner >= least_to_split && balanced_divisor(inner, inner) >= 8);
  if (fits) return way::lanes;
  return is_smooth(length) ? way::split : way::chirp;
}

}  // namespace

bool is_smooth(std::int64_t n) {
  for (const int prime : {2, 3, 5, 7, 11, 13})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

std::int64_t fft_spare(std::int64_t length) {
  using way = fft_plan<float>::way;
  const auto split = [](std::int64_t n) {
    // Rows that are split themselves need memory besides, for each of them.
    std::int64_t spare = 0;
    for (; n > most_in_lanes; n /= balanced_divisor(n, most_in_lanes)) spare += n;
    return std::max(spare, n);
  };
  if (way_of(length, true) == way::lanes) return 0;
  if (is_smooth(length)) return split(length);
  const std::int64_t m = convolution_length(length);
  return 2 * m + split(m);
}

template <class T>
std::shared_ptr<const fft_plan<T>> fft_plan<T>::find(std::int64_t length, bool few) {
  using entry = std::pair<std::pair<std::int64_t, bool>, std::shared_ptr<const fft_plan>>;
  static std::mutex mutex;
  static auto& known = *new std::list<entry>;  // the one used last first; used by threads that outlive static objects
  few = few && way_of(length, true) != way_of(length, false);
  const std::pair<std::int64_t, bool> key{length, few};
  {
    const std::lock_guard lock(mutex);
    const auto found = std::find_if(known.begin(), known.end(), [&](const entry& e) { return e.first == key; });
    if (found != known.end()) {
      known.splice(known.begin(), known, found);
      return found->second;
    }
  }
  auto made = std::make_shared<const fft_plan>(length, few);
  const std::lock_guard lock(mutex);
  known.emplace_front(key, made);
  if (known.size() > most_plans) known.pop_back();
  return made;
}

template <class T>
fft_plan<T>::fft_plan(std::int64_t length, bool few) : length_(length) {
  const bool smooth = is_smooth(length);
  const std::int64_t inner = smooth ? length : convolution_length(length);
  way_ = static_cast<way>(way_of(length, few));
  if (way_ == way::lanes) {
    make_lanes(inner);
    if (!smooth) make_chirp(inner);
    for (std::int64_t k = 0; k <= length / 2; ++k) {
      const std::complex<T> root = root_of_unity<T>(k, 2 * length);
      half_roots_.insert(half_roots_.end(), {root.real(), root.imag()});
    }
  } else if (way_ == way::split) {
    const std::int64_t columns = balanced_divisor(length, most_in_lanes);
    first_ = find(columns, false);
    second_ = find(length / columns, false);
    roots_ = std::make_unique<root_table>(length);
  } else {
    first_ = find(inner, true);
    make_chirp(inner);
  }
}

template <class T>
void fft_plan<T>::make_lanes(std::int64_t inner) {
  const std::vector<int> radices = radices_of(inner);
  std::int64_t rest = inner, stride = 1;
  for (const int radix : radices) {
    const std::int64_t count = rest / radix;
    std::vector<T> roots;
    for (std::int64_t p = 0; p < count && count > 1; ++p)
      for (int k = 1; k < radix; ++k) {
        const std::complex<T> root = root_of_unity<T>(p * k, rest);
        roots.insert(roots.end(), {root.real(), root.imag()});
      }
    pass_roots_.push_back(std::move(roots));
    passes_.push_back({radix, count, stride, pass_roots_.back().data()});
    rest = count;
    stride *= radix;
  }
  lanes_ = {length_, inner, passes_.data(), static_cast<int>(passes_.size()), nullptr, nullptr};
}

/// exp(-pi i k^2 / n), and the transform of its conjugates around 0, divided by the number of its elements.
template <class T>
void fft_plan<T>::make_chirp(std::int64_t inner) {
  std::vector<std::complex<double>> around(index(inner));
  for (std::int64_t k = 0; k < length_; ++k) {
    const auto square = static_cast<std::int64_t>(static_cast<__int128>(k) * k % (2 * length_));
    chirp_.push_back(root_of_unity<T>(square, 2 * length_));
    const std::complex<double> value =
        std::conj(root_of_unity<double>(square, 2 * length_)) / static_cast<double>(inner);
    around[index(k)] = value;
    if (k > 0) around[index(inner - k)] = value;
  }
  std::vector<std::complex<double>> transformed(around.size());
  transform_line(*fft_plan<double>::find(inner, false), around.data(), transformed.data());
  for (const std::complex<double>& each : transformed)
    response_.emplace_back(static_cast<T>(each.real()), static_cast<T>(each.imag()));
  lanes_.chirp = reinterpret_cast<const T*>(chirp_.data());
  lanes_.response = reinterpret_cast<const T*>(response_.data());
}

template <class T>
std::int64_t fft_plan<T>::spare() const {
  if (way_ == way::lanes) return 0;
  if (way_ == way::split) return length_ + second_->spare();
  return 2 * first_->length() + first_->spare();
}

template class fft_plan<float>;
template class fft_plan<double>;

}  // namespace tessera::numeric
