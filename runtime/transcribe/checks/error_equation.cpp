// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/error_equation.h"

#include <cmath>
#include <utility>

namespace bolza::transcribe {
namespace {
constexpr std::size_t most_entries = 1'000'000;  ///< of the matrix of an interval
}

ErrorEquation::ErrorEquation(const std::vector<std::vector<double>>& integrals, std::vector<double> size)
    : integrals_(integrals),
      size_(std::move(size)) {}

bool ErrorEquation::jacobian_at(integrate::ReducedModel& model, const At& at) {
  model.anchor(at.values->z);
  rows_.resize(model.rate_rows());
  if (!model.move_to(at.time, at.values->x, at.values->u) || !model.rate_entries(rows_, all_)) return false;
  if (entries_.empty())
    for (std::size_t k = 0; const integrate::ReducedModel::Place& place : model.rate_places()) {
      auto row = static_cast<std::size_t>(place.row), column = static_cast<std::size_t>(place.col);
      if (row < size_.size() && column >= 1 && column <= size_.size())
        entries_.push_back({k, static_cast<int>(row), static_cast<int>(column - 1)});
      ++k;
    }
  jacobian_.clear();
  for (const Entry& e : entries_) {
    double value = all_[e.place] * size_[static_cast<std::size_t>(e.col)] / size_[static_cast<std::size_t>(e.row)];
    if (!std::isfinite(value)) return false;
    jacobian_.push_back(value);
  }
  return true;
}

/// The largest sum of a row.
double ErrorEquation::norm() const {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(size_.size()));
  for (std::size_t k = 0; k < entries_.size(); ++k) sums[entries_[k].row] += std::abs(jacobian_[k]);
  return sums.size() > 0 ? sums.maxCoeff() : 0;
}

/// The places of I − h A ⊗ J: the diagonal, then the entries of J in the block of points k and j, by j, then by k.
void ErrorEquation::make_matrix() {
  int n = static_cast<int>(size_.size()), unknown = static_cast<int>(integrals_.size()) - 1;
  std::vector<linalg::EntryMatrix<double>::Place> places;
  for (int i = 0; i < n * unknown; ++i) places.push_back({i, i});
  for (int j = 0; j < unknown; ++j)
    for (int k = 0; k < unknown; ++k)
      for (const Entry& e : entries_) places.push_back({k * n + e.row, j * n + e.col});
  matrix_ = {n * unknown, n * unknown, places};
}

void ErrorEquation::apply(integrate::ReducedModel& model, double h, std::span<const At> points, Eigen::MatrixXd& e) {
  if (!e.allFinite() || !jacobian_at(model, points.back()) || h * norm() <= 1) return;
  if (entries_.size() * (points.size() - 1) * (points.size() - 1) > most_entries) return;
  if (matrix_.entries() == 0) make_matrix();
  matrix_.clear();
  auto unknown = points.size() - 1, slot = size_.size() * unknown;
  for (std::size_t i = 0; i < slot; ++i) matrix_.add(i, 1);
  for (std::size_t j = 0; j < unknown; ++j) {
    if (!jacobian_at(model, points[j + 1])) return;
    for (std::size_t k = 0; k < unknown; ++k)
      for (double value : jacobian_) matrix_.add(slot++, -h * integrals_[k + 1][j + 1] * value);
  }
  if (!factors_.compute(matrix_.matrix())) return;
  auto scale = Eigen::Map<const Eigen::VectorXd>(size_.data(), static_cast<Eigen::Index>(size_.size()));
  Eigen::MatrixXd relative = scale.asDiagonal().inverse() * e.rightCols(static_cast<Eigen::Index>(unknown));
  double largest = relative.cwiseAbs().maxCoeff();
  Eigen::VectorXd delta = factors_.solve(relative.reshaped());
  if (!delta.allFinite() || delta.cwiseAbs().maxCoeff() >= largest) return;
  e.rightCols(static_cast<Eigen::Index>(unknown)) = scale.asDiagonal() * delta.reshaped(relative.rows(), relative.cols());
}

}  // namespace bolza::transcribe
