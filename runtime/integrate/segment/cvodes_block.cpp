// A segment on CVODES: the states and their sensitivities along m directions (none: values alone) as one vector, n + n × m
// by rows, so that all that CVODES does runs over contiguous numbers. A step's equations are solved here, staggered:
// Newton's method for the states, then, with the matrix at the point found, one solve for all sensitivities, which are
// linear in themselves.
#include <cvodes/cvodes.h>

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/sundials/block_vector.h"
#include "runtime/integrate/sundials/step_matrix.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ByRows = Eigen::Map<RowMajor>;
using ConstByRows = Eigen::Map<const RowMajor>;

constexpr double largest_gamma_change = 0.3;  ///< of the step's γ, with which a matrix is still of use for the states
constexpr int steps_of_a_matrix = 20;
constexpr double share_of_tolerance = 1e-2;  ///< of CVODES' own: what is left depends on older matrices, and is noise

}  // namespace

struct CvodesSegment::Block {
  CvodesSegment& w;
  std::size_t n, m;
  Vector y, q;  // n + n × m; n_q + n_q × m
  CvodesMemory memory;
  Iteration corrector;         // of memory
  StepMatrix matrix;           // I − γ h f_x
  double gamma = 0;            // of the matrix in hand; 0: none
  int age = 0;                 // of it, in steps
  std::vector<double> change;  // [n] of the states by an iteration
  Vector tolerance;            // absolute, of y
  std::vector<double> floor;   // [n] |x| in it

  Block(CvodesSegment& segment, std::size_t directions)
      : w(segment),
        n(segment.n_x),
        m(directions),
        y(make_block_vector(n, m, segment.options.method_options.sensitivity_error_control > 0, segment.context_.get())),
        q(make_block_vector(std::max<std::size_t>(segment.n_q, 1), m,
                            segment.options.method_options.sensitivity_error_control > 0, segment.context_.get())),
        memory(CVodeCreate(CV_BDF, segment.context_.get())),
        matrix(n, places_of(segment), segment.context_.get(), segment.options.method_options),
        change(n),
        tolerance(N_VClone(y.get())) {
    void* mem = memory.get();
    expects(mem != nullptr, "there is memory for an integrator");
    be_silent(mem);
    CVodeInit(mem, rates, 0, y.get());
    CVodeSetUserData(mem, this);
    CVodeWFtolerances(mem, weights);  // CVODES takes no other tolerances under way
    CVodeSetMaxNumSteps(mem, w.options.max_steps);
    corrector.reset(SUNNonlinSolNewEmpty(w.context_.get()));
    expects(corrector != nullptr, "there is memory for a solver");
    corrector->content = this;
    corrector->ops->gettype = [](SUNNonlinearSolver) { return SUNNONLINEARSOLVER_ROOTFIND; };
    corrector->ops->setsysfn = [](SUNNonlinearSolver, SUNNonlinSolSysFn) { return 0; };
    corrector->ops->solve = [](SUNNonlinearSolver solver, N_Vector, N_Vector e, N_Vector weights, realtype tolerance,
                               booleantype,
                               void*) { return static_cast<Block*>(solver->content)->correct(e, weights, tolerance); };
    corrector->ops->free = [](SUNNonlinearSolver solver) { return SUNNonlinSolFreeEmpty(solver), 0; };
    CVodeSetNonlinearSolver(mem, corrector.get());
    if (!w.n_q) return;
    CVodeQuadInit(mem, integrals, q.get());
    CVodeSetQuadErrCon(mem, w.options.method_options.quadrature_error_control > 0);
  }

  static int weights(N_Vector at, N_Vector out, void* user) {
    Block& b = *static_cast<Block*>(user);
    Eigen::Map<Eigen::ArrayXd> to(N_VGetArrayPointer(out), static_cast<Index>(b.n * (1 + b.m)));
    Eigen::Map<const Eigen::ArrayXd> v(N_VGetArrayPointer(at), to.size()),
        least(N_VGetArrayPointer(b.tolerance.get()), to.size());
    to = 1 / (b.w.options.rtol * v.abs() + least);
    return 0;
  }

  static int rates(double s, N_Vector at, N_Vector out, void* user) {
    Block& b = *static_cast<Block*>(user);
    std::span<const double> x = view(at).first(b.n);
    if (!b.w.point_.move_to(s, x) || !(b.m ? b.w.point_.entries() : b.w.point_.rates())) return 1;
    b.fill(s, at, out, b.w.n_x, Rows::states);
    return 0;
  }

  static int integrals(double s, N_Vector at, N_Vector out, void* user) {
    Block& b = *static_cast<Block*>(user);
    if (!b.w.point_.move_to(s, view(at).first(b.n)) || !(b.m ? b.w.point_.entries() : b.w.point_.rates())) return 1;
    b.fill(s, at, out, b.w.n_q, Rows::integrals);
    return 0;
  }

  // (f or q, and how they move) at the point, of which the entries are known.
  void fill(double s, N_Vector at, N_Vector out, std::size_t rows, Rows part) {
    const double* rate = w.point_.rows().data() + (part == Rows::integrals ? n : 0);
    double* to = N_VGetArrayPointer(out);
    for (std::size_t i = 0; i < rows; ++i) to[i] = w.times.length * rate[i];
    if (m) along(s, N_VGetArrayPointer(at) + n, to + rows, rows, part);
  }

  // to [rows × m] := h (D S + D_direct d) + (f, q) dh
  void along(double s, const double* sensitivities, double* to, std::size_t rows, Rows part) {
    if (w.n_u || w.options.times_move) w.move_directions(s);
    const EntriesOf& entries = w.of_part_[part == Rows::integrals];
    ConstByRows S(sensitivities, static_cast<Index>(n), static_cast<Index>(m));
    ByRows out(to, static_cast<Index>(rows), static_cast<Index>(m));
    out.setZero();
    for (const Entry& e : entries.by_state)
      out.row(static_cast<Index>(e.row)) += w.point_.entry(e.place) * S.row(static_cast<Index>(e.col));
    for (std::size_t k = 0; k < m; ++k) {
      const double* moved = w.moved_.col(static_cast<Index>(k)).data();
      for (const Entry& e : entries.by_other[k]) to[e.row * m + k] += w.point_.entry(e.place) * moved[e.col];
    }
    const double* rate = w.point_.rows().data() + (part == Rows::integrals ? n : 0);
    out *= w.times.length;
    if (!w.by_length_.isZero(0))
      for (std::size_t r = 0; r < rows; ++r) out.row(static_cast<Index>(r)) += rate[r] * w.by_length_;
  }

  // Rates by states, then the diagonal.
  static std::vector<std::pair<std::int32_t, std::int32_t>> places_of(const CvodesSegment& segment) {
    auto places = segment.places_by_state();
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(segment.n_x); ++i) places.emplace_back(i, i);
    return places;
  }

  // The matrix at the point.
  bool factorise(double now) {
    gamma = 0;
    if (!w.point_.entries()) return false;
    double* data = matrix.clear();
    auto slot = matrix.slot().begin();
    const auto& places = w.model.rate_places();
    for (std::size_t e = 0; e < places.size(); ++e)
      if (w.by_state(places[e])) data[*slot++] -= now * w.times.length * w.point_.entry(e);
    for (std::size_t i = 0; i < n; ++i) data[*slot++] += 1;
    if (!matrix.factorise()) return false;
    return gamma = now, age = 0, true;
  }

  struct Step {  // e solves e = γ F(s, predicted + e) − rl1 zn1
    double s, gamma, rl1;
    const double *predicted, *slope, *weights;
    double *unknowns, *e, tolerance;
  };

  double size_of_change(const double* weights) const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += change[i] * weights[i] * change[i] * weights[i];
    return std::sqrt(sum / static_cast<double>(n));
  }

  // As CVODES' own: the rate of convergence says how much is left. Any failure is one code, as CVODES tries others forever.
  // [SUNDIALS, 2.1]
  int correct_states(const Step& step) {
    std::span<const double> x(step.unknowns, n);
    std::fill_n(step.e, n, 0.0);
    std::copy_n(step.predicted, n, step.unknowns);
    double rate = 1, before = 0, ratio = 2 / (1 + step.gamma / gamma);
    int most = std::max(3, whole(w.options.method_options.max_nonlinear_iterations, 3)) + 2;
    double enough = share_of_tolerance * step.tolerance;
    for (int iteration = 0; iteration < most; ++iteration) {
      if (!w.point_.move_to(step.s, x) || !w.point_.rates()) return SUN_NLS_CONV_RECVR;
      for (std::size_t i = 0; i < n; ++i)
        change[i] = ratio * (step.gamma * w.times.length * w.point_.rows()[i] - step.rl1 * step.slope[i] - step.e[i]);
      if (!matrix.solve(change.data(), 1)) return SUN_NLS_CONV_RECVR;
      for (std::size_t i = 0; i < n; ++i) step.e[i] += change[i], step.unknowns[i] = step.predicted[i] + step.e[i];
      double length = size_of_change(step.weights);
      if (iteration > 0) rate = std::max(0.3 * rate, length / before);
      if (length * std::min(1.0, rate) <= enough) return 0;
      if (!(length <= 2 * before) && iteration > 0) break;
      before = length;
    }
    return SUN_NLS_CONV_RECVR;
  }

  // Its right-hand side with what is predicted; e = M⁻¹ (γ F(predicted) − rl1 zn1).
  int correct_sensitivities(const Step& step) {
    if (!w.point_.move_to(step.s, {step.unknowns, n}) || !factorise(step.gamma)) return SUN_NLS_CONV_RECVR;
    ByRows E(step.e + n, static_cast<Index>(n), static_cast<Index>(m));
    along(step.s, step.predicted + n, E.data(), n, Rows::states);
    E = step.gamma * E - step.rl1 * ConstByRows(step.slope + n, E.rows(), E.cols());
    return matrix.solve(E.data(), m) ? 0 : SUN_NLS_CONV_RECVR;
  }

  int correct(N_Vector e, N_Vector weights, double tolerance) {
    N_Vector predicted = nullptr, unknowns = nullptr, unused = nullptr, slope = nullptr;
    Step step{};
    void* user = nullptr;
    if (CVodeGetNonlinearSystemData(memory.get(), &step.s, &predicted, &unknowns, &unused, &step.gamma, &step.rl1, &slope,
                                    &user) < 0)
      return SUN_NLS_MEM_NULL;
    step.predicted = N_VGetArrayPointer(predicted), step.unknowns = N_VGetArrayPointer(unknowns);
    step.slope = N_VGetArrayPointer(slope), step.weights = N_VGetArrayPointer(weights);
    step.e = N_VGetArrayPointer(e), step.tolerance = tolerance;
    bool near = gamma != 0 && std::fabs(step.gamma / gamma - 1) <= largest_gamma_change && age++ < steps_of_a_matrix;
    if (!near || correct_states(step) != 0) {
      if (!w.point_.move_to(step.s, {step.predicted, n}) || !factorise(step.gamma)) return SUN_NLS_CONV_RECVR;
      if (int flag = correct_states(step)) return flag;
    }
    return m ? correct_sensitivities(step) : 0;
  }

  // Those of the states, and atol / |p̄| of each direction; see `keep_above_rounding`.
  void set_tolerances(std::span<const double> peak) {
    floor.assign(peak.begin(), peak.end());
    double* to = N_VGetArrayPointer(tolerance.get());
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = w.state_tolerance(i);
      for (std::size_t k = 0; k < m; ++k) to[n + i * m + k] = w.sensitivity_tolerance(i, k, floor[i]);
    }
  }

  bool set_integral_tolerances() {
    if (!w.n_q) return true;
    Vector least(N_VClone(q.get()));
    double* to = N_VGetArrayPointer(least.get());
    std::fill_n(to, w.n_q, w.options.rtol);
    for (std::size_t i = 0; i < w.n_q; ++i)
      for (std::size_t k = 0; k < m; ++k) to[w.n_q + i * m + k] = w.integral_tolerance(k);
    return CVodeQuadSVtolerances(memory.get(), w.options.rtol, least.get()) >= 0;
  }

  bool begin(std::span<const double> x, const Eigen::MatrixXd& S) {
    double* to = N_VGetArrayPointer(y.get());
    std::copy(x.begin(), x.end(), to);
    ByRows(to + n, S.rows(), S.cols()) = S;
    N_VConst(0, q.get());
    w.set_steps(memory.get(), Towards::end);
    set_tolerances(w.peak_);
    gamma = 0;
    return CVodeReInit(memory.get(), 0, y.get()) == 0 && (!w.n_q || CVodeQuadReInit(memory.get(), q.get()) == 0) &&
           set_integral_tolerances() && CVodeSetStopTime(memory.get(), 1) == 0;
  }

  // Step by step to s or beyond it; then y there. The tolerances follow the states, in powers of two.
  bool steps_to(double s, double& reached) {
    for (long step = 0; reached < s; ++step) {
      if (step == w.options.max_steps || CVode(memory.get(), 1, y.get(), &reached, CV_ONE_STEP) < 0) return false;
      bool grew = false;
      for (std::size_t i = 0; i < n; ++i) {
        w.peak_[i] = std::max(w.peak_[i], std::fabs(view(y.get())[i]));
        grew = grew || w.peak_[i] > 2 * floor[i];
      }
      if (grew) set_tolerances(w.peak_);
    }
    return CVodeGetDky(memory.get(), s, 0, y.get()) >= 0;
  }

  Eigen::MatrixXd sensitivities() const {
    return ConstByRows(N_VGetArrayPointer(y.get()) + n, static_cast<Index>(n), static_cast<Index>(m));
  }

  bool run() {
    double reached = 0;
    auto& samples = w.samples;
    for (std::size_t k = 0; samples && k < samples->at.size(); ++k) {
      if (samples->at[k] > 0 && !steps_to(samples->at[k], reached)) return false;
      w.take_sample(k, view(y.get()).first(n));
      if (m) samples->by.push_back(sensitivities());
    }
    return steps_to(1, reached);
  }
};

// `d` has no columns where values alone are asked for.
bool CvodesSegment::run_in_a_block(std::shared_ptr<Block>& block, std::span<double> x, std::span<double> integrals,
                                   Segment::Directions& d) {
  std::size_t m = static_cast<std::size_t>(d.x.cols());
  if (!block || block->m != m) block = std::make_shared<Block>(*this, m);
  if (!block->begin(x, d.x) || !block->run()) return false;
  std::copy_n(N_VGetArrayPointer(block->y.get()), n_x, x.begin());
  if (m) d.x = block->sensitivities();
  if (n_q) {
    double reached = 1;
    if (CVodeGetQuad(block->memory.get(), &reached, block->q.get()) < 0) return false;
    const double* q = N_VGetArrayPointer(block->q.get());
    for (std::size_t i = 0; i < n_q; ++i) integrals[i] += q[i];
    if (m) d.q += ConstByRows(q + n_q, static_cast<Index>(n_q), static_cast<Index>(m));
  }
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }) && d.x.allFinite() && d.q.allFinite();
}

}  // namespace bolza::integrate
