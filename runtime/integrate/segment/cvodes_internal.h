// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES: what values, adjoint and sensitivities share. Rows are functions of s, so they carry the length h.
#pragma once
#include <cvodes/cvodes.h>

#include <optional>

#include "runtime/integrate/segment/adjoint_pieces.h"
#include "runtime/integrate/segment/work_internal.h"
#include "runtime/integrate/steps/bdf_record.h"
#include "runtime/integrate/steps/bdf_steps.h"
#include "runtime/integrate/steps/step_quadrature.h"
#include "runtime/integrate/sundials/step_options.h"
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

struct FreeCvodes {
  void operator()(void* m) const { CVodeFree(&m); }
};
using CvodesMemory = std::unique_ptr<void, FreeCvodes>;

inline std::span<double> view(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }

/// The model at a point of a segment, evaluated no more often than the point changes.
class SegmentPoint {
 public:
  SegmentPoint(Segment::Work& work) : work_(work), u_(work.n_u), rows_(work.n_x + work.n_q) {}

  /// Nothing is remembered any more: parameters, times or inputs have changed.
  void forget() { known_ = false; }
  bool move_to(double s, std::span<const double> x);
  /// f, q at the point; valid after `rates` or `entries`.
  bool rates();
  bool entries();
  const std::vector<double>& rows() const { return rows_; }
  double entry(std::size_t e) const { return entries_[e]; }
  std::span<const double> inputs() const { return u_; }

 private:
  Segment::Work& work_;
  bool known_ = false;           // the model stands at s_, x_
  double s_ = 0;                 // the point of the last `move_to`
  std::vector<double> x_, u_;    // [n_x], [n_u] there
  bool rates_ = false;           // rows_ are those there
  std::vector<double> rows_;     // [n_x + n_q] (f, q)
  bool entries_known_ = false;   // entries_ are those there
  std::vector<double> entries_;  // of ReducedModel::rate_places
};

class CvodesSegment final : public Segment::Work {
 public:
  CvodesSegment(ReducedModel& model, const SegmentOptions& options);
  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& directions) override;
  bool plan_tangent(std::span<const double>) override { return true; }
  bool takes_samples() const override { return true; }
  StepByStep* step_by_step() override;
  bool has_second_tangent() const override { return model.has_second(); }
  bool has_second() const override { return model.has_second(); }
  bool second(std::span<const double> begin, const Segment::Directions& directions, std::span<const double> lambda,
              const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& gradient_dot) override;

 private:
  void set_steps(void* memory, Towards towards) const;
  static int rhs(double s, N_Vector at, N_Vector out, void* user);
  static int quadrature(double s, N_Vector at, N_Vector out, void* user);
  static int forward_jacobian(double s, N_Vector at, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector);
  static int rhs_sensitivities(int n, double s, N_Vector at, N_Vector, N_Vector* S, N_Vector* out, void* user, N_Vector,
                               N_Vector);
  static int rhs_sensitivity(int n, double s, N_Vector at, N_Vector, int k, N_Vector S, N_Vector out, void* user, N_Vector,
                             N_Vector);
  static int quadrature_sensitivities(int n, double s, N_Vector at, N_Vector* S, N_Vector, N_Vector* out, void* user,
                                      N_Vector, N_Vector);

  static void be_silent(void* memory);
  std::vector<std::pair<std::int32_t, std::int32_t>> places_by_state() const;  ///< of rates, the first state is 0
  CvodesMemory make(std::unique_ptr<NewtonSystem>& newton);
  double state_tolerance(std::size_t i) const;
  double sensitivity_tolerance(std::size_t i, std::size_t direction, double floor) const;
  double integral_tolerance(std::size_t direction) const;
  bool to_end(void* memory, std::span<N_Vector> S);
  bool to_end_with_samples_of_steps(void* memory, std::span<N_Vector> S);
  void take_sample(std::size_t k, std::span<const double> x);
  bool sample_up_to(double s);
  bool back_over_jumps(std::span<const double> samples);
  bool start(void* memory, std::span<const double> x);
  AdjointPieces::Run forward_run();
  bool no_room(const AdjointPieces& pieces);
  void results(void* memory, std::span<double> x, std::span<double> integrals);
  bool find_anchor(std::span<const double> x);
  bool without_states(std::span<double> x);
  struct BackwardProblem;
  bool start_backward(std::span<Backward> functionals, std::span<const double> samples);
  bool back_to(double s);
  void backward_tolerances(std::span<const double> lambda, std::span<const double> weights, double share,
                           std::span<double> state, std::span<double> input) const;
  bool by_column_of_state(std::size_t col) const { return col >= 1 && col <= n_x; }
  bool by_state(const ReducedModel::Place& p) const {  // a rate by a state
    return static_cast<std::size_t>(p.row) < n_x && p.col >= 1 && static_cast<std::size_t>(p.col) <= n_x;
  }
  int interpolation() const {
    return options.method_options.checkpoint_interpolation == "hermite" ? CV_HERMITE : CV_POLYNOMIAL;
  }
  bool weighted_gradient(double s, std::span<const double> x, const double* back, std::span<const double> weights);
  bool weigh(double s, std::span<const double> x, const double* back, std::span<const double> weights, bool inputs_too);
  bool input_rates(double s, std::span<const double> x, const double* back, std::span<const double> weights,
                   std::span<double> out);
  // Single steps, of which integrals of many inputs need the ends, go beyond the samples where λ jumps.
  bool many_inputs() const { return inputs() > ManyIntegrals::many && !jumps_; }
  double share(std::size_t control, double s) const {  // of u_left or u_right in u(s)
    return share_at(control / n_u, s);
  }
  double size_of_global(std::size_t j) const;
  bool start_sensitivities(const Segment::Directions& directions);
  static void keep_matrix_fresh(void* memory);
  void set_directions(const Segment::Directions& directions, std::span<const double> x);
  bool set_sensitivity_tolerances(void* memory, bool with_integrals);
  bool steps_to(void* memory, double s, double& reached, std::span<N_Vector> S);
  bool one_step(void* memory, double& reached);
  bool look_at(void* memory, double s, std::span<N_Vector> S);
  void take_sample(std::size_t k, std::span<N_Vector> S);
  bool keep_above_rounding(void* memory);
  void move_directions(double s);
  bool move_to_directions(double s, N_Vector at);
  bool add_second(N_Vector* S, N_Vector* out, std::size_t first, std::size_t count);
  enum class Rows : bool { states, integrals };
  void list_entries();
  void along(std::size_t direction, N_Vector S, N_Vector out, Rows rows) const;
  struct Block;
  BdfSteps::Options step_options() const;
  bool steps_are_ours() const { return !(options.method_options.stability_limit_detection > 0); }
  struct Back;
  bool keeps_steps() const;
  void begin_record();
  bool forward_recorded(std::span<double> x, std::span<double> integrals);
  bool adjoint_recorded(std::span<Backward> functionals, std::span<const double> samples);
  struct Walk;
  bool run_in_a_block(std::shared_ptr<Block>& block, std::span<double> x, std::span<double> integrals,
                      Segment::Directions& directions);

  struct Second;

  // Objects of SUNDIALS are made when they are first needed and kept from call to call.
  Context context_;  // of all of them

  // values
  Vector y_, q_;                          // [n_x], [n_q, at least 1] where the run at hand stands
  SegmentPoint point_;                    // where the model stands; forgotten where a run begins
  std::vector<double> anchor_;            // [n_z] algebraics at the start of the last run, from which all solves start
  CvodesMemory memory_;                   // of `forward` and what goes back over it; null before
  std::unique_ptr<NewtonSystem> newton_;  // [n_x × n_x] of memory_
  const NewtonSystem* form_ = nullptr;    // one of the forward matrices, which are all alike; null before the first
  AdjointPieces pieces_;                  // checkpoints of the last `forward`
  bool recorded_ = false;                 // there is an older record in memory_
  bool jumps_ = false;                    // memory_ has been made for functionals with jumps
  bool samples_now_ = false;              // the run at hand is `forward`'s own, not one that is repeated
  std::size_t next_sample_ = 0;           // of `forward` that records
  Vector at_sample_;                      // [n_x]
  std::vector<double> begin_, end_;       // [n_x] states at the start and the end of the last `forward`

  // adjoint; combined_ and gradient_ in `second` as well
  std::vector<std::shared_ptr<BackwardProblem>> backward_;  // as many as there ever were functionals at a time
  std::vector<double> combined_, gradient_;  // [n_x + n_q] (λ, w); [columns] of (λ, w)'(f, q) at the point last weighed
  std::vector<std::size_t> state_entries_;   // places of the Jacobian by a state; empty before the first `weigh`
  std::vector<std::size_t> other_entries_;   // all others

  // tangent: those in hand, and those that the objects were made for
  Eigen::MatrixXd direct_, moved_;         // [inputs × m]; [columns × m] of the model at the last s, 0 for its states
  Eigen::RowVectorXd by_length_;           // [m] of direct_: change of the length
  std::vector<double> sizes_;              // [m] of the directions' units
  std::vector<double> peak_, floor_;       // [n_x] largest |x| of the run so far; those of the tolerances in use
  std::vector<ReducedModel::Pair> pairs_;  // of second order among the m
  struct Entry {
    std::size_t place, row, col;  // of rate_places; the row among those of f or of q; a state, or a column of the model
  };
  struct EntriesOf {
    std::vector<Entry> by_state;
    std::vector<std::vector<Entry>> by_other;  // [m] by what the direction moves
  };
  EntriesOf of_part_[2];                        // rates of states, of integrals
  std::shared_ptr<Block> block_;                // null before the first; made again for another number of directions
  std::shared_ptr<Block> values_;               // of none; null before the first
  std::shared_ptr<Walk> walk_;                  // over it, step by step; null before the first
  BdfRecord record_;                            // of the last `forward` that filled samples and records
  std::size_t record_room_ = 0;                 // bytes that it may take
  bool keeps_record_ = false;                   // the run at hand goes into it
  bool has_record_ = false;                     // it is that of the last `forward`
  std::shared_ptr<Back> back_;                  // over it; null before the first
  CvodesMemory sens_memory_;                    // null before the first; made again for other numbers or pairs of directions
  std::unique_ptr<NewtonSystem> newton_sens_;   // [n_x × n_x] of sens_memory_
  std::vector<Vector> sens_, quad_sens_;        // [m] of [n_x], [n_q, at least 1]
  std::vector<ReducedModel::Pair> sens_pairs_;  // for which sens_memory_ was made

  // second: directions as in tangent
  std::shared_ptr<Second> second_;  // null before the first; made again for another number of directions
};

}  // namespace bolza::integrate
