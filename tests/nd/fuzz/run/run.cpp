#include "tests/nd/fuzz/run/run.h"

#include <cmath>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tests/fuzz/frame/ranks.h"
#include "tests/nd/fuzz/program/print.h"
#include "tests/nd/fuzz/reference/reference.h"
#include "tests/nd/fuzz/run/tested.h"

namespace tessera::fuzz {
namespace {

context context_for(const program& p, const std::shared_ptr<comm::transport>& rank) {
  options settings;
  settings.comm = rank;
  settings.devices = cat(p.kind, "*", p.devices);
  settings.log = log_level::off;
  if (!p.has_small) settings.small = 0;
  if (p.is_compiled) settings.check.guards = true;  // waits for the text
  if (p.budget > 0) settings.device_memory = settings.host_memory = std::to_string(p.budget);
  return context(settings);
}

/// True if both have the bytes of one number; NaNs equal each other.
template <class T>
bool is_same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) && std::isnan(b)) return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool is_same(const std::complex<T>& a, const std::complex<T>& b) {
  return is_same(a.real(), b.real()) && is_same(a.imag(), b.imag());
}

template <class T>
T element_at(const std::vector<std::byte>& bytes, std::int64_t n) {
  T value;
  std::memcpy(&value, &bytes[index(n) * sizeof(T)], sizeof(T));
  return value;
}

/// The first element that differs, with both; -1: none.
struct difference {
  std::int64_t element = -1;
  std::string got, expected;
};
difference compare(scalar_kind type, const std::vector<std::byte>& got, const std::vector<std::byte>& expected) {
  return with_kind(type, [&]<class T>() -> difference {
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(got.size() / sizeof(T)); ++n) {
      const T a = element_at<T>(got, n), b = element_at<T>(expected, n);
      if (!is_same(a, b)) return {n, text_of(a), text_of(b)};
    }
    return {};
  });
}

class comparison {
 public:
  comparison(const program& p, const std::shared_ptr<comm::transport>& rank, bool is_first)
      : program_(p), library_(context_for(p, rank), p.is_eager, p.keeps_on_first && is_first) {}

  std::optional<failure> run() {
    for (; at_ < program_.steps.size(); ++at_)
      if (auto wrong = compare_step(program_.steps[at_])) return wrong;
    for (int n = 0; n < slots; ++n) {
      part whole;
      whole.slot = n;
      if (plain_.slot(n).is_null()) continue;
      if (auto wrong = compare_part(whole)) return wrong;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  std::optional<failure> compare_step(const step& s) {
    if (s.refused) return expect_refusal(s);
    plain_.apply(s);
    library_.apply(s);
    return s.action == verb::read ? compare_part(s.target) : std::nullopt;
  }

  std::optional<failure> expect_refusal(const step& s) {
    try {
      library_.apply(s);
    } catch (const argument_error&) {
      return std::nullopt;
    }
    return failure{cat("a statement was accepted that makes no sense: ", text_of(s)), at_, -1};
  }

  std::optional<failure> compare_part(const part& p) {
    const plain_array expected = plain_.get(p);
    const nd::array found = library_.get(p);
    if (found.type() != expected.type || found.shape() != extents_of(expected.shape))
      return failure{cat(text_of(p), " has the type ", to_string(dtype::make(found.type())), " and the shape ",
                         to_string(found.shape()), ", not ", to_string(dtype::make(expected.type)), " and ",
                         to_string(extents_of(expected.shape))),
                     at_, -1};
    const difference wrong = compare(expected.type, nd::elements_of(found, call_site::current()), expected.bytes());
    if (wrong.element < 0) return std::nullopt;
    return failure{cat("what is read is wrong: element ", wrong.element, " of ", text_of(p), ", of shape ",
                       to_string(found.shape()), ", is ", wrong.got, ", not ", wrong.expected),
                   at_, wrong.element};
  }

  const program& program_;
  reference plain_;
  tested library_;
  std::size_t at_ = 0;
};

std::optional<failure> run_rank(const program& p, const std::shared_ptr<comm::transport>& rank) {
  std::size_t at = 0;
  try {
    comparison both(p, rank, rank->rank().value == 0);
    try {
      return both.run();
    } catch (...) {
      at = both.at();
      throw;
    }
  } catch (const std::exception& e) {
    return failure{cat("an exception: ", e.what()), at, -1};
  }
}

}  // namespace

std::optional<failure> run_program(const program& p) {
  return run_on_ranks(p.ranks, [&](const auto& rank) { return run_rank(p, rank); });
}

bool is_valid(const program& p) {
  reference plain;
  for (const step& s : p.steps) {
    try {
      plain.apply(s);
      if (s.refused) return false;
    } catch (const refused_step&) {
      if (!s.refused) return false;
    } catch (const invalid_step&) {
      return false;
    }
  }
  return true;
}

}  // namespace tessera::fuzz
