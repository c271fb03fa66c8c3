#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tessera/nd/graph/graph.h"
#include "tessera/nd/graph/node.h"

namespace tessera::nd {

/// What the handles of one array share: its current version. A write makes another one current.
class cell {
 public:
  cell(std::shared_ptr<graph> owner, node_ptr version) : owner_(std::move(owner)), current_(std::move(version)) {
    ++current_->handles;
  }
  ~cell() { --current_->handles; }
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  [[nodiscard]] const std::shared_ptr<graph>& owner() const { return owner_; }
  [[nodiscard]] const node_ptr& current() const { return current_; }
  void set_current(node_ptr version) {
    ++version->handles;
    --current_->handles;
    current_ = std::move(version);
  }

 private:
  std::shared_ptr<graph> owner_;
  node_ptr current_;
};

/// The part of a cell that a handle stands for. `axes`, if there are some, select the same elements as `elements`;
/// there are none behind a change of shape.
struct cell_part {
  view elements;
  std::optional<index_map> axes;

  cell_part() {}  // NOLINT: `= default` would write zeros to all of it first
  cell_part(const view& selected, const std::optional<index_map>& by) : elements(selected), axes(by) {}
};

}  // namespace tessera::nd
