// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/enright.h"

#include <algorithm>

namespace bolza::integrate {
namespace {

using Eigen::VectorXd;

std::size_t earlier_rates(const MethodOptions& options) {
  double order = options.max_order > 0 ? options.max_order : enright_order;
  return static_cast<std::size_t>(std::clamp(order, 3.0, 9.0)) - 2;
}

class Enright final : public MultistepScheme {
 public:
  Enright(const MethodOptions& options, bool semi_implicit)
      : MultistepScheme(options, earlier_rates(options), 2),
        semi_implicit_(semi_implicit) {}

  std::unique_ptr<StepScheme> clone() const override { return std::make_unique<Enright>(*this); }

  Step write(StepTape& tape, double h) override {
    std::size_t count = prepare();
    double begin = past_[0].point.place, end = begin + h;
    node_ = {end, 0, 0, true};
    end_.place = end;
    if (semi_implicit_) recorrect(tape, count);
    else solve(tape, count);
    if (tape.trouble() != StepTape::Trouble::none) return {end_, {}, {}, {}};
    VectorXd error = tape[end_.state] - value(tape, formula(&node_, count - 1, begin, end));
    Step step{end_, tape.filtered(std::move(error)), {}, {}};
    estimate_neighbours(tape, step, [&](VectorXd v) { return tape.filtered(std::move(v)); });
    return step;
  }

  int error_order() const override { return static_cast<int>(taken_) + 1; }

  // Stiff parts are taken out by two Newton-like matrices of order 1 in the place of the one of order 2.
  StepTape::Slot write_error(StepTape& tape) const override {
    double by_rate = formula(&node_, taken_, past_[0].point.place, end_.place)[1].weight;
    StepTape::Slot once = tape.solve(end_, by_rate, MultistepScheme::write_error(tape));
    return tape.solve(end_, by_rate, once);
  }

 private:
  // The whole formula is implicit.
  void solve(StepTape& tape, std::size_t count) {
    double begin = past_[0].point.place;
    VectorXd guess = value(tape, formula(nullptr, count, begin, end_.place));
    StepTape::Terms known = formula(&node_, count, begin, end_.place);
    double by_slope = known.back().weight, by_rate = known[1].weight;
    known.pop_back();
    known.erase(known.begin() + 1);
    end_.state = tape.implicit(end_.place, by_rate, by_slope, std::move(known), guess);
    end_rate_ = tape.rate(end_);
    node_.rate = end_rate_;
    node_.slope = tape.along(end_, 1, 0, {{1, 0, end_rate_}});
  }

  // Predictor, corrector, recorrector.
  void recorrect(StepTape& tape, std::size_t count) {
    double begin = past_[0].point.place;
    StepTape::Slot predicted = tape.combine(formula(nullptr, count, begin, end_.place));
    Node moulton{end_.place, tape.rate({end_.place, predicted}), 0, false};
    StepTape::Point corrected{end_.place, tape.combine(formula(&moulton, count, begin, end_.place))};
    StepTape::Slot rate = tape.rate(corrected);
    node_.slope = tape.along(corrected, 1, 0, {{1, 0, rate}});
    StepTape::Terms known = formula(&node_, count, begin, end_.place);
    double by_rate = known[1].weight;
    known.erase(known.begin() + 1);
    end_.state = tape.implicit(end_.place, by_rate, 0, std::move(known), tape[corrected.state]);
    end_rate_ = tape.rate(end_);
    node_.rate = end_rate_;
  }

  bool semi_implicit_;
};

}  // namespace

std::unique_ptr<MultistepScheme> make_enright_scheme(const MethodOptions& options, bool semi_implicit) {
  return std::make_unique<Enright>(options, semi_implicit);
}

std::unique_ptr<Integrator> make_enright(const Setup& setup, bool semi_implicit) {
  return make_tape_integrator(setup, [semi_implicit](const StepModel&, const MethodOptions& options) {
    return std::make_unique<Enright>(options, semi_implicit);
  });
}

}  // namespace bolza::integrate
