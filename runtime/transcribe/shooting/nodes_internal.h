// SPDX-License-Identifier: Apache-2.0
// What single and multiple shooting share: the phases with their segments, the values and derivatives of functions at the
// mesh points, and second derivatives of single segments and mesh points.
#pragma once
#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <vector>

#include "runtime/integrate/segment/segment.h"
#include "runtime/nlp/nlp.h"
#include "runtime/nonlinear/kernel_at.h"
#include "runtime/transcribe/mesh/delay_reading.h"
#include "runtime/transcribe/mesh/mesh.h"
#include "runtime/transcribe/shooting/shooting_options.h"

namespace bolza::transcribe {

inline constexpr double room_at_boundary = 1e-9;  ///< of a segment's length: times that are closer to its end are the end
inline constexpr std::size_t no_variable = std::numeric_limits<std::size_t>::max();

/// What of a segment is meant: what holds at one of its ends, or all of it.
enum class SegmentPart : std::uint8_t { begin, end, whole };

/// An end of a segment: its start, or its end with the inputs of the segment.
struct Site {
  std::size_t phase = 0, segment = 0;
  bool end = false;
  std::size_t node() const { return segment + end; }
  SegmentPart part() const { return end ? SegmentPart::end : SegmentPart::begin; }
  friend bool operator==(const Site&, const Site&) = default;
};

/// A quantity at a site; an integral belongs to the whole phase.
struct NodeFunction {
  enum class What : std::uint8_t { state, algebraic, control, rate, integral, path, initial } what = What::state;
  Site site;
  std::size_t index = 0;
  /// Is it more than a variable of the segment's own?
  bool curved() const { return what != What::state && what != What::control && what != What::integral; }
};

/// A delay that is sought: how the states that a delayed value may read have part in it, at the present variables.
struct MovingDelay {
  double time = 0, constant = 0;                       ///< of the value; delay = constant + Σ slope · variable
  std::vector<std::pair<std::size_t, double>> slopes;  ///< variable of the NLP, slope
  std::vector<double> coefficients;                    ///< of the states read
  std::size_t first_segment = 0, last_segment = 0;     ///< between its bounds
  /// Derivatives of the weights of the row's functions by the delay. A function is a state or rate at an end of a segment:
  /// [4 (coefficient · segments + segment) + which]
  std::vector<double> first, second;
};

struct ShootingRow {
  enum class Kind : std::uint8_t {
    point,
    node,
    length,
    defect,    ///< what a segment ends with less the state at the mesh point `function.site`
    integral,  ///< an integral less the variable that stands for it
    delay      ///< what gives a delayed value less the variable that stands for it
  } kind = Kind::point;
  std::size_t point_row = 0;  ///< of the point function
  NodeFunction function;      ///< node, defect, integral; delay: the delayed value
  std::size_t phase = 0;      ///< length
  AffineTime length;
  const char* name = "";
  bolza_source source{};
  std::vector<std::pair<NodeFunction, double>> sum = {};  ///< delay: functions and their weights
  std::size_t variable = no_variable;                     ///< delay: it, at this place of the segment
  std::size_t place = 0;
  std::shared_ptr<MovingDelay> moving = {};  ///< delay: null where it is fixed
};

/// Where a segment lies, and how that moves with (startTime, finalTime).
struct SegmentPlace : integrate::SegmentTimes {
  double begin_by[2] = {0, 0}, length_by[2] = {0, 0};
};

/// A control at an end of a segment, from the values on its own grid: (1 − share) · low + share · high.
struct ControlValue {
  std::size_t low = no_variable, high = no_variable;  ///< variables of the NLP, the same where share is 0 throughout
  double share = 0;
};

/// Controls of a segment or site as linear functions of variables.
struct ControlMap {
  std::vector<std::size_t> variable;  ///< of the NLP, each once
  Eigen::MatrixXd by;                 ///< [controls × variables] controls: of a segment, place after place, or of a site
};

/// An equality of the point function that says what a phase begins with, or one of its times, and the variable of the NLP
/// that it determines.
struct Link {
  std::size_t point_row = 0, variable = 0, phase = 0;
};

struct ShootingPhase {
  std::size_t number = 0;
  const bolza_phase* phase = nullptr;
  const bolza_model* model = nullptr;
  Mesh mesh;
  bool linear = false;
  std::size_t first_x0 = 0;              ///< variable of the NLP
  std::vector<std::size_t> first_state;  ///< [N + 1] variables; no_variable where states are none
  /// Controls that are not delayed values have values on grids of their own, whose points are mesh points: [n_given][points]
  /// mesh points, from 0 to N, and the variables there [n_given][points], or one less where they are constant between
  /// points.
  std::vector<std::vector<std::size_t>> grid, grid_variable;
  std::size_t n_given = 0;           ///< the last inputs u are delayed values
  std::vector<double> input_places;  ///< of the inputs in a segment where some are delayed; else empty
  /// Where algebraic variables are delayed: mesh points of an interval in which everything is smooth. [intervals][4]
  std::vector<std::vector<std::size_t>> smooth;
  std::vector<ControlValue> control_value;     ///< [(sides() segment + side) n_u + i]
  std::vector<std::size_t> delayed_value;      ///< [(sides() segment + side) n_delays + d] variables
  std::vector<std::size_t> reach;              ///< [N] variables of the phase below this move the segment or one before
  std::vector<std::size_t> integral_variable;  ///< [n_q] no_variable where there is none
  /// One for each thread; segment k belongs to number k % models.size().
  std::vector<std::unique_ptr<integrate::ReducedModel>> models;
  std::vector<integrate::Segment> segments;
  std::vector<std::vector<double>> z_guess;  ///< [N][n_z] at the begins, or empty
  // at the present variables
  std::vector<SegmentPlace> times;
  std::vector<double> x, q;                ///< [(N + 1) × n_x], [n_q]
  std::vector<double> x_end, q_of;         ///< multiple shooting: [N × n_x], [N × n_q] of the segments
  std::vector<Eigen::MatrixXd> by_inputs;  ///< and their derivatives: of x and Q by local inputs

  std::size_t N() const { return mesh.intervals(); }
  std::size_t sides() const { return input_places.empty() ? 2 : input_places.size(); }
  /// How many values of an input a segment takes.
  std::size_t values_of_input() const { return input_places.empty() ? linear ? 2 : 1 : input_places.size(); }
  const ControlValue& control_at(std::size_t segment, std::size_t i, std::size_t side) const {
    return control_value[(sides() * segment + side) * model->n_u + i];
  }
  const ControlValue& control(std::size_t segment, std::size_t i, SegmentPart side) const {
    return control_at(segment, i, side == SegmentPart::begin ? 0 : sides() - 1);
  }
  double control(std::size_t segment, std::size_t i, SegmentPart side, std::span<const double> w) const {
    return control_at(segment, i, side == SegmentPart::begin ? 0 : sides() - 1, w);
  }
  double control_at(std::size_t segment, std::size_t i, std::size_t side, std::span<const double> w) const {
    const ControlValue& c = control_at(segment, i, side);
    return c.share == 0 ? w[c.low] : c.share == 1 ? w[c.high] : (1 - c.share) * w[c.low] + c.share * w[c.high];
  }
  /// Can a control jump at this mesh point?
  bool jumps_at(std::size_t node) const;
  std::size_t x_at(std::size_t node, std::size_t i) const { return first_state[node] + i; }
  std::size_t parameter(std::size_t global) const { return static_cast<std::size_t>(phase->parameter[global]); }
  std::span<double> node(std::size_t k) { return {x.data() + k * model->n_x, model->n_x}; }
  std::span<double> end_of(std::size_t k) { return {x_end.data() + k * model->n_x, model->n_x}; }
  std::span<double> integrals_of(std::size_t k) { return {q_of.data() + k * model->n_q, model->n_q}; }
  integrate::ReducedModel& reduced(std::size_t segment) const { return *models[segment % models.size()]; }
};

/// How a node function moves directly with the state, the controls and the parameters of its site.
struct SiteDerivatives {
  std::vector<double> by_x, by_u, by_global;  ///< [n_x], [n_u], [n_global] with what moves the time of the site
};

/// Local inputs of a segment or site: states, controls, free globals.
struct Local {
  std::vector<double> value, size;
  std::vector<std::size_t> variable;  ///< of the NLP; no_variable for states that are none
};

/// The relative tolerance of integrations for this tolerance of the engine.
double integration_tolerance(const ShootingOptions& shooting, double tol);

class ShootingNodes {
 public:
  /// @param states_at_nodes  the states at all mesh points are variables (multiple shooting), not only the initial ones
  ShootingNodes(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                const abi::Solution* guess, bool states_at_nodes);
  ShootingNodes(const ShootingNodes&) = delete;
  /// How often the horizon was integrated for values; what derivatives cost is not in it.
  std::size_t simulations = 0;
  /// Empty when the problem can be solved this way.
  const std::string& objection() const { return objection_; }
  /// A row of the integrators; null: CVODES or IDAS.
  const integrate::Method* method() const { return method_; }
  /// Why an integral of squares has no Gauss-Newton matrix, when the engine is to have one; empty: that is not so.
  std::string objection_to_squares(const nlp::EngineOptions& engine) const;

  void add_row(ShootingRow row, double lower, double upper, double scale, nlp::RowRole role, std::int32_t interval);
  /// Scales of rows and objective from the derivatives at the start. Rows of defects keep theirs.
  void set_scales(nlp::Functions& functions);
  /// Single shooting: states whose initial equation is that they are parameters become Nlp::equal, bounds and start those of
  /// the parameter.     @param jacobian, values  of the rows at the start
  void find_equal_states(const double* jacobian, const double* values);

  // values
  void move_to(std::span<const double> w);
  /// The model's shared values are those of the present variables.
  void set_shared(ShootingPhase& phase, integrate::ReducedModel& model) const;
  SegmentPlace times_of(const ShootingPhase& phase, std::size_t k) const;
  std::vector<double> inputs_at(const ShootingPhase& phase, std::size_t segment, SegmentPart side) const;
  /// What a segment takes besides the inputs at its start: those at its end, or at all its other places.
  std::vector<double> inputs_after(const ShootingPhase& phase, std::size_t segment) const;
  /// The values of `point_rows` and `row_values`, when the phases have their states and integrals.
  bool evaluate_rows();
  void note_trouble(const ShootingPhase& phase, std::size_t segment);
  /// The same where a segment was not integrated to its end: from where, and with which values.
  void note_failed_segment(const ShootingPhase& phase, std::size_t segment);
  /// Multiple shooting: solves for z at the start of this segment start from its guess, whatever was solved before.
  void start_algebraics(ShootingPhase& phase, std::size_t segment) const;
  /// No reduced model stands where it was left by a node function.
  void leave_site() { site_.reset(); }

  // first derivatives
  bool differentiate_point();
  double point_entry(std::size_t e) const {
    return sign_of(static_cast<std::size_t>(problem.point->jac_row[e])) * point_jacobian_.out(problem.point->n_rows + e);
  }
  /// Of a curved function.
  bool site_derivatives(const NodeFunction& f, double weight, SiteDerivatives& out);

  // second derivatives
  std::vector<std::size_t> free_globals(const ShootingPhase& phase) const;
  /// The controls at both sides of a segment, or at one.
  static ControlMap controls_at(const ShootingPhase& phase, std::size_t segment, SegmentPart part);
  /// The variables that the local inputs of a segment or site are; no_variable for states that are none.
  std::vector<std::size_t> variables_at(const ShootingPhase& phase, std::size_t segment, std::size_t node,
                                        SegmentPart part) const;
  Local local_at(ShootingPhase& phase, std::size_t segment, std::size_t node, SegmentPart part) const;
  /// Directions along the local inputs of a segment, one by one.
  integrate::Segment::Directions local_directions(const ShootingPhase& phase, std::size_t k, const Local& local) const;
  /// ψ_k'' by local inputs, ψ_k = λ' x_{k+1} + ω' Q_k.
  bool segment_second(ShootingPhase& phase, std::size_t k, const Local& local, std::span<const double> lambda,
                      std::span<const double> omega, Eigen::MatrixXd& B);
  /// Σ weight × node function over the functions of one site, by its local inputs.
  using Functions = std::vector<std::pair<NodeFunction, double>>;
  bool site_second(ShootingPhase& phase, const Site& site, const Functions& functions, const Local& local, bool exact,
                   Eigen::MatrixXd& B);
  /// Weight of a row of the point function in the Lagrangian.
  double point_weight(std::size_t row, double sigma, std::span<const double> lambda) const;
  /// Second derivatives of the point function by point values and parameters; exact ones have the function's pattern.
  bool has_point_hessian();
  bool point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B);
  /// Curved node functions with their weights in the Lagrangian, by site.
  using Weighted = std::vector<std::pair<Site, Functions>>;
  Weighted weighted_functions(double sigma, std::span<const double> lambda);
  void repeat_steps(bool repeat);
  bool site_curvature(ShootingPhase& phase, const Site& site, const Functions& functions, const Local& local,
                      Eigen::MatrixXd& B);

  bool node_value(const NodeFunction& f, double& value);
  /// Σ weight · function of a delayed value's row; with the weights of the row where none are given.
  bool weighted_sum(const ShootingRow& row, std::span<const double> weights, double& value);

  bolza_problem& problem;
  nlp::Nlp nlp;
  std::vector<ShootingPhase> phases;
  std::vector<ShootingRow> rows;
  std::vector<NodeFunction> values;  ///< [n_values] of the point function
  std::vector<Link> links;           ///< without constraints: those between phases, which are rows then
  double rtol = 1e-9;
  std::size_t objective_row = 0;  ///< of the point function
  abi::Finding trouble;           ///< the last failure of an integration
  bool gauss_newton = false;      ///< the objective is a sum of squares of point values
  bool integral_squares = false;  ///< of integrals of squares as well, and the segments give states between mesh points
  std::vector<double> w, point_rows, row_values;
  ShootingOptions options;

 private:
  // layout
  void set_method();
  void add_phase(std::size_t number, const TranscribeOptions& options, const std::vector<double>& parameters);
  void set_mesh(ShootingPhase& phase, const TranscribeOptions& options, const Horizon& horizon);
  void add_segments(ShootingPhase& phase, const TranscribeOptions& transcription);
  void add_states(ShootingPhase& phase, std::size_t node);
  void add_delayed(ShootingPhase& phase, std::size_t segment);
  void add_delay_rows(ShootingPhase& phase);
  void add_controls(ShootingPhase& phase, std::size_t node);
  static void set_control_values(ShootingPhase& phase, const std::vector<double>& parameters);
  void add_variable(double start, double lower, double upper, double scale, nlp::VariableRole role, std::int32_t interval);
  void add_integrals(ShootingPhase& phase);
  void add_point_row(std::size_t point_row);
  void add_point_rows();
  void add_phase_rows(ShootingPhase& phase);
  void add_at_nodes(const ShootingPhase& phase, NodeFunction::What what, std::size_t index, const char* name,
                    bolza_source source, double lower, double upper, double scale, bool both_sides);
  void add_bounds(const ShootingPhase& phase, NodeFunction::What what, const bolza_variable* variables, std::size_t n);
  void set_start(const abi::Solution* guess);
  void start_consistently();
  void mark_integers();
  std::string place_values();
  std::string objection_to_written() const;
  // values
  void move_delays();
  /// The objective is minimised: row 0 is −J for `maximize J`.
  double sign_of(std::size_t point_row) const { return point_row == 0 && problem.maximize ? -1 : 1; }
  bool at_site(const Site& site);
  bool row_value(std::size_t r, double& value);
  bool point_values();
  // second derivatives
  void apply_globals(ShootingPhase& phase, integrate::ReducedModel& model, std::span<const double> values) const;
  SegmentPlace times_with(const ShootingPhase& phase, std::size_t k, const std::vector<double>& shared) const;
  bool segment_gradient(ShootingPhase& phase, std::size_t k, std::span<const double> xi, std::span<const double> lambda,
                        std::span<const double> omega, Eigen::VectorXd& out);
  bool site_gradient(ShootingPhase& phase, const Site& site, const Functions& functions, std::span<const double> xi,
                     Eigen::VectorXd& out);
  template <class Gradient>
  bool difference(const Local& local, Gradient&& gradient, Eigen::MatrixXd& out);
  bool segment_curvature(ShootingPhase& phase, std::size_t k, const Local& local, std::span<const double> lambda,
                         std::span<const double> omega, Eigen::MatrixXd& B);
  bool differenced_point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B);

  bool states_at_nodes_;
  std::vector<DelayReading> delays_;           // [phases]
  std::vector<std::size_t> row_of_point_;      // [1 + n_k] of those that are rows, else no_variable
  const integrate::Method* method_ = nullptr;  // null: CVODES
  std::string objection_;
  nonlinear::KernelAt point_value_, point_jacobian_, point_hessian_;
  std::vector<double> point_shared_, V_;
  bool point_jacobian_ready_ = false;
  std::unique_ptr<Site> site_;  // where the reduced model of its segment stands
};

}  // namespace bolza::transcribe
