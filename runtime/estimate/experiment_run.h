// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/estimate/estimator.h"
#include "runtime/estimate/observation.h"
#include "runtime/integrate/segment/segment.h"

namespace bolza::estimate {

inline Eigen::Index at(std::size_t k) { return static_cast<Eigen::Index>(k); }

/// Estimated parameters as one experiment sees them: derivatives have columns for those that have a say in it.
struct EstimatedValues {
  std::span<const double> physical, slope;  ///< [parameters], and by θ
  std::span<const std::size_t> own;         ///< ascending: the parameters that the columns stand for
  std::vector<double> sizes;                ///< [own] how much θ typically moves
  /// Requires  one of its own.
  Eigen::Index column(std::size_t parameter) const;
};

/// Values of a phase's shared entries, and how the global ones move with the estimated parameters.
struct SharedValues {
  std::vector<double> value;  ///< [n_shared]
  Eigen::MatrixXd by;         ///< [n_global × parameters] by θ
};
/// Puts settings over the values, but for those that are formulas.
void apply(const Settings& settings, const EstimatedValues& parameters, SharedValues& values);

/// States at the times asked for.
struct States {
  std::vector<double> time;                 ///< [times]; at infinity as given
  std::vector<double> x;                    ///< [times × n_x]
  std::vector<std::vector<double>> u;       ///< [times] [n_u]
  std::vector<Eigen::MatrixXd> by;          ///< [times] [n_x × parameters] by θ; empty without derivatives
  std::vector<std::vector<double>> shared;  ///< [times] [n_shared], discrete values as they are there
  std::vector<std::size_t> regime;          ///< [times] of `shared_by`
  std::vector<Eigen::MatrixXd>
      shared_by;  ///< [regimes] [n_global × parameters] by θ; states have no part in it for adjoints
};

/// What `ExperimentRun::back` needs of a run: its stretches, what is between them, and how everything moves with θ.
struct Recording {
  struct Stretch {
    integrate::Segment* segment = nullptr;  ///< of its own until the next run
    std::vector<double> shared;             ///< [n_shared] at its start
    std::size_t regime = 0;                 ///< of `by`
  };
  /// Where a time lies: after so many stretches, or within the stretch that follows these, at a share of it.
  struct Time {
    std::size_t after = 0;
    bool within = false;
    double share = 0;
  };
  /// States that are set between two stretches.
  struct Change {
    std::size_t after = 0;            ///< stretches before it
    std::vector<std::size_t> states;  ///< that are set
    Eigen::MatrixXd by_x;             ///< [states × n_x] of their values by the states before
    Eigen::MatrixXd by;               ///< [states × parameters] directly by θ
  };
  std::vector<Stretch> stretches;
  std::vector<Time> times;  ///< [times]
  std::vector<Change> changes;
  Eigen::MatrixXd initial_by;       ///< [n_x × parameters]
  std::vector<Eigen::MatrixXd> by;  ///< [regimes] of [n_global × parameters]
};

/// A problem whose first phase has sizes for nominal values of states without one.
struct SizedProblem {
  /// @param sizes  [n_x], or empty: as it is. `given` outlives it.
  SizedProblem(const bolza_problem& given, std::span<const double> sizes);
  SizedProblem(const SizedProblem&) = delete;
  SizedProblem& operator=(const SizedProblem&) = delete;

  std::vector<bolza_variable> states;
  std::vector<bolza_model*> models;
  bolza_model model;
  bolza_problem problem;
};

/// Integrates experiments over one phase of a problem, one after the other. Keeps the integrators from run to run.
/// Not for several threads at once.
class ExperimentRun {
 public:
  ExperimentRun(const bolza_problem& problem, const EstimatorOptions& options);
  ~ExperimentRun();

  /// From the experiment's initial values, or from the steady state of its equilibration, over its inputs and changes.
  /// @param times  ascending, not before the start; the last may be infinity: the steady state
  /// Errors  `trouble` says what failed: initial values, an integration, no steady state, a formula.
  bool run(const Estimation& estimation, const Experiment& experiment, const EstimatedValues& parameters,
           std::span<const double> times, bool derivatives, States& out);

  /// Whether runs without derivatives are recorded for `back`. With integrators that take no samples a recorded one is
  /// integrated from time to time.
  void keep(bool recorded) { keeps_ = recorded; }
  /// Derivatives of a function of the recorded run, by the adjoint of its equations. Cost: about two runs, whatever the
  /// number of parameters.
  /// @param jumps  [n_x × times] of the function by the states at the times     @param gradient  [parameters] is added to
  /// Requires  a recorded run that succeeded, the last one.
  bool back(const Eigen::MatrixXd& jumps, Eigen::VectorXd& gradient);

  /// Sizes of the states as they begin, [n_x]; nothing where there are no initial values. Not after a run.
  /// @param horizon  seconds
  std::optional<std::vector<double>> sizes_at_start(const Estimation& estimation, const Experiment& experiment,
                                                    const EstimatedValues& parameters, double horizon);
  /// About how wrong a function of the states is after an integration with these tolerances.
  /// @param by_x  [n_x] its derivative     @param x  [n_x]
  double error_of(const Eigen::RowVectorXd& by_x, std::span<const double> x) const;

  integrate::ReducedModel& model() { return model_; }
  const abi::Finding& trouble() const { return trouble_; }

 private:
  /// Where a run stands.
  struct Point {
    double t = 0;
    std::vector<double> x;     // [n_x]
    Eigen::MatrixXd by;        // [n_x × parameters] by θ
    std::vector<double> u;     // [n_u]
    bool is_fresh = true;      // nothing has been integrated: the model is initialised
    bool derivatives = false;  // `by` is wanted
  };
  /// The run of one experiment.
  struct Course {
    const Estimation& estimation;
    const Experiment& experiment;
    const EstimatedValues& parameters;
  };
  /// The value of a formula, with its derivatives.
  struct FormulaValue {
    double value = 0;
    Eigen::RowVectorXd by_x, by_p;  // [n_x], [n_global]; empty without derivatives
  };
  Point start_of(const Experiment& experiment) const;
  bool shared_at_start(const Course& course, const Settings& settings, const Point& point, SharedValues& values);
  std::optional<FormulaValue> formula_of_shared(const ModelValue& formula, const Point& point);
  std::optional<FormulaValue> formula_at(const ModelValue& formula, bool derivatives);
  bool formula_settings(const Course& course, const Settings& settings, const SharedValues& values, const Point& point,
                        SharedValues& next);
  bool set_states(const Course& course, const std::vector<Experiment::Restart>& restarts, const SharedValues& values,
                  Point& point);
  bool change(const Course& course, const Settings& settings, const std::vector<Experiment::Restart>& restarts,
              SharedValues next, SharedValues& values, Point& point);
  bool along_changes(const Course& course, std::span<const double> times, SharedValues& values, Point& point, States& out);
  bool begin(const SharedValues& values, Point& point);
  bool initial_tangent(const SharedValues& values, Point& point);
  void use(const SharedValues& values);
  bool piece(double end, std::span<const double> u_left, std::span<const double> u_right, const SharedValues& values,
             std::span<const double> times, Point& point, States& out);
  bool stretch(double end, std::span<const double> u_left, std::span<const double> u_right, const SharedValues& values,
               integrate::Segment::Samples* samples, Point& point);
  bool along_inputs(const Experiment& experiment, const SharedValues& values, std::span<const double> times, double end,
                    Point& point, States& out);
  bool rest(const SharedValues& values, Point& point);
  void record(const Point& point, double time, States& out);
  std::unique_ptr<integrate::Segment> make_segment(bool linear, bool begins);
  integrate::Segment& segment(bool linear, bool begins);
  integrate::Segment& recorded_segment(bool linear, bool begins);
  void begin_recording(const SharedValues& first);
  bool back_over(const Recording::Stretch& stretch, std::span<const double> at, const std::vector<double>& jumps,
                 std::span<double> lambda, Eigen::VectorXd& gradient);
  bool failed(double t, const std::string& what);

  EstimatorOptions options_;
  SizedProblem sized_;
  integrate::ReducedModel model_;
  Observation observe_;
  std::vector<double> base_, sizes_;                    // [n_shared] of the model; of the parameters, in a run
  std::unique_ptr<integrate::Segment> segments_[2][2];  // [is linear][begins a phase]; null before the first use
  integrate::Segment::Samples none_;                    // of a stretch without measurements
  bool keeps_ = false;
  Recording recording_;
  std::vector<std::unique_ptr<integrate::Segment>> pool_[2][2];  // [is linear][begins a phase] for recorded stretches
  std::size_t taken_[2][2] = {{0, 0}, {0, 0}};                   // of the pools, in this run
  abi::Finding trouble_;
};

}  // namespace bolza::estimate
