// SPDX-License-Identifier: Apache-2.0
// Multiple shooting: the NLP's functions over states at all mesh points, controls and parameters.
#pragma once
#include <functional>
#include <map>

#include "runtime/transcribe/shooting/multiple_shooting.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

class MultipleShooting final : public nlp::Functions {
 public:
  MultipleShooting(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                   const abi::Solution* guess);
  const std::string& objection() const { return nodes_.objection(); }
  ShootingNodes& nodes() { return nodes_; }

  void move_to(std::span<const double> w) override;
  bool objective(double& f) override;
  const double* gradient() override;
  const double* constraints() override;
  const double* jacobian() override;
  const double* hessian(double sigma, std::span<const double> lambda) override;
  const double* gauss_newton(double sigma) override;

  /// λ at the samples (descending fractions) and the start of every segment: at its end it is the multiplier of the defect.
  /// Empty when an integration failed. [segments][(samples + 1) × n_x]
  std::vector<std::vector<double>> costates(std::size_t phase, std::span<const double> lambda,
                                            std::span<const double> samples);

 private:
  /// Variables and derivatives of a sum by them; a variable may come twice.
  using Terms = std::vector<std::pair<std::size_t, double>>;
  // layout
  void add_rows();
  void set_follows();
  void set_jacobian_pattern();
  void set_hessian_pattern();
  void set_gauss_newton_pattern();
  void find_sites();
  void find_reach_of_delays();
  std::vector<std::size_t> variables_of(const NodeFunction& f) const;
  std::vector<std::size_t> variables_of_point(std::size_t column) const;
  // values
  bool for_segments(ShootingPhase& phase, const std::function<bool(std::size_t)>& work);
  bool evaluate();
  bool integrate_segments(ShootingPhase& phase);
  bool differentiate_segments();
  bool differentiate_segment(ShootingPhase& phase, std::size_t k);
  bool differentiate_forward(ShootingPhase& phase, std::size_t k, const Local& local);
  bool differentiate_backward(ShootingPhase& phase, std::size_t k, const Local& local);
  bool add_terms(const NodeFunction& f, double weight, Terms& terms);
  bool point_terms(std::size_t point_row, Terms& terms);
  // second derivatives
  std::vector<double> weights_of_integrals(const ShootingPhase& phase, double sigma, std::span<const double> lambda) const;
  void add_block(const Eigen::MatrixXd& B, std::span<const std::size_t> variables, double*& to) const;
  bool add_segment_blocks(ShootingPhase& phase, double sigma, std::span<const double> lambda, double*& to);
  bool add_site_blocks(double sigma, std::span<const double> lambda, double*& to);
  bool add_delay_blocks(std::span<const double> lambda, double*& to);
  bool add_point_blocks(double sigma, std::span<const double> lambda, double*& to);

  ShootingNodes nodes_;
  nlp::Nlp& nlp_ = nodes_.nlp;
  std::vector<std::size_t> first_defect_;                              // [phases] rows
  std::vector<std::vector<std::size_t>> integral_row_;                 // [phases][n_q] or no_variable
  std::vector<Site> sites_;                                            // with curved functions
  std::map<std::size_t, std::vector<std::size_t>> reached_by_delays_;  // variables, by parameters of free delays
  std::vector<std::pair<std::int32_t, std::int32_t>> point_pairs_;     // places in the Hessian of the point function
  std::vector<double> gradient_, jacobian_, hessian_, gauss_newton_;
  bool evaluated_ = false, good_ = false, differentiated_ = false;
};

}  // namespace bolza::transcribe
