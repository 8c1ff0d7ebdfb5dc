// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/lifted.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/shooting/accuracy.h"
#include "runtime/transcribe/shooting/multiple_internal.h"
#include "runtime/transcribe/shooting/single_shooting.h"
#include "tests/unit/support/hand_hybrid.h"
#include "tests/unit/transcribe/shooting/derivative_check.h"
#include "tests/unit/transcribe/shooting/mixed_problem.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Which variable of the lifted program each one of the reduced program is.
std::vector<std::size_t> lifted_variables(const ShootingNodes& single, const ShootingNodes& lifted) {
  std::vector<double> number(single.nlp.n()), mark(single.nlp.n(), 1.0), none(single.nlp.n());
  for (std::size_t v = 0; v < number.size(); ++v) number[v] = static_cast<double>(v);
  RoundMemory memory;
  memory.keep(single, {number, std::vector<double>(single.nlp.m()), mark, none});
  nlp::Iterate in = memory.recall(lifted);
  std::vector<std::size_t> out(number.size(), no_variable);
  for (std::size_t v = 0; v < in.w.size(); ++v)
    if (in.z_lower[v] == 1) out[static_cast<std::size_t>(in.w[v])] = v;
  return out;
}

/// The lifted program where its states follow from the others, and what is left of its derivatives without them.
struct Condensed {
  VectorXd gradient;  ///< [n of single shooting]
  MatrixXd hessian;

  Condensed(Shooting& single, MultipleShooting& lifted, const std::vector<double>& w, const VectorXd& lambda, double sigma) {
    nlp::Nlp& nlp = lifted.nodes().nlp;
    std::vector<std::size_t> place = lifted_variables(single.nodes(), lifted.nodes());
    std::vector<double> at = nlp.start;
    for (std::size_t v = 0; v < w.size(); ++v) at[place[v]] = w[v];
    single.move_to(w);
    EXPECT_TRUE(single.constraints());
    for (ShootingPhase& phase : lifted.nodes().phases) {
      ShootingPhase& own = single.phases[phase.number];
      for (std::size_t k = 0; k <= phase.N(); ++k)
        for (std::size_t i = 0; i < phase.model->n_x; ++i) at[phase.x_at(k, i)] = own.node(k)[i];
      for (std::size_t j = 0; j < phase.model->n_q; ++j)
        if (phase.integral_variable[j] != no_variable) at[phase.integral_variable[j]] = own.q[j];
    }
    lifted.move_to(at);
    condense(single, lifted, place, lambda, sigma);
  }

 private:
  void condense(Shooting& single, MultipleShooting& lifted, const std::vector<std::size_t>& place, const VectorXd& lambda,
                double sigma) {
    nlp::Nlp& nlp = lifted.nodes().nlp;
    RoundMemory memory;  // multipliers of the rows that both have
    std::vector<double> none(single.nlp.n());
    memory.keep(single.nodes(), {none, {lambda.data(), lambda.data() + lambda.size()}, none, none});
    VectorXd l = Eigen::Map<const VectorXd>(memory.recall(lifted.nodes()).lambda.data(), static_cast<Index>(nlp.m()));
    const double *g = lifted.gradient(), *values = lifted.jacobian();
    ASSERT_TRUE(g && values);
    VectorXd slope = sigma * Eigen::Map<const VectorXd>(g, static_cast<Index>(nlp.n()));
    MatrixXd J = bolza::testing::dense(nlp.jacobian, values, nlp.m(), nlp.n(), false);
    std::vector<Index> states, conditions, others(place.begin(), place.end());
    for (std::size_t v = 0; v < nlp.n(); ++v)
      if (nlp.follows[v] != nlp::global) {
        states.push_back(static_cast<Index>(v)), conditions.push_back(nlp.follows[v]);
        l[nlp.follows[v]] = 0;
      }
    add_bounds_of_states(single, lifted, lambda, slope);
    slope += J.transpose() * l;
    MatrixXd C_s = J(conditions, states), C_v = J(conditions, others);
    Eigen::PartialPivLU<MatrixXd> lu(C_s), transposed(C_s.transpose());
    VectorXd of_conditions = transposed.solve(-slope(states));
    for (std::size_t c = 0; c < conditions.size(); ++c) l[conditions[c]] = of_conditions[static_cast<Index>(c)];
    gradient = slope(others) + C_v.transpose() * of_conditions;
    MatrixXd Z = MatrixXd::Zero(static_cast<Index>(nlp.n()), static_cast<Index>(others.size()));
    Z(states, Eigen::all) = -lu.solve(C_v);
    for (std::size_t k = 0; k < others.size(); ++k) Z(others[k], static_cast<Index>(k)) = 1;
    const double* h = lifted.hessian(sigma, {l.data(), nlp.m()});
    ASSERT_TRUE(h);
    hessian = Z.transpose() * bolza::testing::dense(nlp.hessian, h, nlp.n(), nlp.n(), true) * Z;
  }

  /// Rows of single shooting, bounds of variables here.
  static void add_bounds_of_states(Shooting& single, MultipleShooting& lifted, const VectorXd& lambda, VectorXd& slope) {
    const ShootingNodes& nodes = lifted.nodes();
    for (std::size_t r = 0; r < single.rows.size(); ++r) {
      const NodeFunction& f = single.rows[r].function;
      if (single.rows[r].kind == ShootingRow::Kind::node && f.what == NodeFunction::What::state)
        slope[static_cast<Index>(nodes.phases[f.site.phase].x_at(f.site.node(), f.index))] += lambda[static_cast<Index>(r)];
    }
  }
};

/// The condensed gradient and Hessian of the lifted Lagrangian are those of the reduced one.
template <class Hand, class Set>
void compare(Set&& set, const ShootingOptions& shooting, bool constant, double tolerance, double tolerance_second) {
  Hand hand, same;
  set(hand), set(same);
  TranscribeOptions options;
  options.mesh = 4, options.control_constant = constant;
  Shooting single(hand.build(), options, shooting, nullptr);
  ShootingOptions with = shooting;
  with.lift = true;
  MultipleShooting lifted(same.build(), options, with, nullptr);
  ASSERT_EQ(single.objection() + lifted.objection(), "");
  bolza::testing::ShootingDerivatives at(single);
  Condensed condensed(single, lifted, at.w, at.lambda, at.sigma);
  VectorXd gradient = at.of_lagrangian(at.w);
  const double* h = single.hessian(at.sigma, {at.lambda.data(), single.nlp.m()});
  ASSERT_TRUE(h);
  MatrixXd H = bolza::testing::dense(single.nlp.hessian, h, single.nlp.n(), single.nlp.n(), true);
  auto is_free = [&](Index v) {
    return single.nlp.lower[static_cast<std::size_t>(v)] < single.nlp.upper[static_cast<std::size_t>(v)];
  };
  for (Index v = 0; v < gradient.size(); ++v) {
    if (!is_free(v)) continue;
    EXPECT_NEAR(condensed.gradient[v], gradient[v], tolerance * (1 + std::fabs(gradient[v]))) << v;
    for (Index u = 0; u < gradient.size(); ++u)
      if (is_free(u)) {
        EXPECT_NEAR(condensed.hessian(v, u), H(v, u), tolerance_second * (1 + std::fabs(H(v, u)))) << v << ", " << u;
      }
  }
}

struct Regulator : NoFunctions {  // x' = a x + u from 1, ∫ x² + u²: unstable for a > 0
  static constexpr std::size_t nx = 1, nu = 1, nq = 1, np = 3, nv = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = p[2] * w[1] + w[2], r[1] = w[1] * w[1] + w[2] * w[2];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

void set_regulator(HandProblem<Regulator>& hand, double a, double end) {
  hand.horizon(0, end);
  hand.parameter(2, a, true);
  hand.x[0].start = 1;
  hand.values = {{BOLZA_INTEGRAL, 0, 0}};
}

class LiftedMixed : public ::testing::TestWithParam<std::tuple<bool, ShootingGradient, const char*>> {};

TEST_P(LiftedMixed, has_the_derivatives_of_the_reduced_problem) {
  auto [constant, gradient, integrator] = GetParam();
  bool steps = std::string(integrator) != "cvodes";
  ShootingOptions shooting{.rtol = 1e-11, .gradient = gradient, .integrator = integrator};
  if (steps) shooting.fixed_step = 0.02;
  compare<HandProblem<bolza::testing::Mixed>>(bolza::testing::set_mixed, shooting, constant, steps ? 1e-9 : 1e-6,
                                              steps ? 1e-7 : 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, LiftedMixed,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(ShootingGradient::adjoint, ShootingGradient::forward),
                                            ::testing::Values("cvodes", "dopri5", "radau5")));

struct Ball : bolza::testing::NoEvents {  // h' = v, v' = u - g, ∫ h² + u²; when h <= 0 then reinit(v, -e pre(v))
  static constexpr std::size_t nx = 2, nu = 1, nq = 1, np = 5, nv = 1, n_free = 3, nm = 1, n_indicators = 1, n_reinits = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2], r[1] = w[3] - T(9.81), r[2] = w[1] * w[1] + w[3] * w[3];
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(bolza::testing::value_of(w[1]) <= 0);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[1];
  }
  template <class T>
  static void reinit(const T* w, const T* p, T* r) {
    r[0] = T(bolza::testing::value_of(p[3]) > 0.5 && bolza::testing::value_of(p[4]) < 0.5), r[1] = -p[2] * w[2];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

/// It lands inside the second of four intervals, by a free coefficient of restitution.
TEST(LiftedShooting, has_the_derivatives_of_the_reduced_problem_across_jumps) {
  auto set = [](bolza::testing::HandHybrid<Ball>& hand) {
    hand.horizon(0, 1.2), hand.parameter(2, 0.8);
    hand.x[0].start = 1;
    hand.relation("h <= 0", 3, 4, 0, false, true);
    hand.reinit_state = {1};
    hand.values = {{BOLZA_INTEGRAL, 0, 0}};
  };
  for (bool constant : {true, false})
    for (const char* integrator : {"cvodes", "dopri5"}) {
      SCOPED_TRACE(std::string(integrator) + (constant ? ", constant" : ", linear"));
      compare<bolza::testing::HandHybrid<Ball>>(set, {.rtol = 1e-11, .integrator = integrator}, constant, 1e-6, 1e-4);
    }
}

TEST(LiftedShooting, needs_few_iterations_where_the_reduced_form_needs_many) {
  HandProblem<Regulator> hand;
  set_regulator(hand, 1.5, 6);
  TranscribeOptions options;
  options.mesh = 12;
  abi::Solution s = solve_single_shooting(hand.build(), options, {.lift = true});
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_LE(s.statistics.iterations, 10);
  EXPECT_EQ(s.statistics.variables, 13u);  // one state is fixed, those at the mesh points are none
  EXPECT_EQ(s.statistics.constraints, 0u);
  options.transcription = "multiple-shooting";
  HandProblem<Regulator> same;
  set_regulator(same, 1.5, 6);
  abi::Solution other = solve_multiple_shooting(same.build(), options);
  EXPECT_NEAR(s.objective, other.objective, 1e-7);
}

TEST(LiftedShooting, says_that_errors_grow_beyond_what_an_integration_can_tell) {
  HandProblem<Regulator> hand;
  set_regulator(hand, 3, 12);  // e^36
  TranscribeOptions options;
  options.mesh = 24;
  for (bool lift : {true, false}) {
    abi::Solution s = solve_single_shooting(hand.build(), options, {.lift = lift});
    EXPECT_EQ(s.status, abi::SolveStatus::failed) << lift;
    ASSERT_FALSE(s.findings.empty());
    EXPECT_EQ(s.findings[0].kind, abi::Finding::Kind::unstable) << lift;
    EXPECT_GT(s.findings[0].value, 1e14);
    EXPECT_NEAR(s.findings[0].time, 12, 1e-9);
  }
}

TEST(GrowthOfErrors, is_that_of_a_linear_equation) {
  for (double a : {-1.0, 0.0, 0.5, 2.0}) {
    HandProblem<Regulator> hand;
    set_regulator(hand, a, 5);
    TranscribeOptions options;
    options.mesh = 10;
    Shooting shooting(hand.build(), options, {}, nullptr);
    ASSERT_EQ(shooting.objection(), "");
    shooting.move_to(shooting.nlp.start);
    ASSERT_TRUE(shooting.constraints());
    Growth growth = growth_of_errors(shooting.nodes());
    ASSERT_TRUE(growth.known);
    double squares = 0, expected = 1;  // errors of the largest x: what is made on each of ten intervals of 0.5
    for (int k = 1; k <= 10; ++k) squares = (squares + 1) * std::exp(a), expected = std::max(expected, std::sqrt(squares));
    EXPECT_GT(growth.factor, expected / 3) << a;
    EXPECT_LT(growth.factor, expected * 3) << a;
  }
}

/// Iterations, all alike, after which a watched engine is ended; 200: it is not.
template <class Method>
int ended_after(double growth, GrowthWatch::Form form) {
  HandProblem<Regulator> hand;
  set_regulator(hand, growth, 12);
  TranscribeOptions options;
  options.mesh = 24;
  ShootingOptions shooting;
  MakeProblem make = problems_of<Method>(hand.build(), options, shooting, nullptr);
  ShootingProblem at = make(0);
  at.functions->move_to(at.nodes->nlp.start);
  GrowthWatch watch(make, at, form);
  nlp::EngineOptions engine = watch.watched({});
  int iterations = 0;
  while (iterations < 200 && !engine.budget.interrupted())
    engine.progress(engine.progress_context, {.iteration = iterations++, .objective = 1, .dual_infeasibility = 1});
  EXPECT_EQ(watch.found().has_value(), iterations < 200);
  return iterations;
}

TEST(GrowthWatch, ends_iterations_that_lead_to_nothing) {
  using enum GrowthWatch::Form;
  EXPECT_EQ(ended_after<MultipleShooting>(3, lifted), 15);   // e^36
  EXPECT_EQ(ended_after<MultipleShooting>(2, lifted), 200);  // e^24: a tolerance of 1e-13 leaves something
  EXPECT_EQ(ended_after<Shooting>(3, classical), 20);
  EXPECT_EQ(ended_after<Shooting>(1.2, classical), 40);   // e^14: where nothing comes of twenty iterations
  EXPECT_EQ(ended_after<Shooting>(0.8, classical), 140);  // e^10: where nothing comes of 120
  EXPECT_EQ(ended_after<Shooting>(0.5, classical), 200);
}

struct Oscillator : NoFunctions {  // van der Pol's equations with a control
  static constexpr std::size_t nx = 2, nu = 1, nq = 1, np = 2, nv = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = (T(1) - w[2] * w[2]) * w[1] - w[2] + w[3], r[1] = w[1];
    r[2] = w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

/// The estimate against an integration to 1e-14, at ten tolerances.
TEST(IntegrationError, is_within_a_factor_of_five) {
  auto make = [](HandProblem<Oscillator>& hand, double rtol) {
    hand.horizon(0, 5);
    hand.x[0].start = 0, hand.x[1].start = 1, hand.u[0].start = 0.3;
    hand.values = {{BOLZA_INTEGRAL, 0, 0}};
    TranscribeOptions options;
    options.mesh = 5;
    return std::make_unique<Shooting>(hand.build(), options, ShootingOptions{.rtol = rtol}, nullptr);
  };
  HandProblem<Oscillator> hand_of_truth;
  auto truth = make(hand_of_truth, 1e-14);
  nlp::Iterate at{truth->nlp.start, {}, std::vector<double>(truth->nlp.n()), std::vector<double>(truth->nlp.n())};
  for (double rtol : {1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
    HandProblem<Oscillator> own, finer;
    auto shooting = make(own, rtol), exact = make(finer, tolerance_of_reference(rtol));
    IntegrationError estimate = integration_error(shooting->nlp, exact->nlp, at);
    IntegrationError error = integration_error(shooting->nlp, truth->nlp, at);
    ASSERT_TRUE(estimate.known && error.known) << rtol;
    EXPECT_LT(estimate.objective, 5 * error.objective) << rtol;
    EXPECT_GT(estimate.objective, error.objective / 5) << rtol;
    EXPECT_LT(estimate.scaled(shooting->nlp), 5 * error.scaled(shooting->nlp)) << rtol;
    EXPECT_GT(estimate.scaled(shooting->nlp), error.scaled(shooting->nlp) / 5) << rtol;
  }
}

}  // namespace
}  // namespace bolza::transcribe
