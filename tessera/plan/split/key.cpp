#include "tessera/plan/split/key.h"

#include <cstdint>
#include <type_traits>

#include "tessera/plan/access/codec.h"

namespace tessera::plan {
namespace {

template <class T>
void put(std::string& key, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void put(std::string& key, const extents& e) {
  put(key, e.rank());
  key.append(reinterpret_cast<const char*>(e.begin()), static_cast<std::size_t>(e.rank()) * sizeof(std::int64_t));
}

void put(std::string& key, std::string_view text) {
  put(key, text.size());
  key += text;
}

void put(std::string& key, const dtype& type) {  // member by member: what lies between them has no value
  put(key, type.kind);
  put(key, type.lanes);
  put(key, type.size);
  put(key, type.alignment);
}

void put(std::string& key, const split_spec& split) {
  put(key, split.how);
  put(key, split.blocks);
  put(key, split.parameter);
  put(key, split.axis);
  put(key, split.device);
  put(key, split.slabs.size());
  for (const slab& s : split.slabs) {
    put(key, s.lo);
    put(key, s.hi);
    put(key, s.device);
  }
}

/// What begins each entry of a key, so that no two launches give the same bytes.
enum class entry : std::uint8_t { slot, use, accesses };

}  // namespace

void split_key::begin(std::string_view name, const domain& space, const split_spec& split,
                      const workspace_function* workspace) {
  bytes_.clear();
  put(bytes_, name);
  put(bytes_, space.size);
  put(bytes_, space.granule);
  put(bytes_, split);
  put(bytes_, reinterpret_cast<std::uintptr_t>(workspace));
}

void split_key::add_slot(std::string_view name, const extents& shape, const dtype& type, const partition* home) {
  put(bytes_, entry::slot);
  put(bytes_, name);
  put(bytes_, shape);
  put(bytes_, type);
  put(bytes_, reinterpret_cast<std::uintptr_t>(home));
}

void split_key::add_use(int parameter, int slot, const box& slice) {
  put(bytes_, entry::use);
  put(bytes_, parameter);
  put(bytes_, slot);
  put(bytes_, slice.lo);
  put(bytes_, slice.hi);
}

void split_key::end(std::span<const std::byte> accesses) {
  put(bytes_, entry::accesses);
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
  for (const array_use& use : shape.uses) {
    describe_until(static_cast<std::size_t>(use.slot) + 1);
    add_use(use.parameter, use.slot, use.slice);
  }
  describe_until(shape.slots.size());
  if (shape.code.empty())
    end(access_codec::encode(*shape.accesses));
  else
    end(shape.code);
}

std::string partition_key(const layout& distribution, const extents& shape) {
  std::string key;
  put(key, distribution.how);
  put(key, distribution.tile);
  put(key, distribution.cyclic);
  put(key, distribution.device);
  put(key, distribution.halo);
  put(key, distribution.parts.size());
  for (const placed_box& p : distribution.parts) {
    put(key, p.where.lo);
    put(key, p.where.hi);
    put(key, p.device);
    put(key, p.part);
  }
  put(key, shape);
  return key;
}

}  // namespace tessera::plan
