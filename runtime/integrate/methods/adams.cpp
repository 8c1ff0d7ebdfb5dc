// SPDX-License-Identifier: Apache-2.0
// Adams' predictor and corrector (PECE) of variable steps; the order grows by one with every step.    [GOMEZ, (4)–(5)]
#include "runtime/integrate/steps/multistep.h"

namespace bolza::integrate {
namespace {

constexpr std::size_t default_adams_order = 5, highest_order = 12;

std::size_t order_of(const MethodOptions& options, bool automatic) {
  std::size_t wanted = options.max_order > 0 ? static_cast<std::size_t>(options.max_order)
                       : automatic           ? highest_order
                                             : default_adams_order;
  return std::clamp<std::size_t>(wanted, 2, highest_order);
}

class Adams final : public MultistepScheme {
 public:
  explicit Adams(const MethodOptions& options) : MultistepScheme(options, order_of(options, automatic(options)) - 1, 1) {}

  std::unique_ptr<StepScheme> clone() const override { return std::make_unique<Adams>(*this); }

  Step write(StepTape& tape, double h) override {
    std::size_t count = prepare();
    double begin = past_[0].point.place, end = begin + h;
    StepTape::Slot predicted = tape.combine(formula(nullptr, count, begin, end));
    node_ = {end, tape.rate({end, predicted}), 0, false};
    end_ = {end, tape.combine(formula(&node_, count, begin, end))};
    Eigen::VectorXd error = tape[end_.state] - value(tape, formula(&node_, count - 1, begin, end));
    end_rate_ = tape.rate(end_);
    Step step{end_, std::move(error), {}, {}};
    estimate_neighbours(tape, step, [](Eigen::VectorXd v) { return v; });
    return step;
  }

  int error_order() const override { return static_cast<int>(taken_); }
};

}  // namespace

extern const Method adams;
const Method adams{
    .name = "adams",
    .description = "Adams predictor-corrector (PECE), orders to max_order (2 to 12, else 12; 5 with fixed steps), not stiff",
    .algebraics = true,
    .stiff = false,
    .order_low = 2,
    .order_high = default_adams_order,
    .dense_order = default_adams_order,
    .fixed_steps = true,
    .available = [] { return true; },
    .make = make_tape_method<Adams>,
    .tape = true,
    .multistep = [](const MethodOptions& options) -> std::unique_ptr<MultistepScheme> {
      return std::make_unique<Adams>(options);
    }};

}  // namespace bolza::integrate
