// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// What an NLP is next to a point to second order: f + g' d + ½ d' H d subject to row_lower <= c + J d <= row_upper and the
/// bounds of its variables, d = w − point. An NLP of the same numbering, with patterns, scales and roles of the one that it
/// is made of.
class QuadraticModel final : public nlp::Functions {
 public:
  /// Evaluates everything but H at `point`. The NLP is used here only.
  QuadraticModel(const nlp::Nlp& of, std::span<const double> point);
  /// Whether all values were finite; nothing else may be asked for otherwise.
  bool good() const { return good_; }
  /// [entries of the NLP's pattern]
  void set_hessian(std::span<const double> H) { H_.assign(H.begin(), H.end()); }

  nlp::Nlp& nlp() { return nlp_; }
  const std::vector<double>& point() const { return point_; }
  double value() const { return f_; }                                     ///< f
  const std::vector<double>& slopes() const { return g_; }                ///< g [n]
  const std::vector<double>& rows() const { return c_; }                  ///< c [m]
  std::vector<double> times_hessian(std::span<const double> d) const;     ///< H d [n]
  std::vector<double> slopes_with(std::span<const double> lambda) const;  ///< g + J' λ [n]

  void move_to(std::span<const double> w) override;
  bool objective(double& f) override;
  const double* gradient() override;
  const double* constraints() override;
  const double* jacobian() override { return J_.data(); }
  const double* hessian(double sigma, std::span<const double> lambda) override;
  const double* gauss_newton(double) override { return nullptr; }

 private:
  nlp::Nlp nlp_;
  std::vector<double> point_, g_, c_, J_, H_;
  double f_ = 0;
  bool good_ = false;
  std::vector<double> d_, Hd_, gradient_, rows_, scaled_;
};

}  // namespace bolza::transcribe
