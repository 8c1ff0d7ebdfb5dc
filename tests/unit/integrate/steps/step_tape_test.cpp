// SPDX-License-Identifier: Apache-2.0
// Tangent and adjoint of every method that is written as operations, against each other and against differences of the very
// numbers computed.
#include "runtime/integrate/steps/step_tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "runtime/integrate/steps/one_step.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::HandSeries;
using bolza::testing::NoFunctions;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Everything at once: explicit time, an algebraic, an input, an integral, parameters.
struct MixedForTape : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 4, nv = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[2] * w[3] - p[2] * w[1] * w[1] + w[4];
    r[1] = -sin(w[1]) * p[3] + w[4] * w[3] + w[0] * w[1] - w[2];
    r[2] = w[1] * w[1] + w[3] * w[4] + p[2] * w[0] * w[4] * w[4];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - p[3] * w[1] - w[2] - w[0] * w[4];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

// J = x1 + 1.5 x2 + 0.7 Q at the end, as a function of x(0), p, u = a + b t, begin and length; steps as they were chosen.
struct TapeRun {
  TapeRun(const Method& method, double rtol, double fixed) {
    hand.horizon(0.2, 1.4), hand.parameter(2, 0.9), hand.parameter(3, 1.3);
    hand.build();
    second = std::make_unique<HandSecond<MixedForTape>>(hand);
    series = std::make_unique<HandSeries<MixedForTape>>(hand);
    reduced = std::make_unique<ReducedModel>(hand.problem, hand.model);
    model = std::make_unique<StepModel>(
        *reduced, [this](double t, const double*, const double*, std::span<double> u, std::span<double> slope) {
          u[0] = theta[4] + theta[5] * t;
          if (!slope.empty()) slope[0] = theta[5];
        });
    choose(method, rtol, fixed);
  }

  void choose(const Method& method, double rtol, double fixed) {
    reduced->at().shared = hand.shared;
    double begin = theta[6], end = begin + theta[7];
    Inputs inputs{{{begin, end, {0, 1}, {{theta[4], theta[4] + theta[5]}}}}};
    InputEvaluator input_evaluator(reduced->at(), inputs);
    input_evaluator.begin(begin, end);
    SimulateReport report;
    Setup setup{.model = reduced->at(), .input_evaluator = input_evaluator, .rtol = rtol, .report = report};
    setup.atol_x.assign(2, rtol), setup.atol_z.assign(1, rtol), setup.atol_q.assign(1, rtol);
    setup.keep_steps = true, setup.stretch = theta[7];
    setup.options.fixed_step = fixed;
    auto integrator = method.make(setup);
    State state{begin, {theta[0], theta[1]}, {0.5}, {0}};
    ASSERT_EQ(integrator->start(state, end), SimulateStatus::finished);
    double reached = begin;
    while (reached < end) ASSERT_EQ(integrator->step(reached), SimulateStatus::finished);
    kept_x = integrator->record()->end.x, kept_q = integrator->record()->end.q[0];
    tape = std::make_unique<StepTape>(std::move(*integrator->tape()));
    tape->rescale(begin, theta[7]);
  }

  double objective(const std::vector<double>& at) {
    theta = at;
    reduced->at().shared = {0.2, 1.4, at[2], at[3]};
    VectorXd y(3);
    y << at[0], at[1], 0;
    EXPECT_TRUE(tape->replay(*model, at[6], at[7], y));
    end = y;
    return y[0] + 1.5 * y[1] + 0.7 * y[2];
  }

  std::vector<double> adjoint() {
    std::vector<double> g(theta.size());
    VectorXd lambda(3);
    lambda << 1, 1.5, 0.7;
    double by_length = 0, begin = theta[6], length = theta[7];
    bool good = tape->adjoint(*model, lambda,
                              [&](const StepTape::PointGradient& p) {
                                double t = begin + p.place * length, by_time = p.by[0] + p.by[1] * theta[5];
                                g[2] += p.by[4], g[3] += p.by[5], g[4] += p.by[1], g[5] += p.by[1] * t + p.by_slope[0];
                                g[6] += by_time, g[7] += by_time * p.place;
                              },
                              by_length, {});
    EXPECT_TRUE(good);
    g[0] = lambda[0], g[1] = lambda[1], g[7] += by_length;
    return g;
  }

  VectorXd tangent() {
    MatrixXd dy = MatrixXd::Zero(3, 8);
    dy(0, 0) = dy(1, 1) = 1;
    Eigen::RowVectorXd length = Eigen::RowVectorXd::Zero(8);
    length[7] = 1;
    bool good = tape->tangent(*model, dy, length, [&](double place) {
      double t = theta[6] + place * theta[7];
      StepTape::PointDirections d{MatrixXd::Zero(1 + 1 + 4, 8), MatrixXd::Zero(1, 8)};
      d.by(0, 6) = 1, d.by(0, 7) = place;
      d.by(1, 4) = 1, d.by(1, 5) = t, d.by(1, 6) = theta[5], d.by(1, 7) = theta[5] * place;
      d.by(4, 2) = d.by(5, 3) = 1, d.slope(0, 5) = 1;
      return d;
    });
    EXPECT_TRUE(good);
    return (dy.row(0) + 1.5 * dy.row(1) + 0.7 * dy.row(2)).transpose();
  }

  HandProblem<MixedForTape> hand;
  std::unique_ptr<HandSecond<MixedForTape>> second;
  std::unique_ptr<HandSeries<MixedForTape>> series;
  std::unique_ptr<ReducedModel> reduced;
  std::unique_ptr<StepModel> model;
  std::unique_ptr<StepTape> tape;
  std::vector<double> theta{0.8, 0.2, 0.9, 1.3, 0.4, -0.3, 0.2, 1.2};  // x(0), p, a, b, begin, length
  std::vector<double> kept_x;
  double kept_q = 0;
  VectorXd end;
};

void compare(TapeRun& run) {
  std::vector<double> start = run.theta;
  double J = run.objective(start);
  EXPECT_NEAR(run.end[0], run.kept_x[0], 1e-13) << "repeating gives what the integrator gave";
  EXPECT_NEAR(run.end[2], run.kept_q, 1e-13);
  std::vector<double> gradient = run.adjoint();
  VectorXd tangent = run.tangent();
  EXPECT_TRUE(std::isfinite(J));
  for (std::size_t k = 0; k < start.size(); ++k) {
    double size = std::max(1.0, std::fabs(gradient[k]));
    EXPECT_NEAR(gradient[k], tangent[static_cast<Index>(k)], 1e-11 * size) << "input " << k;
    auto at = [&](double by) {
      std::vector<double> theta = start;
      theta[k] += by;
      return run.objective(theta);
    };
    const double h = 2e-4;  // central differences of order 4: rounding 1e-15/h, truncation h⁴
    double quotient = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(gradient[k], quotient, 1e-9 * size) << "input " << k;
    run.objective(start);
  }
}

TEST(StepTape, adjoint_tangent_and_differences_agree_for_every_method_with_fixed_steps) {
  for (const Method* m : methods()) {
    if (!m->tape) continue;
    SCOPED_TRACE(m->name);
    TapeRun run(*m, 1e-6, 0.13);
    compare(run);
  }
}

TEST(StepTape, adjoint_tangent_and_differences_agree_for_every_method_with_automatic_steps) {
  for (const Method* m : methods()) {
    if (!m->tape) continue;
    SCOPED_TRACE(m->name);
    TapeRun run(*m, 1e-5, 0);
    EXPECT_GT(run.tape->steps(), 3u);
    compare(run);
  }
}

// Theorem 3 of [GOMEZ]: with steps from a fixed list the whole integration, its control included, is differentiable as if
// the steps were given.
TEST(StepTape, holding_the_steps_is_exact_where_they_come_from_a_list) {
  for (const Method* m : methods()) {
    if (!m->tape) continue;
    SCOPED_TRACE(m->name);
    TapeRun run(*m, 1e-5, 0);
    run.objective(run.theta);
    std::vector<double> gradient = run.adjoint();
    auto anew = [&](double by) {
      TapeRun other(*m, 1e-5, 0);
      other.theta[0] += by;
      other.choose(*m, 1e-5, 0);
      return other.kept_x[0] + 1.5 * other.kept_x[1] + 0.7 * other.kept_q;
    };
    const double h = 1e-5;
    double quotient = (8 * (anew(h) - anew(-h)) - (anew(2 * h) - anew(-2 * h))) / (12 * h);
    EXPECT_NEAR(gradient[0], quotient, 1e-8 * std::fabs(quotient)) << "rounding 1e-15/h";
  }
}

}  // namespace
}  // namespace bolza::integrate
