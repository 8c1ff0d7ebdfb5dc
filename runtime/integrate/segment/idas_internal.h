// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: x' = f, 0 = h as they stand; values, the adjoint of the continuous equations, sensitivities and second
// derivatives. Rows are functions of s, so they carry the length.
//
// Whatever shall have a say in the steps is an unknown of the equations that IDAS solves: integrals and sensitivities, too,
// forward and backward. Its modules for both test their errors, but an order that the unknowns alone find too high is
// lowered whatever the others need (and unknowns that are polynomials of low degree in time, or at rest, have no errors at
// any order), and errors of sensitivities that are corrected simultaneously are not tested at all.
#pragma once
#include <idas/idas.h>

#include <cmath>

#include "runtime/integrate/segment/adjoint_pieces.h"
#include "runtime/integrate/segment/work_internal.h"
#include "runtime/integrate/steps/step_quadrature.h"
#include "runtime/integrate/sundials/step_corrector.h"
#include "runtime/integrate/sundials/step_matrix.h"
#include "runtime/integrate/sundials/step_options.h"
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

class IdasSegment final : public Segment::Work {
 public:
  IdasSegment(ReducedModel& model, const SegmentOptions& options);
  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) override;
  bool has_second() const override { return !is_index2() && model.has_second(); }
  bool second(std::span<const double> begin, const Segment::Directions& directions, std::span<const double> lambda,
              const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& gradient_dot) override;

 private:
  struct Free {
    void operator()(void* m) const { IDAFree(&m); }
  };
  using Memory = std::unique_ptr<void, Free>;
  using Point = nonlinear::ModelAt::Point;
  using Part = nonlinear::ModelAt::Part;

  void set_steps(void* memory, Towards towards) const {
    set_steps_of_idas(memory, options.method_options, std::fabs(times.length), towards);
  }
  static std::span<double> view(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }
  Point point(double s, const double* y);
  double size_of(std::size_t i) const;
  /// Calls take(is a rate, row, column) for the places of the Jacobians of (f, q) and h, column 0 the time's.
  template <class Take>
  void places(Take&& take) const {
    const bolza_model& m = model.model();
    for (const bolza_function* part : {m.rates, m.residuals})
      for (std::size_t e = 0; part && (part == m.rates || n_z_) && e < part->jac_nnz; ++e)
        take(part == m.rates, static_cast<std::size_t>(part->jac_row[e]), static_cast<std::size_t>(part->jac_col[e]));
  }
  /// The same with the entries' values at a point, in the same order.
  template <class Take>
  bool entries(const Point& p, Take&& take) {
    if (!find_entries(p)) return false;
    auto value = known_.entries.begin();
    places([&](bool rate, std::size_t row, std::size_t col) { take(rate, row, col, *value++); });
    return true;
  }
  bool find_entries(const Point& p);
  /// (f, q) at a point, into rates_, and h.
  bool find_rates(const Point& p);
  bool find_residuals(const Point& p, std::span<double> h);
  bool by_unknown(std::size_t column) const { return column >= 1 && column <= n_; }
  bool is_differential(std::size_t of_block) const { return of_block < n_x || of_block >= n_; }
  bool by_algebraics(const Point& p, Eigen::MatrixXd& h_z);

  /// Where Newton's method stands: at its last residual and matrix.
  struct Iterate {
    double s = 0, matrix_coefficient = 0;
    const double *unknowns = nullptr, *slopes = nullptr, *states = nullptr;  ///< states: of a backward problem
    /// What IDAS makes of a solution when its matrix is of another step.
    double scale(void* memory) const;
  };
  struct Forward;
  /// What was found at the last point that entries were asked of: corrections ask again and again. Forgotten where a run
  /// begins.
  struct Known {
    bool valid = false;
    double t = 0;
    std::vector<double> unknowns, rates, residuals, entries;  ///< [n_], [n_x + n_q], [n_z], those of `places`
  };
  bool is_known(const Point& p) const;
  bool place(std::span<const double> x);
  bool results(N_Vector y, std::span<double> x, std::span<double> integrals) const;
  bool no_room(const AdjointPieces& pieces);

  // index 2
  struct Constraint {
    Eigen::MatrixXd h_x, h_z, f_z, by_other;  ///< by_other: h by (t, u, p) [n_z × (1 + n_u + n_p)]
    Eigen::MatrixXd M, N;                     ///< left and right null space of h_z [n_z × r]
  };
  bool is_index2() const { return model.model().index == 2; }
  bool constrain(const Point& p, Constraint& c);
  bool find_algebraics(double s);
  bool project(Backward& functional);
  bool guess_multipliers(const Point& end, N_Vector back, std::span<const double> weights);

  // Backward: what one adjoint and the adjoint of the adjoint share. A block of unknowns is (λ, μ, G), G the gradient's
  // integrals by the moving inputs, or a few combinations of many.
  bool weighted_gradient(const Point& p, const double* back, std::span<const double> weights);
  bool input_rates(double s, const Point& p, std::span<double> out);
  /// Calls take(input, share) for the inputs that move a column of (t, x, z, u, p) at s, by that share.
  template <class Take>
  void inputs_of(std::size_t column, double s, Take&& take) const {
    if (column == 0 && options.times_move) {
      take(begin_input(), 1.0);
      take(length_input(), s);
    }
    if (column <= n_ || column > n_ + n_u + n_p) return;
    std::size_t k = column - 1 - n_;
    if (k >= n_u) return take(controls() + k - n_u, 1.0);
    take(k, options.linear_control ? 1 - s : 1.0);
    if (options.linear_control) take(n_u + k, s);
  }
  std::unique_ptr<NewtonSystem> backward_newton(const ManyIntegrals* many);
  bool backward_matrix(double s, double c, const double* y, const ManyIntegrals* many, const NewtonSystem& form,
                       SUNMatrix J);
  bool place_multipliers(N_Vector back, std::span<const double> weights);
  void backward_tolerances(N_Vector back, std::span<const double> weights, double share, std::span<double> multiplier,
                           std::span<double> input) const;
  double share_tolerances(std::span<double> tolerance, std::span<const double> integral, std::size_t blocks) const;

  // adjoint
  struct BackwardProblem;
  bool back_to(double s);
  bool many_inputs() const { return inputs() > ManyIntegrals::many; }

  struct Second;

  std::size_t n_z_, n_, block_;  // algebraics, (x, z), (x, z, Q)
  // Objects of SUNDIALS are made when they are first needed and kept from call to call.
  Context context_;  // of all of them

  // A point: what is found there belongs to whoever asked last.
  Vector y_, yp_;                     // [block_] (x, z, Q) and its slope: after `place` at the start of a run
  std::vector<double> u_;             // [n_u] inputs at the last `point`, which refers to them
  std::vector<double> rates_;         // [n_x + n_q] (f, q) after `find_rates`
  nonlinear::Derivative derivative_;  // what a kernel gave last
  Known known_;

  // values
  std::shared_ptr<Forward> values_;  // with the checkpoints of the last `forward`; null before
  std::vector<double> end_;          // [n_] (x, z) at its end; within `second` at the end of the run of that

  // adjoint; but for backward_ in `second` as well
  std::vector<double> combined_, minus_mu_;  // [n_x + n_q] (λ, w), [n_z_] −μ of the last `weighted_gradient`
  std::vector<double> gradient_;             // [1 + n_ + n_u + n_p] of its L, by (t, x, z, u, p)
  bool by_entries_;                          // gradients from Jacobians, where these are as cheap as products with them
  std::vector<std::shared_ptr<BackwardProblem>> backward_;  // as many as there ever were functionals at a time

  // tangent
  std::shared_ptr<Forward> sensitivities_;  // null before the first; made again for another number of directions

  // second
  std::shared_ptr<Second> second_;  // null before the first; made again for another number of directions
};

/// How sensitivities are corrected: in one iteration with the states, or when these have converged.
enum class Corrections : bool { simultaneous, staggered };

/// The equations and their sensitivities along m directions as one system of m + 1 blocks (x, z, Q), whose Newton matrices
/// are all alike.    [SUNDIALS, 6.2.6]
/// Simultaneous: an iteration corrects the first block, and the sensitivities with the equations at the states corrected:
/// they are linear, so that they do not wait for the states to converge. Staggered: see idas_staggered.cpp.
struct IdasSegment::Forward {
  Forward(IdasSegment& segment, std::size_t directions, Corrections corrections);
  /// Begins at the segment's y_, y'_, along the directions if there are any. False: no finite numbers there.
  bool begin(const Segment::Directions* directions);
  /// To 1, nothing is recorded.
  bool run();
  /// To 1 with checkpoints for what goes back over it. False: `pieces` may say why.
  bool record();
  AdjointPieces::Run recording();

  double* block(std::size_t k) const { return N_VGetArrayPointer(y.get()) + k * w.block_; }
  double by_length(std::size_t k) const;
  /// How the model's (t, x, z, u, p) move at s with these unknowns, into `direction`.
  void move(double s, const double* unknowns);

  static int residual(double s, N_Vector y, N_Vector yp, N_Vector out, void* user);
  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                      N_Vector);
  static int error_weights(N_Vector y, N_Vector out, void* user);
  bool make();
  bool differentiate(const Point& p);
  bool behind(const double* correction, double* right);
  bool place_sensitivities(const Segment::Directions& d);
  void set_tolerances(const Segment::Directions* d);
  void make_newton();
  // staggered
  void make_matrix();
  bool factorise(const Point& p, double c);
  Correction correct(const Prediction& to, double* e);
  Correction correct_states(const Prediction& to, double* e, bool with_old);
  Correction correct_sensitivities(const Prediction& to, double* e);

  IdasSegment& w;
  std::size_t m, n;  // directions, unknowns: (1 + m) blocks

  // values, and sensitivities alongside
  std::unique_ptr<NewtonSystem> newton;  // [block_ × block_] simultaneous
  Solver solver;                         // of 1 + m such systems; null without directions
  std::unique_ptr<StepMatrix> matrix;    // [n_ × n_] staggered, in the place of these two
  Iteration corrector;                   // staggered: asks `correct`
  Vector y, yp;                          // [n] where the run stands
  Memory memory;                         // after what it uses
  std::vector<double> atol, share;       // [n], and of the tolerances in their block's part of the norm; after `begin`
  Iterate iterate;                       // of the step at hand
  std::vector<double> corrected;         // [block_] or, staggered, [n_]: the unknowns at the last correction

  // adjoint: what goes back over the run
  AdjointPieces pieces;
  bool recorded = false;  // there is an older record in `memory`

  // tangent
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd direct;  // [inputs × m] of the last `begin`
  Rows direction, change;  // at a point: [columns × m] of (t, x, z, u, p), [(n_x + n_q + n_z) × m] of (f, q, h)
  // staggered, of the step at hand
  bool matrix_stands = false;          // `matrix` holds factors of this run
  Rows right, of_integrals;            // [n_ × m], [n_q × m]
  std::vector<double> step;            // [n_] what the last correction of the states added
  std::vector<double> integral_rates;  // [n_q] q at the states corrected
};

}  // namespace bolza::integrate
