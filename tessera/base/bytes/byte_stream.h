#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/text.h"

namespace tessera {

/// Values as numbers and bytes, for a `Sink` that takes those.
template <class Sink>
class value_writer {
 public:
  void count(std::size_t n) { sink().number(static_cast<std::int64_t>(n)); }
  void word(std::uint64_t value) { sink().number(static_cast<std::int64_t>(value)); }
  void flag(bool is) { sink().number(is ? 1 : 0); }
  template <class Enum>
  void choice(Enum value) {
    sink().number(static_cast<std::int64_t>(value));
  }
  void text(std::string_view t) { sink().bytes(std::as_bytes(std::span(t.data(), t.size()))); }
  void axes(const extents& e) {
    sink().number(e.rank());
    for (const std::int64_t n : e) sink().number(n);
  }
  void bounds(const box& b) {
    axes(b.lo);
    for (const std::int64_t n : b.hi) sink().number(n);
  }

 private:
  Sink& sink() { return static_cast<Sink&>(*this); }
};

/// Appends values to bytes that are equal on every machine. Numbers take seven bits per byte, sign in the lowest bit.
class byte_writer : public value_writer<byte_writer> {
 public:
  explicit byte_writer(std::vector<std::byte>& out) : out_(out) {}

  void number(std::int64_t value) {
    auto rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (; rest >= 0x80; rest >>= 7) out_.push_back(static_cast<std::byte>((rest & 0x7F) | 0x80));
    out_.push_back(static_cast<std::byte>(rest));
  }
  void bytes(std::span<const std::byte> data) {
    count(data.size());
    out_.insert(out_.end(), data.begin(), data.end());
  }
  /// What belongs to it writes itself.
  [[nodiscard]] std::vector<std::byte>& out() { return out_; }

 private:
  std::vector<std::byte>& out_;
};

/// A hash of a few values, equal on every machine; for many bytes that lie together there is hash.h.
class hash_writer : public value_writer<hash_writer> {
 public:
  void number(std::int64_t value) {
    value_ = (value_ ^ static_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdULL;
    value_ ^= value_ >> 32;
  }
  void bytes(std::span<const std::byte> data) {
    count(data.size());
    for (; !data.empty(); data = data.subspan(std::min<std::size_t>(8, data.size()))) {
      std::uint64_t part = 0;
      std::memcpy(&part, data.data(), std::min<std::size_t>(8, data.size()));
      word(part);
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x9e3779b97f4a7c15ULL;
};

/// Takes values from the front of bytes of unknown origin. Throws `argument_error` that begins with "malformed" and
/// `subject` where they are cut short or out of range; never allocates more than the bytes that are there.
class byte_reader {
 public:
  byte_reader(std::span<const std::byte> in, std::string_view subject) : in_(in), subject_(subject) {}

  std::int64_t number() {
    std::uint64_t raw = 0;
    for (int shift = 0;; shift += 7) {
      if (in_.empty()) fail("cut short");
      const auto byte = static_cast<std::uint64_t>(in_.front());
      in_ = in_.subspan(1);
      if (shift == 63 && byte > 1) fail("a number does not fit 64 bits");
      raw |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    return static_cast<std::int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
  }
  std::int64_t number(std::int64_t lowest, std::int64_t highest) {
    const std::int64_t n = number();
    if (n < lowest || n > highest) fail(cat(n, " lies outside ", lowest, " to ", highest));
    return n;
  }
  std::uint64_t word() { return static_cast<std::uint64_t>(number()); }
  /// Of things that take at least one byte each.
  std::size_t count() { return static_cast<std::size_t>(number(0, static_cast<std::int64_t>(in_.size()))); }
  bool flag() { return number(0, 1) != 0; }
  template <class Enum>
  Enum choice(Enum last) {
    return static_cast<Enum>(number(0, static_cast<std::int64_t>(last)));
  }
  std::vector<std::byte> bytes() {
    const std::size_t n = count();
    std::vector<std::byte> data(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(n));
    in_ = in_.subspan(n);
    return data;
  }
  std::string text() {
    const std::vector<std::byte> data = bytes();
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }
  extents axes() { return axes_of(static_cast<int>(number(0, max_rank))); }
  box bounds() {
    const extents lo = axes();
    return {lo, axes_of(lo.rank())};
  }

  [[nodiscard]] std::span<const std::byte> rest() const { return in_; }
  void skip_to(std::span<const std::byte> rest) { in_ = rest; }
  [[noreturn]] void fail(std::string_view reason) const {
    throw argument_error(cat("malformed ", subject_, ": ", reason));
  }

 private:
  extents axes_of(int rank) {
    extents e = extents::uniform(rank, 0);
    for (int k = 0; k < rank; ++k) e[k] = number();
    return e;
  }

  std::span<const std::byte> in_;
  std::string_view subject_;
};

}  // namespace tessera
