#include "tests/fuzz/generate/budget.h"

#include <algorithm>
#include <array>
#include <map>

#include "tessera/base/index.h"

namespace tessera::fuzz {
namespace {

/// Follows which array each slot holds.
class sizes {
 public:
  std::int64_t least = 256;  ///< The most that one operation uses at once.
  std::int64_t all = 0;

  void follow(const create_op& o) {
    const std::int64_t bytes = volume(o.shape) * size_of(o.type);
    held_[index(o.slot)] = {++arrays_, bytes};
    least = std::max(least, bytes);
    all += bytes;
  }
  void follow(const drop_op& o) { held_[index(o.slot)] = {}; }
  void follow(const view_op& o) { held_[index(o.slot)] = held_[index(o.from.slot)]; }
  void follow(const swap_op& o) { std::swap(held_[index(o.a)], held_[index(o.b)]); }
  void follow(const launch_op& o) {
    std::map<int, std::int64_t> used;
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < o.arguments.size(); ++n) {
      if (o.arguments[n].slot < 0) continue;
      const auto& [array, bytes] = held_[index(o.arguments[n].slot)];
      if (used.emplace(array, bytes).second) sum += bytes;
      if (o.source >= 0 || has_private_result(o.definition.parameters[n])) sum += 3 * bytes + alignment;
    }
    least = std::max(least, sum);
  }
  void follow(const value_op& o) {
    least = std::max({least, held_[index(o.from.slot)].second + alignment, held_[index(o.to.slot)].second + alignment});
  }
  template <class Other>
  void follow(const Other&) {}

 private:
  static constexpr std::int64_t alignment = 768;  // of a block's own result

  /// Private results are arrays too, are folded with what came from another device, and blocks have their own.
  static bool has_private_result(const parameter& p) {
    return std::any_of(p.rules.begin(), p.rules.end(), [](const rule& r) { return combines(r.mode); });
  }
  std::array<std::pair<int, std::int64_t>, slot_count> held_{};
  int arrays_ = 0;
};

}  // namespace

budget budget_of(const program& p) {
  if (p.memory == 0) return {};
  sizes s;
  for (const operation& o : p.operations) std::visit([&](const auto& step) { s.follow(step); }, o);
  const std::int64_t more = std::max<std::int64_t>(0, s.all - s.least);
  return {std::to_string(s.least + more * (p.memory - 1) / 100), std::to_string(1 + s.all * p.host / 100)};
}

}  // namespace tessera::fuzz
