#pragma once

#include <string>
#include <utility>

#include "tessera/algo/exec/skeleton_options.h"

namespace tessera::algo {

/// What a program may say about a skeleton of the class `Skeleton`, which derives from this.
template <class Skeleton>
class with_options {
 public:
  /// Where it runs; see `device_choice`.
  Skeleton& on(const device_choice& where) & { return options_.on = where, self(); }
  Skeleton&& on(const device_choice& where) && { return options_.on = where, std::move(self()); }
  /// What traces and messages call it.
  Skeleton& name(std::string given) & { return options_.name = std::move(given), self(); }
  Skeleton&& name(std::string given) && { return options_.name = std::move(given), std::move(self()); }

 protected:
  /// Calls `make(options)` so that launches are told instead of made, and returns what is told.
  template <class Make>
  [[nodiscard]] std::string told(Make make) const {
    std::string text;
    skeleton_options options = options_;
    options.told = &text;
    make(options);
    return text;
  }

  skeleton_options options_;

 private:
  Skeleton& self() { return static_cast<Skeleton&>(*this); }
};

}  // namespace tessera::algo
