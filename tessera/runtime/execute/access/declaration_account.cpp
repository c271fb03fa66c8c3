#include "tessera/runtime/execute/access/declaration_account.h"

#include <algorithm>

#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/runtime/execute/access/rule_text.h"

namespace tessera::runtime {
namespace {

/// Calls visit(element) for the elements of a box, numbered row by row in an array of shape `shape`.
template <class Visit>
void for_each_element(const box& b, const extents& shape, Visit visit) {
  if (b.empty()) return;
  extents x = b.lo;
  for (int k = 0; k >= 0;) {
    std::int64_t element = 0;
    for (int a = 0; a < x.rank(); ++a) element = element * shape[a] + x[a];
    visit(element);
    for (k = x.rank() - 1; k >= 0 && ++x[k] == b.hi[k]; --k) x[k] = b.lo[k];
  }
}

}  // namespace

declaration_account::~declaration_account() {
  try {
    report();
  } catch (const std::bad_alloc&) {
    log(log_level::warning, "no memory to report rules that declare more than is used");
  }
}

std::shared_ptr<mark_table> declaration_account::table(int parameter, std::int64_t elements) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<mark_table>& found = tables_[parameter];
  if (!found) found = std::make_shared<mark_table>(elements);
  return found;
}

void declaration_account::note(int parameter, const plan::index_spread& read, const plan::index_spread& written) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = spreads_.try_emplace(parameter, spread{read, written});
  if (is_new) return;
  place->second.read.join(read);
  place->second.written.join(written);
}

void declaration_account::add(const checked_array& array, const box& part) {
  const std::vector<plan::interval> names =
      plan::name_intervals(launch_->accesses->names, launch_->space, part, plan::padding::exclude);
  const std::lock_guard lock(mutex_);
  for (const checked_array::use& use : array.uses)
    for (const plan::access_rule* rule : use.rules) {
      std::vector<box> boxes;
      plan::evaluate(*rule, names, use.slice.shape(), boxes);
      for (box& b : boxes) b = translate(b, use.slice.lo);
      declaration& d = rules_[rule];
      d.parameter = array.uses.front().parameter;
      d.shape = array.shape;
      d.elements = unite(d.elements, region(std::move(boxes)));
    }
}

void declaration_account::add_part(const box& part) {
  const std::lock_guard lock(mutex_);
  blocks_ += part.volume();
  if (blocks_ == box::whole(launch_->space.granules()).volume()) report();
}

void declaration_account::report() {
  if (reported_ || blocks_ == 0 || launch_->accesses->single) return;
  reported_ = true;
  constexpr std::uint64_t own_warning = 0x6f7665726465636c;  // told apart from what else a kernel is warned of
  std::string complaints;
  for (const plan::access_rule& rule : launch_->accesses->rules)
    if (const auto found = rules_.find(&rule); found != rules_.end())
      if (const std::string text = complaint(rule, found->second); !text.empty())
        complaints += cat(complaints.empty() ? "" : "; ", text);
  if (complaints.empty() || !kernels_.first_warning(launch_->kernel ^ own_warning)) return;
  log(log_level::warning, cat(launch_->site.file, ":", launch_->site.line, ": kernel '", launch_->name,
                              "' declares more than it uses: ", complaints));
}

std::int64_t declaration_account::count_used(const plan::access_rule& rule, const declaration& declared) const {
  const mark_table& marks = *tables_.at(declared.parameter);
  std::int64_t used = 0;
  for (const box& b : declared.elements.boxes())
    for_each_element(b, declared.shape, [&](std::int64_t e) {
      used += (plan::reads(rule.mode) && marks.has(e, element_mark::read)) ||
                      (plan::writes(rule.mode) && marks.has(e, element_mark::written))
                  ? 1
                  : 0;
    });
  return used;
}

std::string declaration_account::complaint(const plan::access_rule& rule, const declaration& declared) const {
  const std::int64_t all = declared.elements.volume();
  if (all < fewest_elements || !plan::is_dense(rule, launch_->accesses->names)) return {};
  const std::int64_t used = count_used(rule, declared);
  if (used >= all / 2) return {};
  const std::string text =
      cat("`", rule_text(rule, *kernel_), "` has ", all, " elements, of which ", used, " are used");
  const std::string less = tighter(rule, declared);
  return less.empty() ? text : cat(text, "; `", less, "` would do");
}

std::string declaration_account::tighter(const plan::access_rule& rule, const declaration& declared) const {
  const auto found = spreads_.find(declared.parameter);
  if (found == spreads_.end() || rule.parameter != declared.parameter) return {};
  plan::index_spread touched = plan::reads(rule.mode) ? found->second.read : found->second.written;
  if (rule.mode == plan::access_mode::readwrite) touched.join(found->second.written);
  if (touched.empty()) return cat("none ", kernel_->parameters[static_cast<std::size_t>(rule.parameter)].name);
  plan::access_rule less = rule;
  less.indices = touched.indices();
  if (less.indices.empty()) return {};
  return less == rule ? std::string() : rule_text(less, *kernel_);
}

}  // namespace tessera::runtime
