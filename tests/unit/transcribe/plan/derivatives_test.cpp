// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "runtime/transcribe/collocation/transcription.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

/// Two phases of one model that uses everything: time, t0 and tf in the equations, free parameter and times, algebraics,
/// path constraints, initial equations, integrals in and outside the objective, point values of every quantity on and off
/// the mesh, fixed times with free tf.
Problem everything(bool fixed_slots) {
  auto h = std::make_unique<HandProblem>();
  // point: t, x1, x2, z, u; shared: t0, tf, p (differentiated), c
  bolza_function* rates = h->function<[](auto* p, auto* s, auto* r) {
    r[0] = p[2] * sin(p[0]) + p[3] * s[2];
    r[1] = exp(0.1 * p[1]) * p[4] - s[2] * p[2] * p[1] + 0.1 * s[1] * p[0] + s[3];
    r[2] = p[1] * p[1] * p[0] + p[4] * p[4];
    r[3] = p[2] * p[4] + s[2] * s[0];
  },
                                      5, 3, 1, 4>("rates");
  bolza_function* residuals = h->function<[](auto* p, auto* s, auto* r) {
    r[0] = p[3] * p[3] * p[3] + p[3] - p[1] * p[4] - s[2] * p[0];
    r[1] = p[1] * p[2] + p[4] * s[1];
  },
                                          5, 3, 1, 2>("residuals", nullptr, {{"h", {}, 0, 0}, {"g", {}, -5, 5}});
  bolza_function* initial =
      h->function<[](auto* p, auto* s, auto* r) { r[0] = p[2] * p[3] - s[2] * p[4] + s[0] * p[0]; }, 5, 3, 1, 1>("initial");
  h->model({{HandProblem::variable("x1"), HandProblem::variable("x2")},
            {HandProblem::variable("z", -9, 9)},
            {HandProblem::variable("u", -9, 9)},
            {}},
           rates, residuals, initial, nullptr, {0, 1, 1, 0.3});
  h->parameters({HandProblem::guessed("t0", 0.1), HandProblem::guessed("t1", 1.4), HandProblem::guessed("t2", 2.6),
                 HandProblem::guessed("p", 0.7)});
  h->phase(0, {0, 1, 3});
  h->phase(0, {1, 2, 3});
  std::int32_t start = h->place(0, 1, 0), end = h->place(0, 0, 1), middle = h->place(0, 0.37, 0.63);
  std::int32_t second = h->place(1, 1, 0), last = h->place(1, 0, 1),
               inside = fixed_slots ? h->place(1, 0, 0, 2.0) : h->place(1, 0.5, 0.5);
  h->value(BOLZA_STATE, end, 0);         // 0
  h->value(BOLZA_STATE, second, 0);      // 1
  h->value(BOLZA_STATE, middle, 1);      // 2
  h->value(BOLZA_ALGEBRAIC, start, 0);   // 3
  h->value(BOLZA_CONTROL, middle, 0);    // 4
  h->value(BOLZA_RATE, start, 1);        // 5
  h->value(BOLZA_RATE, middle, 0);       // 6
  h->value(BOLZA_INTEGRAL, 0, 0);        // 7 only in the objective
  h->value(BOLZA_INTEGRAL, 1, 0);        // 8 the same of the second phase
  h->value(BOLZA_INTEGRAL, 0, 1);        // 9 in a constraint
  h->value(BOLZA_ALGEBRAIC, inside, 0);  // 10
  h->value(BOLZA_RATE, last, 1);         // 11
  h->value(BOLZA_CONTROL, last, 0);      // 12
  h->value(BOLZA_STATE, inside, 1);      // 13
  bolza_function* point = h->function<[](auto* v, auto* s, auto* r) {
    r[0] = v[0] * v[2] + v[7] * 1.5 + v[8] + s[2] * s[3] + v[12] * v[12] * v[10];
    r[1] = v[0] - v[1];
    r[2] = v[3] * v[4] - v[5] * v[6] * s[3];
    r[3] = v[9] * v[9] + v[11] * v[13];
  },
                                      14, 4, 0, 4>("point");
  h->point(point, 3);
  return h;
}

struct Check {
  double jacobian = 0, gradient = 0, hessian = 0;  ///< largest difference over the size of the entries
};

/// Rows of J' lambda + sigma grad f as dense vectors by difference quotients of values and of first derivatives.
Check against_differences(Transcription& t, unsigned seed) {
  const nlp::Nlp& nlp = t.nlp;
  std::size_t n = nlp.n(), m = nlp.m();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  std::vector<double> w = nlp.start, lambda(m);
  for (double& v : w) v += uniform(random);
  for (double& v : lambda) v = uniform(random);
  double sigma = 0.8;
  auto values = [&](const std::vector<double>& at) {
    nlp.functions->move_to(at);
    std::vector<double> all(m + 1);
    EXPECT_TRUE(nlp.functions->objective(all[m]));
    std::copy_n(nlp.functions->constraints(), m, all.begin());
    return all;
  };
  auto slopes = [&](const std::vector<double>& at) {
    nlp.functions->move_to(at);
    std::vector<double> all(nlp.functions->gradient(), nlp.functions->gradient() + n);
    for (double& v : all) v *= sigma;
    const double* jacobian = nlp.functions->jacobian();
    for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
      all[static_cast<std::size_t>(nlp.jacobian.col[k])] +=
          jacobian[k] * lambda[static_cast<std::size_t>(nlp.jacobian.row[k])];
    return all;
  };
  nlp.functions->move_to(w);
  std::vector<double> gradient(nlp.functions->gradient(), nlp.functions->gradient() + n), jacobian(m * n), hessian(n * n);
  const double* entries = nlp.functions->jacobian();
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    jacobian[static_cast<std::size_t>(nlp.jacobian.row[k]) * n + static_cast<std::size_t>(nlp.jacobian.col[k])] +=
        entries[k];
  entries = nlp.functions->hessian(sigma, lambda);
  for (std::size_t k = 0; k < nlp.hessian.size(); ++k) {
    auto r = static_cast<std::size_t>(nlp.hessian.row[k]), c = static_cast<std::size_t>(nlp.hessian.col[k]);
    hessian[r * n + c] += entries[k];
    if (r != c) hessian[c * n + r] += entries[k];
  }
  Check check;
  const double d = 1e-5;  // errors of central differences about 1e-10 here
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<double> up = w, down = w;
    up[c] += d, down[c] -= d;
    std::vector<double> above = values(up), below = values(down), slope_above = slopes(up), slope_below = slopes(down);
    for (std::size_t r = 0; r < m; ++r)
      check.jacobian = std::max(check.jacobian, std::abs((above[r] - below[r]) / (2 * d) - jacobian[r * n + c]));
    check.gradient = std::max(check.gradient, std::abs((above[m] - below[m]) / (2 * d) - gradient[c]));
    for (std::size_t r = 0; r < n; ++r)
      check.hessian = std::max(check.hessian, std::abs((slope_above[r] - slope_below[r]) / (2 * d) - hessian[r * n + c]));
  }
  return check;
}

class derivatives : public ::testing::TestWithParam<std::tuple<std::string, bool, bool>> {};

TEST_P(derivatives, of_the_whole_nlp_agree_with_difference_quotients) {
  auto [method, constant, fixed_slots] = GetParam();
  Problem h = everything(fixed_slots);
  abi::Finding error;
  TranscribeOptions options{.transcription = method, .mesh = 2, .control_constant = constant};
  auto t = transcribe(h->problem, options, nullptr, error);
  ASSERT_TRUE(t) << error.text;
  nlp::verify(t->nlp);
  for (unsigned seed : {1u}) {
    Check check = against_differences(*t, seed);
    EXPECT_LT(check.jacobian, 2e-8);
    EXPECT_LT(check.gradient, 2e-8);
    EXPECT_LT(check.hessian, 2e-8);
  }
}

// One value per interval: the equality is one row of each interval, its mean.
TEST_P(derivatives, of_path_equalities_agree_with_difference_quotients) {
  auto [method, constant, fixed_slots] = GetParam();
  Problem h = everything(fixed_slots);
  auto& row = const_cast<bolza_row&>(h->problem.models[0]->residuals->rows[1]);
  row.lower = row.upper = 1;
  abi::Finding error;
  auto t = transcribe(h->problem, {.transcription = method, .mesh = 2, .control_constant = constant}, nullptr, error);
  ASSERT_TRUE(t) << error.text;
  nlp::verify(t->nlp);
  std::size_t path_rows = 0;
  for (std::size_t r = 0; r < t->nlp.m(); ++r)
    path_rows += t->nlp.row_role[r] == nlp::RowRole::path && t->nlp.row_lower[r] == t->nlp.row_upper[r];
  if (constant) {
    EXPECT_EQ(path_rows, h->problem.n_phases * 2);
  }
  Check check = against_differences(*t, 2);
  EXPECT_LT(check.jacobian, 2e-8);
  EXPECT_LT(check.hessian, 2e-8);
}

INSTANTIATE_TEST_SUITE_P(all_rows, derivatives,
                         ::testing::Combine(::testing::Values("radau", "gauss", "lobatto", "euler", "implicit-euler",
                                                              "trapezoidal", "midpoint", "hermite-simpson"),
                                            ::testing::Bool(), ::testing::Bool()),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) +
                                              (std::get<1>(info.param) ? "_constant" : "_collocated") +
                                              (std::get<2>(info.param) ? "_fixed_slots" : "");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Residuals in the integrand and at points, free final time.
Problem least_squares() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto* s, auto* r) {
    r[0] = s[2] * p[1] * p[2] + p[0];
    auto r1 = p[1] * p[2] - p[0] * s[2], r2 = p[2] - 0.3;
    r[1] = 0.5 * (r1 * r1 + r2 * r2);
  },
                                      3, 3, 0, 2>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto* s, auto* r) { r[0] = p[1] * p[2] - p[0] * s[2], r[1] = p[2] - 0.3; }, 3, 3, 0, 2>(
          "residuals of the integrand");
  h->model({{HandProblem::guessed("x", 1)}, {}, {HandProblem::guessed("u", 0.5)}, {}}, rates, nullptr, nullptr, residuals,
           {0, 1, 1});
  h->parameters({bolza::testing::given("t0", 0), HandProblem::guessed("tf", 1.4), HandProblem::guessed("p", 0.7)});
  h->phase(0, {0, 1, 2});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->value(BOLZA_STATE, h->place(0, 0.6, 0.4), 0);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto* s, auto* r) {
    r[1] = (v[0] - 0.4) * s[2], r[2] = v[1] * v[0] - 0.2;
    r[0] = 0.5 * (r[1] * r[1] + r[2] * r[2]) + v[2];
  },
                       3, 3, 0, 3>("point"),
           0, 2);
  h->problem.least_squares = 1;
  return h;
}

TEST(gauss_newton, is_the_sum_of_outer_products_of_all_residual_gradients) {
  // Oracle: the residuals are built here from the NLP's own variables, weighted with sqrt(h b), and differenced.
  Problem h = least_squares();
  abi::Finding error;
  TranscribeOptions options{.points = 2, .mesh = 3};
  options.nlp.hessian = nlp::Hessian::gauss_newton;
  auto t = transcribe(h->problem, options, nullptr, error);
  ASSERT_TRUE(t) << error.text;
  const nlp::Nlp& nlp = t->nlp;
  std::size_t n = nlp.n();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<double> w = nlp.start;
  for (std::size_t v = 1; v < n; ++v) w[v] += uniform(random);  // variable 0 is t0, fixed at 0
  const PhaseLayout& phase = t->phases[0];
  const Scheme& scheme = t->scheme;
  auto residuals = [&](const std::vector<double>& at) {
    std::vector<double> r;
    double tf = at[1], p = at[2], step = tf / 3;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        double time = (static_cast<double>(i) + within_interval(scheme.c[j])) * step, x = at[phase.state(scheme, 0, j) + i],
               u = at[phase.u[j] + i];
        double weight = std::sqrt(step * scheme.b[j]);
        r.push_back(weight * (x * u - time * p));
        r.push_back(weight * (u - 0.3));
      }
    double end = at[t->value_variable[0]], middle = at[t->value_variable[1]];
    r.push_back((end - 0.4) * p);
    r.push_back(middle * end - 0.2);
    return r;
  };
  std::size_t count = residuals(w).size();
  std::vector<double> J(count * n), expected(n * n), got(n * n);
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<double> up = w, down = w;
    up[c] += 1e-5, down[c] -= 1e-5;
    std::vector<double> above = residuals(up), below = residuals(down);
    for (std::size_t r = 0; r < count; ++r) J[r * n + c] = (above[r] - below[r]) / 2e-5;
  }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t r = 0; r < count; ++r) expected[a * n + b] += J[r * n + a] * J[r * n + b];
  nlp.functions->move_to(w);
  const double* entries = nlp.functions->gauss_newton(1);
  ASSERT_TRUE(entries);
  for (std::size_t k = 0; k < nlp.gauss_newton.size(); ++k) {
    auto r = static_cast<std::size_t>(nlp.gauss_newton.row[k]), c = static_cast<std::size_t>(nlp.gauss_newton.col[k]);
    got[r * n + c] += entries[k];
    if (r != c) got[c * n + r] += entries[k];
  }
  for (std::size_t k = 0; k < n * n; ++k) EXPECT_NEAR(got[k], expected[k], 1e-8) << k / n << " " << k % n;
  double f = 0, half = 0;
  nlp.functions->objective(f);
  for (double r : residuals(w)) half += 0.5 * r * r;
  EXPECT_NEAR(f, half, 1e-12);
}

TEST(evaluation, has_the_same_bits_for_any_number_of_threads) {
  Problem h = everything(false);
  abi::Finding error;
  std::vector<std::vector<double>> results;
  for (unsigned threads : {1u, 2u, 5u}) {
    TranscribeOptions options{.mesh = 250, .threads = threads};
    auto t = transcribe(h->problem, options, nullptr, error);
    ASSERT_TRUE(t) << error.text;
    const nlp::Nlp& nlp = t->nlp;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-0.4, 0.4);
    std::vector<double> w = nlp.start, lambda(nlp.m());
    for (double& v : w) v += uniform(random);
    for (double& v : lambda) v = uniform(random);
    nlp.functions->move_to(w);
    std::vector<double> all(1);
    nlp.functions->objective(all[0]);
    auto append = [&](const double* values, std::size_t count) { all.insert(all.end(), values, values + count); };
    append(nlp.functions->constraints(), nlp.m());
    append(nlp.functions->gradient(), nlp.n());
    append(nlp.functions->jacobian(), nlp.jacobian.size());
    append(nlp.functions->hessian(1, lambda), nlp.hessian.size());
    results.push_back(std::move(all));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(structure, grows_linearly_with_the_number_of_intervals) {
  Problem h = everything(false);
  abi::Finding error;
  auto sizes = [&](std::uint32_t mesh) {
    auto t = transcribe(h->problem, {.mesh = mesh}, nullptr, error);
    return std::array{t->nlp.n(), t->nlp.m(), t->nlp.jacobian.size(), t->nlp.hessian.size(),
                      t->plan.scatters[0].hessian.size()};
  };
  auto a = sizes(20), b = sizes(40), c = sizes(60);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(c[k] - b[k], b[k] - a[k]);
  EXPECT_EQ(a[4], c[4]);  // the plan does not grow
}

}  // namespace
}  // namespace bolza::transcribe
