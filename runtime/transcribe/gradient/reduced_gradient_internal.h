// SPDX-License-Identifier: Apache-2.0
// The parts of reduced_gradient: directions, what initial equations determine, checks along few directions, second
// derivatives.
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <set>

#include "runtime/transcribe/gradient/reduced_gradient.h"
#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {

/// Directions over the variables of the NLP that shooting makes; what initial equations and links between phases determine
/// is not among them.
class Directions {
 public:
  explicit Directions(Shooting& shooting);

  /// Keeps the directions of these variables. Gives back the first that has none, or "".
  std::string keep(const std::vector<std::string>& names, const std::vector<std::string>& without);

  std::vector<GradientDirection> list;
  std::vector<std::size_t> variables;                     ///< [directions] of the NLP
  std::vector<std::size_t> determined, determining_rows;  ///< variables of the NLP, and the rows that determine them

 private:
  double time_of(const ShootingPhase& phase, std::size_t k) const;
  void add(std::size_t variable, std::string name, std::string of);
  void add_initial_values(const ShootingPhase& phase);

  Shooting& shooting_;
  std::set<std::size_t> linked_;
};

class Gradients {
 public:
  Gradients(bolza_problem& problem, const TranscribeOptions& options, const GradientOptions& gradient);
  ReducedGradient run();

 private:
  std::unique_ptr<Shooting> make(ShootingGradient way, bool discrete, bool idas = true) const;
  WayResult by(GradientWay way, const Directions& d, ReducedGradient& report);
  void announce(const char* what, std::size_t done, std::size_t of) const;
  double size_of(std::size_t variable) const;
  std::vector<char> wanted(const Directions& d) const;
  bool simulate(ReducedGradient& result);
  template <class Work>
  double shortest(Shooting& shooting, Work&& work) const;

  // what equations determine
  bool determining_jacobian(Shooting& shooting, const Directions& d, Eigen::MatrixXd& by_all, Eigen::VectorXd& value) const;
  static Eigen::MatrixXd columns(const Eigen::MatrixXd& all, const std::vector<std::size_t>& which);
  bool determine(const Directions& d);
  bool settle(Shooting& shooting, const Directions& d, std::vector<double>& w) const;
  bool reduce(Shooting& shooting, const Directions& d, const Eigen::MatrixXd& by_variables, std::vector<double>& out) const;
  bool movements(Shooting& shooting, const Directions& d, Eigen::MatrixXd& T) const;
  bool lagrangian(Shooting& s, const Directions& d, std::vector<double>& lambda, Eigen::MatrixXd& T) const;

  // along few directions, and by differences
  bool make_probes(const Directions& d, ReducedGradient& report);
  std::vector<double> sensitivities(const Directions& d, const Eigen::MatrixXd& V, ReducedGradient& report);
  bool rows_at(std::vector<double> w, const Directions& d, std::vector<double>& values);
  double relative_step() const;
  std::vector<double> quotients(const Directions& d, const Eigen::MatrixXd& V);

  // second derivatives
  bool second(const Directions& d, ReducedGradient& result);
  bool second_of(std::size_t row, const Directions& d, ReducedGradient& result);
  void compare_hessian(const Directions& d, std::span<const double> hessian, ReducedGradient& result);
  std::vector<double> differences_of_gradients(const Directions& d);
  std::vector<double> product(const Directions& d);
  std::vector<double> hessian(const Directions& d);
  bool sensitivity_form();
  std::vector<double> hessian_by_sensitivities(const Directions& d);

  bolza_problem& problem_;
  TranscribeOptions options_;
  GradientOptions gradient_;
  bool discrete_;
  std::unique_ptr<Shooting> main_, second_;  // second_: sensitivities on CVODES, made when asked for
  Eigen::MatrixXd probes_;                   // [n × probes]
};

}  // namespace bolza::transcribe
