#include "tessera/base/settings/device_list.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

constexpr int most_devices = 1024;

int parse_count(std::string_view item, std::string_view text, char sign, int least, int most) {
  int value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size() || value < least || value > most)
    throw argument_error(cat("'", item, "' in the list of devices: a number from ", least, " to ", most,
                             " is expected behind '", sign, "'"));
  return value;
}

device_request parse_request(std::string_view item) {
  std::string_view kind = item;
  device_request request;
  if (const std::size_t star = kind.find('*'); star != std::string_view::npos) {
    request.count = parse_count(item, kind.substr(star + 1), '*', 1, most_devices);
    kind = kind.substr(0, star);
  }
  if (const std::size_t colon = kind.find(':'); colon != std::string_view::npos) {
    request.ordinal = parse_count(item, kind.substr(colon + 1), ':', 0, most_devices - 1);
    kind = kind.substr(0, colon);
  }
  request.kind = kind;
  if (request.kind.empty())
    throw argument_error("the list of devices has an empty entry; an example of a list is cpu*4");
  return request;
}

}  // namespace

device_list::device_list(std::vector<device_request> requests) : requests_(std::move(requests)) {
  for (const device_request& r : requests_)
    if (r.count < 1 || r.count > most_devices)
      throw argument_error(cat(r.count, " devices of kind '", r.kind, "'; 1 to ", most_devices, " are possible"));
}

device_list::device_list(std::string_view text) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    requests_.push_back(parse_request(item));
  }
}

std::string device_list::text() const {
  std::string text;
  for (const device_request& r : requests_) {
    if (!text.empty()) text += ',';
    text += r.kind;
    if (r.ordinal >= 0) text += cat(":", r.ordinal);
    if (r.count != 1) text += cat("*", r.count);
  }
  return text;
}

}  // namespace tessera
