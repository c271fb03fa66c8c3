#include "benchmarks/skepu/applications/application.h"

#include <algorithm>

#include <stdexcept>
#include <utility>

namespace tessera::bench::skepu {

void application::begin_log(int count, const logged_container& shape) {
  log_ = {std::vector<logged_container>(static_cast<std::size_t>(count), shape), {}};
}

bool application::is_rounded_once() const {
  const context ctx = settings_.where.ctx ? *settings_.where.ctx : default_context();
  const machine_description machine = ctx.machine();
  return std::any_of(machine.devices.begin(), machine.devices.end(),
                     [](const machine_description::device& d) { return d.kind != "cpu"; });
}

void application::called(std::vector<call_operand> operands) {
  if (settings_.copy_each_call)
    for (const call_operand& operand : operands) flush(operand.container);
  log_.call(std::move(operands));
}

void require(bool is, const std::string& sentence) {
  if (!is) throw std::runtime_error(sentence);
}

const std::vector<named_application>& paper_applications() {
  static const std::vector<named_application> list{{"nbody", make_nbody}, {"lu", make_lu},
                                                   {"sph", make_sph},     {"mandelbrot", make_mandelbrot},
                                                   {"ppmcc", make_ppmcc}, {"mse", make_mse}};
  return list;
}

}  // namespace tessera::bench::skepu
