// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/preconditioner.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <vector>

namespace bolza::integrate {
namespace {

class Identity final : public Preconditioner {
 public:
  bool factorise(std::span<const nonlinear::Entry>) override { return true; }
  void apply(std::span<const double> r, std::span<double> z) const override { std::copy(r.begin(), r.end(), z.begin()); }
};

// L U on the pattern of A, row by row (IKJ form), L with unit diagonal.
class IncompleteLu final : public Preconditioner {
 public:
  explicit IncompleteLu(std::size_t n) : matrix_(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)), diagonal_(n) {}

  bool factorise(std::span<const nonlinear::Entry> entries) override {
    std::vector<Eigen::Triplet<double>> triplets;
    for (const auto& e : entries) triplets.emplace_back(e.row, e.col, e.value);
    for (int i = 0; i < matrix_.rows(); ++i) triplets.emplace_back(i, i, 0.0);
    matrix_.setFromTriplets(triplets.begin(), triplets.end());
    matrix_.makeCompressed();
    const int *row = matrix_.outerIndexPtr(), *col = matrix_.innerIndexPtr();
    double* a = matrix_.valuePtr();
    std::vector<int> place(diagonal_.size(), -1);
    for (int i = 0; i < matrix_.rows(); ++i) {
      for (int k = row[i]; k < row[i + 1]; ++k) place[static_cast<std::size_t>(col[k])] = k;
      double size = 0;
      for (int k = row[i]; k < row[i + 1]; ++k) size = std::max(size, std::fabs(a[k]));
      for (int k = row[i]; k < row[i + 1] && col[k] < i; ++k) {
        int pivot = diagonal_[static_cast<std::size_t>(col[k])];
        a[k] /= a[pivot];
        for (int j = pivot + 1; j < row[col[k] + 1]; ++j)
          if (int p = place[static_cast<std::size_t>(col[j])]; p >= 0) a[p] -= a[k] * a[j];
      }
      int d = place[static_cast<std::size_t>(i)];
      diagonal_[static_cast<std::size_t>(i)] = d;
      if (std::fabs(a[d]) < 1e-8 * size)
        a[d] = std::copysign(size > 0 ? 1e-2 * size : 1, a[d]);  // algebraic rows may have none
      for (int k = row[i]; k < row[i + 1]; ++k) place[static_cast<std::size_t>(col[k])] = -1;
    }
    return true;
  }

  void apply(std::span<const double> r, std::span<double> z) const override {
    const int *row = matrix_.outerIndexPtr(), *col = matrix_.innerIndexPtr();
    const double* a = matrix_.valuePtr();
    std::size_t n = diagonal_.size();
    for (std::size_t i = 0; i < n; ++i) {
      double sum = r[i];
      for (int k = row[i]; k < diagonal_[i]; ++k) sum -= a[k] * z[static_cast<std::size_t>(col[k])];
      z[i] = sum;
    }
    for (std::size_t i = n; i-- > 0;) {
      double sum = z[i];
      for (int k = diagonal_[i] + 1; k < row[i + 1]; ++k) sum -= a[k] * z[static_cast<std::size_t>(col[k])];
      z[i] = sum / a[diagonal_[i]];
    }
  }

 private:
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix_;
  std::vector<int> diagonal_;
};

class BlockJacobi final : public Preconditioner {
 public:
  explicit BlockJacobi(std::size_t n) : n_(n) {}

  bool factorise(std::span<const nonlinear::Entry> entries) override {
    std::vector<Eigen::MatrixXd> blocks;
    for (std::size_t first = 0; first < n_; first += width) {
      Eigen::Index size = static_cast<Eigen::Index>(std::min(width, n_ - first));
      blocks.push_back(Eigen::MatrixXd::Zero(size, size));
    }
    for (const auto& e : entries) {
      std::size_t r = static_cast<std::size_t>(e.row), c = static_cast<std::size_t>(e.col);
      if (r / width == c / width)
        blocks[r / width](static_cast<Eigen::Index>(r % width), static_cast<Eigen::Index>(c % width)) += e.value;
    }
    factors_.clear();
    for (const auto& block : blocks) factors_.emplace_back(block);
    return std::all_of(factors_.begin(), factors_.end(), [](const auto& f) { return f.isInvertible(); });
  }

  void apply(std::span<const double> r, std::span<double> z) const override {
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      Eigen::Index size = factors_[k].rows();
      Eigen::VectorXd part = factors_[k].solve(Eigen::Map<const Eigen::VectorXd>(r.data() + k * width, size));
      std::copy(part.begin(), part.end(), z.begin() + static_cast<std::ptrdiff_t>(k * width));
    }
  }

 private:
  static constexpr std::size_t width = 16;
  std::size_t n_;
  std::vector<Eigen::FullPivLU<Eigen::MatrixXd>> factors_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_preconditioner(std::string_view name, std::size_t n) {
  if (name == "none") return std::make_unique<Identity>();
  if (name == "block_jacobi") return std::make_unique<BlockJacobi>(n);
  return std::make_unique<IncompleteLu>(n);
}

}  // namespace bolza::integrate
