#include "tessera/runtime/machine/machine_notes.h"

#include <unistd.h>

#include <array>

namespace tessera::runtime {
namespace {

digest key_of(std::string_view name) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  sha256 hash;
  hash.add_field("machine notes 1");
  hash.add_field(host.data());
  hash.add_field(name);
  return hash.finish();
}

}  // namespace

std::optional<std::vector<std::byte>> machine_notes::find(std::string_view name) const {
  return cache_.enabled() ? cache_.find(key_of(name)) : std::nullopt;
}

void machine_notes::store(std::string_view name, std::span<const std::byte> contents) {
  if (cache_.enabled()) cache_.store(key_of(name), contents);
}

}  // namespace tessera::runtime
