#include "tests/algo/fuzz/run/run.h"

#include "tessera/base/text.h"
#include "tests/algo/fuzz/program/print.h"
#include "tests/algo/fuzz/program/resolve.h"
#include "tests/algo/fuzz/run/tested.h"
#include "tests/fuzz/frame/ranks.h"

namespace tessera::fuzz {
namespace {

context context_for(const program& p, const std::shared_ptr<comm::transport>& rank) {
  options settings;
  settings.comm = rank;
  settings.devices = cat(p.kind, "*", p.devices);
  settings.log = log_level::off;
  settings.small = p.shares_all ? 0 : 4096;
  if (p.budget > 0) settings.device_memory = settings.host_memory = std::to_string(p.budget);
  return context(settings);
}

class comparison {
 public:
  comparison(const program& p, const std::shared_ptr<comm::transport>& rank)
      : program_(p), library_(context_for(p, rank), p.portion) {}

  std::optional<failure> run() {
    for (; at_ < program_.operations.size(); ++at_)
      if (const std::optional<step> s = resolve(plain_, program_.operations[at_]))
        if (auto wrong = compare(*s)) return wrong;
    operation last;
    last.action = verb::release;
    if (const std::optional<step> s = resolve(plain_, last))
      if (auto wrong = compare(*s)) return wrong;
    return compare_contents();
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  std::optional<failure> compare(const step& s) {
    if (s.refused) return expect_refusal(s);
    const std::vector<std::byte> got = library_.apply(s).bytes(), want = plain_.apply(s).bytes();
    if (got == want) return std::nullopt;
    const auto [g, w] = std::mismatch(got.begin(), got.end(), want.begin(), want.end());
    return failure{cat("what is read is wrong: byte ", g - got.begin(), " of ", got.size(), ", ", want.size(),
                       " expected, of\n  ", text_of(s)),
                   at_, g - got.begin()};
  }

  std::optional<failure> expect_refusal(const step& s) {
    try {
      static_cast<void>(library_.apply(s));
    } catch (const argument_error&) {
      return std::nullopt;
    }
    return failure{cat("a call was accepted that a guard excludes:\n  ", text_of(s)), at_, -1};
  }

  std::optional<failure> compare_contents() {
    std::optional<failure> wrong;
    for (const value_kind type : {value_kind::number, value_kind::real, value_kind::cell})
      for (int axes = 1; axes <= 3 && !wrong; ++axes)
        for (int slot = 0; slot < slots && !wrong; ++slot)
          with_type(type, axes, [&]<class T, int N>() { wrong = compare_container<T, N>(type, slot); });
    return wrong;
  }
  template <class T, int N>
  std::optional<failure> compare_container(value_kind type, int slot) {
    const std::vector<T>& want = plain_.get<T, N>(slot).elements;
    const extents shape = library_.get<T, N>(slot).shape();
    if (shape != plain_.get<T, N>(slot).shape)
      return failure{cat(name_of(type, N, slot), " has the shape ", to_string(shape)), at_, -1};
    const std::vector<T> got = library_.contents<T, N>(slot);
    for (std::size_t k = 0; k < got.size(); ++k)
      if (std::memcmp(&got[k], &want[k], sizeof(T)) != 0)
        return failure{cat("what is read is wrong: element ", k, " of ", name_of(type, N, slot), ", of shape ",
                           to_string(shape), ", in the end"),
                       at_, static_cast<std::int64_t>(k)};
    return std::nullopt;
  }

  const program& program_;
  reference plain_;
  tested library_;
  std::size_t at_ = 0;
};

std::optional<failure> run_rank(const program& p, const std::shared_ptr<comm::transport>& rank) {
  std::size_t at = 0;
  try {
    comparison both(p, rank);
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

}  // namespace tessera::fuzz
