#pragma once

#include <string>
#include <vector>

#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/distribution.h"
#include "tessera/plan/split/split.h"
#include "tests/plan/split/tiles.h"

/// Launches of a kernel that exists as an annotation only, for tests of where they run.
namespace tessera::plan {

struct array_of_test {
  extents shape;
  layout home{};
};

/// A launch of a kernel over arrays y, x, z, as many as are given; the annotation says what it does to them.
inline launch_shape launch_of(const std::string& text, const domain& space, const std::vector<array_of_test>& arrays,
                              const machine_table& machine, const split_spec& split = {}) {
  const std::vector<std::string> names{"y", "x", "z"};
  std::vector<parameter_info> parameters;
  std::vector<array_argument> arguments;
  launch_shape shape{"kernel", space, split, nullptr, {}, {}};
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    parameters.push_back({names[k], true, false});
    arguments.push_back({&arrays[k].shape, true});
    shape.slots.push_back(
        {names[k], arrays[k].shape, dtype_of<float>(), make_partition(arrays[k].home, arrays[k].shape, machine)});
    const int number = static_cast<int>(k);
    shape.uses.push_back({number, number, box::whole(arrays[k].shape)});
  }
  annotation a = parse_annotation(text);
  check_against(a, parameters);
  shape.accesses = std::make_shared<const access_pattern>(bind(a, {{}, arguments}));
  return shape;
}

inline std::vector<int> devices_of(const launch_shape& shape, const machine_table& machine) {
  return *split_launch(shape, machine, node_id(0))->devices;
}

inline std::string notes_of(const launch_shape& shape, const machine_table& machine) {
  std::string all;
  const auto plan = split_launch(shape, machine, node_id(0));
  for (const std::string& note : plan->notes) all += note + '\n';
  return all;
}

inline bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

inline layout on_device(int device) {
  layout home;
  home.form = layout::kind::on_device;
  home.device = device;
  return home;
}

inline layout listed(std::vector<placed_box> parts) {
  layout home;
  home.form = layout::kind::listed;
  home.parts = std::move(parts);
  return home;
}

inline split_spec in_blocks(const extents& points) {
  split_spec split;
  split.form = split_spec::kind::blocks;
  split.blocks = points;
  return split;
}

inline split_spec like(int parameter) {
  split_spec split;
  split.form = split_spec::kind::like;
  split.parameter = parameter;
  return split;
}

inline std::vector<int> counted(int devices) {
  std::vector<int> all;
  for (int d = 0; d < devices; ++d) all.push_back(d);
  return all;
}

/// A thread per column of `y`.
inline const std::string columns = "global i => write y[:, i]";

}  // namespace tessera::plan
