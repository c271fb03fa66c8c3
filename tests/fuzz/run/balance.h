#pragma once

#include <set>
#include <sstream>
#include <string>

#include "tessera/base/text.h"

namespace tessera::fuzz {

/// What is wrong with a launch that the engine has cut by itself, as `explain` shows it: its superblocks all run on one
/// device, so that there was no reason to cut it. Empty if nothing is.
inline std::string imbalance(const std::string& explained) {
  std::set<std::string> devices;
  int superblocks = 0;
  std::istringstream lines(explained);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  superblock ")) continue;
    ++superblocks;
    devices.insert(line.substr(line.rfind(' ')));
  }
  if (superblocks < 2 || devices.size() > 1) return {};
  return cat("all ", superblocks, " superblocks run on device", *devices.begin());
}

}  // namespace tessera::fuzz
