#include "tessera/plan/split/placement.h"

#include <algorithm>
#include <map>
#include <set>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/plan/split/home_bytes.h"
#include "tessera/plan/split/slabs.h"

namespace tessera::plan {
namespace {

/// A superblock of which one device is home to nearly all.
struct clear_superblock {
  std::int64_t number = 0;
  byte_total bytes = 0;
  int home = 0;
};

struct open_superblock {
  std::int64_t number = 0;
  byte_total bytes = 0;
  std::vector<home_share> homes;  // most bytes first, then the lowest device; not all of them if there are many
};

/// What devices may still take of their shares.
class room_table {
 public:
  room_table(std::vector<byte_total> room, std::vector<bool> idle, const std::vector<int>& members)
      : room_(std::move(room)), idle_(std::move(idle)) {
    for (const int d : members) order_.emplace(room_[index(d)], d);
  }
  /// True for a device that has nothing to do, and where `bytes` fit; half of them are enough if most of them are at
  /// home there.
  [[nodiscard]] bool accepts(const home_share& home, byte_total bytes) const {
    const byte_total left = room_[index(home.device)];
    return idle_[index(home.device)] || left >= bytes || (2 * home.bytes > bytes && 2 * left >= bytes);
  }
  /// The device with most room, of several the first.
  [[nodiscard]] int largest() const { return order_.begin()->second; }
  void take(int device, byte_total bytes) {
    byte_total& left = room_[index(device)];
    order_.erase({left, device});
    left -= bytes;
    order_.emplace(left, device);
    idle_[index(device)] = false;
  }

 private:
  struct most_first {
    bool operator()(const std::pair<byte_total, int>& a, const std::pair<byte_total, int>& b) const {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    }
  };
  std::vector<byte_total> room_;
  std::vector<bool> idle_;
  std::set<std::pair<byte_total, int>, most_first> order_;
};

/// Places superblocks where the split does not say where.
class home_placer {
 public:
  home_placer(const launch_grid& grid, const machine_table& machine)
      : grid_(grid), machine_(machine), bytes_(grid), room_(index(machine.device_count())), idle_(room_.size(), true) {}

  placement run() {
    result_.devices.assign(index(grid_.size()), nowhere);
    gather();
    choose_kind();
    set_shares();
    place_the_clear();
    place_the_open();
    place_the_empty();
    return std::move(result_);
  }

 private:
  static constexpr int nowhere = -1;
  static constexpr std::size_t most_homes = 8;

  /// Finds the home of superblocks that have a clear one, and what is to be known of the others.
  void gather() {
    for (std::int64_t s = 0; s < grid_.size(); ++s) {
      const std::vector<home_share>& shares = bytes_.of(s);
      byte_total sum = 0;
      const home_share* most = nullptr;
      for (const home_share& share : shares) {
        sum += share.bytes;
        room_[index(share.device)] += share.bytes;
        if (most == nullptr || share.bytes > most->bytes) most = &share;
      }
      if (sum == 0) continue;
      if (planted("placed_by_first_element")) most = &shares.front();
      if (most->bytes >= sum - sum / 4 || planted("placed_by_first_element"))
        clear_.push_back({s, sum, most->device});
      else
        open_.push_back({s, sum, largest_of(shares)});
    }
  }

  static std::vector<home_share> largest_of(std::vector<home_share> shares) {
    const auto kept = std::min(shares.size(), most_homes);
    std::partial_sort(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(kept), shares.end(),
                      [](const home_share& a, const home_share& b) {
                        return a.bytes != b.bytes ? a.bytes > b.bytes : a.device < b.device;
                      });
    shares.resize(kept);
    return shares;
  }

  /// The devices that take part. What they are home to is in `room_`.
  void choose_kind() {
    std::map<std::string, byte_total> at_home;
    const bool follows = followed_slot(grid_.shape()) >= 0;
    if (!follows && machine_.has_several_kinds())
      for (int d = 0; d < machine_.device_count(); ++d) at_home[machine_.spec(d).kind] += room_[index(d)];
    const bool everything_elsewhere = at_home.size() > 1 && at_home[machine_.automatic_kind()] == 0;
    std::string kind = machine_.automatic_kind();
    if (everything_elsewhere)
      for (const auto& [other, bytes] : at_home)
        if (bytes > at_home[kind]) kind = other;

    for (int d = 0; d < machine_.device_count(); ++d)
      if (at_home.size() < 2 || machine_.spec(d).kind == kind) allowed_.push_back(d);
    if (at_home.size() > 1) result_.notes.push_back(cat("runs on devices of one kind, ", kind));
  }

  /// How much each device is to take: equal parts; where the user has named the devices of an array, those that are
  /// home to something take in proportion to it, and an equal part of what lies on devices that take no part.
  void set_shares() {
    members_ = allowed_;
    byte_total equal = 0;
    if (bytes_.names_devices())
      std::erase_if(members_, [&](int d) { return room_[index(d)] == 0; });
    else
      for (const int d : allowed_) equal += std::exchange(room_[index(d)], 0);
    if (members_.empty()) members_ = allowed_;
    for (int d = 0; d < machine_.device_count(); ++d)
      if (!may_use(d)) equal += room_[index(d)];
    const auto count = static_cast<byte_total>(members_.size());
    for (const int d : members_) room_[index(d)] += (equal + count - 1) / count;
  }

  [[nodiscard]] bool may_use(int device) const { return std::binary_search(allowed_.begin(), allowed_.end(), device); }

  void place_the_clear() {
    for (const clear_superblock& s : clear_) {
      if (!may_use(s.home)) {
        open_.push_back({s.number, s.bytes, {}});
        continue;
      }
      result_.devices[index(s.number)] = s.home;
      room_[index(s.home)] -= s.bytes;
      idle_[index(s.home)] = false;
    }
  }

  /// Those that have most of their bytes in one place choose first.
  void place_the_open() {
    if (open_.empty()) return;
    for (open_superblock& s : open_) std::erase_if(s.homes, [&](const home_share& h) { return !may_use(h.device); });
    const auto most = [](const open_superblock& s) { return s.homes.empty() ? 0 : s.homes.front().bytes; };
    std::sort(open_.begin(), open_.end(), [&](const open_superblock& a, const open_superblock& b) {
      const byte_total left = most(a) * b.bytes, right = most(b) * a.bytes;
      return left != right ? left > right : a.number < b.number;
    });
    room_table room(room_, idle_, members_);
    for (const open_superblock& s : open_) {
      const auto fits =
          std::find_if(s.homes.begin(), s.homes.end(), [&](const home_share& h) { return room.accepts(h, s.bytes); });
      const int device = fits != s.homes.end() ? fits->device : room.largest();
      room.take(device, s.bytes);
      result_.devices[index(s.number)] = device;
    }
    if (grid_.size() > 1)
      result_.notes.push_back(cat("in balance: ", open_.size(), " of ", grid_.size(), " superblocks have no device ",
                                  "that is home to three quarters of what they ", bytes_.verb()));
  }

  void place_the_empty() {
    for (std::int64_t s = 0; s < grid_.size(); ++s)
      if (result_.devices[index(s)] == nowhere)
        result_.devices[index(s)] = allowed_[index(s * std::ssize(allowed_) / grid_.size())];
  }

  const launch_grid& grid_;
  const machine_table& machine_;
  home_bytes bytes_;
  std::vector<byte_total> room_;  // per device of all ranks
  std::vector<bool> idle_;        // likewise: nothing was placed there
  std::vector<clear_superblock> clear_;
  std::vector<open_superblock> open_;
  std::vector<int> allowed_;  // ascending
  std::vector<int> members_;  // of those, the ones that have a share
  placement result_;
};

std::vector<int> place_in_slabs(const launch_grid& grid) {
  const int axis = slab_axis(grid.shape());
  const std::int64_t block = grid.shape().space.granule[axis];
  const std::vector<slab> slabs = ascending_slabs(grid.shape());
  std::vector<int> placed;
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    const box part = grid.part(s);
    const std::int64_t lo = part.lo[axis] * block, hi = part.hi[axis] * block;
    auto meets = std::partition_point(slabs.begin(), slabs.end(), [&](const slab& x) { return x.hi <= lo; });
    std::map<int, std::int64_t> threads;
    int best = meets->device;
    for (; meets != slabs.end() && meets->lo < hi; ++meets)
      threads[meets->device] += std::min(hi, meets->hi) - std::max(lo, meets->lo);
    for (const auto& [device, count] : threads)
      if (count > threads[best]) best = device;
    placed.push_back(best);
  }
  return placed;
}

}  // namespace

placement place(const launch_grid& grid, const machine_table& machine) {
  const split_spec& split = grid.shape().split;
  if (split.form == split_spec::kind::on_device) return {std::vector<int>(index(grid.size()), split.device), {}};
  if (split.form == split_spec::kind::slabs) return {place_in_slabs(grid), {}};
  if (machine.device_count() == 1) return {std::vector<int>(index(grid.size()), 0), {}};
  return home_placer(grid, machine).run();
}

}  // namespace tessera::plan
