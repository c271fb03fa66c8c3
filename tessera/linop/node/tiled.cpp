#include "tessera/linop/node/tiled.h"

#include <algorithm>
#include <optional>

#include "tessera/array/split.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {
namespace {

void run_on(int device, const op& a, const application& call) {
  std::optional<device_scope> scope;
  if (device >= 0) scope.emplace(device);
  (*a).run(call);
}

}  // namespace

std::string tiled::text() const { return cat("tiled(", whole_.text(), ", ", pieces_.size(), " pieces)"); }

void tiled::run(const application& call) const {
  std::vector<std::vector<const piece*>> groups;
  for (const piece& each : pieces_) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return group.front()->box.out == each.box.out; });
    if (found == groups.end())
      groups.push_back({&each});
    else
      found->push_back(&each);
  }
  for (const auto& group : groups) run_group(call, group);
}

/// Pieces with one part of y. Where several devices compute it each adds up its own, side by side.
void tiled::run_group(const application& call, const std::vector<const piece*>& group) const {
  const array_base y = part_of(call.y, group.front()->box.out);
  std::vector<int> devices;
  for (const piece* each : group)
    if (std::find(devices.begin(), devices.end(), each->device) == devices.end()) devices.push_back(each->device);
  std::complex<double> beta = call.beta;
  if (devices.size() == 1) {
    for (const piece* each : group) {
      run_on(each->device, each->part, {call.alpha, part_of(call.x, each->box.in), beta, y, call.here});
      if (!planted("piece_overwrites")) beta = 1;
    }
    return;
  }
  const scalar_kind kind = result_kind(call.x.type().kind);
  std::vector<array_base> sums;
  for (const int device : devices) {
    sums.push_back(make_array(call.x, y.shape(), kind, call.here));
    double kept = 0;
    for (const piece* each : group) {
      if (each->device != device) continue;
      run_on(device, each->part, {1, part_of(call.x, each->box.in), kept, sums.back(), call.here});
      kept = 1;
    }
  }
  if (planted("device_sum_lost")) sums.pop_back();
  for (const array_base& each : sums) {
    run_axpby(call.alpha, each, beta, y, call.here);
    beta = 1;
  }
}

op tiled::adjoint() const {
  std::vector<piece> turned;
  for (const piece& each : pieces_) turned.push_back({each.part.H(), each.box.reversed(), each.device});
  return op(std::make_shared<tiled>(whole_.H(), std::move(turned)));
}

}  // namespace tessera::linop
