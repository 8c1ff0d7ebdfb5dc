// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/derivative_matrix.h"

namespace bolza::integrate {

DerivativeMatrix::DerivativeMatrix(const bolza_model& m) {
  std::size_t n = m.n_x + m.n_q, columns = 1 + m.n_x + m.n_z + m.n_u + m.n_global;
  std::vector<linalg::EntryMatrix<double>::Place> places;
  auto take = [&](const bolza_function* f, std::size_t count, std::size_t first, std::vector<std::size_t>& entry) {
    for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
      auto row = static_cast<std::size_t>(f->jac_row[e]), col = static_cast<std::size_t>(f->jac_col[e]);
      if (row >= count || col >= columns) continue;  // shared values that are not free
      places.push_back({static_cast<int>(first + row), static_cast<int>(col)});
      entry.push_back(e);
    }
  };
  take(m.rates, n, 0, rates_);
  take(m.residuals, m.n_z, n, residuals_);
  entries_ = {static_cast<Eigen::Index>(n + m.n_z), static_cast<Eigen::Index>(columns), places};
}

bool DerivativeMatrix::fill(nonlinear::ModelAt& model, const nonlinear::ModelAt::Point& point, Sparse& matrix) {
  const bolza_model& m = model.model();
  if (m.n_x + m.n_q > 0 && !model.jacobian(Part::rates, point, {}, of_rates_)) return false;
  if (m.n_z > 0 && !model.jacobian(Part::residuals, point, {}, of_residuals_)) return false;
  put(of_rates_.value, of_residuals_.value, matrix);
  return true;
}

void DerivativeMatrix::put(std::span<const double> of_rates, std::span<const double> of_residuals, Sparse& matrix) {
  entries_.clear();
  std::size_t k = 0;
  for (std::size_t e : rates_) entries_.add(k++, of_rates[e]);
  for (std::size_t e : residuals_) entries_.add(k++, of_residuals[e]);
  matrix = entries_.matrix();
}

DerivativeMatrix::Sparse part_of(const DerivativeMatrix::Sparse& matrix, Columns columns, Eigen::Index above,
                                 Eigen::Index below) {
  DerivativeMatrix::Sparse out(above + matrix.rows() - below, columns.count);
  out.reserve(matrix.nonZeros());
  for (Eigen::Index c = 0; c < columns.count; ++c) {
    out.startVec(c);
    for (DerivativeMatrix::Sparse::InnerIterator e(matrix, columns.first + c); e; ++e)
      if (e.row() < above) out.insertBack(e.row(), c) = e.value();
      else if (e.row() >= below) out.insertBack(e.row() - below + above, c) = e.value();
  }
  out.finalize();
  return out;
}

}  // namespace bolza::integrate
