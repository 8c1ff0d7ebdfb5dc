// SPDX-License-Identifier: Apache-2.0
// IDAS' variable-order BDF for x' = f(t, x, z, u), 0 = h(t, x, z, u), Q' = q, with the exact Jacobian. Unknowns are (x, z,
// Q): what IDAS knows as quadratures has no say in its choice of order (docs/decisions/unknowns-of-idas.md).
#include <idas/idas.h>
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>

#include "base/allocated.h"
#include "runtime/integrate/methods/ida_start.h"
#include "runtime/integrate/sundials/step_options.h"
#include "runtime/integrate/sundials/sundials_internal.h"
#include "runtime/nonlinear/algebraic_errors.h"
#include "runtime/nonlinear/algebraics_between.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using nonlinear::ModelAt;

constexpr int patience = 20;     // steps below the precision of t, before algebraics are left out of the error test
constexpr int looks_after = 50;  // steps, after which it is found again what can be asked of algebraics
constexpr double amplified = 10, faithful = 1;  // errors that states leave, in tolerances: one leaves, enters the error test
constexpr double above_rounding = 100;          // least tolerance: Newton's method is content with a sixtieth of it at once

class Idas final : public Integrator {
 public:
  /// Without integrals: their slopes have no part in what IDACalcIC solves.
  explicit Idas(const Setup& setup, bool with_integrals = true)
      : setup_(setup),
        model_(setup.model.model()),
        n_(model_.n_x + model_.n_z),
        n_q_(with_integrals ? model_.n_q : 0),
        all_(n_ + n_q_),
        context_(make_context()),
        y_(make_vector(all_, context_.get(), is_long(all_))),
        at_(make_vector(all_, context_.get())),
        yp_(make_vector(all_, context_.get(), is_long(all_))),
        u_(model_.n_u),
        slope_(model_.n_u),
        rates_(model_.n_x + model_.n_q),
        residuals_(model_.n_z),
        between_(setup.model),
        system_(all_, places(), y_.get(), context_.get(), setup.options, model_.n_z > 0) {
    memory_ = IDACreate(context_.get());
    allocated(memory_ != nullptr);
    find_rates();
    IDASetErrHandlerFn(memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
  }
  ~Idas() override {
    count();
    IDAFree(&memory_);
  }

  SimulateStatus start(const State& state, double stop) override {
    count();
    stop_ = stop;
    t_ = state.t;
    between_.forget();
    std::copy(state.x.begin(), state.x.end(), y());
    std::copy(state.z.begin(), state.z.end(), y() + model_.n_x);
    std::copy_n(state.q.begin(), n_q_, y() + n_);
    if (!slopes()) return fail(IDA_REP_RES_ERR);
    int flag = begun_ ? IDAReInit(memory_, state.t, y_.get(), yp_.get()) : begin(state.t);
    begun_ = true;
    steps_ = 0;
    std::fill(amplifies_.begin(), amplifies_.end(), 0);
    suppressed_ = false;
    look_at_algebraics(state.t);
    test_errors();
    if (flag == 0) flag = IDASetStopTime(memory_, stop);
    return flag == 0 ? SimulateStatus::finished : fail(flag);
  }

  SimulateStatus step(double& reached) override {
    int flag = IDASolve(memory_, stop_, &reached, y_.get(), yp_.get(), IDA_ONE_STEP);
    if ((flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL) && go_on_without_algebraics())
      flag = IDASolve(memory_, stop_, &reached, y_.get(), yp_.get(), IDA_ONE_STEP);
    if (flag < 0) return fail(flag);
    if (++steps_ % looks_after == 0 && look_at_algebraics(reached)) test_errors();
    still_ = reached > t_ ? 0 : still_ + 1;
    if (still_ == patience) go_on_without_algebraics();
    t_ = reached;
    not_finite_ = false;
    return SimulateStatus::finished;
  }

  SimulateStatus at(double t, State& state) override {
    const double* v = y();
    if (t != t_) {
      if (int flag = IDAGetDky(memory_, t, 0, at_.get()); flag < 0) return fail(flag);
      v = N_VGetArrayPointer(at_.get());
    }
    state.t = t;
    state.x.assign(v, v + model_.n_x);
    state.z.assign(v + model_.n_x, v + n_);
    if (suppressed_ && t != t_) {  // nothing bounds their error between the steps
      model_inputs(t, state);
      std::vector<double> z = state.z;
      if (nonlinear::solve_algebraics(setup_.model, t, state.x, u_, z).converged()) state.z = std::move(z);
    }
    state.q.assign(v + n_, v + all_);
    return SimulateStatus::finished;
  }

  void settle(State& state) override {
    if (suppressed_ || state.t == t_ || !model_.n_z) return;
    model_inputs(state.t, state);
    between_.settle(state.t, state.x, u_, state.z, atol_z_, setup_.rtol);
  }

  void tolerances_changed() override {
    double horizon = std::fabs(setup_.model.shared[1] - setup_.model.shared[0]);
    atol_z_ = setup_.atol_z;
    for (std::size_t k = 0; k < model_.n_z; ++k)
      if (state_of_[k] != npos && horizon > 0) atol_z_[k] = std::max(atol_z_[k], setup_.atol_x[state_of_[k]] / horizon);
  }

  // The step that is planned already is cut by the stop time only.
  void limit_step(double h) override {
    IDASetMaxStep(memory_, longest(setup_.options, h));
    IDASetStopTime(memory_, std::min(stop_, t_ + h));
  }

  bool find_initial(State& state, double stop, bool at_rest) {
    t_ = state.t;
    stop_ = stop;
    std::copy(state.x.begin(), state.x.end(), y());
    std::copy(state.z.begin(), state.z.end(), y() + model_.n_x);
    if (!at_rest && rates(t_, y_.get())) std::copy_n(rates_.begin(), model_.n_x, N_VGetArrayPointer(yp_.get()));
    begun_ = true;
    if (begin(state.t) != 0) return false;
    if (IDACalcIC(memory_, at_rest ? IDA_Y_INIT : IDA_YA_YDP_INIT, stop) != 0) return false;
    IDAGetConsistentIC(memory_, y_.get(), yp_.get());
    state.x.assign(y(), y() + model_.n_x);
    state.z.assign(y() + model_.n_x, y() + n_);
    return true;
  }

 private:
  void model_inputs(double t, const State& state) { setup_.input_evaluator.at(t, state.x.data(), state.z.data(), u_); }

  // Where algebraics jump or are steep, no step is short enough for a test of their error; they follow from the states
  // anyway. Until the next start the test is on the states alone.
  bool go_on_without_algebraics() {
    if (suppressed_ || !model_.n_z || setup_.options.suppress_algebraics > 0) return false;
    double reached = t_;
    IDAGetCurrentTime(memory_, &reached);
    State state;
    t_ = NAN;
    if (at(reached, state) != SimulateStatus::finished) return false;
    model_inputs(reached, state);
    std::vector<double> z = state.z;
    if (!nonlinear::solve_algebraics(setup_.model, reached, state.x, u_, state.z).converged()) {
      if (!nonlinear::jump_algebraics(setup_.model, reached, state.x, u_, z).converged()) return false;
      state.z = std::move(z);
    }
    double stop = stop_;
    bool good = start(state, stop) == SimulateStatus::finished;
    suppressed_ = true;
    test_errors();
    return good;
  }

  // Which unknowns are in the error test. Derivatives among the algebraics never are: the error of their integral is, and
  // they themselves may be large and short-lived beyond any absolute tolerance; nor are those that amplify what the
  // tolerances of the states leave open.
  void test_errors() {
    Vector kind = make_vector(all_, context_.get());
    std::fill_n(N_VGetArrayPointer(kind.get()), model_.n_x, 1.0);
    std::fill_n(N_VGetArrayPointer(kind.get()) + n_, n_q_, setup_.options.quadrature_error_control > 0 ? 1.0 : 0.0);
    bool some = setup_.options.suppress_algebraics > 0 || suppressed_;
    for (std::size_t k = 0; k < model_.n_z; ++k) {
      bool tested = !some && state_of_[k] == npos && !amplifies_[k];
      N_VGetArrayPointer(kind.get())[model_.n_x + k] = tested;
    }
    IDASetId(memory_, kind.get());
    IDASetSuppressAlg(memory_, true);
  }

  // What can be asked of the algebraics from here on. True when that changes the error test.
  bool look_at_algebraics(double t) {
    if (!model_.n_z) return false;
    std::vector<double> tolerance(model_.n_x);
    for (std::size_t i = 0; i < model_.n_x; ++i) tolerance[i] = setup_.rtol * std::fabs(y()[i]) + setup_.atol_x[i];
    if (!nonlinear::find_algebraic_errors(setup_.model, point(t, y_.get()), tolerance, errors_)) return false;
    bool changed = false;
    for (std::size_t k = 0; k < model_.n_z; ++k) {
      least_[k] = above_rounding * errors_.of_rounding[k];
      double own = setup_.rtol * std::fabs(y()[model_.n_x + k]) + atol_z_[k];
      bool before = amplifies_[k], now = errors_.of_states[k] > (before ? faithful : amplified) * own;
      changed = changed || now != before;
      amplifies_[k] = now;
    }
    return changed;
  }

  // The norm's square is the sum of those of (x, z) and of the integrals.
  double part(std::size_t of) const { return std::sqrt(static_cast<double>(of) / static_cast<double>(all_)); }

  static int weights(N_Vector v, N_Vector out, void* user) {
    const Idas& self = *static_cast<Idas*>(user);
    const double* value = N_VGetArrayPointer(v);
    double* weight = N_VGetArrayPointer(out);
    std::size_t n_x = self.model_.n_x;
    double states = self.part(self.n_), integrals = self.part(self.n_q_);
    for (std::size_t i = 0; i < self.n_; ++i) {
      double tolerance = self.setup_.rtol * std::fabs(value[i]) + (i < n_x ? self.setup_.atol_x[i] : self.atol_z_[i - n_x]);
      if (i >= n_x) tolerance = std::max(tolerance, self.least_[i - n_x]);
      if (!(tolerance > 0)) return -1;
      weight[i] = 1 / (states * tolerance);
    }
    for (std::size_t i = self.n_; i < self.all_; ++i) {
      double tolerance = self.setup_.rtol * std::fabs(value[i]) + self.setup_.atol_q[i - self.n_];
      if (!(tolerance > 0)) return -1;
      weight[i] = 1 / (integrals * tolerance);
    }
    return 0;
  }

  // state_of_: the state whose rate an algebraic is, by itself.
  void find_rates() {
    state_of_.assign(model_.n_z, npos);
    amplifies_.assign(model_.n_z, 0);
    least_.assign(model_.n_z, 0);
    const bolza_function* f = model_.rates;
    std::vector<std::size_t> entries(model_.n_x, 0), only(model_.n_x, 0);
    for (std::size_t e = 0; f && e < f->jac_nnz; ++e)
      if (auto row = static_cast<std::size_t>(f->jac_row[e]); row < model_.n_x) {
        ++entries[row];
        only[row] = static_cast<std::size_t>(f->jac_col[e]);
      }
    for (std::size_t i = 0; i < model_.n_x; ++i)
      if (entries[i] == 1 && only[i] > model_.n_x && only[i] <= n_) state_of_[only[i] - model_.n_x - 1] = i;
  }

  /// Where the unknown of a rate stands: x in front, Q after the algebraics.
  std::size_t unknown(std::size_t rate) const { return rate < model_.n_x ? rate : model_.n_z + rate; }
  double* y() { return N_VGetArrayPointer(y_.get()); }

  // Entries of both functions by unknown; those of the identity in x' and Q' stand on the diagonal.
  std::vector<std::pair<std::int32_t, std::int32_t>> places() {
    std::vector<std::pair<std::int32_t, std::int32_t>> out;
    auto take = [&](const bolza_function* f, std::size_t rows, std::vector<std::size_t>& entries, auto&& place) {
      for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
        std::size_t row = static_cast<std::size_t>(f->jac_row[e]), col = static_cast<std::size_t>(f->jac_col[e]);
        if (row >= rows || col < 1 || col > n_) continue;
        entries.push_back(e);
        out.emplace_back(static_cast<std::int32_t>(place(row)), static_cast<std::int32_t>(col - 1));
      }
    };
    take(model_.rates, model_.n_x + n_q_, rate_entries_, [&](std::size_t row) { return unknown(row); });
    take(model_.residuals, model_.n_z, residual_entries_, [&](std::size_t row) { return model_.n_x + row; });
    for (std::size_t i = 0; i < model_.n_x + n_q_; ++i)
      out.emplace_back(static_cast<std::int32_t>(unknown(i)), static_cast<std::int32_t>(unknown(i)));
    return out;
  }

  int begin(double t) {
    int flag = IDAInit(memory_, residual, t, y_.get(), yp_.get());
    if (flag) return flag;
    Vector kind = make_vector(all_, context_.get());
    for (std::size_t i = 0; i < model_.n_x + n_q_; ++i) N_VGetArrayPointer(kind.get())[unknown(i)] = 1;
    tolerances_changed();
    IDAWFtolerances(memory_, weights);
    IDASetUserData(memory_, this);
    IDASetId(memory_, kind.get());
    IDASetMaxNumSteps(memory_, -1);
    const MethodOptions& o = setup_.options;
    set_steps_of_idas(memory_, o, 1, Towards::end);
    if (o.variable_bounds > 0) {
      Vector signs = make_vector(all_, context_.get()), known = signs_of(model_, context_.get(), n_);
      std::copy_n(N_VGetArrayPointer(known.get()), n_, N_VGetArrayPointer(signs.get()));
      IDASetConstraints(memory_, signs.get());
    }
    IDASetLinearSolver(memory_, system_.solver(), system_.matrix());
    if (system_.matrix()) {
      IDASetJacFn(memory_, jacobian);
      if (!(o.linear_solution_scaling > 0)) IDASetLinearSolutionScaling(memory_, 0);
    } else {
      IDASetJacTimes(memory_, nullptr, product);
      IDASetPreconditioner(memory_, prepare, precondition);
      if (o.linear_coefficient > 0) IDASetEpsLin(memory_, o.linear_coefficient);
    }
    return 0;
  }

  ModelAt::Point point(double t, N_Vector v) {
    const double* data = N_VGetArrayPointer(v);
    setup_.input_evaluator.at(t, data, data + model_.n_x, u_);
    return {t, data, data + model_.n_x, u_.data()};
  }

  bool good(bool finite) {
    not_finite_ = not_finite_ || !finite;
    return finite;
  }

  bool rates(double t, N_Vector v) { return good(setup_.model.value(ModelAt::Part::rates, point(t, v), rates_)); }

  // x' = f; z' from the time derivative of h = 0, so that the first steps are not wasted on finding it.
  bool slopes() {
    double* slope = N_VGetArrayPointer(yp_.get());
    std::fill_n(slope, all_, 0.0);
    if (!rates(t_, y_.get())) return false;
    for (std::size_t i = 0; i < model_.n_x + n_q_; ++i) slope[unknown(i)] = rates_[i];
    if (!model_.n_z) return true;
    ModelAt::Point p = point(t_, y_.get());
    if (!setup_.model.jacobian(ModelAt::Part::residuals, p, residuals_, derivative_)) return true;  // begins without
    setup_.input_evaluator.slope(t_, p.x, p.z, slope_);
    std::vector<double> change(model_.n_z), size(model_.n_z, 1), z(model_.n_z);
    std::vector<nonlinear::Entry> entries;
    for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
      std::size_t row = static_cast<std::size_t>(derivative_.row[e]), col = static_cast<std::size_t>(derivative_.col[e]);
      if (row >= model_.n_z) continue;
      double v = derivative_.value[e];
      if (col == 0) change[row] += v;
      else if (col <= model_.n_x) change[row] += v * slope[col - 1];
      else if (col <= n_)
        entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(col - 1 - model_.n_x), v});
      else if (col <= n_ + model_.n_u) change[row] += v * slope_[col - 1 - n_];
    }
    nonlinear::Equations linear{model_.n_z, model_.n_z, size,
                                [&](std::span<const double> w, std::span<double> r) {
                                  std::copy(change.begin(), change.end(), r.begin());
                                  for (const auto& e : entries)
                                    r[static_cast<std::size_t>(e.row)] += e.value * w[static_cast<std::size_t>(e.col)];
                                  return true;
                                },
                                [&](std::span<const double>, std::vector<nonlinear::Entry>& out) {
                                  out = entries;
                                  return true;
                                }};
    if (nonlinear::solve(linear, z).converged()) std::copy(z.begin(), z.end(), slope + model_.n_x);
    return true;
  }

  static int residual(double t, N_Vector v, N_Vector vp, N_Vector out, void* user) {
    Idas& self = *static_cast<Idas*>(user);
    if (!self.rates(t, v)) return 1;
    double* r = N_VGetArrayPointer(out);
    const double* slope = N_VGetArrayPointer(vp);
    std::size_t n_x = self.model_.n_x;
    for (std::size_t i = 0; i < n_x + self.n_q_; ++i) r[self.unknown(i)] = slope[self.unknown(i)] - self.rates_[i];
    if (!self.model_.n_z) return 0;
    return self.good(self.setup_.model.value(ModelAt::Part::residuals, self.point(t, v), {r + n_x, self.model_.n_z})) ? 0
                                                                                                                      : 1;
  }

  // Where a derivative is not finite at the start, as of sqrt(i²) at i = 0, that of a point next to it lets the integration
  // leave; later a step that comes to such a point is one that fails.
  bool derivatives(ModelAt::Part part, double t, N_Vector v) {
    if (steps_ == 0) return setup_.model.jacobian_nearby(part, point(t, v), derivative_);
    return setup_.model.jacobian(part, point(t, v), {}, derivative_);
  }

  // dF/dy + cj dF/dy' of F = (x' − f, h, Q' − q), entry by entry in the order of `places`.
  template <class Take>
  bool differentiate(double t, N_Vector v, double cj, Take&& take) {
    auto each = [&](const std::vector<std::size_t>& entries, double sign, auto&& place) {
      for (std::size_t e : entries)
        take(place(static_cast<std::size_t>(derivative_.row[e])), static_cast<std::size_t>(derivative_.col[e] - 1),
             sign * derivative_.value[e]);
    };
    if (!good(derivatives(ModelAt::Part::rates, t, v))) return false;
    each(rate_entries_, -1, [&](std::size_t row) { return unknown(row); });
    if (model_.n_z) {
      if (!good(derivatives(ModelAt::Part::residuals, t, v))) return false;
      each(residual_entries_, 1, [&](std::size_t row) { return model_.n_x + row; });
    }
    for (std::size_t i = 0; i < model_.n_x + n_q_; ++i) take(unknown(i), unknown(i), cj);
    return true;
  }

  static int jacobian(double t, double cj, N_Vector v, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                      N_Vector) {
    Idas& self = *static_cast<Idas*>(user);
    double* data = self.system_.clear(J);
    const std::size_t* slot = self.system_.slot().data();
    return self.differentiate(t, v, cj, [&](std::size_t, std::size_t, double value) { data[*slot++] += value; }) ? 0 : 1;
  }

  static int product(double t, N_Vector v, N_Vector, N_Vector, N_Vector w, N_Vector Jw, double cj, void* user, N_Vector,
                     N_Vector) {
    Idas& self = *static_cast<Idas*>(user);
    N_VConst(0, Jw);
    const double* from = N_VGetArrayPointer(w);
    double* to = N_VGetArrayPointer(Jw);
    return self.differentiate(t, v, cj, [&](std::size_t r, std::size_t c, double value) { to[r] += value * from[c]; }) ? 0
                                                                                                                       : 1;
  }

  static int prepare(double t, N_Vector v, N_Vector, N_Vector, double cj, void* user) {
    Idas& self = *static_cast<Idas*>(user);
    std::vector<nonlinear::Entry> entries;
    auto take = [&](std::size_t r, std::size_t c, double value) {
      entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), value});
    };
    return self.differentiate(t, v, cj, take) && self.system_.factorise(entries) ? 0 : 1;
  }

  static int precondition(double, N_Vector, N_Vector, N_Vector, N_Vector r, N_Vector z, double, double, void* user) {
    Idas& self = *static_cast<Idas*>(user);
    self.system_.precondition({N_VGetArrayPointer(r), self.all_}, {N_VGetArrayPointer(z), self.all_});
    return 0;
  }

  void count() {
    if (!begun_) return;
    long evaluations = 0, setups = 0, errors = 0, iterations = 0, failures = 0, jacobians = 0;
    IDAGetNumResEvals(memory_, &evaluations);
    IDAGetNumLinSolvSetups(memory_, &setups);
    IDAGetNumErrTestFails(memory_, &errors);
    IDAGetNonlinSolvStats(memory_, &iterations, &failures);
    IDAGetNumJacEvals(memory_, &jacobians);
    SimulateReport& r = setup_.report;
    auto add = [](std::size_t& to, long n) { to += static_cast<std::size_t>(n); };
    add(r.evaluations, evaluations);
    add(r.factorisations, setups);
    add(r.error_failures, errors);
    add(r.newton_iterations, iterations);
    add(r.convergence_failures, failures);
    add(r.jacobians, jacobians);
  }

  SimulateStatus fail(int flag) {
    SimulateStatus status = status_of(flag, true);
    if (status == SimulateStatus::nonfinite || not_finite_) {
      report_nonfinite(setup_.model, setup_.report, t_);
      return SimulateStatus::nonfinite;
    }
    double h = 0;
    IDAGetCurrentStep(memory_, &h);
    Vector errors = make_vector(all_, context_.get()), weights = make_vector(all_, context_.get());
    IDAGetEstLocalErrors(memory_, errors.get());
    IDAGetErrWeights(memory_, weights.get());
    for (std::size_t k = 0; k < model_.n_z; ++k)
      if (suppressed_ || state_of_[k] != npos || amplifies_[k]) N_VGetArrayPointer(weights.get())[model_.n_x + k] = 0;
    N_VScale(part(n_), weights.get(), weights.get());
    report_worst(setup_, status, t_, h, {N_VGetArrayPointer(errors.get()), n_}, {N_VGetArrayPointer(weights.get()), n_});
    return status;
  }

  const Setup& setup_;
  const bolza_model& model_;
  std::size_t n_, n_q_, all_;  // (x, z), Q, (x, z, Q)
  Context context_;
  Vector y_, at_, yp_;
  std::vector<double> u_, slope_, rates_, residuals_;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  std::vector<std::size_t> rate_entries_, residual_entries_;
  std::vector<double> atol_z_;
  nonlinear::AlgebraicsBetween between_;
  std::vector<std::size_t> state_of_;  // [n_z] npos: the algebraic is not a derivative of a state
  nonlinear::AlgebraicErrors errors_;
  std::vector<char> amplifies_;  // [n_z] errors of the states, far beyond its own tolerance
  std::vector<double> least_;    // [n_z] no tolerance is smaller
  NewtonSystem system_;
  nonlinear::Derivative derivative_;
  void* memory_ = nullptr;
  double t_ = 0, stop_ = 0;
  bool begun_ = false;
  int steps_ = 0;            // since the start
  int still_ = 0;            // steps in a row too short to move t
  bool suppressed_ = false;  // algebraics are left out of the error test while the step after an event is short
  bool not_finite_ = false;  // in an attempt at the present step
};

}  // namespace

bool initial_by_idas(const Setup& setup, double stop, bool at_rest, State& state) {
  State found = state;
  if (!Idas(setup, false).find_initial(found, stop, at_rest)) return false;
  state = std::move(found);
  return true;
}

extern const Method idas;
const Method idas{.name = "idas",
                  .description = "SUNDIALS: variable order BDF for differential and algebraic equations of index 0 and 1",
                  .algebraics = true,
                  .available = [] { return true; },
                  .make = [](const Setup& setup) -> std::unique_ptr<Integrator> { return std::make_unique<Idas>(setup); }};

}  // namespace bolza::integrate
