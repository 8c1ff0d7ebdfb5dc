// SPDX-License-Identifier: Apache-2.0
// Single shooting: the NLP's functions over initial states, controls and parameters.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "runtime/transcribe/shooting/nodes_internal.h"
#include "runtime/transcribe/shooting/single_shooting.h"

namespace bolza::transcribe {

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
  const std::string& objection() const { return nodes_.objection(); }

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

  /// λ of the Lagrangian at the samples (descending fractions) and the start of every segment; empty when an integration
  /// failed. [segments][(samples + 1) × n_x]
  std::vector<std::vector<double>> costates(std::size_t phase, std::span<const double> lambda,
                                            std::span<const double> samples);

  /// From now on `objective`, `gradient` and second derivatives are those of this row of the point function.
  void take_as_objective(std::size_t row) {
    objective_row = row;
    gradient_ready_ = false;
  }
  /// Forward sensitivities are wanted by these variables of the NLP only; other derivatives stay 0. Empty: by all.
  void want(std::vector<char> variables) { wanted_ = std::move(variables); }
  /// The lengths of all steps are held from now on: the objective becomes a smooth function of the variables.
  void repeat_steps(bool repeat) { nodes_.repeat_steps(repeat); }

  /// How the last Gauss-Newton matrix integrated squares.
  struct Quadrature {
    std::size_t points = 0;  ///< 0: there are no integrals in it
    double error = 0;        ///< of the integral of squares itself by these points, relative to it
  };
  const Quadrature& quadrature() const { return quadrature_; }

  /// What is at the mesh points; its parts that others use have their names here, too.
  ShootingNodes& nodes() { return nodes_; }

 private:
  ShootingNodes nodes_;

 public:
  bolza_problem& problem = nodes_.problem;
  nlp::Nlp& nlp = nodes_.nlp;
  std::vector<ShootingPhase>& phases = nodes_.phases;
  std::vector<ShootingRow>& rows = nodes_.rows;
  double& rtol = nodes_.rtol;
  std::size_t& objective_row = nodes_.objective_row;  ///< of the point function, see `take_as_objective`
  abi::Finding& trouble = nodes_.trouble;             ///< the last failure of an integration

 private:
  void set_patterns();
  bool evaluate();
  bool evaluate_phase(ShootingPhase& phase);
  // derivatives
  bool add_node_function(const NodeFunction& f, double weight, RowSeeds& row);
  bool add_point_row(std::size_t point_row, double weight, RowSeeds& row);
  bool seeds_of(const ShootingRow& row, double weight, RowSeeds& seeds);
  RowSeeds empty_seeds() const;
  void add_inputs(const ShootingPhase& phase, std::size_t segment, std::span<const double> gradient,
                  std::vector<double>& direct) const;
  std::vector<Eigen::Index> moving_columns(const ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S) const;
  /// Squares of an integrand, gathered in a run with sensitivities.
  struct SquaresRun {
    Eigen::MatrixXd& together;              ///< [n × n] the matrix is added to
    integrate::Segment::Samples samples{};  ///< of the segment at hand
    Eigen::MatrixXd matrix{};               ///< of the segment at hand, by its own directions
    double integral = 0;                    ///< of ½ Σ r²
    std::size_t points = 0;
  };
  bool advance_directions(ShootingPhase& phase, std::size_t k, Eigen::MatrixXd& S, Eigen::MatrixXd& SQ,
                          SquaresRun* squares = nullptr);
  bool add_squares_of(ShootingPhase& phase, std::size_t k, const integrate::Segment::Directions& d, SquaresRun& run);
  bool add_integral_squares(Eigen::MatrixXd& G);
  static std::size_t last_node(const ShootingPhase& phase, const RowSeeds& row);
  bool pull_back_adjoint(std::vector<RowSeeds*>& list);
  bool pull_back_forward(std::vector<RowSeeds*>& list);
  bool pull_back(std::vector<RowSeeds*> list);
  bool derivatives(bool with_rows);
  bool by_forward(std::size_t moving_rows) const;
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
  void add_local(const Local& local, const Eigen::MatrixXd& B, const Eigen::MatrixXd& S, Eigen::MatrixXd& H) const;
  integrate::Segment::Directions directions_at(const ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S,
                                               const Eigen::MatrixXd& V) const;
  bool add_segment_product(ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S, const Eigen::MatrixXd& V,
                           std::span<const double> lambda, std::span<const double> omega, const Eigen::MatrixXd& omega_dot,
                           Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& out);
  bool add_point_curvature(double sigma, std::span<const double> lambda, Eigen::MatrixXd& H);
  bool add_delay_curvature(std::span<const double> lambda, Eigen::MatrixXd& H);
  bool add_phase_curvature(ShootingPhase& phase, const RowSeeds& all, const ShootingNodes::Weighted& weighted,
                           Eigen::MatrixXd& H);

  ShootingOptions shooting_;
  std::vector<double> gradient_, jacobian_, hessian_;
  std::vector<std::vector<double>> residual_gradients_;
  std::vector<std::vector<std::size_t>> row_columns_;
  bool evaluated_ = false, good_ = false, gradient_ready_ = false, rows_ready_ = false;
  std::vector<char> wanted_;  // [n] or empty
  Quadrature quadrature_;
};

}  // namespace bolza::transcribe
