// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "runtime/estimate/inversion/direct_fit.h"
#include "runtime/estimate/inversion/many_starts.h"
#include "runtime/estimate/inversion/regression.h"
#include "runtime/estimate/inversion/term_selection.h"
#include "tests/unit/estimate/inversion/linear_two_states.h"

namespace bolza::estimate {
namespace {

using testing::LinearTwoStates;

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  std::mt19937_64 numbers(seed);
  std::normal_distribution<double> normal(0, 1);
  Eigen::MatrixXd m(rows, cols);
  for (Eigen::Index k = 0; k < m.size(); ++k) m.data()[k] = normal(numbers);
  return m;
}

std::vector<bool> every(const CandidateTerms& terms) { return std::vector<bool>(terms.terms.size(), true); }

InversionResult invert_all(LinearTwoStates& model, const CandidateTerms& terms) {
  return invert(model, terms, every(terms), terms.start(), {}, {});
}

TEST(Regression, solves_the_normal_equations_with_regularisation) {
  Eigen::MatrixXd B = random_matrix(12, 4, 1);
  Eigen::VectorXd b = random_matrix(12, 1, 2), a0 = random_matrix(4, 1, 3);
  Regression regression(B, b);
  for (double lambda : {0.0, 1e-3, 1.0, 100.0}) {  // (6) of the paper, of columns of length 1, by another factorisation
    Eigen::MatrixXd least = lambda * lambda * Eigen::MatrixXd(B.colwise().squaredNorm().asDiagonal());
    Eigen::VectorXd expected = (B.transpose() * B + least).ldlt().solve(B.transpose() * b + least * a0);
    EXPECT_LT((regression.solve(lambda, a0) - expected).norm(), 1e-12) << lambda;
  }
  EXPECT_LT((regression.unit_covariance() - (B.transpose() * B).inverse()).norm(), 1e-12);
}

TEST(Regression, does_not_depend_on_units) {
  Eigen::MatrixXd B = random_matrix(12, 4, 1);
  Eigen::VectorXd b = random_matrix(12, 1, 2), a0 = random_matrix(4, 1, 3), unit(4);
  unit << 1e-15, 1e-3, 1, 1e12;
  Regression plain(B, b), other(1e-9 * B * unit.cwiseInverse().asDiagonal(), 1e-9 * b);
  EXPECT_EQ(other.rank(), 4U);
  for (double lambda : {0.0, 0.1, 10.0}) {
    Eigen::VectorXd a = plain.solve(lambda, a0);
    // the column lengths, which weigh lambda, are in units of the residuals
    EXPECT_LT((other.solve(lambda, unit.cwiseProduct(a0)).cwiseQuotient(unit) - a).norm(), 1e-9) << lambda;
  }
}

TEST(Regression, leaves_what_the_data_do_not_see_where_it_was) {
  Eigen::MatrixXd B = random_matrix(9, 3, 4);
  B.col(2) = 2 * B.col(1);  // only a1 + 2 a2 is seen
  Eigen::VectorXd b = random_matrix(9, 1, 5), a0(3);
  a0 << 0.3, -4, 7;
  Regression regression(B, b);
  EXPECT_EQ(regression.rank(), 2U);
  Eigen::VectorXd a = regression.solve(1e-9, a0), unseen(3);
  unseen << 0, 1, -2;  // 2 and -1, by the squares of the columns' lengths
  EXPECT_NEAR(unseen.dot(a), unseen.dot(a0), 1e-9);
  EXPECT_LT((B.transpose() * (B * a - b)).norm(), 1e-9);
  Eigen::VectorXd hidden = regression.hidden();
  EXPECT_LT(hidden[0], 1e-9);
  EXPECT_GT(hidden[1], 0.1);
}

TEST(LinearTwoStates, has_the_derivatives_of_its_residuals) {
  LinearTwoStates model;
  model.generate(0.1, 7);
  Eigen::VectorXd p = model.terms().parameters(model.truth(), 3) + 0.1 * random_matrix(8, 1, 8), r, plus, minus;
  Eigen::MatrixXd J;
  ASSERT_TRUE(model.evaluate(3, p, r, &J));
  for (Eigen::Index k = 0; k < 8; ++k) {
    double h = 1e-5;
    Eigen::VectorXd step = h * Eigen::VectorXd::Unit(8, k);
    model.evaluate(3, p + step, plus, nullptr), model.evaluate(3, p - step, minus, nullptr);
    EXPECT_LT((J.col(k) - (plus - minus) / (2 * h)).norm(), 1e-6 * (1 + J.col(k).norm())) << k;
  }
}

/// A model whose evaluations end, as those of a simulation do, when an interrupt has come.
class Interrupted final : public LinearTwoStates {
 public:
  volatile bool flag = false;
  int evaluations = 4;  // before it
  bool evaluate(std::size_t i, const Eigen::VectorXd& p, Eigen::VectorXd& residual, Eigen::MatrixXd* jacobian) override {
    flag = flag || --evaluations < 0;
    return !flag && LinearTwoStates::evaluate(i, p, residual, jacobian);
  }
};

TEST(Invert, claims_nothing_after_an_interrupt) {
  for (int before : {0, 25, 60}) {
    Interrupted model;
    model.generate(0.1, 1);
    model.evaluations = before;
    CandidateTerms terms = model.terms();
    InversionOptions options;
    options.budget = Budget(&model.flag);
    InversionResult fit = invert(model, terms, every(terms), terms.start(), {}, options);
    EXPECT_EQ(fit.status, InversionStatus::interrupted) << before;
    ASSERT_EQ(fit.standard_error.size(), fit.a.size());
    EXPECT_EQ(fit.standard_error.minCoeff(), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(correlated_pairs(fit, 0.9).empty());
  }
}

TEST(Invert, finds_every_coefficient_of_exact_data_from_zero) {
  LinearTwoStates model;
  model.generate(0, 1);
  InversionResult fit = invert_all(model, model.terms());
  EXPECT_EQ(fit.status, InversionStatus::converged);
  EXPECT_LT((fit.a - model.truth()).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_TRUE(std::is_sorted(fit.history.rbegin(), fit.history.rend()));
}

TEST(Invert, begins_from_parameters_of_each_set) {
  LinearTwoStates model;
  model.generate(0, 1);
  CandidateTerms terms = model.terms();
  std::vector<Eigen::VectorXd> p0;
  for (std::size_t i = 0; i < model.sets(); ++i)
    p0.push_back(terms.parameters(model.truth(), i) + 0.02 * random_matrix(8, 1, 20 + i));
  InversionResult fit = invert(model, terms, every(terms), coefficients_for(terms, every(terms), p0), p0, {});
  EXPECT_EQ(fit.status, InversionStatus::converged);
  EXPECT_LT((fit.a - model.truth()).lpNorm<Eigen::Infinity>(), 1e-6);
}

TEST(Invert, agrees_with_least_squares_of_all_sets_at_once) {
  LinearTwoStates model;
  model.generate(0.1, 1);
  CandidateTerms terms = model.terms();
  InversionResult fit = invert_all(model, terms);
  nlp::EngineOptions engine;
  engine.engine = "nlsq", engine.tol = 1e-9;
  Eigen::VectorXd near = model.truth() + 0.05 * random_matrix(24, 1, 9);
  InversionResult direct = fit_directly(model, terms, every(terms), near, engine);
  EXPECT_EQ(direct.status, InversionStatus::converged);
  EXPECT_NEAR(direct.sum_of_squares, fit.sum_of_squares, 1e-8 * fit.sum_of_squares);
  EXPECT_LT((direct.a - fit.a).lpNorm<Eigen::Infinity>(), 1e-4);
}

TEST(Invert, keeps_bounds) {
  LinearTwoStates model;
  model.generate(0.01, 1);
  CandidateTerms terms = model.terms();
  terms.terms[0].upper = 0.9;  // 1.0 without it
  InversionResult fit = invert_all(model, terms);
  EXPECT_DOUBLE_EQ(fit.a[0], 0.9);
}

TEST(Invert, has_the_standard_errors_of_repeated_experiments) {
  CandidateTerms terms = LinearTwoStates::terms();
  int inside = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinearTwoStates model;
    model.generate(0.01, seed);
    InversionResult fit = invert(model, terms, every(terms), model.truth(), {}, {});
    EXPECT_NEAR(fit.deviation, 0.01, 0.0025);
    for (Eigen::Index j = 0; j < 24; ++j, ++all) inside += std::abs(fit.a[j] - model.truth()[j]) < fit.standard_error[j];
  }
  EXPECT_NEAR(static_cast<double>(inside) / all, 0.683, 0.08);  // of 480 normal numbers, correlated within a fit
}

TEST(SelectTerms, finds_the_zero_pattern) {
  LinearTwoStates model;
  model.generate(0.01, 1);
  CandidateTerms terms = model.terms();
  TermSelection s = select_terms(model, terms, invert_all(model, terms), {});
  EXPECT_EQ(s.removed.size(), 10U);
  for (Eigen::Index j = 0; j < 24; ++j) {
    EXPECT_EQ(s.chosen.active[static_cast<std::size_t>(j)], model.truth()[j] != 0) << terms.terms[j].name;
    EXPECT_LE(std::abs(s.chosen.a[j] - model.truth()[j]), 4 * s.chosen.standard_error[j]);
  }
}

TEST(SelectTerms, keeps_what_is_not_selectable) {
  LinearTwoStates model;
  model.generate(0.01, 1);
  CandidateTerms terms = model.terms();
  terms.terms[1].selectable = false;  // 0 in truth
  TermSelection s = select_terms(model, terms, invert_all(model, terms), {});
  EXPECT_EQ(s.removed.size(), 9U);
  EXPECT_TRUE(s.chosen.active[1]);
}

TEST(SelectTerms, names_terms_that_are_told_apart_by_nothing) {
  LinearTwoStates model;
  model.generate(0.01, 1);
  CandidateTerms terms = model.terms();
  CandidateTerm twin = terms.terms[3];  // p2 gains the same condition twice
  terms.terms.push_back(twin);
  InversionResult fit = invert(model, terms, every(terms), terms.start(), {}, {});
  EXPECT_TRUE(std::isinf(fit.standard_error[3]) && std::isinf(fit.standard_error[24]));
  EXPECT_EQ(fit.null_directions.cols(), 1);
  EXPECT_NEAR(std::abs(fit.null_directions(3, 0)), std::sqrt(0.5), 1e-6);
  TermSelection s = select_terms(model, terms, fit, {});
  EXPECT_NE(s.chosen.active[3], s.chosen.active[24]);  // one of the twins stays
}

TEST(StartingPoints, are_a_latin_hypercube_within_bounds) {
  CandidateTerms terms;
  terms.offset = {Eigen::VectorXd::Zero(1)};
  terms.terms = {{"a", 0, {1}, true, 0, 2, 4}, {"b", 0, {1}, true, 5}};
  auto points = starting_points(terms, terms.start(), {.starts = 11, .seed = 3});
  ASSERT_EQ(points.size(), 11U);
  EXPECT_EQ(points[0][1], 5);
  std::vector<int> hits(10);
  for (std::size_t k = 1; k < 11; ++k) ++hits[static_cast<std::size_t>((points[k][0] - 2) * 5)];
  EXPECT_EQ(hits, std::vector<int>(10, 1));
  EXPECT_EQ(points[3], starting_points(terms, terms.start(), {.starts = 11, .seed = 3})[3]);
}

}  // namespace
}  // namespace bolza::estimate
