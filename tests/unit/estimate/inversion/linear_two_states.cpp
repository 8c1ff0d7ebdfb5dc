// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/estimate/inversion/linear_two_states.h"

#include <random>
#include <unsupported/Eigen/MatrixFunctions>

namespace bolza::estimate::testing {

const double LinearTwoStates::conditions[6][3] = {{1, 0.5, 0.5}, {1, 1, 0}, {1, 0, 1}, {1, 1, 1}, {1, -1, 0}, {1, 0, -1}};
const double LinearTwoStates::published[8][3] = {{1, 0, 0}, {-1, 0.5, 0}, {0, 0, 0.1}, {1, 1, 1},
                                                 {1, 1, 1}, {-2, 0, 1},   {0, 0, 1},   {0, 1, 0}};

namespace {

using Block = Eigen::Matrix3d;

/// d(x, y, 1)/dt = M (x, y, 1), and dM/dp_k.
Block generator(const Eigen::VectorXd& p) {
  Block M;
  M << p[1], p[2], p[0], p[4], p[5], p[3], 0, 0, 0;
  return M;
}

Block derivative(Eigen::Index k) {
  constexpr int row[6] = {0, 0, 0, 1, 1, 1}, col[6] = {2, 0, 1, 2, 0, 1};
  Block E = Block::Zero();
  E(row[k], col[k]) = 1;
  return E;
}

/// exp of [M E; 0 M] has exp(M) and its derivative in direction E.
Block frechet(const Block& M, const Block& E) {
  Eigen::MatrixXd big = Eigen::MatrixXd::Zero(6, 6);
  big.topLeftCorner<3, 3>() = M, big.bottomRightCorner<3, 3>() = M, big.topRightCorner<3, 3>() = E;
  Eigen::MatrixXd exponential = big.exp();
  return exponential.topRightCorner<3, 3>();
}

}  // namespace

bool LinearTwoStates::evaluate(std::size_t set, const Eigen::VectorXd& p, Eigen::VectorXd& residual,
                               Eigen::MatrixXd* jacobian) {
  Block M = generator(p), step = M.exp();
  Eigen::Vector3d state(p[6], p[7], 1);
  Eigen::MatrixXd by = Eigen::MatrixXd::Zero(3, 8);
  by(0, 6) = by(1, 7) = 1;
  residual.resize(2 * n_times);
  if (jacobian) jacobian->resize(2 * n_times, 8);
  for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(n_times); ++k) {
    residual.segment<2>(2 * k) = state.head<2>() - data[set].segment<2>(2 * k);
    if (jacobian) {
      jacobian->middleRows(2 * k, 2) = by.topRows(2);
      by = step * by;
      for (Eigen::Index j = 0; j < 6; ++j) by.col(j) += frechet(M, derivative(j)) * state;
    }
    state = step * state;
  }
  return residual.allFinite();
}

void LinearTwoStates::generate(double noise, std::uint64_t seed) {
  CandidateTerms all = terms();
  std::mt19937_64 numbers(seed);
  std::normal_distribution<double> normal(0, 1);
  data.assign(n_sets, Eigen::VectorXd::Zero(2 * n_times));
  for (std::size_t i = 0; i < n_sets; ++i) {
    Eigen::VectorXd values;
    evaluate(i, all.parameters(truth(), i), values, nullptr);
    for (double& v : values) v += noise * normal(numbers);
    data[i] = values;
  }
}

CandidateTerms LinearTwoStates::terms() {
  CandidateTerms all;
  all.offset.assign(n_sets, Eigen::VectorXd::Zero(8));
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t c = 0; c < 3; ++c) {
      CandidateTerm term;
      term.name = "A[" + std::to_string(row + 1) + "," + std::to_string(c + 1) + "]", term.parameter = row;
      for (const auto& set : conditions) term.factor.push_back(set[c]);
      all.terms.push_back(std::move(term));
    }
  return all;
}

Eigen::VectorXd LinearTwoStates::truth() {
  Eigen::VectorXd a(24);
  for (Eigen::Index row = 0; row < 8; ++row)
    for (Eigen::Index c = 0; c < 3; ++c) a[3 * row + c] = published[row][c];
  return a;
}

}  // namespace bolza::estimate::testing
