#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace tessera::support {

/// Takes what the process writes to standard error, from construction to destruction.
class stderr_text {
 public:
  stderr_text() : file_(std::tmpfile()), before_(::dup(STDERR_FILENO)) {
    std::fflush(stderr);
    ::dup2(::fileno(file_), STDERR_FILENO);
  }
  ~stderr_text() {
    std::fflush(stderr);
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    std::fclose(file_);
  }
  stderr_text(const stderr_text&) = delete;
  stderr_text& operator=(const stderr_text&) = delete;

  /// All of it until now.
  [[nodiscard]] std::string get() const {
    std::fflush(stderr);
    std::string text;
    char part[4096];
    ssize_t n = 0;
    while ((n = ::pread(::fileno(file_), part, sizeof part, static_cast<off_t>(text.size()))) > 0)
      text.append(part, static_cast<std::size_t>(n));
    return text;
  }

 private:
  std::FILE* file_;
  int before_;
};

}  // namespace tessera::support
