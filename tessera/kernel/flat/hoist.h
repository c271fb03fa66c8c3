#pragma once

#include "tessera/kernel/flat/meeting.h"

namespace tessera::kernels {

/// Takes one call at which threads meet out of the expression it stands in, and gives the kernel's new text; nothing if
/// all calls stand alone. `number` makes names unlike others. Throws `cut_refused` where the call is not made by every
/// thread that reaches the statement, or where something else of the statement must come before it.
[[nodiscard]] std::optional<std::string> hoist_call(const std::string& text, const parsed_kernel& source,
                                                    const meeting_points& points, std::size_t number);

}  // namespace tessera::kernels
