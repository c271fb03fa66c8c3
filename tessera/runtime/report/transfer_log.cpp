#include "tessera/runtime/report/transfer_log.h"

#include <cerrno>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::runtime {

transfer_log::transfer_log(const std::string& destination, const array_names& names, const call_sites& calls)
    : names_(names), calls_(calls), lines_(!destination.empty() && destination != "0"), wanted_(lines_) {
  if (!lines_ || destination == "1") return;
  file_.reset(std::fopen(destination.c_str(), "w"));
  if (!file_)
    throw io_error(
        cat("cannot write the transfer log '", destination, "' (TESSERA_LOG_TRANSFERS): ", std::strerror(errno)));
}

void transfer_log::set_listener(listener function) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(function);
  wanted_.store(lines_ || listener_, std::memory_order_relaxed);
}

void transfer_log::add(movement m) {
  const transfer_record record{names_.find(m.array), m.bounds, std::move(m.from), std::move(m.to), m.bytes, m.link,
                               calls_.find(m.task),  m.way};
  const std::lock_guard lock(mutex_);
  if (lines_) std::fprintf(file_ ? file_.get() : stderr, "tessera: %s\n", to_string(record).c_str());
  if (listener_) listener_(record);
}

}  // namespace tessera::runtime
