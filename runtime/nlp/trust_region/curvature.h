// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// What is added to Gauss-Newton matrices, which lack the curvature of the residuals.
enum class HybridRule : std::uint8_t {
  structured,  ///< a secant approximation of what is missing, used while it predicts the objective better [DGW1981]
  fraction,    ///< BFGS in its place once steps of the same radius are the greater part of all [FIDES]
  none
};

/// The matrix of second derivatives of a trust-region method, dense: exact, BFGS, or Gauss-Newton with what its rule adds.
/// It may be indefinite.
class Curvature {
 public:
  Curvature(const Nlp& nlp, Hessian kind, HybridRule rule, double switch_fraction);

  /// At the start, where the functions stand. False: a value was not finite.
  bool start();
  /// The functions stand at the end of a step; s: the step, y: change of the gradient. False: as `start`.
  bool advance(const Eigen::VectorXd& s, const Eigen::VectorXd& y);
  /// After every trial: s and gradient at its start, by how much the objective changed, and whether the radius did.
  void judge(const Eigen::VectorXd& s, const Eigen::VectorXd& gradient, double change, bool taken, bool same_radius);

  const Eigen::MatrixXd& matrix() const { return matrix_; }
  /// Whether the matrix was learned from steps, so that forgetting it may help; then it has.
  bool forget();

 private:
  bool read(Eigen::MatrixXd& into);
  void learn_bfgs(const Eigen::VectorXd& s, const Eigen::VectorXd& y);
  void learn_missing(const Eigen::VectorXd& s, const Eigen::VectorXd& y);
  void choose();

  const Nlp& nlp_;
  Hessian kind_;
  HybridRule rule_;
  double switch_fraction_;
  Eigen::MatrixXd evaluated_, bfgs_, missing_, matrix_;
  bool fresh_ = true;          // BFGS has learned nothing yet
  bool with_missing_ = false;  // structured: the model in use
  bool switched_ = false;      // fraction: for good
  int trials_ = 0, unchanged_ = 0;
};

}  // namespace bolza::nlp
