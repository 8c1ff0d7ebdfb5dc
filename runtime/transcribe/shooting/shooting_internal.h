// The parts of single shooting: the layout of variables and rows, and the NLP's functions over it.
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "runtime/integrate/segment/segment.h"
#include "runtime/nlp/nlp.h"
#include "runtime/nonlinear/kernel_at.h"
#include "runtime/transcribe/mesh/mesh.h"
#include "runtime/transcribe/shooting/single_shooting.h"

namespace bolza::transcribe {

/// An end of a segment: its begin, or its end with the inputs of the segment.
struct Site {
  std::size_t phase = 0, segment = 0;
  bool end = false;
  std::size_t node() const { return segment + end; }
  friend bool operator==(const Site&, const Site&) = default;
};

/// A quantity at a site; an integral belongs to the whole phase.
struct NodeFunction {
  enum class What : std::uint8_t { state, algebraic, control, rate, integral, path, initial } what = What::state;
  Site site;
  std::size_t index = 0;
};

struct ShootingRow {
  enum class Kind : std::uint8_t { point, node, length } kind = Kind::point;
  std::size_t point_row = 0;  ///< of the point function
  NodeFunction function;      ///< node
  std::size_t phase = 0;      ///< length
  AffineTime length;
  const char* name = "";
  bolza_source source{};
};

/// Where a segment lies, and how that moves with (startTime, finalTime).
struct SegmentPlace : integrate::SegmentTimes {
  double begin_by[2] = {0, 0}, length_by[2] = {0, 0};
};

struct ShootingPhase {
  std::size_t number = 0;
  const bolza_phase* phase = nullptr;
  const bolza_model* model = nullptr;
  Mesh mesh;
  bool linear = false;
  std::size_t first_x0 = 0, first_u = 0;  // variables of the NLP
  std::unique_ptr<integrate::ReducedModel> reduced;
  std::vector<integrate::Segment> segments;
  // at the present variables
  std::vector<SegmentPlace> times;
  std::vector<double> x, q;  // [(N + 1) × n_x], [n_q]

  std::size_t N() const { return mesh.intervals(); }
  std::size_t u_at(std::size_t segment, std::size_t i, bool right) const {
    return first_u + (segment + (linear && right)) * model->n_u + i;
  }
  std::size_t parameter(std::size_t global) const { return static_cast<std::size_t>(phase->parameter[global]); }
  std::span<double> node(std::size_t k) { return {x.data() + k * model->n_x, model->n_x}; }
};

/// A row as a function of the states at the nodes, the integrals, and directly of the variables.
struct RowSeeds {
  struct Seed {
    std::size_t phase, node;
    std::vector<double> by_x;
  };
  std::vector<Seed> seeds;
  std::vector<std::vector<double>> by_q;  ///< [phases][n_q]
  std::vector<double> direct;             ///< [n]
  bool moves = false;                     ///< there are seeds or integrals
};

class Shooting final : public nlp::Functions {
 public:
  Shooting(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
           const abi::Solution* guess);
  /// Empty when the problem can be solved this way.
  const std::string& objection() const { return objection_; }

  void move_to(std::span<const double> w) override;
  bool objective(double& f) override;
  const double* gradient() override;
  const double* constraints() override;
  const double* jacobian() override;
  const double* hessian(double sigma, std::span<const double> lambda) override;
  const double* gauss_newton(double sigma) override;

  /// Can `hessian_times` be had?
  bool has_products() const;
  /// ∇²(σ f + λ' rows) times directions of the variables [n × m], forward over adjoint: one integration forward and one
  /// backward of n_x (1 + m) equations each.
  bool hessian_times(double sigma, std::span<const double> lambda, const Eigen::MatrixXd& directions, Eigen::MatrixXd& out);

  /// Can `hessian_along` be had?
  bool has_second_sensitivities() const;
  /// V' ∇²(σ f + λ' rows) V for directions of the variables V [n × m] in sensitivity form: one integration forward of
  /// n_x (1 + m + m (m + 1)/2) equations, or of those of each mesh interval's own inputs where these are fewer.
  bool hessian_along(double sigma, std::span<const double> lambda, const Eigen::MatrixXd& directions, Eigen::MatrixXd& out);

  /// Rows of the point function (0 the objective, then constraints and residuals), and their gradients by the variables
  /// [rows × n]. Cost  adjoint: one forward run for all, one backward run each; forward: one run for all.
  bool point_rows(std::span<const std::size_t> which, std::vector<double>& values);
  bool point_gradients(std::span<const std::size_t> which, Eigen::MatrixXd& by_variables);
  /// Their derivatives along directions of the variables [n × m], by forward sensitivities. [rows × m]
  bool point_rows_along(std::span<const std::size_t> which, const Eigen::MatrixXd& directions, Eigen::MatrixXd& out);

  /// λ of the Lagrangian at the samples (descending fractions) and the begin of every segment; empty when an integration
  /// failed. [segments][(samples + 1) × n_x]
  std::vector<std::vector<double>> costates(std::size_t phase, std::span<const double> lambda,
                                            std::span<const double> samples);

  /// From now on `objective`, `gradient` and second derivatives are those of this row of the point function.
  void take_as_objective(std::size_t row) { objective_row = row, gradient_ready_ = false; }
  /// Forward sensitivities are wanted by these variables of the NLP only; other derivatives stay 0. Empty: by all.
  void want(std::vector<char> variables) { wanted_ = std::move(variables); }
  /// The lengths of all steps are held from now on: the objective becomes a smooth function of the variables.
  void repeat_steps(bool repeat);

  bolza_problem& problem;
  nlp::Nlp nlp;
  std::vector<ShootingPhase> phases;
  std::vector<ShootingRow> rows;
  double rtol = 1e-9;
  std::size_t objective_row = 0;  ///< of the point function, see `take_as_objective`
  abi::Finding trouble;           ///< the last failure of an integration
  bool failed_once = false;

 private:
  // layout
  void add_phase(std::size_t number, const TranscribeOptions& options, const std::vector<double>& parameters);
  void add_variable(double start, double lower, double upper, double scale, nlp::VariableRole role, std::int32_t interval);
  void add_row(ShootingRow row, double lower, double upper, double scale, nlp::RowRole role, std::int32_t interval);
  void add_point_rows();
  void add_phase_rows(ShootingPhase& phase);
  void add_bounds(ShootingPhase& phase, NodeFunction::What what, const bolza_variable* variables, std::size_t n);
  void set_start(const abi::Solution* guess);
  void set_patterns();
  void set_scales();
  void mark_integers();
  std::string place_values();
  // values
  bool evaluate();
  bool evaluate_phase(ShootingPhase& phase);
  bool at_site(const Site& site);
  bool node_value(const NodeFunction& f, double& value);
  bool point_values();
  void note_trouble(const ShootingPhase& phase);
  std::vector<double> inputs_at(const ShootingPhase& phase, std::size_t segment, bool right) const;
  // derivatives
  bool add_node_function(const NodeFunction& f, double weight, RowSeeds& row);
  bool add_point_row(std::size_t point_row, double weight, RowSeeds& row);
  bool seeds_of(const ShootingRow& row, double weight, RowSeeds& seeds);
  RowSeeds empty_seeds() const;
  void add_inputs(const ShootingPhase& phase, std::size_t segment, std::span<const double> gradient,
                  std::vector<double>& direct) const;
  std::vector<Eigen::Index> moving_columns(const ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S) const;
  bool advance_directions(ShootingPhase& phase, std::size_t k, Eigen::MatrixXd& S, Eigen::MatrixXd& SQ);
  static std::size_t last_node(const ShootingPhase& phase, const RowSeeds& row);
  bool pull_back_adjoint(std::vector<RowSeeds*>& list);
  bool pull_back_forward(std::vector<RowSeeds*>& list);
  bool pull_back(std::vector<RowSeeds*> list);
  bool derivatives(bool with_rows);
  bool by_forward(std::size_t moving_rows) const;
  struct Local {
    std::vector<double> value, size;    ///< states, controls, free globals
    std::vector<std::size_t> variable;  ///< of the NLP; n() for states
  };
  /// How states at the mesh points [phases][N + 1] and integrals [phases] move along V.
  struct Movement {
    std::vector<std::vector<Eigen::MatrixXd>> nodes;
    std::vector<Eigen::MatrixXd> integrals;
  };
  bool move_along(const Eigen::MatrixXd& V, Movement& movement,
                  const std::vector<integrate::ReducedModel::Pair>& pairs = {});
  bool lagrangian_seeds(double sigma, std::span<const double> lambda, RowSeeds& all);
  Eigen::MatrixXd along_site(const ShootingPhase& phase, const Local& local, const Eigen::MatrixXd& S,
                             const Eigen::MatrixXd& V) const;
  Eigen::RowVectorXd along(const RowSeeds& row, const Eigen::MatrixXd& V, const Movement& movement) const;
  // second derivatives
  using Weighted = std::vector<std::pair<Site, std::vector<std::pair<NodeFunction, double>>>>;
  std::vector<std::size_t> free_globals(const ShootingPhase& phase) const;
  Local local_at(ShootingPhase& phase, std::size_t segment, std::size_t node, bool both_controls, bool right) const;
  void apply_globals(ShootingPhase& phase, std::span<const double> values);
  SegmentPlace times_of(const ShootingPhase& phase, std::size_t k) const;
  bool segment_gradient(ShootingPhase& phase, std::size_t k, std::span<const double> xi, std::span<const double> lambda,
                        std::span<const double> omega, Eigen::VectorXd& out);
  bool site_gradient(ShootingPhase& phase, const Site& site, const std::vector<std::pair<NodeFunction, double>>& functions,
                     std::span<const double> xi, Eigen::VectorXd& out);
  template <class Gradient>
  bool difference(const Local& local, Gradient&& gradient, Eigen::MatrixXd& out);
  void add_local(const Local& local, const Eigen::MatrixXd& B, const Eigen::MatrixXd& S, Eigen::MatrixXd& H) const;
  integrate::Segment::Directions directions_at(const ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S,
                                               const Eigen::MatrixXd& V) const;
  bool add_segment_product(ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S, const Eigen::MatrixXd& V,
                           std::span<const double> lambda, std::span<const double> omega, const Eigen::MatrixXd& omega_dot,
                           Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& out);
  bool segment_curvature(ShootingPhase& phase, std::size_t k, const Local& local, std::span<const double> lambda,
                         std::span<const double> omega, Eigen::MatrixXd& B);
  bool site_curvature(ShootingPhase& phase, const Site& site, const std::vector<std::pair<NodeFunction, double>>& functions,
                      const Local& local, Eigen::MatrixXd& B);
  double point_weight(std::size_t row, double sigma, std::span<const double> lambda) const;
  bool point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B);
  bool differenced_point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B);
  bool add_point_curvature(double sigma, std::span<const double> lambda, Eigen::MatrixXd& H);
  Weighted weighted_functions(double sigma, std::span<const double> lambda);
  bool add_phase_curvature(ShootingPhase& phase, const RowSeeds& all, const Weighted& weighted, Eigen::MatrixXd& H);

  ShootingOptions shooting_;
  const integrate::Method* method_ = nullptr;  // null: CVODES
  std::string objection_;
  std::vector<NodeFunction> values_;  // [n_values]
  nonlinear::KernelAt point_value_, point_jacobian_, point_hessian_;
  std::vector<double> w_, point_shared_, V_;
  std::vector<double> point_rows_, row_values_, gradient_, jacobian_, hessian_;
  std::vector<std::vector<double>> residual_gradients_;
  std::vector<std::vector<std::size_t>> row_columns_;
  bool evaluated_ = false, good_ = false, gradient_ready_ = false, rows_ready_ = false, point_jacobian_ready_ = false;
  bool gauss_newton_ = false;
  std::vector<char> wanted_;    // [n] or empty
  std::unique_ptr<Site> site_;  // where the reduced model of its phase stands
};

}  // namespace bolza::transcribe
