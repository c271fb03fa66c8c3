#include "tessera/algo/exec/emit/reduced_segments.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/emit/reduced_text.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/exec/scan_launch.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// The launches for one set of segments.
class reduced_segments {
 public:
  reduced_segments(const emission& ends, const segment_values& segments) : ends_(ends), segments_(segments) {}

  /// For each chunk, the combination of the open segment up to its end; nothing for a single chunk.
  [[nodiscard]] argument carry() const {
    const std::int64_t chunks = ceil_div(ends_.total(), emit_chunk);
    if (chunks == 1) return argument::from(nullptr);
    const operand tails = tails_of(chunks), made = make_temporary(ends_.ctx(), {chunks}, segments_.headed_element);
    const identity_call all(tails, segments_.headed_type, ends_.site());
    scan({all.bound(), segments_.within, segments_.headed_type, segments_.headed_element, {}}, made, {});
    const operand& carries = planted("open_segment_lost") ? tails : made;
    return {carries.elements->for_launch(access::read, carries.part, ends_.site())};
  }

  void write(const operand& out, const std::string& result, const std::vector<sequence>& others,
             const std::vector<operand>& to) const {
    std::vector<call> bound;
    bound.reserve(3 + others.size());
    for (const sequence* each : {&ends_.flags(), &segments_.heads, &segments_.values})
      bound.push_back(each->bound(ends_.algorithm()));
    for (const sequence& each : others) bound.push_back(each.bound(ends_.algorithm()));
    std::vector<operand> outputs{out};
    outputs.insert(outputs.end(), to.begin(), to.end());
    std::vector<sequence> read{segments_.values};
    read.insert(read.end(), others.begin(), others.end());
    const bool with_rows = ends_.has_rows(read, outputs);
    require(bound, out, to, with_rows);
    if (with_rows && ends_.size() == 0) return;
    std::vector<call_text> texts;
    for (std::size_t k = 0; k < bound.size(); ++k) texts.emplace_back(bound[k], 0, cat("c", k, "_"));
    std::string key = cat(with_rows ? "reduced " : "reduced whole ", result, " ", segments_.combine.text->digest);
    for (std::size_t k = 0; k < bound.size(); ++k) key += cat(" ", bound[k].text().digest, " ", texts[k].key());
    const kernel made = cached_kernel(ends_.ctx(), key, [&] { return text_of(bound, texts, result, with_rows); });
    ends_.note_written(bound.back(), outputs);
    made.launch_with(ends_.settings(ends_.algorithm(), with_rows), arguments(texts, outputs, with_rows));
  }

 private:
  [[nodiscard]] operand tails_of(std::int64_t chunks) const {
    const operand tails = make_temporary(ends_.ctx(), {chunks}, segments_.headed_element);
    const call bound = segments_.headed.bound(ends_.algorithm());
    const call_text text(bound, 0, "a");
    const operator_text within{&segments_.within, "combine"};
    const kernel made = cached_kernel(
        ends_.ctx(), cat("tails ", bound.text().digest, " ", segments_.within.text->digest, " ", text.key()),
        [&] { return chunk_tail_text(bound.text(), text, within, segments_.headed_type); });
    std::vector<argument> all{number_argument(ends_.total())};
    all.push_back({tails.elements->for_launch(access::write, tails.part, ends_.site())});
    within.add_argument(all);
    text.add_arguments(all);
    made.launch_with(ends_.settings(cat(ends_.algorithm(), " of chunks"), false), all);
    return tails;
  }

  void require(const std::vector<call>& bound, const operand& out, const std::vector<operand>& to,
               bool with_rows) const {
    ends_.require_output(out, out.elements->type(), bound, with_rows);
    for (std::size_t k = 0; k < to.size(); ++k) {
      ends_.require_output(to[k], bound[k + 3].text().results.at(0).element, bound, with_rows);
      require_apart(ends_, out, to[k], ends_.site());
    }
    for (const call& each : bound) require_usable(each, {out});
    for (const operand& each : to) require_usable(bound[0], {each});
  }

  [[nodiscard]] kernel_text text_of(const std::vector<call>& bound, const std::vector<call_text>& texts,
                                    const std::string& result, bool with_rows) const {
    std::vector<emitted_text> beside;
    for (std::size_t k = 3; k < bound.size(); ++k) {
      const op_text& text = bound[k].text();
      beside.push_back({&text, &texts[k], {cat("out", k), text.results[0].type, 1, 0, false}});
    }
    const auto function = [&](std::size_t k) { return &bound[k].text(); };
    return reduced_text({function(0),
                         &texts[0],
                         function(1),
                         &texts[1],
                         function(2),
                         &texts[2],
                         {&segments_.combine, "combine"},
                         segments_.type,
                         result},
                        beside, with_rows);
  }

  [[nodiscard]] std::vector<argument> arguments(const std::vector<call_text>& texts,
                                                const std::vector<operand>& outputs, bool with_rows) const {
    std::vector<argument> read;  // before what is written, which forgets what the host has changed
    operator_text{&segments_.combine, "combine"}.add_argument(read);
    for (const call_text& text : texts) text.add_arguments(read);
    std::vector<argument> all{number_argument(ends_.total())};
    ends_.add_counts(all);
    all.push_back(carry());
    for (const operand& output : outputs)
      all.push_back({output.elements->for_launch(access_of_outputs(with_rows), output.part, ends_.site())});
    all.insert(all.end(), read.begin(), read.end());
    return all;
  }

  const emission& ends_;
  const segment_values& segments_;
};

}  // namespace

void write_reduced(const emission& ends, const segment_values& segments, const operand& out, const std::string& result,
                   const std::vector<sequence>& others, const std::vector<operand>& to) {
  reduced_segments(ends, segments).write(out, result, others, to);
}

}  // namespace tessera::algo
