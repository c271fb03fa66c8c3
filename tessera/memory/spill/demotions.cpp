#include "tessera/memory/spill/demotions.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "tessera/base/error.h"

namespace tessera::memory {

std::shared_ptr<disk_record> record_maker::make(const tracked_page& b, const file_range& position) {
  auto record = std::make_shared<disk_record>();
  record->position = position;
  record->bytes = b.bytes;
  record->identity =
      b.home->array.value * 0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(b.begin) ^ ++generation_ << 40;
  return record;
}

void demotions::make_way_for(const tracked_page& spilled, std::uint64_t position) {
  const std::uint64_t wanted = spilled.uses.next(position);
  if (patience_ > 0)
    --patience_;
  else if (coldest_.empty())
    find_coldest(position);
  while (!coldest_.empty()) {
    tracked_page& c = *coldest_.back();
    coldest_.pop_back();
    if (c.resident || !c.below || c.below->host == nullptr || !c.below->settled() || c.below->demoted) continue;
    if (c.uses.next(position) <= wanted) continue;
    return demote(c);
  }
}

/// The pages whose host memory is wanted last, the very last one at the end. The more there are to look at, the longer
/// until the next time.
void demotions::find_coldest(std::uint64_t position) {
  std::vector<std::pair<std::uint64_t, tracked_page*>> all;
  std::size_t looks = 0;
  spans_.for_each_page([&](tracked_page& b) {
    ++looks;
    if (!b.resident && b.below && b.below->host != nullptr) all.emplace_back(b.uses.next(position), &b);
    return true;
  });
  const std::size_t enough = std::min(all.size(), std::size_t{64});
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(enough), all.end(), std::greater<>());
  for (std::size_t k = enough; k > 0; --k) coldest_.push_back(all[k - 1].second);
  constexpr std::size_t looks_each = 64;
  patience_ = looks / looks_each;
}

void demotions::demote(tracked_page& b) {
  image& i = *b.below;
  try {
    i.demoted = records_.make(b);
  } catch (const error&) {
    return;  // it stays where it is
  }
  i.demotion_outdated = false;
  counters_.disk_written_bytes += b.bytes;
  under_way_.push_back(&b);
  i.copied = copies_.host_to_disk(b, i.host, i.demoted, i.ready,
                                  [of = b.below](const std::exception_ptr&) { of->demotion_outdated = true; });
}

void demotions::settle() noexcept {
  std::erase_if(under_way_, [&](tracked_page* b) {
    image& i = *b->below;
    if (!i.copied.done() || !b->arrival.done()) return false;
    if (i.demotion_outdated || !i.ready.done()) {
      file_.release(i.demoted->position);
    } else {
      host_.give(spans_.device_of(*b), std::exchange(i.host, nullptr), b->bytes);
      i.disk = std::move(i.demoted);
    }
    i.demoted = nullptr;
    return true;
  });
}

void demotions::cancel(tracked_page& b) noexcept {
  if (!b.below->demoted) return;
  file_.release(b.below->demoted->position);
  std::erase(under_way_, &b);
}

}  // namespace tessera::memory
