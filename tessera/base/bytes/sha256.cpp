#include "tessera/base/bytes/sha256.h"

#include <algorithm>
#include <bit>

#include "tessera/base/bytes/hex.h"

namespace tessera {
namespace {

constexpr std::size_t block_bytes = 64;

constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load_big_endian(const std::byte* p) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = (value << 8) | std::to_integer<std::uint32_t>(p[i]);
  return value;
}

using word = std::uint32_t;

inline void round(word a, word b, word c, word& d, word e, word f, word g, word& h, word input) {
  const word s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
  const word s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
  const word t1 = h + s1 + ((e & f) ^ (~e & g)) + input;
  d += t1;
  h = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
}

void compress(std::array<std::uint32_t, 8>& state, const std::byte* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = load_big_endian(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; t += 8) {  // the names move by one place per round, and are back after eight
    round(a, b, c, d, e, f, g, h, w[t] + round_constants[t]);
    round(h, a, b, c, d, e, f, g, w[t + 1] + round_constants[t + 1]);
    round(g, h, a, b, c, d, e, f, w[t + 2] + round_constants[t + 2]);
    round(f, g, h, a, b, c, d, e, w[t + 3] + round_constants[t + 3]);
    round(e, f, g, h, a, b, c, d, w[t + 4] + round_constants[t + 4]);
    round(d, e, f, g, h, a, b, c, w[t + 5] + round_constants[t + 5]);
    round(c, d, e, f, g, h, a, b, w[t + 6] + round_constants[t + 6]);
    round(b, c, d, e, f, g, h, a, w[t + 7] + round_constants[t + 7]);
  }
  const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

std::string to_string(const digest& d) { return hex(std::as_bytes(std::span(d.bytes))); }

sha256& sha256::add(std::span<const std::byte> bytes) {
  const std::size_t held = length_ % block_bytes;
  length_ += bytes.size();
  if (held != 0) {
    const std::size_t taken = std::min(block_bytes - held, bytes.size());
    std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(taken);
    if (held + taken < block_bytes) return *this;
    compress(state_, block_.data());
  }
  for (; bytes.size() >= block_bytes; bytes = bytes.subspan(block_bytes)) compress(state_, bytes.data());
  std::copy(bytes.begin(), bytes.end(), block_.begin());
  return *this;
}

sha256& sha256::add_field(std::string_view text) {
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<std::byte>(std::uint64_t{text.size()} >> (8 * i));
  return add(length).add(text);
}

digest sha256::finish() {
  const std::uint64_t bits = 8 * length_;
  constexpr std::array<std::byte, block_bytes> padding{std::byte{0x80}};
  const std::size_t held = length_ % block_bytes;
  add(std::span(padding).first(held < 56 ? 56 - held : block_bytes + 56 - held));
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  add(length);
  digest result;
  for (std::size_t i = 0; i < result.bytes.size(); ++i)
    result.bytes[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return result;
}

}  // namespace tessera
