#include "tests/nd/fuzz/program/print.h"

#include <cmath>
#include <iterator>

#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::fuzz {
namespace {

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = text_of(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string text_of_number(const plain_number& n) {
  switch (n.kind) {
    case plain_number::sort::boolean:
      return n.whole != 0 ? "True" : "False";
    case plain_number::sort::integer:
      return std::to_string(n.whole);
    case plain_number::sort::real:
      return real_text(n.real);
    case plain_number::sort::complex:
      break;
  }
  return cat("complex(", real_text(n.real), ", ", real_text(n.imaginary), ")");
}

std::string list_text(const extents& e) {
  std::string text = "(";
  for (int k = 0; k < e.rank(); ++k) text += cat(k == 0 ? "" : ", ", e[k]);
  return text + (e.rank() == 1 ? ",)" : ")");
}

std::string entry_text(const index_entry& e) {
  if (e.kind == index_entry::form::new_axis) return "None";
  if (e.kind == index_entry::form::place) return std::to_string(e.first);
  const auto end = [](std::int64_t at) { return at == index_entry::open ? "" : std::to_string(at); };
  return cat(end(e.first), ":", end(e.last), e.step == 1 ? "" : cat(":", e.step));
}

std::string call_text(const view_call& call) {
  switch (call.kind) {
    case view_call::form::index: {
      std::string text;
      for (const index_entry& e : call.entries) text += cat(text.empty() ? "" : ", ", entry_text(e));
      return cat("[", text.empty() ? "..." : text, "]");
    }
    case view_call::form::permute:
      return cat(".transpose(", list_text(call.numbers), ")");
    case view_call::form::flip: {
      std::string text = "[";
      for (int k = 0; k < call.axis; ++k) text += ":, ";
      return text + "::-1]";
    }
    case view_call::form::diagonal:
      return cat(".diagonal(", call.distance, ", ", call.axis, ", ", call.other, ")");
    case view_call::form::broadcast:
      return cat(".broadcast_to(", list_text(call.numbers), ")");
    case view_call::form::reshape:
      break;
  }
  return cat(".reshape(", list_text(call.numbers), ")");
}

std::string type_text(scalar_kind type) { return to_string(dtype::make(type)); }

std::string placement_text(const step& s) {
  switch (s.where) {
    case placement::axis:
      return cat(", split=", s.axis);
    case placement::mesh:
      return ", split=(0, 1)";
    case placement::replicated:
      return ", split=\"replicated\"";
    case placement::automatic:
      break;
  }
  return "";
}

std::string called_text(const step& s) {
  std::string text;
  for (int k = 0; k < operands_of(s.called); ++k) text += cat(k == 0 ? "" : ", ", text_of(s.from[index(k)]));
  return cat(name_of(s.called), "(", text, ")");
}

std::string mask_text(const part& mask, const part& shown) {
  return cat("broadcast_to(", text_of(mask), ".astype(bool), ", text_of(shown), ".shape)");
}

std::string arranged_text(const step& s) {
  const std::string first = text_of(s.from[0]), name = name_of(s.arranged);
  switch (s.arranged) {
    case arrangement::concat:
    case arrangement::stack:
      return cat(name, "((", first, ", ", text_of(s.from[1]), "), axis=", s.axis, ")");
    case arrangement::pad:
      return cat("pad(", first, ", (", s.numbers[0], ", ", s.numbers[1], s.numbers[2] != 0 ? "), \"edge\")" : "))");
    case arrangement::tile:
      return cat("tile(", first, ", ", list_text(s.shape), ")");
    case arrangement::resplit:
      return cat("resplit(", first, ", ", s.axis, ")");
    case arrangement::balance:
      return cat("balance(", first, ")");
    default:
      return cat(name, "(", first, ", ", s.numbers[0], ", axis=", s.axis, ")");
  }
}

std::string result_text(const step& s) {
  const std::string shape = list_text(s.shape), type = type_text(s.type);
  switch (s.action) {
    case verb::full:
      return cat("full(", shape, ", ", text_of(s.from[0]), ", ", type, placement_text(s), ")");
    case verb::data:
      return cat("data(", shape, ", ", type, ", seed=", s.numbers[0], placement_text(s), ")");
    case verb::arange:
      return cat("arange(", s.numbers[0], ", ", s.numbers[1], ", ", s.numbers[2], placement_text(s), ")");
    case verb::eye:
      return cat("eye(", s.shape[0], ", ", s.shape[1], ", ", s.numbers[0], ", ", type, placement_text(s), ")");
    case verb::indices:
      return cat("indices(", shape, ")[", s.axis, "]", placement_text(s));
    case verb::compute:
      return called_text(s);
    case verb::reduce:
      return cat(name_of(s.combined), "(", text_of(s.from[0]), s.shape.rank() == 0 ? "" : cat(", ", list_text(s.shape)),
                 s.numbers[1] != 0 ? ", correction=1" : "", s.numbers[0] != 0 ? ", keepdims=True)" : ")");
    case verb::scan:
      return cat("cumulative_", name_of(s.combined), "(", text_of(s.from[0]), ", ", s.axis,
                 s.numbers[0] != 0 ? ", include_initial=True)" : ")");
    case verb::take:
      return cat("take(", text_of(s.from[0]), ", remainder(", text_of(s.from[1]), ".astype(int64), ", s.numbers[0],
                 "), ", s.axis, ")");
    case verb::compress:
      return cat(text_of(s.from[0]), "[", mask_text(s.from[1], s.from[0]), "]");
    case verb::arrange:
      return arranged_text(s);
    case verb::cast:
      return cat(text_of(s.from[0]), ".astype(", type, ")");
    case verb::copy:
      return cat(text_of(s.from[0]), ".copy()");
    default:
      return text_of(s.from[0]);
  }
}

std::string in_place_text(const step& s) {
  const std::string target = text_of(s.target), value = text_of(s.from[0]);
  const auto symbol = [&]() -> const char* {
    switch (s.called) {
      case function::add:
        return "+";
      case function::subtract:
        return "-";
      case function::multiply:
        return "*";
      case function::divide:
        return "/";
      case function::remainder:
        return "%";
      case function::bitwise_and:
        return "&";
      case function::bitwise_or:
        return "|";
      case function::bitwise_xor:
        return "^";
      default:
        return nullptr;
    }
  }();
  if (symbol != nullptr) return cat(target, " ", symbol, "= ", value);
  return cat(target, "[...] = ", name_of(s.called), "(", target, ", ", value, ")");
}

std::string statement(const step& s) {
  switch (s.action) {
    case verb::drop:
      return cat("v", s.to, " = None");
    case verb::evaluate:
      return cat("eval(", text_of(s.target), ")");
    case verb::fetch:
      return cat("fetch(", text_of(s.target), ")");
    case verb::read:
      return cat("print(", text_of(s.target), ")");
    case verb::assign:
      return cat(text_of(s.target), "[...] = ", text_of(s.from[0]));
    case verb::assign_result:
      return cat(text_of(s.target), "[...] = ", called_text(s));
    case verb::put_mask:
      return cat("putmask(", text_of(s.target), ", ", mask_text(s.from[1], s.target), ", ", text_of(s.from[0]), ")");
    case verb::in_place:
      return in_place_text(s);
    case verb::repeat:
      return cat("for _ in range(", s.numbers[0], "): ", in_place_text(s));
    case verb::engine_fill:
      return cat("engine_array(", text_of(s.target), ").fill(", text_of(s.from[0]), ")");
    default:
      return cat("v", s.to, " = ", result_text(s));
  }
}

}  // namespace

const char* name_of(function f) {
  switch (f) {
#define TESSERA_FUNCTION(name, operands, weight) \
  case function::name:                           \
    return #name;
#include "tests/nd/fuzz/program/operations.def"
  }
  return "";
}

const char* name_of(reduction r) {
  constexpr const char* names[] = {"sum",    "prod",   "min",  "max",           "any", "all",
                                   "argmin", "argmax", "mean", "count_nonzero", "var", "std"};
  static_assert(std::size(names) == reductions);
  return names[static_cast<std::size_t>(r)];
}

const char* name_of(arrangement a) {
  constexpr const char* names[] = {"concat", "stack", "roll",    "pad",          "tile",
                                   "repeat", "diff",  "resplit", "redistribute", "balance"};
  return names[static_cast<std::size_t>(a)];
}

int operands_of(function f) {
  switch (f) {
#define TESSERA_FUNCTION(name, operands, weight) \
  case function::name:                           \
    return operands;
#include "tests/nd/fuzz/program/operations.def"
  }
  return 0;
}

std::string text_of(const part& p) {
  if (p.is_number) return text_of_number(p.number);
  std::string text = cat("v", p.slot);
  for (const view_call& call : p.views) text += call_text(call);
  return text;
}

std::string text_of(const step& s) { return statement(s) + (s.refused ? "  # must be refused" : ""); }

std::string as_python(const program& p, const std::optional<failure>& wrong) {
  std::string text = cat("# ", p.ranks, " rank(s) of ", p.kind, "*", p.devices, p.has_small ? "" : ", small = 0");
  if (p.budget > 0) text += cat(", ", p.budget, " bytes per device");
  text += cat(p.is_eager ? ", eval behind each statement" : "", p.is_compiled ? ", compiled" : "",
              p.keeps_on_first ? ", rank 0 keeps all handles" : "", "\n");
  for (std::size_t n = 0; n < p.steps.size(); ++n) text += cat(text_of(p.steps[n]), "\n");
  if (wrong) text += cat("# at statement ", wrong->operation, ": ", wrong->message, "\n");
  return text;
}

}  // namespace tessera::fuzz
