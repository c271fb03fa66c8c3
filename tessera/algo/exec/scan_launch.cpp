#include "tessera/algo/exec/scan_launch.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/host/host_kernels.h"
#include "tessera/algo/exec/scan_text.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

/// The launches of one scan; the totals of its chunks are scanned by another one.
class scan_launch {
 public:
  scan_launch(const reduction& wanted, const operand& out, const std::optional<std::vector<std::byte>>& start,
              const op* last)
      : wanted_(wanted),
        out_(out),
        start_(start),
        call_(wanted.bound, 0, "a"),
        combine_{&wanted.combine, "combine"},
        last_{last, "last"},
        chunks_(ceil_div(out.size(), chunk_elements)) {}

  void launch() {
    const scan_form form{start_.has_value(), out_.shape().rank() == 1, combines_totals(), last_};
    std::vector<argument> arguments{number_argument(out_.size()), {}};
    if (form.own_carry) {
      arguments.push_back(read(totals_of_chunks()));
      if (start_) arguments.push_back(read(start_value()));
    } else {
      const std::optional<operand> carry = find_carry();
      arguments.push_back(carry ? read(*carry) : argument::from(nullptr));
    }
    arguments[1] = {out_.elements->for_launch(mode_of_output(), out_.part, site())};
    run(
        cat(start_ ? "exclusive scan" : "inclusive scan", form.flat_output ? " " : " of rows ",
            form.own_carry ? "by totals " : "", last_.function == nullptr ? 0 : last_.function->text->digest, " "),
        arguments, last_, [&] { return chunk_scan_text(wanted_.bound.text(), call_, combine_, wanted_.type, form); },
        [&] {
          return host_chunk_scan(wanted_.bound, wanted_.combine, last_.function, wanted_.element.size,
                                 start_.has_value());
        });
  }

 private:
  [[nodiscard]] call_site site() const { return wanted_.bound.site; }

  [[nodiscard]] argument read(const operand& part) const {
    return {part.elements->for_launch(access::read, part.part, site())};
  }

  /// Whether the thread blocks find out themselves what they begin behind: on a GPU a launch takes longer.
  [[nodiscard]] bool combines_totals() const {
    if (chunks_ == 1 || chunks_ > chunk_elements || wanted_.bound.function->runs_on_host() ||
        wanted_.combine.runs_on_host())
      return false;
    return out_.elements->ctx().engine()->machine().automatic_kind() == "cuda";
  }

  [[nodiscard]] operand start_value() const {
    auto made =
        std::make_shared<storage>(container_options(out_.elements->ctx()), extents{1}, wanted_.element, *start_);
    return {made, made->whole()};
  }

  operand totals_of_chunks() {
    const operand totals = make_temporary(out_.elements->ctx(), {chunks_}, wanted_.element);
    std::vector<argument> arguments{number_argument(out_.size())};
    arguments.push_back({totals.elements->for_launch(access::write, totals.part, site())});
    run(
        "totals of chunks ", arguments, {},
        [&] { return chunk_total_text(wanted_.bound.text(), call_, combine_, wanted_.type); },
        [&] { return host_chunk_total(wanted_.bound, wanted_.combine, wanted_.element.size); });
    return totals;
  }

  /// What each chunk begins behind; nothing for the single chunk of an inclusive scan.
  std::optional<operand> find_carry() {
    if (chunks_ == 1) return start_ ? std::optional(start_value()) : std::nullopt;
    const operand totals = totals_of_chunks();
    const operand carry = make_temporary(out_.elements->ctx(), {chunks_}, wanted_.element);
    const identity_call again(totals, wanted_.type, site());
    scan({again.bound(), wanted_.combine, wanted_.type, wanted_.element, wanted_.options}, carry,
         planted("carry_of_next_chunk") ? std::nullopt : start_);
    return carry;
  }

  [[nodiscard]] access mode_of_output() const {
    for (const bound_argument& a : wanted_.bound.arguments)
      if (a.as == bound_argument::kind::element && a.given->elements.elements == out_.elements)
        return access::readwrite;
    return access::write;
  }

  void run(const std::string& form, std::vector<argument>& arguments, const operator_text& last,
           const std::function<kernel_text()>& text, const std::function<native_kernel()>& body) const {
    const std::string key = cat(form, wanted_.bound.text().digest, " ", wanted_.combine.text->digest, " ", call_.key());
    const kernel made = kernel_for(out_.elements->ctx(), *wanted_.bound.function, &wanted_.combine, key, text, body);
    combine_.add_argument(arguments);
    last.add_argument(arguments);
    call_.add_arguments(arguments);
    launch_options with;
    with.grid = {chunks_};
    with.block = {scan_threads};
    with.split = split_for(wanted_, with.grid, with.block);
    with.name = wanted_.options.name.empty() ? "scan by " + wanted_.combine.text->name : wanted_.options.name;
    with.file = site().file;
    with.line = site().line;
    wanted_.options.launch(made, with, arguments);
  }

  const reduction& wanted_;
  const operand& out_;
  const std::optional<std::vector<std::byte>>& start_;
  call_text call_;
  operator_text combine_, last_;
  std::int64_t chunks_;
};

}  // namespace

void scan(const reduction& wanted, const operand& out, const std::optional<std::vector<std::byte>>& start,
          const op* last) {
  if (out.size() == 0) return;
  require_usable(wanted.bound, {out});
  scan_launch(wanted, out, start, last).launch();
}

}  // namespace tessera::algo
