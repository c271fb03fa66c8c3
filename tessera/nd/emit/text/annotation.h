#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/nd/emit/launch_space.h"

namespace tessera::nd {

/// What a launch reads and writes, as an annotation whose numbers are constants of the launch: launches of one kernel
/// have one text, unless steps differ in sign, or in being 0 or 1.
struct annotation_text {
  std::string text;
  std::vector<std::string> names;  ///< Of the constants, as `annotation_numbers` lists their values.
};
/// `more` are rules of the template's own, which may use x0, x1, xe, bx, ... of the axes of the launch.
[[nodiscard]] annotation_text make_annotation(const group& made, const launch_space& space,
                                              const std::string& more = {});
/// True if the annotation is seen to write all elements that an access stands for: not where several axes of the domain
/// run along one of the launch. Elements of a new array are otherwise taken to be read, too.
[[nodiscard]] bool is_seen_dense(const launch_space& space, const array_access& access);
/// The values of the constants.
[[nodiscard]] std::vector<std::int64_t> annotation_numbers(const group& made, const launch_space& space);
/// Appends what the text depends on to a key.
void append_annotation_key(std::string& key, const group& made, const launch_space& space);

/// The parameter of an array in kernels and annotations: "a3".
[[nodiscard]] std::string array_name(int array);

}  // namespace tessera::nd
