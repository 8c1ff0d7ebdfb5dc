// SPDX-License-Identifier: Apache-2.0
// Total derivatives at their places, against full matrices from which the algebraics are eliminated.
#include "runtime/integrate/model/total_entries.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// The patterns of two kernels and values at their places; columns t, x, z, p.
struct Patterns {
  std::vector<std::int32_t> rate_row, rate_col, row, col;
  std::vector<double> rates, residuals;
  bolza_function f{}, h{};
  bolza_model model{};

  Patterns(std::size_t n_x, std::size_t n_z, std::size_t n_p) {
    model.n_x = n_x, model.n_z = n_z, model.n_global = n_p;
    model.rates = &f, model.residuals = &h;
  }
  Patterns(const Patterns&) = delete;
  Patterns& operator=(const Patterns&) = delete;
  void add(bool rate, std::size_t r, std::size_t c) {
    (rate ? rate_row : row).push_back(static_cast<std::int32_t>(r));
    (rate ? rate_col : col).push_back(static_cast<std::int32_t>(c));
    (rate ? rates : residuals).push_back(std::sin(1.0 + 3 * static_cast<double>(r) + 7 * static_cast<double>(c)));
    f.jac_nnz = rates.size(), f.jac_row = rate_row.data(), f.jac_col = rate_col.data();
    h.jac_nnz = residuals.size(), h.jac_row = row.data(), h.jac_col = col.data();
  }
  std::size_t z(std::size_t i) const { return 1 + model.n_x + i; }
  std::size_t p(std::size_t i) const { return 1 + model.n_x + model.n_z + i; }

  MatrixXd full() const {
    auto n_x = static_cast<Index>(model.n_x), n_z = static_cast<Index>(model.n_z), n_p = static_cast<Index>(model.n_global);
    MatrixXd F = MatrixXd::Zero(n_x, 1 + n_x + n_z + n_p), H = MatrixXd::Zero(n_z, F.cols());
    for (std::size_t e = 0; e < rates.size(); ++e) F(rate_row[e], rate_col[e]) = rates[e];
    for (std::size_t e = 0; e < residuals.size(); ++e) H(row[e], col[e]) = residuals[e];
    MatrixXd z_by = H.middleCols(1 + n_x, n_z).inverse() * H;
    MatrixXd J = F - F.middleCols(1 + n_x, n_z) * z_by, out(n_x, 1 + n_x + n_p);
    out << J.leftCols(1 + n_x), J.rightCols(n_p);
    return out;
  }

  MatrixXd by_entries() const {
    TotalEntries total(model);
    linalg::Factors<double> factors;
    auto n_x = static_cast<Index>(model.n_x), n_z = static_cast<Index>(model.n_z), n_p = static_cast<Index>(model.n_global);
    MatrixXd h_z = MatrixXd::Zero(n_z, n_z), out = MatrixXd::Zero(n_x, 1 + n_x + n_p);
    for (std::size_t e = 0; e < residuals.size(); ++e)
      if (Index c = col[e] - 1 - n_x; c >= 0 && c < n_z) h_z(row[e], c) = residuals[e];
    EXPECT_TRUE(factors.compute(h_z.sparseView()));
    std::vector<double> entries;
    EXPECT_TRUE(total.fill(rates, residuals, &factors, entries));
    for (std::size_t k = 0; k < entries.size(); ++k) out(total.places()[k].row, total.places()[k].col) += entries[k];
    return out;
  }
};

// x_i' depends on x_i and z_i; z_i on z_{i-1}, where `chained`, on a parameter, and, where `by_states`, on x_i: then fewer
// rows have algebraics than columns move them, else more.
struct AlgebraicChain : Patterns {
  AlgebraicChain(std::size_t n, bool chained, bool by_states) : Patterns(n, n, 1) {
    for (std::size_t i = 0; i < n; ++i) {
      add(true, i, 1 + i), add(true, i, z(i));
      add(false, i, z(i)), add(false, i, p(0));
      if (by_states) add(false, i, 1 + i);
      if (chained && i > 0) add(false, i, z(i - 1));
    }
  }
};

TEST(TotalEntries, are_those_of_the_matrix_without_algebraics) {
  for (bool chained : {false, true})
    for (bool by_states : {false, true})
      for (std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{70}}) {
        AlgebraicChain patterns(n, chained, by_states);
        MatrixXd full = patterns.full(), found = patterns.by_entries();
        double size = full.cwiseAbs().maxCoeff();
        EXPECT_LT((full - found).cwiseAbs().maxCoeff(), 1e-10 * size) << n << " " << chained << by_states;
      }
}

TEST(TotalEntries, have_no_place_of_a_column_that_no_way_leads_to) {
  EXPECT_EQ(TotalEntries(AlgebraicChain(70, false, true).model).places().size(), 2U * 70);
  EXPECT_EQ(TotalEntries(AlgebraicChain(70, true, true).model).places().size(), 70U * 71 / 2 + 70);
  EXPECT_EQ(TotalEntries(AlgebraicChain(70, true, false).model).places().size(), 2U * 70);
  Patterns none(3, 0, 1);
  none.add(true, 2, 1), none.add(true, 0, 4);
  EXPECT_EQ(TotalEntries(none.model).places().size(), 2U);
}

TEST(TotalEntries, hold_in_a_block_whose_equations_depend_on_each_other) {
  Patterns patterns(4, 3, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      patterns.add(false, i, patterns.z((i + j) % 3)), patterns.residuals.back() += j == 0 ? 4 : 0;
    patterns.add(true, i + 1, patterns.z(i)), patterns.add(false, i, i), patterns.add(true, i, patterns.p(i % 2));
  }
  EXPECT_LT((patterns.full() - patterns.by_entries()).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace bolza::integrate
