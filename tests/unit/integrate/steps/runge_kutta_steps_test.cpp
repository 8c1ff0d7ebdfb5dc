// SPDX-License-Identifier: Apache-2.0
// Tangent and adjoint of Runge–Kutta steps against each other and against differences of the very numbers computed.
#include "runtime/integrate/steps/runge_kutta_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/unit/support/hand_model.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

// An index 1 system with everything in it: two states, one algebraic, one input, one integral, two parameters, time.
struct IndexOne : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 4, nv = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[2] * w[3] - p[2] * w[1] + w[4];
    r[1] = -sin(w[1]) * p[3] + w[4] * w[3] + w[0] * w[1];
    r[2] = w[1] * w[1] + w[3] * w[4] + p[2] * w[0];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - p[3] * w[1] - w[2] - w[0];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

// x1' = x2 + p z, x2' = −z x1 + u, 0 = x1² + x1 x2 − 1 − p t … with index 2: the algebraic is in no row of its time.
struct IndexTwo : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 3, nv = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[2] + p[2] * w[3];
    r[1] = w[3] * 0.5 - w[1] + w[4];
    r[2] = w[3] * w[1];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] + 0.2 * w[1] * w[1] + w[2] - 1 - 0.1 * w[0];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

// The pendulum with its length constraint: index 3.
struct IndexThree : NoFunctions {
  static constexpr std::size_t nx = 4, nz = 1, nu = 1, nq = 1, np = 3, nv = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[3];
    r[1] = w[4];
    r[2] = -w[5] * w[1] + 0.1 * w[6];
    r[3] = -w[5] * w[2] - p[2];
    r[4] = w[2] * w[2] + 0.01 * w[5];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] * w[1] + w[2] * w[2] - 1;
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

RungeKuttaForm rk4() {
  return {
      4, {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}, true};
}
RungeKuttaForm euler() { return {1, {0}, {1}, {0}, true}; }
RungeKuttaForm radau5() {
  const double r = std::sqrt(6.0), c[] = {(4 - r) / 10, (4 + r) / 10, 1};
  return collocation_form(c);
}
RungeKuttaForm midpoint() {
  const double c[] = {0.5};
  return collocation_form(c);
}
RungeKuttaForm gauss4() {
  const double c[] = {0.5 - std::sqrt(3.0) / 6, 0.5 + std::sqrt(3.0) / 6};
  return collocation_form(c);
}

// Some steps of unequal lengths with u = u0 + u1 t; the objective Σ weight x + 0.7 Q. Inputs: x(0), p, u0, u1, the lengths'
// scale.
template <class M>
struct Run {
  explicit Run(RungeKuttaForm form, std::vector<double> x0, std::vector<double> p) : form(std::move(form)) {
    hand.horizon(0, 1);
    for (std::size_t k = 2; k < M::np; ++k) hand.parameter(k, p[k - 2]);
    theta = x0;
    theta.insert(theta.end(), p.begin(), p.end());
    theta.insert(theta.end(), {0.3, -0.4, 1.0});
  }

  static constexpr std::size_t np = M::np - 2;
  std::size_t inputs() const { return theta.size(); }

  double objective(const std::vector<double>& at, std::vector<double>* gradient = nullptr,
                   Eigen::VectorXd* by_tangent = nullptr) {
    for (std::size_t k = 0; k < np; ++k) hand.parameter(2 + k, at[M::nx + k]);
    bolza_problem& problem = hand.build();
    nonlinear::ModelAt model(problem, hand.model, hand.shared);
    const double u0 = at[M::nx + np], u1 = at[M::nx + np + 1], scale = at[M::nx + np + 2];
    RungeKuttaSteps steps(model, form, [&](double t, std::span<double> u) { u[0] = u0 + u1 * t; });
    std::vector<double> x(at.begin(), at.begin() + M::nx), q(M::nq, 0.0);
    std::vector<RungeKuttaStep> taken;
    double t = 0;
    for (double h : {0.03, 0.05, 0.02, 0.06, 0.04}) {
      RungeKuttaStep step{t, h * scale, {}, {}, {}};
      step.Z.assign(form.stages * M::nz, taken.empty() ? 1.0 : taken.back().Z[0]);
      step.K.assign(form.stages * M::nx, 0.0);
      EXPECT_TRUE(steps.advance(step, x, q));
      taken.push_back(step);
      t += step.h;
    }
    double value = 0.7 * q[0];
    for (std::size_t k = 0; k < M::nx; ++k) value += (1.0 + 0.5 * static_cast<double>(k)) * x[k];
    if (gradient) *gradient = adjoint(steps, taken, scale);
    if (by_tangent) *by_tangent = tangent(steps, taken, scale);
    return value;
  }

  std::vector<double> adjoint(RungeKuttaSteps& steps, const std::vector<RungeKuttaStep>& taken, double scale) {
    std::vector<double> lambda(M::nx), weight{0.7}, g(theta.size(), 0.0);
    for (std::size_t k = 0; k < M::nx; ++k) lambda[k] = 1.0 + 0.5 * static_cast<double>(k);
    for (std::size_t s = taken.size(); s-- > 0;) {
      std::vector<RungeKuttaSteps::StageGradient> stages;
      double by_length = 0;
      EXPECT_TRUE(steps.linearise(taken[s]));
      EXPECT_TRUE(steps.adjoint(taken[s], lambda, weight, stages, by_length));
      g.back() += by_length * taken[s].h / scale;
      for (const auto& stage : stages) {
        double by_time = stage.by[0] + stage.by[1] * theta[M::nx + np + 1];
        g[M::nx + np] += stage.by[1], g[M::nx + np + 1] += stage.by[1] * stage.t;
        for (std::size_t k = 0; k < np; ++k) g[M::nx + k] += stage.by[2 + 2 + k];
        g.back() += by_time * stage.t / scale;
      }
    }
    std::copy(lambda.begin(), lambda.end(), g.begin());
    return g;
  }

  Eigen::VectorXd tangent(RungeKuttaSteps& steps, const std::vector<RungeKuttaStep>& taken, double scale) {
    Eigen::Index m = static_cast<Eigen::Index>(theta.size()), nx = static_cast<Eigen::Index>(M::nx),
                 n_p = static_cast<Eigen::Index>(np);
    RungeKuttaSteps::Directions d;
    d.x = Eigen::MatrixXd::Identity(nx, m);
    d.q = Eigen::MatrixXd::Zero(1, m);
    for (const RungeKuttaStep& step : taken) {
      d.length = Eigen::RowVectorXd::Zero(m);
      d.length[m - 1] = step.h / scale;
      d.direct.assign(form.stages, Eigen::MatrixXd::Zero(1 + 1 + 2 + n_p, m));
      for (std::size_t i = 0; i < form.stages; ++i) {
        double t = step.t + form.c[i] * step.h;
        Eigen::MatrixXd& D = d.direct[i];
        D(0, m - 1) = t / scale;
        D(1, nx + n_p) = 1, D(1, nx + n_p + 1) = t, D(1, m - 1) = theta[M::nx + np + 1] * t / scale;
        for (Eigen::Index k = 0; k < n_p; ++k) D(4 + k, nx + k) = 1;
      }
      EXPECT_TRUE(steps.tangent(step, d));
    }
    Eigen::RowVectorXd total = 0.7 * d.q.row(0);
    for (Eigen::Index k = 0; k < nx; ++k) total += (1.0 + 0.5 * static_cast<double>(k)) * d.x.row(k);
    return total.transpose();
  }

  RungeKuttaForm form;
  HandProblem<M> hand;
  std::vector<double> theta;
};

template <class M>
void compare(const char* name, RungeKuttaForm form, std::vector<double> x0, std::vector<double> p, double tolerance,
             double h = 1e-4) {
  SCOPED_TRACE(name);
  Run<M> run(std::move(form), std::move(x0), std::move(p));
  std::vector<double> gradient;
  Eigen::VectorXd by_tangent;
  run.objective(run.theta, &gradient, &by_tangent);
  ASSERT_EQ(gradient.size(), run.inputs());
  for (std::size_t k = 0; k < run.inputs(); ++k) {
    EXPECT_NEAR(gradient[k], by_tangent[static_cast<Eigen::Index>(k)], 1e-11 * std::max(1.0, std::fabs(gradient[k])))
        << "input " << k;
    auto at = [&](double by) {
      std::vector<double> theta = run.theta;
      theta[k] += by;
      return run.objective(theta);
    };
    // Central differences of order 4.
    double quotient = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(gradient[k], quotient, tolerance * std::max(1.0, std::fabs(gradient[k]))) << "input " << k;
  }
}

TEST(RungeKuttaSteps, adjoint_tangent_and_differences_of_the_discrete_objective_agree_with_index_1) {
  for (auto [name, form] :
       {std::pair{"euler", euler()}, {"rk4", rk4()}, {"midpoint", midpoint()}, {"gauss4", gauss4()}, {"radau5", radau5()}})
    compare<IndexOne>(name, form, {0.8, 0.2}, {0.9, 1.3}, 1e-9);
}

TEST(RungeKuttaSteps, adjoint_tangent_and_differences_agree_with_index_2) {
  compare<IndexTwo>("radau5", radau5(), {0.7, 0.2}, {1.2}, 2e-8);
}

TEST(RungeKuttaSteps, adjoint_tangent_and_differences_agree_with_index_3) {
  compare<IndexThree>("radau5", radau5(), {0.6, -0.8, 0.4, 0.3}, {9.81}, 2e-8, 2e-3);
}

TEST(RungeKuttaSteps, explicit_stages_that_cannot_be_solved_are_told) {
  HandProblem<IndexTwo> hand;
  hand.horizon(0, 1), hand.parameter(2, 1.0);
  bolza_problem& problem = hand.build();
  nonlinear::ModelAt model(problem, hand.model, hand.shared);
  RungeKuttaSteps steps(model, rk4(), [](double, std::span<double> u) { u[0] = 0; });
  RungeKuttaStep step{0, 0.1, {}, {}, {}};
  std::vector<double> x{0.7, 0.3}, q{0};
  EXPECT_FALSE(steps.advance(step, x, q));
}

}  // namespace
}  // namespace bolza::integrate
