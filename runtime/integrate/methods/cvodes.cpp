// SPDX-License-Identifier: Apache-2.0
// CVODES for x' = f(t, x, u), Q' = q: variable-order BDF with the exact Jacobian, and variable-order Adams methods with
// fixed-point iteration.
#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/allocated.h"
#include "runtime/integrate/sundials/step_options.h"
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {
namespace {

using nonlinear::ModelAt;

class Cvodes final : public Integrator {
 public:
  Cvodes(const Setup& setup, int family)
      : setup_(setup),
        model_(setup.model.model()),
        context_(make_context()),
        y_(make_vector(model_.n_x, context_.get(), is_long(model_.n_x))),
        at_(make_vector(model_.n_x, context_.get())),
        q_(make_vector(std::max<std::size_t>(model_.n_q, 1), context_.get())),
        u_(model_.n_u),
        rows_(model_.n_x + model_.n_q),
        stiff_(family == CV_BDF) {
    if (stiff_) system_.emplace(model_.n_x, places(), y_.get(), context_.get(), setup.options);
    memory_ = CVodeCreate(family, context_.get());
    allocated(memory_ != nullptr);
    CVodeSetErrHandlerFn(memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
  }
  ~Cvodes() override {
    count();
    CVodeFree(&memory_);
  }

  SimulateStatus start(const State& state, double stop) override {
    count();
    stop_ = stop;
    t_ = state.t;
    failed_ = 0;
    bad_step_ = -1;
    std::copy(state.x.begin(), state.x.end(), N_VGetArrayPointer(y_.get()));
    std::copy(state.q.begin(), state.q.end(), N_VGetArrayPointer(q_.get()));
    int flag = begun_ ? CVodeReInit(memory_, state.t, y_.get()) : begin(state.t);
    if (flag == 0 && model_.n_q && begun_) flag = CVodeQuadReInit(memory_, q_.get());
    begun_ = true;
    if (flag == 0) flag = CVodeSetStopTime(memory_, stop);
    return flag == 0 ? SimulateStatus::finished : fail(flag);
  }

  SimulateStatus step(double& reached) override {
    if (failed_) return fail(failed_);
    int flag = CVode(memory_, stop_, y_.get(), &reached, CV_ONE_STEP);
    if (flag < 0) return fail(flag);
    t_ = reached;
    return SimulateStatus::finished;
  }

  SimulateStatus advance(double until, std::size_t most, double& reached, std::size_t& steps) override {
    long before = steps_taken();
    steps = 1;
    if (before == 0 || failed_) return step(reached);  // the length of the first one must not depend on `until`
    CVodeSetMaxNumSteps(memory_, static_cast<long>(most));
    int flag = CVode(memory_, until, y_.get(), &reached, CV_NORMAL);
    CVodeSetMaxNumSteps(memory_, -1);
    steps = static_cast<std::size_t>(steps_taken() - before);
    if (flag < 0 && flag != CV_TOO_MUCH_WORK) {
      if (steps == 0) return fail(flag);
      failed_ = flag;  // the steps before it count: the next call says it
    }
    t_ = reached;
    if (flag == CV_SUCCESS) {
      CVodeGetCurrentTime(memory_, &reached);
      t_ = NAN;
    }  // y is at `until`
    return SimulateStatus::finished;
  }

  SimulateStatus at(double t, State& state) override {
    const double* x = N_VGetArrayPointer(y_.get());
    if (t != t_) {
      if (int flag = CVodeGetDky(memory_, t, 0, at_.get()); flag < 0) return fail(flag);
      x = N_VGetArrayPointer(at_.get());
    }
    state.t = t;
    state.x.assign(x, x + model_.n_x);
    if (model_.n_q) {
      if (CVodeGetQuadDky(memory_, t, 0, q_.get()) < 0) return fail(CV_MEM_NULL);
      const double* q = N_VGetArrayPointer(q_.get());
      state.q.assign(q, q + model_.n_q);
    }
    return SimulateStatus::finished;
  }

  // The step that is planned already is cut by the stop time only.
  void limit_step(double h) override {
    CVodeSetMaxStep(memory_, longest(setup_.options, h));
    double t = t_;
    if (std::isnan(t)) CVodeGetCurrentTime(memory_, &t);
    CVodeSetStopTime(memory_, std::min(stop_, t + h));
  }

 private:
  std::vector<std::pair<std::int32_t, std::int32_t>> places() {
    std::vector<std::pair<std::int32_t, std::int32_t>> out;
    const bolza_function& f = *model_.rates;
    for (std::size_t e = 0; e < f.jac_nnz; ++e) {
      if (f.jac_row[e] >= static_cast<std::int32_t>(model_.n_x) || f.jac_col[e] < 1 ||
          f.jac_col[e] > static_cast<std::int32_t>(model_.n_x))
        continue;
      entries_.push_back(e);
      out.emplace_back(f.jac_row[e], f.jac_col[e] - 1);
    }
    return out;
  }

  int begin(double t) {
    const MethodOptions& o = setup_.options;
    int flag = CVodeInit(memory_, rhs, t, y_.get());
    if (flag) return flag;
    CVodeWFtolerances(memory_, weights);  // those of the setup may change between steps
    CVodeSetUserData(memory_, this);
    CVodeSetMaxNumSteps(memory_, -1);
    set_steps_of_cvodes(memory_, o, 1, stiff_ ? 5 : 12, Towards::end);
    if (o.variable_bounds > 0) {
      Vector signs = signs_of(model_, context_.get(), model_.n_x);
      CVodeSetConstraints(memory_, signs.get());
    }
    if (stiff_) {
      CVodeSetLinearSolver(memory_, system_->solver(), system_->matrix());
      if (system_->matrix()) {
        CVodeSetJacFn(memory_, jacobian);
      } else {
        CVodeSetJacTimes(memory_, nullptr, product);
        CVodeSetPreconditioner(memory_, prepare, precondition);
        if (o.linear_coefficient > 0) CVodeSetEpsLin(memory_, o.linear_coefficient);
      }
    } else {
      iteration_.reset(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
      CVodeSetNonlinearSolver(memory_, iteration_.get());
    }
    if (!model_.n_q) return 0;
    flag = CVodeQuadInit(memory_, quadrature, q_.get());
    Vector qtol = make_vector(model_.n_q, context_.get());
    std::copy(setup_.atol_q.begin(), setup_.atol_q.end(), N_VGetArrayPointer(qtol.get()));
    CVodeQuadSVtolerances(memory_, setup_.rtol, qtol.get());
    CVodeSetQuadErrCon(memory_, o.quadrature_error_control > 0);
    return flag;
  }

  static int weights(N_Vector y, N_Vector out, void* user) {
    const Setup& setup = static_cast<const Cvodes*>(user)->setup_;
    const double *value = N_VGetArrayPointer(y), *atol = setup.atol_x.data();
    double *weight = N_VGetArrayPointer(out), least = INFINITY;
    for (std::size_t i = 0; i < setup.atol_x.size(); ++i) {
      double tolerance = setup.rtol * std::fabs(value[i]) + atol[i];
      least = std::min(least, tolerance);
      weight[i] = 1 / tolerance;
    }
    return least > 0 ? 0 : -1;
  }

  long steps_taken() const {
    long n = 0;
    CVodeGetNumSteps(memory_, &n);
    return n;
  }

  bool good(bool finite) {
    if (!finite) bad_step_ = steps_taken();
    return finite;
  }

  /// The first rows, as many as there are places for.
  bool evaluate(double t, N_Vector y, std::span<double> rows) {
    const double* x = N_VGetArrayPointer(y);
    setup_.input_evaluator.at(t, x, nullptr, u_);
    return good(setup_.model.value(ModelAt::Part::rates, {t, x, nullptr, u_.data()}, rows));
  }

  static int rhs(double t, N_Vector y, N_Vector out, void* user) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    return self.evaluate(t, y, {N_VGetArrayPointer(out), self.model_.n_x}) ? 0 : 1;
  }

  static int quadrature(double t, N_Vector y, N_Vector out, void* user) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    if (!self.evaluate(t, y, self.rows_)) return 1;
    std::copy_n(self.rows_.begin() + static_cast<std::ptrdiff_t>(self.model_.n_x), self.model_.n_q, N_VGetArrayPointer(out));
    return 0;
  }

  bool differentiate(double t, N_Vector y) {
    setup_.input_evaluator.at(t, N_VGetArrayPointer(y), nullptr, u_);
    return good(
        setup_.model.jacobian(ModelAt::Part::rates, {t, N_VGetArrayPointer(y), nullptr, u_.data()}, {}, derivative_));
  }

  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    if (!self.differentiate(t, y)) return 1;
    double* data = self.system_->clear(J);
    auto slot = self.system_->slot();
    for (std::size_t k = 0; k < self.entries_.size(); ++k) data[slot[k]] += self.derivative_.value[self.entries_[k]];
    return 0;
  }

  // J v with the exact Jacobian of the point that Newton's method is at.
  static int product(N_Vector v, N_Vector Jv, double t, N_Vector y, N_Vector, void* user, N_Vector) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    if (!self.differentiate(t, y)) return 1;
    N_VConst(0, Jv);
    const double* from = N_VGetArrayPointer(v);
    double* to = N_VGetArrayPointer(Jv);
    for (std::size_t e : self.entries_)
      to[self.derivative_.row[e]] += self.derivative_.value[e] * from[self.derivative_.col[e] - 1];
    return 0;
  }

  // I − γ J, factorised incompletely.
  static int prepare(double t, N_Vector y, N_Vector, int, int* updated, double gamma, void* user) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    if (!self.differentiate(t, y)) return 1;
    *updated = 1;
    std::vector<nonlinear::Entry> entries;
    for (std::size_t e : self.entries_)
      entries.push_back({self.derivative_.row[e], self.derivative_.col[e] - 1, -gamma * self.derivative_.value[e]});
    for (std::size_t i = 0; i < self.model_.n_x; ++i)
      entries.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), 1});
    return self.system_->factorise(entries) ? 0 : 1;
  }

  static int precondition(double, N_Vector, N_Vector, N_Vector r, N_Vector z, double, double, int, void* user) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    self.system_->precondition({N_VGetArrayPointer(r), self.model_.n_x}, {N_VGetArrayPointer(z), self.model_.n_x});
    return 0;
  }

  void count() {
    if (!begun_) return;
    long evaluations = 0, setups = 0, errors = 0, iterations = 0, failures = 0, jacobians = 0;
    CVodeGetNumRhsEvals(memory_, &evaluations);
    CVodeGetNumErrTestFails(memory_, &errors);
    CVodeGetNonlinSolvStats(memory_, &iterations, &failures);
    if (stiff_) {
      CVodeGetNumLinSolvSetups(memory_, &setups);
      CVodeGetNumJacEvals(memory_, &jacobians);
    }
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
    SimulateStatus status = status_of(flag, false);
    double h = 0, t = t_;
    CVodeGetCurrentStep(memory_, &h);
    if (std::isnan(t)) CVodeGetCurrentTime(memory_, &t);
    if (status == SimulateStatus::nonfinite || bad_step_ == steps_taken()) {
      report_nonfinite(setup_.model, setup_.report, t);
      return SimulateStatus::nonfinite;
    }
    Vector errors = make_vector(model_.n_x, context_.get()), weights = make_vector(model_.n_x, context_.get());
    CVodeGetEstLocalErrors(memory_, errors.get());
    CVodeGetErrWeights(memory_, weights.get());
    report_worst(setup_, status, t, h, {N_VGetArrayPointer(errors.get()), model_.n_x},
                 {N_VGetArrayPointer(weights.get()), model_.n_x});
    return status;
  }

  const Setup& setup_;
  const bolza_model& model_;
  Context context_;
  Vector y_, at_, q_;
  std::vector<double> u_, rows_;
  std::vector<std::size_t> entries_;
  bool stiff_;
  std::optional<NewtonSystem> system_;
  Iteration iteration_;
  nonlinear::Derivative derivative_;
  void* memory_ = nullptr;
  double t_ = 0, stop_ = 0;
  bool begun_ = false;
  int failed_ = 0;      // how the step after the last ones failed
  long bad_step_ = -1;  // number of the last step with an attempt that was not finite
};

}  // namespace

extern const Method cvodes, cvodes_adams;
const Method cvodes{
    .name = "cvodes",
    .description = "SUNDIALS: variable order BDF, explicit derivatives, stiff or not",
    .adjoint = true,
    .available = [] { return true; },
    .make = [](const Setup& setup) -> std::unique_ptr<Integrator> { return std::make_unique<Cvodes>(setup, CV_BDF); }};
const Method cvodes_adams{
    .name = "cvodes_adams",
    .description = "SUNDIALS: variable order Adams, explicit derivatives, not stiff",
    .stiff = false,
    .order_high = 12,
    .available = [] { return true; },
    .make = [](const Setup& setup) -> std::unique_ptr<Integrator> { return std::make_unique<Cvodes>(setup, CV_ADAMS); }};

}  // namespace bolza::integrate
