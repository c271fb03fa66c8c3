#include "benchmarks/skepu/byte_model/byte_model.h"

#include <algorithm>
#include <list>

namespace tessera::bench::skepu {
namespace {

struct range {
  std::int64_t lo, hi;
  [[nodiscard]] std::int64_t count() const { return hi - lo; }
  bool operator==(const range&) const = default;
};

range common(range a, range b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }
bool overlap(range a, range b) { return common(a, b).count() > 0; }

/// A copy of part of a container on a device; found again only by a request of exactly this range.
struct device_copy {
  int device;
  range part;
  bool valid = false;
  bool modified = false;
  bool counted = false;
};

struct managed_container {
  logged_container shape;
  bool main_valid = true;
  std::list<device_copy> copies{};
};

class manager {
 public:
  manager(const call_log& log, mechanism kind, int devices) : kind_(kind), devices_(devices) {
    for (const logged_container& c : log.containers) containers_.push_back({c});
  }

  void take(const logged_event& event) {
    switch (event.what) {
      case logged_event::kind::call:
        call(event.operands);
        break;
      case logged_event::kind::host_read:
        host_read(at(event.container), {event.lo, event.hi});
        break;
      case logged_event::kind::loop_begins:
        in_loop_ = true;
        for (managed_container& c : containers_)
          for (device_copy& copy : c.copies) copy.counted = false;
        moved_.allocated = 0;
    }
  }
  [[nodiscard]] const traffic& moved() const { return moved_; }

 private:
  managed_container& at(int container) { return containers_[static_cast<std::size_t>(container)]; }

  void call(const std::vector<call_operand>& operands) {
    for (int device = 0; device < devices_; ++device)
      for (const call_operand& operand : operands) {
        managed_container& c = at(operand.container);
        const std::int64_t n = c.shape.count;
        const range asked =
            operand.use == operand_use::whole ? range{0, n} : range{n * device / devices_, n * (device + 1) / devices_};
        device_copy& copy = copy_of(c, device, asked);
        if (operand.use == operand_use::written)
          write(c, copy);
        else
          read(c, copy);
      }
    if (kind_ == mechanism::initial)
      for (const call_operand& operand : operands) flush(at(operand.container));
  }

  /// The copy of exactly this range; made if there is none.
  device_copy& copy_of(managed_container& c, int device, range asked) {
    auto found = std::find_if(c.copies.begin(), c.copies.end(),
                              [&](const device_copy& d) { return d.device == device && d.part == asked; });
    if (found == c.copies.end()) found = c.copies.insert(c.copies.end(), {device, asked});
    if (in_loop_ && !found->counted) {
      found->counted = true;
      moved_.allocated += (kind_ == mechanism::initial ? c.shape.count : asked.count()) * c.shape.bytes_each;
    }
    return *found;
  }

  void read(managed_container& c, device_copy& copy) {
    if (copy.valid) return;
    if (kind_ == mechanism::initial) {
      copy_back(c, {0, c.shape.count});
      moved_.host_to_device += copy.part.count() * c.shape.bytes_each;
    } else {
      update(c, copy);
    }
    copy.valid = true;
  }

  void write(managed_container& c, device_copy& copy) {
    if (kind_ != mechanism::initial) invalidate_others(c, copy);
    copy.valid = copy.modified = true;
  }

  /// Algorithm 1: every range comes from the first source that has some of it.
  void update(managed_container& c, const device_copy& to) {
    std::vector<range> missing{to.part};
    while (!missing.empty()) {
      const range wanted = missing.back();
      missing.pop_back();
      const range got = fetch(c, to, wanted);
      if (got.lo > wanted.lo) missing.push_back({wanted.lo, got.lo});
      if (got.hi < wanted.hi) missing.push_back({got.hi, wanted.hi});
    }
  }
  /// Copies some of `wanted`, and says what.
  range fetch(managed_container& c, const device_copy& to, range wanted) {
    const std::int64_t each = c.shape.bytes_each;
    for (const device_copy& from : c.copies)
      if (from.device == to.device && from.valid && overlap(from.part, wanted)) {
        moved_.within_device += common(from.part, wanted).count() * each;
        return common(from.part, wanted);
      }
    if (!c.main_valid)
      for (device_copy& from : c.copies) {
        if (from.device == to.device || !from.valid || !overlap(from.part, wanted)) continue;
        const range part = common(from.part, wanted);
        if (kind_ == mechanism::updated_with_peers) {
          moved_.between_devices += part.count() * each;
          return part;
        }
        if (!from.modified) continue;
        write_back(c, from);
        moved_.host_to_device += part.count() * each;
        return part;
      }
    moved_.host_to_device += wanted.count() * each;
    return wanted;
  }

  /// Algorithm 2: what other copies alone have goes to the main copy.
  void invalidate_others(managed_container& c, const device_copy& written) {
    c.main_valid = false;
    for (device_copy& other : c.copies) {
      if (&other == &written || !other.valid || !overlap(other.part, written.part)) continue;
      if (other.modified)
        moved_.device_to_host += (other.part.count() - common(other.part, written.part).count()) * c.shape.bytes_each;
      other.valid = other.modified = false;
    }
  }

  void host_read(managed_container& c, range wanted) {
    if (kind_ == mechanism::initial)
      copy_back(c, {0, c.shape.count});
    else if (!c.main_valid)
      copy_back(c, wanted);
  }
  void flush(managed_container& c) {
    copy_back(c, {0, c.shape.count});
    c.copies.clear();
  }

  /// Brings modified copies that overlap `wanted` to the main copy.
  void copy_back(managed_container& c, range wanted) {
    for (device_copy& copy : c.copies)
      if (copy.modified && overlap(copy.part, wanted)) write_back(c, copy);
  }
  void write_back(managed_container& c, device_copy& copy) {
    moved_.device_to_host += copy.part.count() * c.shape.bytes_each;
    copy.modified = false;
    c.main_valid = std::none_of(c.copies.begin(), c.copies.end(), [](const device_copy& d) { return d.modified; });
  }

  mechanism kind_;
  int devices_;
  bool in_loop_ = false;
  std::vector<managed_container> containers_;
  traffic moved_;
};

}  // namespace

traffic replay(const call_log& log, mechanism kind, int devices) {
  manager m(log, kind, devices);
  for (const logged_event& event : log.events) m.take(event);
  return m.moved();
}

}  // namespace tessera::bench::skepu
