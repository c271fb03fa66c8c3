#include "tests/fuzz/print/program.h"

#include <array>
#include <sstream>
#include <utility>

#include "tessera/base/text.h"
#include "tests/fuzz/generate/budget.h"
#include "tests/fuzz/kernels/source_pool.h"
#include "tests/fuzz/program/declared.h"
#include "tests/fuzz/program/text.h"

namespace tessera::fuzz {

/// The text of values.h, printed_support.h, own_part.h, kept_value.h and pool_variables.h, put into the program by the
/// build.
std::string_view printed_text(std::string_view name);

namespace {

std::string list(const int_list& l) {
  std::string text;
  for (const std::int64_t n : l) text += cat(text.empty() ? "" : ", ", n);
  return "{" + text + "}";
}

std::string ranges(const span_box& b) {
  std::string text;
  for (std::size_t k = 0; k < b.lo.size(); ++k) text += cat(k == 0 ? "" : ", ", "{", b.lo[k], ", ", b.hi[k], "}");
  return "{" + text + "}";
}

std::string distribution_text(const distribution& d) {
  std::string text;
  switch (d.form) {
    case distribution::kind::automatic:
      return "ts::automatic()";
    case distribution::kind::replicated:
      return "ts::replicated()";
    case distribution::kind::on_device:
      return cat("ts::on_device(", d.device, ")");
    case distribution::kind::listed:
      for (const auto& [part, device] : d.parts)
        text += cat(text.empty() ? "" : ", ", "{ts::box(", list(part.lo), ", ", list(part.hi), "), ", device, "}");
      return cat("listed({", text, "}, ", list(d.halo), ")");
    case distribution::kind::blocks:
      text = cat("ts::blocks(", d.tile[0], ")");
      break;
    case distribution::kind::rows:
      text = cat("ts::rows(", d.tile[0], ")");
      break;
    case distribution::kind::columns:
      text = cat("ts::columns(", d.tile[0], ")");
      break;
    default:
      text = cat("ts::tiles(ts::extents", list(d.tile), ")");
  }
  if (d.halo.size() == 1) text += cat(".halo(", d.halo[0], ")");
  if (d.halo.size() > 1) text += cat(".halo(ts::extents", list(d.halo), ")");
  return d.cyclic ? text + ".cyclic()" : text;
}

std::string split_text(const launch_op& o, const std::vector<std::string>& arguments) {
  std::string text;
  switch (o.split_form) {
    case launch_op::split::blocks:
      return cat("ts::blocks(ts::extents", list(o.pieces), ")");
    case launch_op::split::like:
      return cat("ts::like(", arguments[static_cast<std::size_t>(o.follow)], ")");
    case launch_op::split::slabs:
      for (const thread_range& r : ranges_of(o))
        text += cat(text.empty() ? "" : ", ", "{", r.lo, ", ", r.hi, ", ", r.device, "}");
      return cat("ts::parts({", text, o.axis < 0 ? "})" : cat("}, ", o.axis, ")"));
    case launch_op::split::on_device:
      return cat("ts::on(", o.device, ")");
    default:
      return "ts::whole()";
  }
}

class program_printer {
 public:
  program_printer(const program& p, std::span<const outcome> expected, const std::optional<failure>& wrong)
      : program_(p), expected_(expected), wrong_(wrong) {}

  std::string print() {
    if (wrong_) out_ << "// " << wrong_->message << " (operation " << wrong_->operation << ")\n";
    out_ << "// Compile with: c++ -std=c++20 program.cpp -ltessera -lpthread -ldl\n"
         << printed_text("values.h") << printed_text("printed_support.h") << printed_text("own_part.h")
         << printed_text("kept_value.h") << printed_text("pool_variables.h")
         << "namespace ts = tessera;\nusing namespace values;\n\nstatic void program(ts::context& ctx) {\n";
    for (at_ = 0; at_ < program_.operations.size(); ++at_) {
      out_ << "  // operation " << at_ << '\n';
      std::visit([this](const auto& o) { print_one(o); }, program_.operations[at_]);
    }
    out_ << checks_.str() << "  ctx.wait();\n}\n\nint main() {\n  ts::options settings;\n";
    if (program_.disturbance != 0) out_ << "  settings.disturb = " << program_.disturbance << ";\n";
    if (program_.check_unwritten) out_ << "  settings.check.unwritten = true;\n";
    if (program_.check_access) out_ << "  settings.check.access = true;\n";
    if (program_.deterministic) out_ << "  settings.deterministic = true;\n";
    out_ << "  settings.small = " << program_.small << ";\n";
    if (!program_.tier.empty()) out_ << "  settings.cpu_tier = ts::tier_choice::" << program_.tier << ";\n";
    if (const budget limits = budget_of(program_); !limits.device.empty())
      out_ << "  settings.device_memory = \"" << limits.device << "\";\n  settings.host_memory = \"" << limits.host
           << "\";\n";
    std::string devices;
    for (const int d : program_.devices) devices += cat(devices.empty() ? "" : ", ", "\"", program_.kind, "*", d, "\"");
    out_ << "  return run_ranks({" << devices << "}, " << program_.delivery
         << "u, settings, program) == 0 ? 0 : 1;\n}\n";
    return out_.str();
  }

 private:
  struct variable {
    std::string name;
    element type = element::i32;
  };
  variable& at(int slot) { return slots_[static_cast<std::size_t>(slot)]; }

  /// The array of an operand; a slice unless it is all of what the slot holds.
  std::string text_of_operand(const argument_spec& o) {
    if (o.slot < 0) return "nullptr";
    return o.part.lo.empty() ? at(o.slot).name : cat(at(o.slot).name, ".slice(", ranges(o.part), ")");
  }

  void print_one(const create_op& o) {
    const std::string type = type_name(o.type), name = cat("a", at_), shape = list(o.shape);
    const std::string old = std::exchange(at(o.slot), {name, o.type}).name;
    out_ << "  auto " << name << " = ctx.";
    switch (o.contents) {
      case create_op::kind::empty:
        out_ << "empty<" << type << ">(" << shape;
        break;
      case create_op::kind::zeros:
        out_ << "zeros<" << type << ">(" << shape;
        break;
      case create_op::kind::full:
        out_ << "full<" << type << ">(" << shape << ", make<" << type << ">(mix(" << o.seed << "u, 0))";
        break;
      default:
        out_ << "from<" << type << ">(" << shape << ", data<" << type << ">(" << volume(o.shape) << ", " << o.seed
             << "u)";
    }
    out_ << ", " << distribution_text(o.placement) << ");\n";
    if (!old.empty()) out_ << "  " << old << " = {};\n";
  }

  void print_one(const drop_op& o) { out_ << "  " << at(o.slot).name << " = {};\n"; }
  void print_one(const view_op& o) {
    const element type = at(o.from.slot).type;
    out_ << "  auto a" << at_ << " = " << text_of_operand(o.from) << ";\n";
    // The slot's old handle goes.
    if (!at(o.slot).name.empty() && o.slot != o.from.slot) out_ << "  " << at(o.slot).name << " = {};\n";
    at(o.slot) = {cat("a", at_), type};
  }
  void print_one(const fill_op& o) {
    out_ << "  " << text_of_operand(o.to) << ".fill(make<" << type_name(at(o.to.slot).type) << ">(mix(" << o.seed
         << "u, 0)));\n";
  }
  void print_one(const write_op& o) {
    const std::string values =
        cat("data<", type_name(at(o.to.slot).type), ">(", volume(shape_of(o.to.part)), ", ", o.seed, "u)");
    if (!o.async) {
      const std::string to = text_of_operand(o.to), type = type_name(at(o.to.slot).type);
      if (o.rank == every_rank)
        out_ << "  " << to << ".write(" << values << ");\n";
      else if (o.rank == own_parts)
        out_ << "  tessera::fuzz::write_own_of<" << type << ">(" << to << ", " << values << ");\n";
      else
        out_ << "  " << to << ".write_from(" << o.rank << " % ctx.ranks(), " << values << ");\n";
      return;
    }
    out_ << "  const auto d" << at_ << " = " << values << ";\n";
    out_ << "  auto t" << at_ << " = " << text_of_operand(o.to) << ".write_async(d" << at_ << ");\n";
  }

  void print_one(const read_op& o) {
    const element type = at(o.from.slot).type;
    const outcome& want = expected_[at_];
    out_ << "  buffer<" << type_name(type) << "> r" << at_ << "(" << want.defined.size() << ");\n";
    const std::string from = text_of_operand(o.from);
    out_ << "  ts::transfer t" << at_ << ";\n";
    if (o.async || o.rank == every_rank)
      out_ << "  t" << at_ << " = " << from << ".read_async(r" << at_ << ");\n";
    else if (o.rank == own_parts)
      out_ << "  tessera::fuzz::read_own_into<" << type_name(type) << ">(" << from << ", r" << at_ << ");\n";
    else
      out_ << "  tessera::fuzz::read_on_into<" << type_name(type) << ">(" << from << ", " << o.rank
           << " % ctx.ranks(), r" << at_ << ");  // on that rank\n";
    if (!o.async) out_ << "  t" << at_ << ".wait();\n";
    if (o.rank != every_rank && !o.async) return;
    if (!wrong_ || wrong_->element < 0) print_check_of_all(type, want);
    if (!wrong_ || wrong_->operation != at_ || wrong_->element < 0) return;
    const auto index = static_cast<std::size_t>(wrong_->element);
    checks_ << "  t" << at_ << ".wait();\n  expect(r" << at_ << ".elements[" << index << "], "
            << element_bits(type, want, index) << "u, \"element " << index << " of operation " << at_ << "\");\n";
  }

  static std::uint64_t element_bits(element type, const outcome& want, std::size_t index) {
    return with_type(type, [&](auto v) {
      std::memcpy(&v, want.bytes.data() + index * sizeof v, sizeof v);
      return values::load(v);
    });
  }

  void print_check_of_all(element type, const outcome& want) {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < want.defined.size(); ++i) {
      if (want.defined[i] == 0) return;  // nothing can be said about it as a whole
      h = values::mix(h, element_bits(type, want, i));
    }
    checks_ << "  t" << at_ << ".wait();\n  expect(mixed(r" << at_ << "), " << h << "u, \"operation " << at_
            << "\");\n";
  }

  void print_one(const value_op& o) {
    const element type = at(o.from.slot).type;
    out_ << "  const auto v" << at_ << " = tessera::fuzz::put_value<" << type_name(type) << ">(ctx, "
         << text_of_operand(o.from) << ", " << text_of_operand(o.to) << ", \"" << type_name(type) << "\", "
         << (o.direct ? "true" : "false") << ");\n";
    checks_ << "  expect(v" << at_ << ".get(), " << element_bits(type, expected_[at_], 0) << "u, \"value of operation "
            << at_ << "\");\n";
  }

  void print_one(const swap_op& o) { out_ << "  std::swap(" << at(o.a).name << ", " << at(o.b).name << ");\n"; }
  void print_one(const wait_op&) { out_ << "  ctx.wait();\n"; }

  void print_one(const launch_op& o) {
    std::vector<std::string> arguments;
    for (const argument_spec& a : o.arguments) arguments.push_back(text_of_operand(a));
    std::string lets, tables;
    if (o.source >= 0) {
      out_ << "  auto k" << at_ << " = ctx." << source_text(o) << ";\n";
      out_ << "  " << preparation_text(o, cat("k", at_)) << "\n";
      for (const std::int64_t v : o.scalars) arguments.push_back(std::to_string(v));
    } else {
      const kernel_text text = text_of(o.definition, {o.threads, o.block});
      out_ << "  auto k" << at_ << " = ctx.native(\"kernel" << at_ << "\", \"" << text.signature << "\",\n      \""
           << text.annotation << "\", {{\"cpu\", [](ts::native_call& c) {\n"
           << native_body(o.definition, o.block) << "  }}});\n";
      for (std::size_t n = 0; n < text.scalars.size(); ++n) arguments.push_back(std::to_string(text.scalars[n]));
      for (const auto& [name, value] : text.lets)
        lets += cat(lets.empty() ? "" : ", ", "{\"", name, "\", ", value, "}");
      for (const std::size_t t : text.tables)
        tables += cat(tables.empty() ? "" : ", ", "{\"", table_name(t), "\", ts::intervals(row_table{",
                      rows_text(o.definition.tables[t]), "}.rows)}");
    }
    print_launches(o, std::move(arguments), lets, tables);
  }

  void print_launches(const launch_op& o, std::vector<std::string> arguments, const std::string& lets,
                      const std::string& tables) {
    int_list extent = o.threads;
    if (o.by_grid)
      for (std::size_t k = 0; k < extent.size(); ++k) extent[k] /= o.block[k];
    std::string settings = cat(o.by_grid ? ".grid = " : ".threads = ", list(extent), ", .block = ", list(o.block));
    if (o.split_form != launch_op::split::automatic) settings += ", .split = " + split_text(o, arguments);
    if (o.source >= 0) settings += cat(", .shared = ", source_shared_bytes);
    if (!lets.empty()) settings += cat(", .let = {", lets, "}");
    if (!tables.empty()) settings += cat(", .tables = {", tables, "}");
    const auto call = [&] {
      std::string text = cat("k", at_, ".launch({", settings, "}");
      for (const std::string& a : arguments) text += ", " + a;
      text += ");";
      if (!expected_[at_].refused.front()) return text;
      return cat("try { ", text, " ++wrong; std::puts(\"operation ", at_,
                 " must be refused\"); } catch (const ts::argument_error&) {}");
    };
    if (o.times > 1) out_ << "  for (int n = 0; n < " << o.times << "; ++n) {\n  ";
    if (o.times > 1 && o.exchange) {
      const std::string even = call();
      std::swap(arguments[0], arguments[1]);
      out_ << "  if (n % 2 == 0) { " << even << " } else { " << call() << " }\n";
    } else {
      out_ << "  " << call() << '\n';
    }
    if (o.times > 1) out_ << "  }\n";
  }

  const program& program_;
  std::span<const outcome> expected_;
  const std::optional<failure>& wrong_;
  std::array<variable, slot_count> slots_;
  std::ostringstream out_, checks_;  // checks come last: waiting early would change what runs together
  std::size_t at_ = 0;
};

}  // namespace

std::string as_cpp(const program& p, std::span<const outcome> expected, const std::optional<failure>& wrong) {
  return program_printer(p, expected, wrong).print();
}

}  // namespace tessera::fuzz
