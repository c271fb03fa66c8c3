#include "tessera/algo/skeleton/associative.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call.h"
#include "tessera/base/error.h"
#include "tessera/base/settings/check_list.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {

bool is_checked(const context& ctx) { return ctx.engine()->checks() != check_list{}; }

void refuse_operator(const char* call, const std::string& name, std::int64_t place, call_site here) {
  throw argument_error(cat(label_of(call, here), ": '", name, "' is not associative: of elements ", place, " to ",
                           place + 2, " it makes one thing from the left and another from the right"));
}

context home_of(const operand& elements) { return elements.elements->ctx(); }

void read_elements(const operand& elements, std::span<std::byte> to, call_site here) {
  elements.elements->read(elements.part, to, here);
}

}  // namespace tessera::algo
