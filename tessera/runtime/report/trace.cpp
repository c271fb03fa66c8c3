#include "tessera/runtime/report/trace.h"

#include <fstream>

#include "tessera/base/log.h"

namespace tessera::runtime {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

}  // namespace

trace::trace(std::string path, int rank) : path_(std::move(path)), rank_(rank) {}

void trace::name_row(int row, std::string name) {
  std::lock_guard lock(mutex_);
  rows_.emplace_back(row, std::move(name));
}

void trace::add(int row, std::string name, std::string detail, clock::time_point begin, clock::time_point end) {
  std::lock_guard lock(mutex_);
  spans_.push_back({row, std::move(name), std::move(detail), begin, end});
}

trace::~trace() {
  std::ofstream file(path_);
  const auto micros = [](clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); };
  file << "{\"traceEvents\":[";
  const char* separator = "\n";
  for (const auto& [row, name] : rows_) {
    file << separator << R"({"ph":"M","name":"thread_name","pid":)" << rank_ << ",\"tid\":" << row
         << ",\"args\":{\"name\":" << quoted(name) << "}}";
    separator = ",\n";
  }
  file << std::fixed;
  for (const span& s : spans_) {
    file << separator << "{\"ph\":\"X\",\"name\":" << quoted(s.name) << ",\"pid\":" << rank_ << ",\"tid\":" << s.row
         << ",\"ts\":" << micros(s.begin - start_) << ",\"dur\":" << micros(s.end - s.begin)
         << ",\"args\":{\"detail\":" << quoted(s.detail) << "}}";
    separator = ",\n";
  }
  file << "\n]}\n";
  if (!file) log(log_level::error, "could not write the trace to " + path_);
}

}  // namespace tessera::runtime
