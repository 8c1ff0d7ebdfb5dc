// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/SparseCore>
#include <complex>
#include <span>
#include <vector>

namespace bolza::linalg {

/// A sparse matrix that is filled again and again from entries at the same places, which may repeat: their values add up.
template <class Scalar>
class EntryMatrix {
 public:
  using Sparse = Eigen::SparseMatrix<Scalar>;  ///< compressed columns
  struct Place {
    int row, col;
  };
  EntryMatrix() = default;
  EntryMatrix(Eigen::Index rows, Eigen::Index columns, std::span<const Place> places);

  void clear() { matrix_.coeffs().setZero(); }
  /// To the place of entry k.
  void add(std::size_t k, Scalar value) { matrix_.valuePtr()[slot_[k]] += value; }
  const Sparse& matrix() const { return matrix_; }
  std::size_t entries() const { return slot_.size(); }

 private:
  Sparse matrix_;
  std::vector<int> slot_;
};

extern template class EntryMatrix<double>;
extern template class EntryMatrix<std::complex<double>>;

}  // namespace bolza::linalg
