// A segment on CVODES(S): values, adjoint with checkpoints, forward sensitivities.
#include "runtime/integrate/segment_work_internal.h"

#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "runtime/integrate/sundials_internal.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

struct FreeMemory {
  void operator()(void* m) const { CVodeFree(&m); }
};
using Memory = std::unique_ptr<void, FreeMemory>;

void silent(int, const char*, const char*, char*, void*) {}

std::span<double> view(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }

class CvodesSegment final : public Segment::Work {
 public:
  using Work = CvodesSegment;  // the callbacks' user data
  CvodesSegment(ReducedModel& model, const SegmentOptions& options)
      : Segment::Work(model, options),
        context(make_context()),
        y(make_vector(n_x, context.get())),
        q(make_vector(std::max<std::size_t>(n_q, 1), context.get())),
        u(n_u),
        rows(n_x + n_q),
        gradient(model.columns()) {}

  void globals_changed() override { sens_memory.reset(); }

  Context context;
  Vector y, q;
  std::vector<double> u, rows, gradient, anchor;
  Eigen::MatrixXd jacobian;
  // values and adjoint
  Memory memory;
  MatrixHandle matrix, matrix_back;
  Solver solver, solver_back;
  Vector lambda, quad_back;
  int which = 0;
  bool backward_made = false;
  std::vector<double> combined;
  // sensitivities
  Memory sens_memory;
  MatrixHandle sens_matrix;
  Solver sens_solver;
  std::vector<Vector> sens, quad_sens;
  bool move_to(double s, N_Vector at) {
    for (std::size_t i = 0; i < n_u; ++i) u[i] = options.linear_control ? (1 - s) * left[i] + s * right[i] : left[i];
    return model.move_to(times.begin + s * times.length, view(at), u);
  }

  // ---- callbacks of the forward problem; the rows are h f and h q

  static int rhs(double s, N_Vector at, N_Vector out, void* user) {
    Work& w = *static_cast<Work*>(user);
    if (!w.move_to(s, at) || !w.model.rates(w.rows)) return 1;
    auto o = view(out);
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = w.times.length * w.rows[i];
    return 0;
  }

  static int quadrature(double s, N_Vector at, N_Vector out, void* user) {
    Work& w = *static_cast<Work*>(user);
    if (!w.move_to(s, at) || !w.model.rates(w.rows)) return 1;
    auto o = view(out);
    for (std::size_t i = 0; i < w.n_q; ++i) o[i] = w.times.length * w.rows[w.n_x + i];
    return 0;
  }

  static int forward_jacobian(double s, N_Vector at, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
    Work& w = *static_cast<Work*>(user);
    if (!w.move_to(s, at) || !w.model.rate_jacobian(w.jacobian)) return 1;
    double* data = SUNDenseMatrix_Data(J);
    for (std::size_t c = 0; c < w.n_x; ++c)
      for (std::size_t r = 0; r < w.n_x; ++r)
        data[c * w.n_x + r] = w.times.length * w.jacobian(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(1 + c));
    return 0;
  }

  // ---- callbacks of the backward problem

  // gradient of w = (λ, weights)' (f, q) by (t, x, u, p) at s, x
  bool weighted_gradient(double s, N_Vector at, N_Vector back) {
    if (!move_to(s, at)) return false;
    combined.resize(n_x + n_q);
    auto l = view(back);
    std::copy(l.begin(), l.end(), combined.begin());
    std::copy(weight.begin(), weight.end(), combined.begin() + static_cast<std::ptrdiff_t>(n_x));
    std::fill(gradient.begin(), gradient.end(), 0.0);
    return model.add_gradient(Part::rates, combined, {}, gradient);
  }

  static int rhs_back(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
    Work& w = *static_cast<Work*>(user);
    if (!w.weighted_gradient(s, at, back)) return 1;
    auto o = view(out);
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = -w.times.length * w.gradient[1 + i];
    return 0;
  }

  static int quadrature_back(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
    Work& w = *static_cast<Work*>(user);
    if (!w.weighted_gradient(s, at, back) || !w.model.rates(w.rows)) return 1;
    auto o = view(out);
    double h = w.times.length, value = 0;
    for (std::size_t i = 0; i < w.rows.size(); ++i) value += w.combined[i] * w.rows[i];
    const double *by_u = w.gradient.data() + 1 + w.n_x, *by_p = by_u + w.n_u;
    for (std::size_t i = 0; i < w.n_u; ++i) {
      o[i] = -h * by_u[i] * (w.options.linear_control ? 1 - s : 1);
      if (w.options.linear_control) o[w.n_u + i] = -h * by_u[i] * s;
    }
    for (std::size_t j = 0; j < w.n_p; ++j) o[w.controls() + j] = -h * by_p[j];
    for (std::size_t j = 0; j < std::min<std::size_t>(2, w.n_p); ++j)
      o[w.controls() + j] -=
          w.times.length_by[j] * value + h * w.gradient[0] * (w.times.begin_by[j] + s * w.times.length_by[j]);
    return 0;
  }

  static int backward_jacobian(double s, N_Vector at, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                               N_Vector) {
    Work& w = *static_cast<Work*>(user);
    if (!w.move_to(s, at) || !w.model.rate_jacobian(w.jacobian)) return 1;
    double* data = SUNDenseMatrix_Data(J);
    for (std::size_t c = 0; c < w.n_x; ++c)
      for (std::size_t r = 0; r < w.n_x; ++r)
        data[c * w.n_x + r] = -w.times.length * w.jacobian(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(1 + r));
    return 0;
  }

  // ---- callbacks of the sensitivities

  // h (D_x S_k + D_input): column k of the rows first … first + count
  void direction(std::size_t k, double s, std::span<const double> sensitivity, std::size_t first, std::span<double> out) {
    double h = times.length;
    for (std::size_t r = 0; r < out.size(); ++r) {
      Eigen::Index row = static_cast<Eigen::Index>(first + r);
      double sum = 0;
      for (std::size_t c = 0; c < n_x; ++c) sum += jacobian(row, static_cast<Eigen::Index>(1 + c)) * sensitivity[c];
      if (k >= n_x && k < n_x + controls()) {
        std::size_t i = k - n_x;
        double share = !options.linear_control ? 1 : i < n_u ? 1 - s : s;
        sum += share * jacobian(row, static_cast<Eigen::Index>(1 + n_x + i % n_u));
      }
      out[r] = h * sum;
      if (k < n_x + controls()) continue;
      std::size_t j = globals[k - n_x - controls()];
      out[r] += h * jacobian(row, static_cast<Eigen::Index>(1 + n_x + n_u + j));
      if (j < 2)
        out[r] += times.length_by[j] * rows[first + r] + h * jacobian(row, 0) * (times.begin_by[j] + s * times.length_by[j]);
    }
  }

  static int rhs_sens(int n, double s, N_Vector at, N_Vector, N_Vector* S, N_Vector* out, void* user, N_Vector, N_Vector) {
    Work& w = *static_cast<Work*>(user);
    if (!w.move_to(s, at) || !w.model.rates(w.rows) || !w.model.rate_jacobian(w.jacobian)) return 1;
    for (int k = 0; k < n; ++k) w.direction(static_cast<std::size_t>(k), s, view(S[k]), 0, view(out[k]));
    return 0;
  }

  static int quadrature_sens(int n, double s, N_Vector at, N_Vector* S, N_Vector, N_Vector* out, void* user, N_Vector,
                             N_Vector) {
    Work& w = *static_cast<Work*>(user);
    if (!w.move_to(s, at) || !w.model.rates(w.rows) || !w.model.rate_jacobian(w.jacobian)) return 1;
    for (int k = 0; k < n; ++k) w.direction(static_cast<std::size_t>(k), s, view(S[k]), w.n_x, view(out[k]).first(w.n_q));
    return 0;
  }

  // While it lives, algebraics are found from the ones at the segment's begin: CVODES repeats steps from its checkpoints,
  // and the repetition has to agree with the first time to the last bit.
  struct Anchored {
    ReducedModel& model;
    Anchored(ReducedModel& m, const std::vector<double>& z) : model(m) { model.anchor(z); }
    ~Anchored() { model.anchor({}); }
  };

  bool find_anchor(std::span<const double> x) {
    if (!model.model().n_z) return true;
    std::copy(x.begin(), x.end(), view(y.get()).begin());
    if (!move_to(0, y.get())) return false;
    anchor = model.z();
    return true;
  }

  // ---- making the CVODES objects

  Memory make(MatrixHandle& m, Solver& l) {
    Memory made(CVodeCreate(CV_BDF, context.get()));
    void* mem = made.get();
    expects(mem != nullptr, "there is memory for an integrator");
    CVodeSetErrHandlerFn(mem, silent, nullptr);
    CVodeInit(mem, rhs, 0, y.get());
    Vector tolerance = make_vector(n_x, context.get());
    for (std::size_t i = 0; i < n_x; ++i) view(tolerance.get())[i] = options.rtol * nonlinear::size_of(model.model().x[i]);
    CVodeSVtolerances(mem, options.rtol, tolerance.get());
    CVodeSetUserData(mem, this);
    CVodeSetMaxNumSteps(mem, options.max_steps);
    sunindextype n = static_cast<sunindextype>(n_x);
    m.reset(SUNDenseMatrix(n, n, context.get()));
    l.reset(SUNLinSol_Dense(y.get(), m.get(), context.get()));
    CVodeSetLinearSolver(mem, l.get(), m.get());
    CVodeSetJacFn(mem, forward_jacobian);
    if (n_q) {
      CVodeQuadInit(mem, quadrature, q.get());
      CVodeQuadSStolerances(mem, options.rtol, options.rtol);
      CVodeSetQuadErrCon(mem, 1);
    }
    return made;
  }

  bool start(void* mem, std::span<const double> x) {
    std::copy(x.begin(), x.end(), view(y.get()).begin());
    N_VConst(0, q.get());
    return CVodeReInit(mem, 0, y.get()) == 0 && (!n_q || CVodeQuadReInit(mem, q.get()) == 0) &&
           CVodeSetStopTime(mem, 1) == 0;
  }

  void results(void* mem, std::span<double> x, std::span<double> integrals) {
    double reached = 1;
    std::copy_n(view(y.get()).begin(), n_x, x.begin());
    if (!n_q) return;
    CVodeGetQuad(mem, &reached, q.get());
    for (std::size_t i = 0; i < n_q; ++i) integrals[i] += view(q.get())[i];
  }

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (!n_x || times.length == 0) return quadrature_without_states(x, integrals);
    if (!find_anchor(x)) return false;
    Anchored anchored(model, anchor);
    bool fresh = !memory;
    if (fresh) {
      memory = make(matrix, solver);
      CVodeAdjInit(memory.get(), options.steps_between_checkpoints, CV_POLYNOMIAL);
    }
    if (!start(memory.get(), x)) return false;
    if (!fresh) CVodeAdjReInit(memory.get());
    double reached = 0;
    int checkpoints = 0;
    if (CVodeF(memory.get(), 1, y.get(), &reached, CV_NORMAL, &checkpoints) < 0) return false;
    results(memory.get(), x, integrals);
    return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  }

  // Nothing moves: a segment of no length, or a model without states whose integrals are not offered here.
  bool quadrature_without_states(std::span<double> x, std::span<double>) {
    std::copy(x.begin(), x.end(), view(y.get()).begin());
    return n_q == 0 || times.length == 0;
  }

  bool make_backward() {
    void* mem = memory.get();
    sunindextype n = static_cast<sunindextype>(n_x);
    std::size_t inputs = std::max<std::size_t>(controls() + n_p, 1);
    quad_back = make_vector(inputs, context.get());
    if (CVodeCreateB(mem, CV_BDF, &which) < 0 || CVodeInitB(mem, which, rhs_back, 1, lambda.get()) < 0) return false;
    CVodeSetUserDataB(mem, which, this);
    CVodeSetMaxNumStepsB(mem, which, options.max_steps);
    CVodeSStolerancesB(mem, which, options.rtol, options.rtol);
    matrix_back.reset(SUNDenseMatrix(n, n, context.get()));
    solver_back.reset(SUNLinSol_Dense(lambda.get(), matrix_back.get(), context.get()));
    CVodeSetLinearSolverB(mem, which, solver_back.get(), matrix_back.get());
    CVodeSetJacFnB(mem, which, backward_jacobian);
    CVodeQuadInitB(mem, which, quadrature_back, quad_back.get());
    CVodeSetQuadErrConB(mem, which, 1);
    backward_made = true;
    return true;
  }

  // Typical size of a global shared value; a model may leave its descriptions out.
  double size_of_global(std::size_t j) const {
    double size = std::fabs(model.at().shared[j]);
    if (model.model().shared) size = std::max(size, nonlinear::size_of(model.model().shared[j]));
    return size > 0 && std::isfinite(size) ? size : 1;
  }

  // Tolerances relative to the function's own size: its change when a state or an integral moves by its nominal value.
  void set_backward_tolerances() {
    const bolza_model& m = model.model();
    double size = 0;
    for (std::size_t i = 0; i < n_x; ++i)
      size = std::max(size, std::fabs(view(lambda.get())[i]) * nonlinear::size_of(m.x[i]));
    for (double w : weight) size = std::max(size, std::fabs(w));
    if (size == 0) size = 1;
    Vector tolerance = make_vector(n_x, context.get()),
           quad = make_vector(static_cast<std::size_t>(N_VGetLength(quad_back.get())), context.get());
    for (std::size_t i = 0; i < n_x; ++i) view(tolerance.get())[i] = options.rtol * size / nonlinear::size_of(m.x[i]);
    for (std::size_t i = 0; i < controls(); ++i)
      view(quad.get())[i] = options.rtol * size / nonlinear::size_of(m.u[i % n_u]);
    for (std::size_t j = 0; j < n_p; ++j) view(quad.get())[controls() + j] = options.rtol * size / size_of_global(j);
    CVodeSVtolerancesB(memory.get(), which, options.rtol, tolerance.get());
    CVodeQuadSVtolerancesB(memory.get(), which, options.rtol, quad.get());
  }

  bool adjoint(std::span<double> l, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override {
    auto keep = [&](std::span<const double> values) { at_samples->insert(at_samples->end(), values.begin(), values.end()); };
    if (!n_x || times.length == 0) {
      for (std::size_t k = 0; k < samples.size(); ++k) keep(l);
      return true;
    }
    Anchored anchored(model, anchor);
    void* mem = memory.get();
    if (!lambda) lambda = make_vector(n_x, context.get());
    std::copy(l.begin(), l.end(), view(lambda.get()).begin());
    bool fresh = !backward_made;
    if (fresh && !make_backward()) return false;
    N_VConst(0, quad_back.get());
    if (!fresh && (CVodeReInitB(mem, which, 1, lambda.get()) < 0 || CVodeQuadReInitB(mem, which, quad_back.get()) < 0))
      return false;
    set_backward_tolerances();
    double reached = 0;
    for (double s : samples) {
      if (s < 1 && (CVodeB(mem, s, CV_NORMAL) < 0 || CVodeGetB(mem, which, &reached, lambda.get()) < 0)) return false;
      keep(view(lambda.get()));
    }
    if (CVodeB(mem, 0, CV_NORMAL) < 0 || CVodeGetB(mem, which, &reached, lambda.get()) < 0) return false;
    if (CVodeGetQuadB(mem, which, &reached, quad_back.get()) < 0) return false;
    std::copy_n(view(lambda.get()).begin(), n_x, l.begin());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += view(quad_back.get())[k];
    return true;
  }

  bool make_sensitivities() {
    sens_memory = make(sens_matrix, sens_solver);
    void* mem = sens_memory.get();
    std::size_t n = n_x + controls() + globals.size();
    sens.clear(), quad_sens.clear();
    std::vector<N_Vector> S, SQ;
    std::vector<double> size;
    for (std::size_t k = 0; k < n; ++k) {
      sens.push_back(make_vector(n_x, context.get())), S.push_back(sens.back().get());
      quad_sens.push_back(make_vector(std::max<std::size_t>(n_q, 1), context.get())), SQ.push_back(quad_sens.back().get());
      const bolza_model& m = model.model();
      if (k < n_x) size.push_back(nonlinear::size_of(m.x[k]));
      else if (k < n_x + controls()) size.push_back(nonlinear::size_of(m.u[(k - n_x) % n_u]));
      else size.push_back(size_of_global(globals[k - n_x - controls()]));
    }
    if (CVodeSensInit(mem, static_cast<int>(n), CV_STAGGERED, rhs_sens, S.data()) < 0) return false;
    CVodeSetSensParams(mem, nullptr, size.data(), nullptr);
    CVodeSensEEtolerances(mem);
    CVodeSetSensErrCon(mem, 1);
    if (!n_q) return true;
    if (CVodeQuadSensInit(mem, quadrature_sens, SQ.data()) < 0) return false;
    CVodeQuadSensEEtolerances(mem);
    return CVodeSetQuadSensErrCon(mem, 1) >= 0;
  }

  bool sensitivities(std::span<double> x, std::span<double> integrals, Eigen::MatrixXd& transition) override {
    std::size_t n = n_x + controls() + globals.size();
    transition.setZero(static_cast<Eigen::Index>(n_x + n_q), static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n_x; ++i) transition(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) = 1;
    if (!n_x) return quadrature_without_states(x, integrals);
    if (!find_anchor(x)) return false;
    Anchored anchored(model, anchor);
    if (!sens_memory && !make_sensitivities()) return false;
    std::vector<N_Vector> S, SQ;
    for (std::size_t k = 0; k < n; ++k) {
      N_VConst(0, sens[k].get()), N_VConst(0, quad_sens[k].get());
      if (k < n_x) view(sens[k].get())[k] = 1;
      S.push_back(sens[k].get()), SQ.push_back(quad_sens[k].get());
    }
    void* mem = sens_memory.get();
    if (!start(mem, x) || CVodeSensReInit(mem, CV_STAGGERED, S.data()) < 0 ||
        (n_q && CVodeQuadSensReInit(mem, SQ.data()) < 0))
      return false;
    double reached = 0;
    if (CVode(mem, 1, y.get(), &reached, CV_NORMAL) < 0 || CVodeGetSens(mem, &reached, S.data()) < 0) return false;
    results(mem, x, integrals);
    if (n_q && CVodeGetQuadSens(mem, &reached, SQ.data()) < 0) return false;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n_x; ++i)
        transition(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = view(S[k])[i];
      for (std::size_t i = 0; i < n_q; ++i)
        transition(static_cast<Eigen::Index>(n_x + i), static_cast<Eigen::Index>(k)) = view(SQ[k])[i];
    }
    return transition.allFinite();
  }
};

}  // namespace

std::unique_ptr<Segment::Work> make_cvodes_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<CvodesSegment>(model, options);
}

}  // namespace bolza::integrate
