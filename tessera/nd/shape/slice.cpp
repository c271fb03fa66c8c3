#include "tessera/nd/shape/slice.h"
#include "tessera/nd/refuse.h"

#include <algorithm>

namespace tessera::nd {

resolved_slice resolve(const slice& wanted, std::int64_t length, call_site here) {
  if (wanted.step == 0) refuse(here, "slice ", to_string(wanted), ": the step of a slice is not 0");
  const bool forwards = wanted.step > 0;
  // Where a place beyond the axis stops: before the first element, or behind the last.
  const std::int64_t least = forwards ? 0 : -1, most = forwards ? length : length - 1;
  const auto place = [&](std::int64_t given, std::int64_t otherwise) {
    if (given == slice::open) return otherwise;
    return std::clamp(given < 0 ? given + length : given, least, most);
  };
  const std::int64_t first = place(wanted.first, forwards ? least : most);
  const std::int64_t last = place(wanted.last, forwards ? most : least);
  const std::int64_t distance = forwards ? last - first : first - last;
  // The step may be as large as it likes; its size as an unsigned number exists also for the least one.
  const auto size = forwards ? static_cast<std::uint64_t>(wanted.step) : 0 - static_cast<std::uint64_t>(wanted.step);
  const std::int64_t count =
      distance <= 0 ? 0 : static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / size) + 1;
  return {count == 0 ? 0 : first, count, count <= 1 ? 1 : wanted.step};
}

std::int64_t resolve_index(std::int64_t index, std::int64_t length, int axis, call_site here) {
  const std::int64_t place = index < 0 ? index + length : index;
  if (place < 0 || place >= length)
    refuse<index_error>(here, "index ", index, " is beyond axis ", axis, ", which has ", length, " elements");
  return place;
}

std::string to_string(const slice& s) {
  const auto place = [](std::int64_t given) { return given == slice::open ? std::string() : std::to_string(given); };
  return cat(place(s.first), ":", place(s.last), s.step == 1 ? "" : cat(":", s.step));
}

}  // namespace tessera::nd
