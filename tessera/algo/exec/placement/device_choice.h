#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tessera/array/split.h"

namespace tessera {

/// A kind of device; all devices of it on all ranks.
struct device_kind {
  const char* name;
};
inline constexpr device_kind cpu{"cpu"};
inline constexpr device_kind cuda{"cuda"};
/// All devices of all kinds, each with a share that follows its speed.
struct all_devices {};
inline constexpr all_devices all{};

/// Where a skeleton runs: `.on(ts::cpu)`, `.on({0, 2})` (devices, numbered through all ranks), `.on(ts::all)`,
/// or a split of its launches, `.on(ts::on(3))`. Left out: where its elements are at home, or where a context has
/// several kinds of devices the kind that should be fastest. Never changes results, but for the last bits of sums of
/// floats where it changes the kind of device.
class device_choice {
 public:
  enum class form : std::uint8_t {
    automatic,
    split,
    kind,
    listed,
    all,
    home,  ///< Resolved: on the devices that launches choose by themselves.
  };

  device_choice() = default;
  device_choice(const tessera::split& split) : form_(form::split), split_(split) {}               // NOLINT: notation
  device_choice(const tiled& parts) : device_choice(tessera::split(parts)) {}                     // NOLINT: notation
  device_choice(device_kind kind) : form_(form::kind), kind_(kind.name) {}                        // NOLINT: notation
  device_choice(all_devices) : form_(form::all) {}                                                // NOLINT: notation
  device_choice(std::vector<int> devices) : form_(form::listed), devices_(std::move(devices)) {}  // NOLINT: notation
  device_choice(std::initializer_list<int> devices) : device_choice(std::vector<int>(devices)) {}

  /// Devices that share launches in these proportions.
  [[nodiscard]] static device_choice shared(std::vector<int> devices, std::vector<double> weights);
  [[nodiscard]] static device_choice at_home();

  [[nodiscard]] form as() const { return form_; }
  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::vector<int>& devices() const { return devices_; }
  /// Of the devices; empty: even shares.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  /// True if neither the program nor the choice between kinds has said anything: launches follow their elements.
  [[nodiscard]] bool is_open() const { return form_ == form::automatic || form_ == form::home; }

  /// The split of a launch of `grid` thread blocks of `block` threads: a resolved choice has one.
  [[nodiscard]] tessera::split split_for(const extents& grid, const extents& block) const;

 private:
  form form_ = form::automatic;
  tessera::split split_{};
  std::string kind_{};
  std::vector<int> devices_{};
  std::vector<double> weights_{};
};

/// While one lives, skeletons that this thread calls run there, unless they have a choice of their own; for those that
/// are plain functions: `ts::placement_scope place(ts::cpu); ts::reduce(x);`. Of several the innermost holds.
class placement_scope {
 public:
  explicit placement_scope(device_choice where);
  ~placement_scope();
  placement_scope(const placement_scope&) = delete;
  placement_scope& operator=(const placement_scope&) = delete;
  /// The choice of the innermost scope of this thread; null if there is none.
  [[nodiscard]] static const device_choice* current();

 private:
  device_choice where_;
  const device_choice* outer_;
};

}  // namespace tessera
