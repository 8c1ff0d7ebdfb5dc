// SPDX-License-Identifier: Apache-2.0
// Taylor series of the solution, of any order: coefficients from the model by recurrence, the length of a step from their
// decay, the polynomial itself as dense output.    [HNW, I.8]
#include <algorithm>

#include "runtime/abi/evaluate.h"
#include "runtime/integrate/steps/tape_method.h"

namespace bolza::integrate {
namespace {

constexpr std::size_t default_taylor_order = 10;

class Taylor final : public StepScheme {
 public:
  explicit Taylor(const MethodOptions& options)
      : order_(options.max_order > 0 ? std::max<std::size_t>(2, static_cast<std::size_t>(options.max_order))
                                     : default_taylor_order) {}

  std::unique_ptr<StepScheme> clone() const override { return std::make_unique<Taylor>(*this); }

  void restart(StepTape::Point begin, double) override {
    begin_ = begin;
    has_series_ = false;
  }

  Step write(StepTape& tape, double h) override {
    StepTape::Terms terms{{1, 0, begin_.state}};
    double power = 1;
    for (std::size_t k = 1; k <= order_; ++k) terms.push_back({power *= h, static_cast<int>(k), series_ + k - 1});
    end_ = {begin_.place + h, tape.combine(std::move(terms))};
    h_ = h;
    // the last two terms, so that series in even or odd powers are not taken for short ones
    return {end_,
            (power * tape[series_ + order_ - 1]).cwiseAbs() + 0.1 * (power / h * tape[series_ + order_ - 2]).cwiseAbs()};
  }

  void begin(StepTape& tape) override {
    if (has_series_) return;
    series_ = tape.series(begin_, order_);
    has_series_ = tape.trouble() == StepTape::Trouble::none;
  }

  void accept(StepTape&) override {
    begin_ = end_;
    has_series_ = false;
  }

  Eigen::VectorXd interpolate(StepTape& tape, double t) override {
    double s = t - begin_.place;
    Eigen::VectorXd y = s * tape[series_ + order_ - 1];
    for (std::size_t k = order_ - 1; k-- > 0;) y = s * (y + tape[series_ + k]);
    return tape[begin_.state] + y;
  }

  int error_order() const override { return static_cast<int>(order_) - 1; }
  StepTape::Slot oldest() const override { return begin_.state; }

 private:
  std::size_t order_;
  StepTape::Point begin_, end_;
  StepTape::Slot series_ = 0;
  bool has_series_ = false;
  double h_ = 0;
};

std::string objection(const bolza_problem& problem, const bolza_model& model) {
  if (model.hybrid && model.hybrid->n_delays > 0) return "it takes no delays, whose history has no series; `radau5` does";
  for (bolza_function* f : {model.rates, model.residuals})
    if (f && !abi::ensure(problem, *f, BOLZA_TAYLOR))
      return "it has no recurrence for functions with algorithms, which this model calls; `radau5` or `dopri5` evaluate "
             "them";
  return "";
}

}  // namespace

extern const Method taylor;
const Method taylor{.name = "taylor",
                    .description = "Taylor series, order max_order (2 to 40, else 10), not stiff, for high accuracy",
                    .algebraics = true,
                    .stiff = false,
                    .order_low = 2,
                    .order_high = default_taylor_order,
                    .dense_order = default_taylor_order,
                    .fixed_steps = true,
                    .available = [] { return true; },
                    .make = make_tape_method<Taylor>,
                    .tape = true,
                    .objection = objection};

}  // namespace bolza::integrate
