// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/identifiability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/estimate/statistics/integer_relations.h"
#include "runtime/estimate/statistics/named_relations.h"
#include "runtime/estimate/statistics/statistics.h"
#include "tests/unit/estimate/statistics/closed_form.h"

namespace bolza::estimate::testing {
namespace {

const std::vector<double> times{0.1, 0.3, 0.5, 0.8, 1.2, 1.7, 2.3, 3.0, 4.0};

Identifiability structure(const ClosedForm& form, const std::vector<double>& theta, double tolerance = 1e-6) {
  Likelihood at = form.at(theta);
  return structure_of(information_of(form.estimation, at, theta).rows, form.estimation.parameters, theta, tolerance);
}

ClosedForm measured(Formula formula, const std::vector<std::string>& names) {
  ClosedForm form(std::move(formula), names);
  form.measure(times, std::vector<double>(times.size(), 1));
  return form;
}

TEST(Identifiability, names_a_product) {
  ClosedForm form =
      measured([](double x, std::span<const Complex> p) { return p[0] * p[1] * std::exp(-p[2] * x); }, {"a", "b", "k"});
  Identifiability s = structure(form, {2, 0.7, 1.3});
  EXPECT_EQ(s.rank, 2u);
  ASSERT_EQ(s.relations.size(), 1u);
  EXPECT_EQ(sentence_of(s.relations[0], form.estimation.parameters), "only `a·b` is determined, not `a` and `b`");
  EXPECT_EQ(s.open, (std::vector<std::uint8_t>{1, 1, 0}));
  form.estimation.parameters[0].scale = Scale::log, form.estimation.parameters[1].scale = Scale::log10;
  EXPECT_EQ(structure(form, {std::log(2), std::log10(0.7), 1.3}).relations[0].determined[0], "a·b");
}

FitStatistics checked(const ClosedForm& form, const std::vector<double>& theta) {
  Likelihood at = form.at(theta);
  FitStatistics s;
  s.structure = structure(form, theta);
  check_names(
      [&](std::span<const double> where, Likelihood& there) {
        there = form.at(where);
        return true;
      },
      form.estimation, at, theta, s);
  return s;
}

TEST(Identifiability, keeps_names_that_hold_away_from_the_estimates) {
  ClosedForm product = measured(
      [](double x, std::span<const Complex> p) { return p[0] * p[1] * p[1] * std::exp(-p[2] * x); }, {"a", "b", "k"});
  EXPECT_EQ(checked(product, {2, 0.7, 1.3}).structure.relations[0].determined, std::vector<std::string>{"a·b²"});
  ClosedForm sum =
      measured([](double x, std::span<const Complex> p) { return std::exp(-(p[0] + 2.0 * p[1]) * x); }, {"a", "b"});
  EXPECT_EQ(checked(sum, {0.3, 0.2}).structure.relations[0].determined, std::vector<std::string>{"a + 2 b"});
}

TEST(Identifiability, gives_no_name_where_what_is_open_is_curved) {
  // a b + c: at a = b = c its derivatives are those of a + b + c times a, at others they may be close to small integers
  ClosedForm form =
      measured([](double x, std::span<const Complex> p) { return std::exp(-(p[0] * p[1] + p[2]) * x); }, {"a", "b", "c"});
  for (const std::vector<double>& theta : {std::vector<double>{1, 1, 1}, {0.5, 0.6, 0.201}, {0.5, 0.5, 0.25}, {2, 1, 1}}) {
    FitStatistics s = checked(form, theta);
    ASSERT_EQ(s.structure.relations.size(), 1u);
    EXPECT_EQ(s.structure.relations[0].determined, std::vector<std::string>{});
    EXPECT_NE(sentence_of(s.structure.relations[0], form.estimation.parameters).find("change together"), std::string::npos);
  }
}

TEST(Identifiability, names_powers) {  // the quasi-steady state of Robertson's kinetics
  ClosedForm form =
      measured([](double x, std::span<const Complex> p) { return 1.0 / (1.0 + p[2] * p[0] * p[0] / (p[1] * p[1]) * x); },
               {"p1", "p2", "p3"});
  Identifiability s = structure(form, {0.04, 1e4, 3e7});
  EXPECT_EQ(s.rank, 1u);
  ASSERT_EQ(s.relations.size(), 1u);
  EXPECT_EQ(s.relations[0].determined, std::vector<std::string>{"p1²·p3/p2²"});
}

TEST(Identifiability, names_what_can_be_scaled_together) {
  ClosedForm form =
      measured([](double x, std::span<const Complex> p) { return p[0] / p[1] * (1.0 - std::exp(-p[1] * p[2] * x)); },
               {"p2", "p7", "B0"});  // p2 k, p7 k, B0/k
  Identifiability s = structure(form, {3, 0.2, 5});
  EXPECT_EQ(s.rank, 2u);
  ASSERT_EQ(s.relations.size(), 1u);
  EXPECT_EQ(s.relations[0].parameters.size(), 3u);
  EXPECT_EQ(sentence_of(s.relations[0], form.estimation.parameters),
            "only `p2·B0` and `p7·B0` are determined, not `p2`, `p7` and `B0`");
}

TEST(Identifiability, names_sums_and_separate_groups) {
  ClosedForm form = measured(
      [](double x, std::span<const Complex> p) { return std::exp(-(p[0] + p[1]) * x) + p[2] * p[3] * x * x + p[4] * x; },
      {"k1", "k2", "c", "d", "e"});
  Identifiability s = structure(form, {0.3, 0.5, 2, 3, 1});
  EXPECT_EQ(s.rank, 3u);
  ASSERT_EQ(s.relations.size(), 2u);
  EXPECT_EQ(s.relations[0].determined, std::vector<std::string>{"k1 + k2"});
  EXPECT_EQ(s.relations[1].determined, std::vector<std::string>{"c·d"});
  EXPECT_EQ(s.open[4], 0);
}

TEST(Identifiability, says_what_has_no_effect_and_what_has_no_simple_form) {
  ClosedForm form =
      measured([](double x, std::span<const Complex> p) { return (p[0] + std::exp(p[1])) * x; }, {"a", "b", "c"});
  Identifiability s = structure(form, {0.3, 0.5, 2});
  EXPECT_EQ(s.without_effect, std::vector<std::size_t>{2});
  ASSERT_EQ(s.relations.size(), 1u);
  EXPECT_FALSE(s.relations[0].recognised);
  EXPECT_EQ(sentence_of(s.relations[0], form.estimation.parameters).rfind("`a` and `b` change together: in proportion ", 0),
            0u);
}

// Singular values are those of columns of length 1: units and scales change nothing.
TEST(Identifiability, does_not_depend_on_units) {
  auto formula = [](double unit) {
    return [unit](double x, std::span<const Complex> p) { return p[0] * std::exp(-p[1] * unit * x); };
  };
  Identifiability a = structure(measured(formula(1), {"A", "k"}), {2, 0.5}),
                  b = structure(measured(formula(1e9), {"A", "k"}), {2, 0.5e-9});
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(a.singular_values[k], b.singular_values[k], 1e-12);
  EXPECT_TRUE(b.complete());
}

// Measured so early that only A k shows: each alone is not known to 100 %, their product is.
TEST(Identifiability, names_what_is_determined_in_practice) {
  ClosedForm form([](double x, std::span<const Complex> p) { return p[0] * (1.0 - std::exp(-p[1] * x)); }, {"A", "k"});
  form.measure({0.01, 0.02, 0.03, 0.04}, {0.02, 0.04, 0.06, 0.08});
  form.noise(0.002);
  for (Parameter& p : form.estimation.parameters) p.lower = 0;
  std::vector<double> theta{2, 1};
  FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_TRUE(s.structure.complete());
  ASSERT_EQ(s.poor.size(), 1u);
  EXPECT_EQ(s.poor[0].determined, std::vector<std::string>{"A·k"});
  EXPECT_EQ(s.parameters[0].verdict, Determination::poor);
  EXPECT_EQ(verdict_of(s, form.estimation),
            "`A` and `k` are poorly determined; only `A·k` is determined, not `A` and `k`, to better than 100 %");
}

// An exact direction in no simple ratio, a weak one with it: what is left of both together has a simple form.
TEST(Identifiability, names_what_is_determined_in_practice_where_more_is_open) {
  ClosedForm form(
      [](double x, std::span<const Complex> p) {  // Robertson's kinetics with a small transient
        return 1.0 / (1.0 + 1e4 * p[2] * p[0] * p[0] / (p[1] * p[1]) * x) + 1e-3 * p[0] * std::exp(-x);
      },
      {"p1", "p2", "p3"});
  form.measure(times, std::vector<double>(times.size(), 1));
  form.noise(0.1);
  std::vector<double> theta{0.04, 1e4, 3e7};
  FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_EQ(s.structure.rank, 2u);
  ASSERT_EQ(s.poor.size(), 1u);
  EXPECT_EQ(s.poor[0].determined, std::vector<std::string>{"p1²·p3/p2²"});
  EXPECT_NE(verdict_of(s, form.estimation).find("only `p1²·p3/p2²` is determined"), std::string::npos);
  EXPECT_EQ(verdict_of(s, form.estimation).find("in proportion"), std::string::npos);
}

TEST(Identifiability, lets_a_prior_hold_what_the_data_leave_open) {
  ClosedForm form = measured([](double x, std::span<const Complex> p) { return p[0] * p[1] * x; }, {"a", "b"});
  std::vector<double> theta{2, 0.7};
  FitStatistics open = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_EQ(open.parameters[0].verdict, Determination::open);
  EXPECT_TRUE(std::isinf(open.covariance.matrix(0, 0)));
  // The product is known all the same: the band of the curve is finite, with the error of a b.
  Eigen::RowVectorXd derivative(2);
  derivative << 0.7, 2;
  double squares = 0;
  for (double x : times) squares += x * x;
  EXPECT_NEAR(variance_along(derivative, open.covariance), 1 / squares, 1e-9);
  derivative << 1, 0;
  EXPECT_TRUE(std::isinf(variance_along(derivative, open.covariance)));
  form.estimation.parameters[0].prior = {Prior::Kind::normal, 2, 0.1, false};
  FitStatistics held = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_EQ(held.parameters[0].verdict, Determination::by_prior);
  EXPECT_NEAR(held.parameters[0].interval.error, 0.1, 1e-8);
}

TEST(Identifiability, tells_a_bound_of_another_parameter_from_a_prior) {
  ClosedForm form = measured([](double x, std::span<const Complex> p) { return p[0] * p[1] * x; }, {"a", "b"});
  std::vector<double> theta{2, 0.7};
  form.estimation.parameters[1].upper = 0.7;
  FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_EQ(s.parameters[1].verdict, Determination::at_bound);
  EXPECT_EQ(s.parameters[0].verdict, Determination::by_bound);
  double squares = 0;
  for (double x : times) squares += x * x;
  EXPECT_NEAR(s.parameters[0].interval.error, 1 / (0.7 * std::sqrt(squares)), 1e-9) << "b held at 0.7";
}

TEST(IntegerRelations, have_kernels) {
  IntegerMatrix n{{1, 1, -1, 0}, {0, 2, 1, 3}};
  for (const auto& c : kernel_of(n, 4))
    for (const auto& row : n) {
      long sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += row[j] * c[j];
      EXPECT_EQ(sum, 0);
    }
  EXPECT_EQ(kernel_of(n, 4).size(), 2u);
  Eigen::MatrixXd thirds(1, 3);
  thirds << 1, 1.0 / 3, -2.0 / 3;
  EXPECT_EQ(as_integers(thirds, 0.01), (IntegerMatrix{{3, 1, -2}}));
  thirds << 1, 0.618, 0;
  EXPECT_FALSE(as_integers(thirds, 0.01));
}

}  // namespace
}  // namespace bolza::estimate::testing
