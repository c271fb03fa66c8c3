#include "tessera/array/kernel.h"

#include "tessera/array/launch.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {

split::split(const tiled& parts) { spec_ = {plan::split_spec::kind::blocks, parts.tile(), 0}; }

split whole() {
  split s;
  s.spec_.how = plan::split_spec::kind::whole;
  return s;
}

split like(const array_base& a) {
  split s;
  s.spec_.how = plan::split_spec::kind::like;
  s.followed_ = a.record();
  return s;
}

kernel::kernel(std::shared_ptr<runtime::engine> engine, std::shared_ptr<const runtime::kernel_entry> entry)
    : engine_(std::move(engine)), entry_(std::move(entry)) {}

const std::string& kernel::name() const { return entry_->name; }

void kernel::launch_with(const launch_options& how, std::span<const argument> args) const {
  if (!entry_) throw argument_error("launch of a kernel that was not loaded");
  auto task = make_launch(*engine_, *entry_, how, args);
  engine_->count_launch();
  if (!task) return;
  if (entry_->text)
    for (const memory::local_device& d : engine_->devices())
      engine_->kernels().compiled(*entry_, *d.backend, d.index, *task);
  engine_->submit(std::move(task), {how.file, how.line});
}

std::string kernel::explain_with(const launch_options& how, std::span<const argument> args) const {
  if (!entry_) throw argument_error("explain of a kernel that was not loaded");
  const auto task = make_launch(*engine_, *entry_, how, args);
  if (!task) return cat("launch of '", name(), "': no threads, nothing to do\n");
  const plan::split_plan& plan = *task->plan;
  std::string text = cat("launch of '", name(), "': ", to_string(task->space.granules()), " blocks of ",
                         to_string(task->space.granule), " threads in ", plan.grid->size(), " superblocks\n");
  for (const std::string& note : plan.notes) text += cat("  ", note, "\n");
  for (const plan::split_plan::local_part& part : plan.local) {
    text +=
        cat("  superblock ", part.superblock, ": blocks ", to_string(part.granules), " on device ", part.device, "\n");
    if (!part.pieces.empty())
      text +=
          cat("    in ", part.pieces.size(), " pieces, so that it fits into the memory of the device: it will spill\n");
    for (std::size_t s = 0; s < part.footprints.size(); ++s) {
      const plan::footprint& f = part.footprints[s];
      const std::string& array = plan.grid->shape().slots[s].name;
      if (!f.reads.empty()) text += cat("    reads ", array, " ", to_string(f.reads), "\n");
      if (!f.writes.empty()) text += cat("    writes ", array, " ", to_string(f.writes), "\n");
      if (!f.combines.empty()) text += cat("    combines ", array, " ", to_string(f.combines), "\n");
    }
  }
  text += "  instructions of this rank now:\n";
  for (const plan::instruction& i : engine_->rehearse(task)) text += cat("    ", to_string(i), "\n");
  return text;
}

}  // namespace tessera
