// The search for the key of an MD5 hash on all cores: the compiler takes as many keys at a time as vector registers
// hold.
#include "benchmarks/paper/md5_key.h"

#include <atomic>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

struct words {
  std::uint32_t a, b, c, d;
};

inline std::uint32_t letters(std::uint32_t bits) {
  return 0x61616161u + ((bits & 15u) | (bits & 0xf0u) << 4 | (bits & 0xf00u) << 8 | (bits & 0xf000u) << 12);
}

enum class mix { f, g, h, i };

template <mix Mix>
inline std::uint32_t mixed(std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if constexpr (Mix == mix::f) return ((c ^ d) & b) ^ d;
  if constexpr (Mix == mix::g) return ((b ^ c) & d) ^ c;
  if constexpr (Mix == mix::h) return b ^ c ^ d;
  return c ^ (b | ~d);
}

template <mix Mix, int By>
inline void step(std::uint32_t& a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t word,
                 std::uint32_t constant) {
  const std::uint32_t sum = a + mixed<Mix>(b, c, d) + word + constant;
  a = ((sum << By) | (sum >> (32 - By))) + b;
}

template <mix Mix, int S0, int S1, int S2, int S3>
inline void four(words& v, std::uint32_t w0, std::uint32_t w1, std::uint32_t w2, std::uint32_t w3, std::uint32_t k0,
                 std::uint32_t k1, std::uint32_t k2, std::uint32_t k3) {
  step<Mix, S0>(v.a, v.b, v.c, v.d, w0, k0);
  step<Mix, S1>(v.d, v.a, v.b, v.c, w1, k1);
  step<Mix, S2>(v.c, v.d, v.a, v.b, w2, k2);
  step<Mix, S3>(v.b, v.c, v.d, v.a, w3, k3);
}

inline __attribute__((always_inline)) words digest(std::uint64_t i) {
  const std::uint32_t w0 = letters(static_cast<std::uint32_t>(i) & 0xffffu),
                      w1 = letters(static_cast<std::uint32_t>(i >> 16) & 0xffffu),
                      w2 = letters(static_cast<std::uint32_t>(i >> 32) & 0xffffu), end = 0x80u, length = 96u;
  words v{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
  four<mix::f, 7, 12, 17, 22>(v, w0, w1, w2, end, 0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu);
  four<mix::f, 7, 12, 17, 22>(v, 0, 0, 0, 0, 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u);
  four<mix::f, 7, 12, 17, 22>(v, 0, 0, 0, 0, 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu);
  four<mix::f, 7, 12, 17, 22>(v, 0, 0, length, 0, 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u);
  four<mix::g, 5, 9, 14, 20>(v, w1, 0, 0, w0, 0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau);
  four<mix::g, 5, 9, 14, 20>(v, 0, 0, 0, 0, 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u);
  four<mix::g, 5, 9, 14, 20>(v, 0, length, end, 0, 0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu);
  four<mix::g, 5, 9, 14, 20>(v, 0, w2, 0, 0, 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au);
  four<mix::h, 4, 11, 16, 23>(v, 0, 0, 0, length, 0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu);
  four<mix::h, 4, 11, 16, 23>(v, w1, 0, 0, 0, 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u);
  four<mix::h, 4, 11, 16, 23>(v, 0, w0, end, 0, 0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u);
  four<mix::h, 4, 11, 16, 23>(v, 0, 0, 0, w2, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u);
  four<mix::i, 6, 10, 15, 21>(v, w0, 0, length, 0, 0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u);
  four<mix::i, 6, 10, 15, 21>(v, 0, end, 0, w1, 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u);
  four<mix::i, 6, 10, 15, 21>(v, 0, 0, 0, 0, 0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u);
  four<mix::i, 6, 10, 15, 21>(v, 0, 0, w2, 0, 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u);
  return {v.a + 0x67452301u, v.b + 0xefcdab89u, v.c + 0x98badcfeu, v.d + 0x10325476u};
}

class md5 final : public threads_program {
 public:
  md5(thread_team& team, const problem& p) : threads_program(team, p), wanted_(digest_of_key(md5_wanted(p.n))) {}
  void prepare() override { found_ = 0; }
  void run() override {
    parallel(n(), [this](std::int64_t begin, std::int64_t end) { search(begin, end); });
  }
  std::vector<double> result() const override { return {static_cast<double>(found_.load())}; }

 private:
  /// Whether a strip has the key is found at once for all of it, which one has it only then.
  void search(std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t strip = 512;
    const auto [x, y, z, w] = wanted_;
    for (; begin < end; begin += strip) {
      const std::int64_t last = begin + strip < end ? begin + strip : end;
      std::uint32_t hits = 0;
#pragma omp simd reduction(+ : hits)
      for (std::int64_t i = begin; i < last; ++i) {
        const words v = digest(static_cast<std::uint64_t>(i));
        hits += v.a == x && v.b == y && v.c == z && v.d == w ? 1u : 0u;
      }
      if (hits == 0) continue;
      for (std::int64_t i = begin; i < last; ++i)
        if (digest_of_key(i) == wanted_) keep(i + 1);
    }
  }
  void keep(std::int64_t number) {
    std::int64_t known = found_.load();
    while (known < number && !found_.compare_exchange_weak(known, number)) {
    }
  }

  std::array<std::uint32_t, 4> wanted_;
  std::atomic<std::int64_t> found_{0};
};

}  // namespace

std::array<std::uint32_t, 4> digest_of_key(std::int64_t i) {
  const words v = digest(static_cast<std::uint64_t>(i));
  return {v.a, v.b, v.c, v.d};
}

std::unique_ptr<program> threads_md5(thread_team& team, const problem& p) { return std::make_unique<md5>(team, p); }

}  // namespace tessera::bench::paper
