// CVODES' variable-order BDF for x' = f(t, x, u), Q' = q, with the exact Jacobian.
#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>

#include <algorithm>

#include "base/expects.h"
#include "runtime/integrate/sundials_internal.h"

namespace bolza::integrate {
namespace {

using nonlinear::ModelAt;

class Cvodes final : public Integrator {
 public:
  explicit Cvodes(const Setup& setup)
      : setup_(setup),
        model_(setup.model.model()),
        context_(make_context()),
        y_(make_vector(model_.n_x, context_.get())),
        q_(make_vector(std::max<std::size_t>(model_.n_q, 1), context_.get())),
        u_(model_.n_u),
        rows_(model_.n_x + model_.n_q),
        jacobian_(model_.n_x, places(), y_.get(), context_.get()) {
    memory_ = CVodeCreate(CV_BDF, context_.get());
    expects(memory_ != nullptr, "there is memory for an integrator");
    CVodeSetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
  }
  ~Cvodes() override {
    count();
    CVodeFree(&memory_);
  }

  SimulateStatus start(const State& state, std::size_t piece, double stop) override {
    count();
    piece_ = &setup_.inputs.pieces[piece];
    stop_ = stop, t_ = state.t;
    std::copy(state.x.begin(), state.x.end(), N_VGetArrayPointer(y_.get()));
    std::copy(state.q.begin(), state.q.end(), N_VGetArrayPointer(q_.get()));
    int flag = begun_ ? CVodeReInit(memory_, state.t, y_.get()) : begin(state.t);
    if (flag == 0 && model_.n_q && begun_) flag = CVodeQuadReInit(memory_, q_.get());
    begun_ = true;
    if (flag == 0) flag = CVodeSetStopTime(memory_, stop);
    return flag == 0 ? SimulateStatus::finished : fail(flag);
  }

  SimulateStatus advance(double t, State& state) override {
    while (t_ < t) {
      double reached = t_;
      int flag = CVode(memory_, stop_, y_.get(), &reached, CV_ONE_STEP);
      if (flag < 0) return fail(flag);
      stuck_ = reached > t_ ? 0 : stuck_ + 1;
      t_ = reached, not_finite_ = false;
      if (stuck_ > 100) return fail(CV_ERR_FAILURE);  // steps below the precision of t: it would go on so for ever
      if (++setup_.report.steps > setup_.max_steps) return fail(CV_TOO_MUCH_WORK);
      if (SimulateStatus status = setup_.after_step(t_); status != SimulateStatus::finished) return status;
    }
    Vector at = make_vector(model_.n_x, context_.get());
    if (t_ > t) {
      if (int flag = CVodeGetDky(memory_, t, 0, at.get()); flag < 0) return fail(flag);
    }
    const double* x = N_VGetArrayPointer(t_ > t ? at.get() : y_.get());
    state.t = t;
    state.x.assign(x, x + model_.n_x);
    if (model_.n_q) {
      if (CVodeGetQuadDky(memory_, t, 0, q_.get()) < 0) return fail(CV_MEM_NULL);
      const double* q = N_VGetArrayPointer(q_.get());
      state.q.assign(q, q + model_.n_q);
    }
    return SimulateStatus::finished;
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
    int flag = CVodeInit(memory_, rhs, t, y_.get());
    if (flag) return flag;
    Vector tolerance = make_vector(model_.n_x, context_.get());
    std::copy(setup_.atol_x.begin(), setup_.atol_x.end(), N_VGetArrayPointer(tolerance.get()));
    CVodeSVtolerances(memory_, setup_.rtol, tolerance.get());
    CVodeSetUserData(memory_, this);
    CVodeSetMaxNumSteps(memory_, -1);
    CVodeSetMaxErrTestFails(memory_, 15);
    CVodeSetMaxConvFails(memory_, 20);
    CVodeSetLinearSolver(memory_, jacobian_.solver(), jacobian_.matrix());
    CVodeSetJacFn(memory_, jacobian);
    if (!model_.n_q) return 0;
    flag = CVodeQuadInit(memory_, quadrature, q_.get());
    Vector qtol = make_vector(model_.n_q, context_.get());
    std::copy(setup_.atol_q.begin(), setup_.atol_q.end(), N_VGetArrayPointer(qtol.get()));
    CVodeQuadSVtolerances(memory_, setup_.rtol, qtol.get());
    CVodeSetQuadErrCon(memory_, 1);
    return flag;
  }

  bool good(bool finite) {
    not_finite_ = not_finite_ || !finite;
    return finite;
  }

  bool evaluate(double t, N_Vector y) {
    integrate::evaluate(*piece_, t, u_);
    return good(setup_.model.value(ModelAt::Part::rates, {t, N_VGetArrayPointer(y), nullptr, u_.data()}, rows_));
  }

  static int rhs(double t, N_Vector y, N_Vector out, void* user) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    if (!self.evaluate(t, y)) return 1;
    std::copy_n(self.rows_.begin(), self.model_.n_x, N_VGetArrayPointer(out));
    return 0;
  }

  static int quadrature(double t, N_Vector y, N_Vector out, void* user) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    if (!self.evaluate(t, y)) return 1;
    std::copy_n(self.rows_.begin() + static_cast<std::ptrdiff_t>(self.model_.n_x), self.model_.n_q, N_VGetArrayPointer(out));
    return 0;
  }

  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
    Cvodes& self = *static_cast<Cvodes*>(user);
    integrate::evaluate(*self.piece_, t, self.u_);
    if (!self.good(self.setup_.model.jacobian(ModelAt::Part::rates, {t, N_VGetArrayPointer(y), nullptr, self.u_.data()}, {},
                                              self.derivative_)))
      return 1;
    double* data = self.jacobian_.clear(J);
    auto slot = self.jacobian_.slot();
    for (std::size_t k = 0; k < self.entries_.size(); ++k) data[slot[k]] += self.derivative_.value[self.entries_[k]];
    return 0;
  }

  void count() {
    if (!begun_) return;
    long evaluations = 0, setups = 0, errors = 0, iterations = 0, failures = 0, jacobians = 0;
    CVodeGetNumRhsEvals(memory_, &evaluations);
    CVodeGetNumLinSolvSetups(memory_, &setups);
    CVodeGetNumErrTestFails(memory_, &errors);
    CVodeGetNonlinSolvStats(memory_, &iterations, &failures);
    CVodeGetNumJacEvals(memory_, &jacobians);
    SimulateReport& r = setup_.report;
    auto add = [](std::size_t& to, long n) { to += static_cast<std::size_t>(n); };
    add(r.evaluations, evaluations), add(r.factorisations, setups), add(r.error_failures, errors),
        add(r.newton_iterations, iterations);
    add(r.convergence_failures, failures), add(r.jacobians, jacobians);
  }

  SimulateStatus fail(int flag) {
    SimulateStatus status = status_of(flag, false);
    double h = 0;
    CVodeGetCurrentStep(memory_, &h);
    if (status == SimulateStatus::nonfinite || not_finite_) {
      report_nonfinite(setup_, t_);
      return SimulateStatus::nonfinite;
    }
    Vector errors = make_vector(model_.n_x, context_.get()), weights = make_vector(model_.n_x, context_.get());
    CVodeGetEstLocalErrors(memory_, errors.get());
    CVodeGetErrWeights(memory_, weights.get());
    report_worst(setup_, status, t_, h, {N_VGetArrayPointer(errors.get()), model_.n_x},
                 {N_VGetArrayPointer(weights.get()), model_.n_x});
    return status;
  }

  const Setup& setup_;
  const bolza_model& model_;
  Context context_;
  Vector y_, q_;
  std::vector<double> u_, rows_;
  std::vector<std::size_t> entries_;
  JacobianMatrix jacobian_;
  nonlinear::Derivative derivative_;
  const InputPiece* piece_ = nullptr;
  void* memory_ = nullptr;
  double t_ = 0, stop_ = 0;
  bool begun_ = false;
  bool not_finite_ = false;  // in an attempt at the present step
  std::size_t stuck_ = 0;    // steps in a row that did not move t
};

}  // namespace

extern const Method cvodes;
const Method cvodes{
    .name = "cvodes",
    .description = "SUNDIALS: variable order BDF, explicit derivatives, stiff or not",
    .algebraics = false,
    .adjoint = true,
    .available = [] { return true; },
    .make = [](const Setup& setup) -> std::unique_ptr<Integrator> { return std::make_unique<Cvodes>(setup); }};

}  // namespace bolza::integrate
