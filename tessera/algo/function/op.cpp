#include "tessera/algo/function/op.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <span>

#include "tessera/algo/function/device_text.h"
#include "tessera/base/bytes/hash.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// Everything that distinguishes a text, in one string.
std::string contents(const op_text& text) {
  std::string all = cat(text.type, '\0', text.blocks, '\0', text.text, '\0', text.name, '\0', text.has_state, '\0');
  for (const op_parameter& p : text.parameters)
    all += cat(static_cast<int>(p.kind), p.type, '\0', to_string(p.element), '\0', p.axes, '\0');
  for (const op_result& r : text.results) all += cat(r.type, '\0', to_string(r.element), '\0');
  for (const auto& part : text.parts) all += cat(part->digest, '\0');
  return all;
}

/// `text` behind the operators that it calls, each once.
void collect(const op_text& text, std::vector<const op_text*>& all) {
  if (std::find(all.begin(), all.end(), &text) != all.end()) return;
  for (const auto& part : text.parts) collect(*part, all);
  all.push_back(&text);
}

}  // namespace

std::shared_ptr<const op_text> keep_text(op_text text) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const op_text>> kept;
  std::string key = contents(text);
  text.digest = hash_of(std::as_bytes(std::span(key)));
  const std::lock_guard lock(mutex);
  std::weak_ptr<const op_text>& place = kept[key];
  if (std::shared_ptr<const op_text> found = place.lock()) return found;
  auto made = std::make_shared<const op_text>(std::move(text));
  place = made;
  if (kept.size() % 256 == 0) std::erase_if(kept, [](const auto& entry) { return entry.second.expired(); });
  return made;
}

std::string definitions_of(const std::vector<const op_text*>& operators) {
  std::vector<const op_text*> all;
  for (const op_text* text : operators) collect(*text, all);
  if (all.size() == 1) return all[0]->blocks + all[0]->text;
  std::string names, own;
  for (const op_text* text : all) {
    names += cat(" ", text->names, " ", text->text);
    own += text->text;
  }
  return blocks_needed_by(names) + own;
}

void state_layout::add(const void* bytes, std::size_t size, std::size_t alignment) {
  const std::size_t at = (bytes_.size() + alignment - 1) / alignment * alignment;
  bytes_.resize(at + size);
  std::memcpy(bytes_.data() + at, bytes, size);
  alignment_ = std::max(alignment_, alignment);
}

std::vector<std::byte> state_layout::bytes() const {
  std::vector<std::byte> result = bytes_;
  result.resize((result.size() + alignment_ - 1) / alignment_ * alignment_);
  return result;
}

}  // namespace tessera::algo
