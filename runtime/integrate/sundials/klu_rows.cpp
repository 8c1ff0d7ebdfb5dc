// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/klu_rows.h"

#include <sunlinsol/sunlinsol_klu.h>

#include <algorithm>

namespace bolza::integrate {

void KluRows::Columns::resize(std::int64_t n, std::int64_t entries) {
  start.resize(static_cast<std::size_t>(n) + 1);
  row.resize(static_cast<std::size_t>(entries));
  value.resize(static_cast<std::size_t>(entries));
}

bool KluRows::take(SUNLinearSolver solver) {
  static_assert(sizeof(sunindextype) == sizeof(std::int64_t));
  if (SUNLinSolGetID(solver) != SUNLINEARSOLVER_KLU) return false;
  auto* symbolic = SUNLinSol_KLUGetSymbolic(solver);
  auto* numeric = SUNLinSol_KLUGetNumeric(solver);
  if (!symbolic || !numeric) return false;
  n_ = symbolic->n;
  blocks_ = symbolic->nblocks;
  lower_.resize(n_, numeric->lnz);
  upper_.resize(n_, numeric->unz);
  beside_.resize(n_, numeric->nzoff);
  p_.resize(static_cast<std::size_t>(n_));
  q_.resize(static_cast<std::size_t>(n_));
  scale_.resize(static_cast<std::size_t>(n_));
  block_.resize(static_cast<std::size_t>(blocks_) + 1);
  return klu_l_extract(numeric, symbolic, lower_.start.data(), lower_.row.data(), lower_.value.data(), upper_.start.data(),
                       upper_.row.data(), upper_.value.data(), beside_.start.data(), beside_.row.data(),
                       beside_.value.data(), p_.data(), q_.data(), scale_.data(), block_.data(),
                       SUNLinSol_KLUGetCommon(solver)) != 0;
}

/// Entries `from` to `to` of a column times its row, from their rows.
void KluRows::subtract(const Columns& of, std::int64_t from, std::int64_t to, std::int64_t column) {
  const double* source = x_.data() + column * width_;
  for (std::int64_t e = from; e < to; ++e) {
    double* target = x_.data() + of.row[static_cast<std::size_t>(e)] * width_;
    double factor = of.value[static_cast<std::size_t>(e)];
    for (Eigen::Index c = 0; c < width_; ++c) target[c] -= factor * source[c];
  }
}

void KluRows::solve(Eigen::Ref<Rows> B) {
  auto at = [](std::int64_t k) { return static_cast<std::size_t>(k); };
  x_.resize(at(n_ * width_));
  for (Eigen::Index first = 0; first < B.cols(); first += width_) {
    Eigen::Index count = std::min(width_, B.cols() - first);
    for (std::int64_t k = 0; k < n_; ++k) {
      std::int64_t row = p_[at(k)];
      double by = 1 / scale_[at(k)], *x = x_.data() + k * width_;
      for (Eigen::Index c = 0; c < count; ++c) x[c] = by * B(row, first + c);
      std::fill(x + count, x + width_, 0.0);
    }
    for (std::int64_t b = blocks_; b-- > 0;) {
      std::int64_t begin = block_[at(b)], end = block_[at(b) + 1];
      for (std::int64_t k = begin; k < end; ++k) subtract(lower_, lower_.start[at(k)] + 1, lower_.start[at(k) + 1], k);
      for (std::int64_t k = end; k-- > begin;) {
        std::int64_t diagonal = upper_.start[at(k) + 1] - 1;
        double by = 1 / upper_.value[at(diagonal)], *x = x_.data() + k * width_;
        for (Eigen::Index c = 0; c < width_; ++c) x[c] *= by;
        subtract(upper_, upper_.start[at(k)], diagonal, k);
      }
      for (std::int64_t k = begin; k < end; ++k) subtract(beside_, beside_.start[at(k)], beside_.start[at(k) + 1], k);
    }
    for (std::int64_t k = 0; k < n_; ++k)
      for (Eigen::Index c = 0; c < count; ++c) B(q_[at(k)], first + c) = x_[at(k * width_ + c)];
  }
}

}  // namespace bolza::integrate
