// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/low_rank.h"

#include <Eigen/LU>

namespace bolza::nlp::interior {
namespace {
using Matrix = Eigen::MatrixXd;
using View = Eigen::Map<const Matrix>;
}  // namespace

void LowRank::prepare(const QuasiNewton& matrix, std::size_t n, std::size_t m, KktFactors& factors) {
  n_ = n;
  size_ = n + m;
  columns_ = matrix.columns();
  if (columns_ == 0) return;
  W_.assign(columns_ * size_, 0.0);
  for (std::size_t j = 0; j < columns_; ++j) matrix.column(j, &W_[j * size_]);
  solved_ = W_;
  for (std::size_t j = 0; j < columns_; ++j) factors.solve({&solved_[j * size_], size_});
  auto rows = static_cast<Eigen::Index>(size_), columns = static_cast<Eigen::Index>(columns_);
  Matrix G = -View(W_.data(), rows, columns).transpose() * View(solved_.data(), rows, columns);
  for (std::size_t i = 0; i < columns_; ++i)
    for (std::size_t j = 0; j < columns_; ++j)
      G(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += matrix.middle(i, j);
  Matrix inverse = G.fullPivLu().inverse();
  inverse_.assign(inverse.data(), inverse.data() + inverse.size());
}

void LowRank::correct(std::span<double> x) const {
  if (columns_ == 0) return;
  auto rows = static_cast<Eigen::Index>(size_), columns = static_cast<Eigen::Index>(columns_);
  Eigen::Map<Eigen::VectorXd> to(x.data(), rows);
  Eigen::VectorXd along = View(W_.data(), rows, columns).transpose() * to;
  to += View(solved_.data(), rows, columns) * (View(inverse_.data(), columns, columns) * along);
}

}  // namespace bolza::nlp::interior
