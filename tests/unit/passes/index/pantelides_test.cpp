// SPDX-License-Identifier: Apache-2.0
// Offsets of random signature matrices against the Σ-method: a heaviest transversal by trying all permutations, then the
// smallest offsets by Pryce's fixed-point iteration. Systems that the reduction leaves behind against difference quotients.
#include "compiler/passes/index/pantelides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "compiler/passes/index/choose_columns.h"
#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::VariableId;
using Matrix = std::vector<std::vector<int>>;  // −1: the variable does not occur

struct Canonical {
  bool regular = false;
  std::vector<int> c, d;
};

Canonical sigma_method(const Matrix& sigma) {
  std::size_t n = sigma.size();
  std::vector<std::size_t> permutation(n), best;
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  int heaviest = -1;
  do {
    int weight = 0;
    for (std::size_t i = 0; i < n && weight >= 0; ++i)
      weight = sigma[i][permutation[i]] < 0 ? -1 : weight + sigma[i][permutation[i]];
    if (weight > heaviest) heaviest = weight, best = permutation;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  Canonical result;
  if (heaviest < 0) return result;
  result.regular = true;
  result.c.assign(n, 0), result.d.assign(n, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        if (sigma[i][j] >= 0) result.d[j] = std::max(result.d[j], sigma[i][j] + result.c[i]);
    for (std::size_t i = 0; i < n; ++i) {
      int c = result.d[best[i]] - sigma[i][best[i]];
      changed |= c != result.c[i];
      result.c[i] = c;
    }
  }
  return result;
}

TEST(offsets, are_those_of_the_sigma_method) {
  std::mt19937 random(3);
  int higher = 0, compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::size_t n = 2 + random() % 5;
    Matrix sigma(n, std::vector<int>(n, -1));
    for (auto& row : sigma)
      for (int& order : row)
        if (random() % 5 < 2) order = static_cast<int>(random() % 3);
    Canonical expected = sigma_method(sigma);
    if (!expected.regular) continue;
    Signature signature;
    signature.n_columns = static_cast<std::uint32_t>(n);
    for (const auto& row : sigma) {
      for (std::uint32_t j = 0; j < n; ++j)
        if (row[j] >= 0) signature.columns.push_back(j), signature.orders.push_back(row[j]);
      signature.begin.push_back(static_cast<std::uint32_t>(signature.columns.size()));
    }
    std::optional<Offsets> found = differentiation_offsets(signature, std::vector<std::uint32_t>(n, 0), 50);
    ASSERT_TRUE(found);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(static_cast<int>(found->rows[i]), expected.c[i]) << "trial " << trial;
      EXPECT_EQ(static_cast<int>(found->columns[i]), expected.d[i]) << "trial " << trial;
    }
    ++compared;
    higher += *std::max_element(expected.c.begin(), expected.c.end()) >= 2;
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(higher, 100);  // the trials reach index 3 and more
}

TEST(columns, are_independent_and_of_lowest_rank) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 300; ++trial) {
    std::uint32_t rows = 1 + random() % 4, columns = rows + random() % 3;
    ColumnChoice matrix;
    matrix.tolerance = 1e-6;
    std::vector<std::vector<double>> dense(rows, std::vector<double>(columns, 0));
    for (std::uint32_t c = 0; c < columns; ++c) matrix.rank.push_back(random() % 3), matrix.taste.push_back(0);
    for (std::uint32_t r = 0; r < rows; ++r) {
      matrix.rows.emplace_back();
      for (std::uint32_t c = 0; c < columns; ++c)
        if (random() % 3) matrix.rows[r].push_back({c, dense[r][c] = number(random)});
    }
    auto determinant = [&](const std::vector<std::uint32_t>& chosen) {
      std::vector<std::size_t> order(rows);
      std::iota(order.begin(), order.end(), std::size_t{0});
      double sum = 0;
      do {
        double product = 1;
        for (std::size_t i = 0; i < rows; ++i) {
          product *= dense[i][chosen[order[i]]];
          for (std::size_t k = 0; k < i; ++k)
            if (order[k] > order[i]) product = -product;
        }
        sum += product;
      } while (std::next_permutation(order.begin(), order.end()));
      return sum;
    };
    std::uint32_t lowest = 0xffffffff;  // sum of ranks over all regular choices
    for (std::uint32_t set = 0; set < (1u << columns); ++set) {
      if (static_cast<std::uint32_t>(__builtin_popcount(set)) != rows) continue;
      std::vector<std::uint32_t> chosen;
      std::uint32_t ranks = 0;
      for (std::uint32_t c = 0; c < columns; ++c)
        if (set >> c & 1) chosen.push_back(c), ranks += matrix.rank[c];
      if (std::fabs(determinant(chosen)) > 1e-9) lowest = std::min(lowest, ranks);
    }
    std::optional<std::vector<std::uint32_t>> found = choose_columns(matrix);
    EXPECT_EQ(found.has_value(), lowest != 0xffffffff);
    if (!found) continue;
    EXPECT_GT(std::fabs(determinant(*found)), 1e-9);
    std::uint32_t ranks = 0;
    for (std::uint32_t c : *found) ranks += matrix.rank[c];
    EXPECT_EQ(ranks, lowest);  // greedy is best in a matroid
  }
}

/// Masses with random constraints: linear or not, of positions (index 3) or speeds (index 2), also explicit in time.
struct Constrained {
  ModelBuilder m;
  std::vector<VariableId> x, v;
  std::vector<E> constraints;  ///< of index 3
  explicit Constrained(unsigned seed) {
    std::mt19937 random(seed);
    auto number = [&] { return 0.5 + 0.1 * static_cast<double>(random() % 15); };
    std::size_t n = 3 + random() % 3, k = 1 + random() % 2;
    VariableId time(std::size_t{0});
    std::vector<VariableId> force;
    for (std::size_t i = 0; i < n; ++i)
      x.push_back(m.real("x" + std::to_string(i))), v.push_back(m.real("v" + std::to_string(i)));
    for (std::size_t c = 0; c < k; ++c) force.push_back(m.real("f" + std::to_string(c)));
    std::vector<std::vector<double>> g(k, std::vector<double>(n));
    for (auto& row : g)
      for (double& entry : row) entry = number() * (random() % 2 ? 1 : -1);
    for (std::size_t i = 0; i < n; ++i) {
      m.equation(m.der(x[i]), v[i]);
      E sum = -number() * E(x[i]) - 0.1 * E(v[i]);
      for (std::size_t c = 0; c < k; ++c) sum = sum + g[c][i] * E(force[c]) * (c ? 1.0 + 0.1 * E(x[i]) * x[i] : E(1.0));
      m.equation(number() * E(m.der(v[i])), sum);
    }
    for (std::size_t c = 0; c < k; ++c) {
      E sum = -0.2 * sin(number() * E(time));
      bool nonlinear = random() % 2;
      for (std::size_t i = 0; i < n; ++i) sum = sum + g[c][i] * (nonlinear ? E(x[i]) + 0.2 * sin(E(x[i])) : E(x[i]));
      m.equation(sum, 0.1);
      constraints.push_back(sum - 0.1);
    }
  }
};

TEST(random_constraints, hold_with_their_derivatives_along_the_motion) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    Constrained model(seed);
    ir::Problem p = lowered(model.m.model);
    EXPECT_EQ(p.structure.index, 3u) << seed;
    std::size_t k = model.constraints.size();
    EXPECT_EQ(p.x.size(), 2 * (model.x.size() - k)) << seed;
    std::vector<double> x;
    for (std::size_t i = 0; i < p.x.size(); ++i) x.push_back(0.1 + 0.05 * static_cast<double>(i));
    PointOfProblem here = solve_point(p, x, {}, 0.3);
    ASSERT_TRUE(here.converged) << seed;
    std::vector<double> empty(p.flat.n_scalars);
    std::vector<double> values = all_values(p, here, empty);
    for (double r : residuals(model.m.model, model.m.model.equations, values)) EXPECT_NEAR(r, 0, 1e-8) << seed;
    // the speeds and accelerations found are the derivatives of positions and speeds when the states move with their rates
    double h = 1e-5;
    auto moved = [&](double by) {
      std::vector<double> there = x;
      for (std::size_t i = 0; i < there.size(); ++i) there[i] += by * here.rates[i];
      PointOfProblem point = solve_point(p, there, {}, 0.3 + by);
      EXPECT_TRUE(point.converged);
      return all_values(p, point, empty);
    };
    std::vector<double> after = moved(h), before = moved(-h);
    for (std::size_t i = 0; i < model.x.size(); ++i) {
      std::size_t xi = model.x[i].index(), vi = model.v[i].index();
      EXPECT_NEAR((after[xi] - before[xi]) / (2 * h), values[vi], 1e-6) << "seed " << seed;
      EXPECT_NEAR((after[vi] - before[vi]) / (2 * h), values[model.m.der(model.v[i]).index()], 1e-6) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace bolza::passes::test
