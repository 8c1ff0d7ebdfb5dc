// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/simulate/instants.h"

#include <algorithm>
#include <limits>

#include "runtime/nonlinear/algebraics_between.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

class Instants final : public Integrator {
 public:
  Instants(const Setup& setup, double length)
      : setup_(setup),
        length_(length),
        u_(setup.model.model().n_u),
        between_(setup.model),
        any_change_(setup.model.model().n_z, std::numeric_limits<double>::infinity()) {}

  SimulateStatus start(const State& state, double stop) override {
    last_ = begin_ = state;
    stop_ = stop;
    origin_ = state.t;
    taken_ = 0;
    between_.forget();
    return SimulateStatus::finished;
  }

  SimulateStatus step(double& reached) override {
    reached =
        std::min(stop_, origin_ + static_cast<double>(++taken_) * length_);  // a sum of lengths would drift from outputs
    if (reached > stop_ - 1e-9 * length_) reached = stop_;
    begin_ = last_;
    return solve(reached, last_);
  }

  // Between the ends of a step from its start: where solutions jump, the branch is that from which they come.
  SimulateStatus at(double t, State& state) override {
    state = t < last_.t ? begin_ : last_;
    return t == last_.t ? SimulateStatus::finished : solve(t, state);
  }

 private:
  SimulateStatus solve(double t, State& state) {
    state.t = t;
    setup_.input_evaluator.at(t, nullptr, state.z.data(), u_);
    if (state.z.empty()) return SimulateStatus::finished;
    // Nearly linear equations: factors are kept. Others have several solutions perhaps, and are followed with care.
    if (between_.settle(t, {}, u_, state.z, any_change_, 0)) return SimulateStatus::finished;
    std::vector<double> begin = state.z;
    nonlinear::NewtonReport report = nonlinear::solve_algebraics(setup_.model, t, {}, u_, state.z);
    if (report.converged()) return SimulateStatus::finished;
    if (nonlinear::jump_algebraics(setup_.model, t, {}, u_, begin).converged()) {
      state.z = std::move(begin);
      return SimulateStatus::finished;
    }
    setup_.report.finding = nonlinear::finding_of(setup_.model, report, t);
    const abi::Finding& f = setup_.report.finding;
    setup_.report.message = "the algebraic equations could not be solved: `" + f.name + "`: " + f.text;
    return SimulateStatus::convergence;
  }

  const Setup& setup_;
  double length_, stop_ = 0, origin_ = 0;
  std::size_t taken_ = 0;  // steps from there
  State begin_, last_;     // of the last step
  std::vector<double> u_;
  nonlinear::AlgebraicsBetween between_;
  std::vector<double> any_change_;  // tolerances that bound nothing
};

}  // namespace

std::unique_ptr<Integrator> make_instants(const Setup& setup, double length) {
  return std::make_unique<Instants>(setup, length);
}

}  // namespace bolza::integrate
