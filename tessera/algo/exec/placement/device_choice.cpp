#include "tessera/algo/exec/placement/device_choice.h"

#include "tessera/algo/exec/placement/estimate.h"

namespace tessera {
namespace {

const device_choice*& choice_of_thread() {
  thread_local const device_choice* choice = nullptr;
  return choice;
}

}  // namespace

device_choice device_choice::shared(std::vector<int> devices, std::vector<double> weights) {
  device_choice made(std::move(devices));
  made.weights_ = std::move(weights);
  return made;
}

device_choice device_choice::at_home() {
  device_choice made;
  made.form_ = form::home;
  return made;
}

tessera::split device_choice::split_for(const extents& grid, const extents& block) const {
  if (form_ != form::listed) return split_;
  if (devices_.size() == 1) return on(devices_[0]);
  int axis = 0;
  const auto threads = [&](const extents& counts, int k) { return k < counts.rank() ? counts[k] : 1; };
  for (int k = 0; k < grid.rank(); ++k)
    if (threads(grid, k) * threads(block, k) > 1) axis = k;
  return parts(algo::weighted_slabs(threads(grid, axis), threads(block, axis), devices_, weights_), axis);
}

placement_scope::placement_scope(device_choice where) : where_(std::move(where)), outer_(choice_of_thread()) {
  choice_of_thread() = &where_;
}
placement_scope::~placement_scope() { choice_of_thread() = outer_; }
const device_choice* placement_scope::current() { return choice_of_thread(); }

}  // namespace tessera
