#include "tessera/plan/split/key.h"

#include <cstdint>
#include <type_traits>

#include "tessera/plan/access/codec.h"
#include "tessera/plan/value_fields.h"

namespace tessera::plan {
namespace {

/// Appends values to a key; the number of a list's entries goes before them.
class key_writer {
 public:
  template <class T>
  using value = const T&;

  explicit key_writer(std::string& key) : key_(key) {}

  template <class T>
  void number(const T& n) {
    static_assert(std::is_scalar_v<T>);
    key_.append(reinterpret_cast<const char*>(&n), sizeof n);
  }
  template <class T>
  void number(const T& n, std::int64_t /*lowest*/, std::int64_t /*highest*/) {
    number(n);
  }
  template <class Enum>
  void choice(const Enum& e, Enum /*last*/) {
    number(e);
  }
  void flag(bool is) { number(is); }
  void text(std::string_view t) {
    number(t.size());
    key_ += t;
  }
  void axes(const extents& e) {
    number(e.rank());
    key_.append(reinterpret_cast<const char*>(e.begin()), static_cast<std::size_t>(e.rank()) * sizeof(std::int64_t));
  }
  void bounds(const box& b) {
    axes(b.lo);
    axes(b.hi);
  }
  template <class List, class Entry>
  void list(const List& all, Entry entry) {
    number(all.size());
    for (const auto& one : all) entry(one);
  }

 private:
  std::string& key_;
};

/// What begins each entry of a key, so that no two launches give the same bytes.
enum class entry : std::uint8_t { slot, use, accesses };

}  // namespace

void split_key::begin(std::string_view name, const domain& space, const split_spec& split,
                      const workspace_function* workspace) {
  bytes_.clear();
  key_writer to(bytes_);
  to.text(name);
  to.axes(space.size);
  to.axes(space.granule);
  fields(to, split);
  to.number(workspace);
}

void split_key::add_slot(std::string_view name, const extents& shape, const dtype& type, const partition* home) {
  key_writer to(bytes_);
  to.number(entry::slot);
  to.text(name);
  to.axes(shape);
  fields(to, type);
  to.number(home);
}

void split_key::add_use(int parameter, int slot, const box& slice) {
  key_writer to(bytes_);
  to.number(entry::use);
  to.number(parameter);
  to.number(slot);
  to.bounds(slice);
}

void split_key::end(std::span<const std::byte> accesses,
                    std::span<const std::shared_ptr<const interval_table>> tables) {
  key_writer to(bytes_);
  to.number(entry::accesses);
  to.number(tables.size());
  for (const auto& t : tables) to.number(t->rows.identity());
  bytes_.append(reinterpret_cast<const char*>(accesses.data()), accesses.size());
}

void split_key::set(const launch_shape& shape) {
  begin(shape.name, shape.space, shape.split, shape.workspace.get());
  std::size_t described = 0;
  const auto describe_until = [&](std::size_t end) {
    for (; described < end; ++described) {
      const array_slot& slot = shape.slots[described];
      add_slot(slot.name, slot.shape, slot.type, slot.home.get());
    }
  };
  for (const slot_use& use : shape.uses) {
    describe_until(static_cast<std::size_t>(use.slot) + 1);
    add_use(use.parameter, use.slot, use.slice);
  }
  describe_until(shape.slots.size());
  const std::vector<std::shared_ptr<const interval_table>> tables = tables_of(*shape.accesses);
  if (shape.code.empty())
    end(access_codec::code_of(*shape.accesses), tables);
  else
    end(shape.code, tables);
}

std::string partition_key(const layout& distribution, const extents& shape) {
  std::string key;
  key_writer to(key);
  fields(to, distribution);
  to.axes(shape);
  return key;
}

}  // namespace tessera::plan
