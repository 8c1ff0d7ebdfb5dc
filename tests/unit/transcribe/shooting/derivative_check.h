// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/transcribe/shooting/multiple_internal.h"

namespace bolza::testing {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

inline MatrixXd dense(const nlp::Pattern& pattern, const double* values, std::size_t rows, std::size_t columns,
                      bool symmetric) {
  MatrixXd M = MatrixXd::Zero(static_cast<Index>(rows), static_cast<Index>(columns));
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    M(pattern.row[k], pattern.col[k]) += values[k];
    if (symmetric && pattern.row[k] != pattern.col[k]) M(pattern.col[k], pattern.row[k]) += values[k];
  }
  return M;
}

/// The derivatives of a problem's NLP at one point, and their difference quotients with the steps of that point. Of single
/// or of multiple shooting.
template <class Method>
struct ShootingDerivatives {
  Method& shooting;
  nlp::Nlp& nlp = shooting.nodes().nlp;
  std::vector<double> w = nlp.start;
  VectorXd lambda = VectorXd::Zero(static_cast<Index>(nlp.m()));
  double sigma = 0.7;

  explicit ShootingDerivatives(Method& s, unsigned seed = 5) : shooting(s) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t k = 0; k < w.size(); ++k)
      if (nlp.lower[k] < nlp.upper[k]) w[k] += 0.1 * uniform(random);
    for (double& l : lambda) l = uniform(random);
  }
  /// Objective and rows.
  VectorXd values(const std::vector<double>& at) {
    VectorXd out(static_cast<Index>(1 + nlp.m()));
    shooting.move_to(at);
    EXPECT_TRUE(shooting.objective(out[0]));
    const double* g = shooting.constraints();
    EXPECT_TRUE(g);
    for (Index r = 1; g && r < out.size(); ++r) out[r] = g[r - 1];
    return out;
  }
  MatrixXd first(const std::vector<double>& at) {
    shooting.move_to(at);
    const double *g = shooting.gradient(), *J = shooting.jacobian();
    EXPECT_TRUE(g && J);
    MatrixXd out(static_cast<Index>(1 + nlp.m()), static_cast<Index>(nlp.n()));
    if (!g || !J) return out;
    out.row(0) = Eigen::Map<const Eigen::RowVectorXd>(g, out.cols());
    out.bottomRows(out.rows() - 1) = dense(nlp.jacobian, J, nlp.m(), nlp.n(), false);
    return out;
  }
  VectorXd of_lagrangian(const std::vector<double>& at) {
    MatrixXd J = first(at);
    return sigma * J.row(0).transpose() + J.bottomRows(J.rows() - 1).transpose() * lambda;
  }
  template <class F>
  VectorXd quotient(F&& f, std::size_t c, double h) {
    auto by = [&](double step) {
      std::vector<double> up = w, down = w;
      up[c] += step, down[c] -= step;
      return VectorXd((f(up) - f(down)) / (2 * step));
    };
    return (4 * by(h) - by(2 * h)) / 3;
  }
  /// Of the rows and of the Lagrangian at w, whose steps are kept; false: the Hessian has no value.
  bool derivatives(MatrixXd& J, MatrixXd& H) {
    values(w);
    shooting.nodes().repeat_steps(true);
    J = first(w);
    const double* h = shooting.hessian(sigma, {lambda.data(), nlp.m()});
    if (!h) return false;
    H = dense(nlp.hessian, h, nlp.n(), nlp.n(), true);
    shooting.nodes().repeat_steps(true);
    return true;
  }
  /// The same along a random direction of all variables, and along each free parameter.
  void compare_along(std::size_t parameters, double tolerance, double tolerance_second) {
    std::vector<VectorXd> directions;
    std::mt19937 random(17);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t k = 0; k < 1 + parameters; ++k) {
      VectorXd& d = directions.emplace_back(VectorXd::Zero(static_cast<Index>(nlp.n())));
      for (std::size_t v = 0; v < nlp.n(); ++v)
        if (nlp.lower[v] < nlp.upper[v] && (k >= parameters || v == k))
          d[static_cast<Index>(v)] = k < parameters ? 1 : uniform(random);
    }
    MatrixXd J, H;
    ASSERT_TRUE(derivatives(J, H));
    std::vector<double> here = w;
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const VectorXd& d = directions[k];
      if (d.isZero()) continue;
      auto along = [&](auto&& f) {
        auto by = [&](double step) {
          std::vector<double> up = here, down = here;
          for (std::size_t v = 0; v < here.size(); ++v) {
            up[v] += step * d[static_cast<Index>(v)], down[v] -= step * d[static_cast<Index>(v)];
          }
          return VectorXd((f(up) - f(down)) / (2 * step));
        };
        constexpr double step = 1e-3;
        return VectorXd((4 * by(step) - by(2 * step)) / 3);
      };
      VectorXd of_values = along([&](const std::vector<double>& at) { return values(at); }), by_first = J * d;
      for (Index r = 0; r < of_values.size(); ++r)
        EXPECT_NEAR(by_first[r], of_values[r], tolerance * (1 + std::fabs(of_values[r])))
            << "row " << r << ", direction " << k;
      VectorXd of_gradient = along([&](const std::vector<double>& at) { return of_lagrangian(at); }), by_second = H * d;
      for (Index r = 0; r < of_gradient.size(); ++r)
        if (nlp.lower[static_cast<std::size_t>(r)] < nlp.upper[static_cast<std::size_t>(r)]) {
          EXPECT_NEAR(by_second[r], of_gradient[r], tolerance_second * (1 + std::fabs(of_gradient[r])))
              << "second derivative by " << r << ", direction " << k;
        }
    }
  }
  void compare(double tolerance, double tolerance_second) {
    MatrixXd J, H;
    ASSERT_TRUE(derivatives(J, H));
    for (std::size_t c = 0; c < nlp.n(); ++c) {
      if (nlp.lower[c] == nlp.upper[c]) continue;
      Index column = static_cast<Index>(c);
      VectorXd of_values = quotient([&](const std::vector<double>& at) { return values(at); }, c, 1e-3);
      for (Index r = 0; r < of_values.size(); ++r)
        EXPECT_NEAR(J(r, column), of_values[r], tolerance * (1 + std::fabs(of_values[r]))) << "row " << r << " by " << c;
      VectorXd of_gradient = quotient([&](const std::vector<double>& at) { return of_lagrangian(at); }, c, 1e-3);
      for (Index r = 0; r < of_gradient.size(); ++r) {
        if (nlp.lower[static_cast<std::size_t>(r)] == nlp.upper[static_cast<std::size_t>(r)]) continue;
        EXPECT_NEAR(H(r, column), of_gradient[r], tolerance_second * (1 + std::fabs(of_gradient[r])))
            << "second derivative by " << r << ", " << c;
      }
    }
  }
};

}  // namespace bolza::testing
