#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/ids.h"
#include "tessera/base/index.h"
#include "tessera/plan/partition.h"

namespace tessera::plan {

/// How fast bytes travel to and from a device, in bytes per second; 0 where it is not known.
struct link_speeds {
  double from_host = 0, to_host = 0;
  double between = 0;     ///< From one device of the rank to another of its kind.
  bool measured = false;  ///< On this machine; otherwise what is usual for the kind of device.
  bool operator==(const link_speeds&) const = default;
};

struct device_spec {
  std::string kind;         ///< "cpu", "cuda", "null"
  std::int64_t memory = 0;  ///< Budget in bytes that plans count with.
  std::int64_t page = 1;    ///< The largest unit in which memory is given.
  std::string name{};       ///< "cpu:0"; at most 23 characters travel between ranks.
  int cores = 1;            ///< Threads (CPU) or multiprocessors (GPU).
  std::int64_t budget = 0;  ///< What the user allows; a little more than `memory` where alignment takes some.
  link_speeds speeds{};
  bool operator==(const device_spec&) const = default;
};

/// Settings that decide how work is planned, equal on all ranks.
struct machine_settings {
  bool deterministic = false;        ///< Sums of floats have the same bits on every machine (rule F3).
  bool check_uninitialised = false;  ///< Launches that read elements never written fail instead of running.
  bool check_ranks = false;          ///< What every rank writes is compared (rule C4).
  std::int64_t small = 0;            ///< Launches of at most so many bytes are not cut (rule B3); 0: all are.
  bool operator==(const machine_settings&) const = default;
};

/// Every rank's devices, equal on all ranks. Plans depend on this and on the task stream alone.
class machine_table {
 public:
  machine_table() = default;
  explicit machine_table(std::vector<std::vector<device_spec>> nodes, machine_settings settings = {});
  /// `nodes` ranks of `devices` equal devices.
  static machine_table uniform(int nodes, int devices, const device_spec& spec = {"cpu", std::int64_t{1} << 40},
                               machine_settings settings = {});

  [[nodiscard]] const machine_settings& settings() const { return settings_; }

  [[nodiscard]] int node_count() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] int device_count() const { return first_.back(); }
  [[nodiscard]] int devices_of(node_id node) const { return first_[index(node.value) + 1] - first_[index(node.value)]; }

  /// Devices are numbered through all ranks; this is the number of the first one of `node`.
  [[nodiscard]] int first_device(node_id node) const { return first_[index(node.value)]; }
  [[nodiscard]] device_range devices(node_id node) const {
    return {first_device(node), first_device(node) + devices_of(node)};
  }
  [[nodiscard]] location locate(int device) const;
  [[nodiscard]] node_id node_of(int device) const { return locate(device).node; }
  [[nodiscard]] const device_spec& spec(int device) const;
  /// The kind of device that automatic distributions and splits use: that of the first one which is no CPU, else "cpu".
  [[nodiscard]] const std::string& automatic_kind() const { return automatic_kind_; }
  /// The devices of that kind, ascending.
  [[nodiscard]] const std::vector<int>& automatic_devices() const { return automatic_devices_; }
  [[nodiscard]] bool has_several_kinds() const { return std::ssize(automatic_devices_) < device_count(); }
  /// The devices of one rank.
  [[nodiscard]] std::span<const device_spec> specs(node_id node) const { return nodes_[index(node.value)]; }
  /// The least memory and the largest page of all devices: what fits there fits everywhere.
  [[nodiscard]] device_spec least() const;

  /// One rank's devices and settings in a record of fixed size, as ranks exchange them when a context is made.
  struct rank_record {
    std::vector<device_spec> devices;
    machine_settings settings;
  };
  static constexpr std::size_t record_bytes = 16384;
  [[nodiscard]] static std::vector<std::byte> encode(const rank_record& rank);
  [[nodiscard]] static rank_record decode(std::span<const std::byte> record);

 private:
  std::vector<std::vector<device_spec>> nodes_;
  std::vector<int> first_{0};  // prefix sums of the device counts
  machine_settings settings_;
  std::string automatic_kind_ = "cpu";
  std::vector<int> automatic_devices_;
};

}  // namespace tessera::plan
