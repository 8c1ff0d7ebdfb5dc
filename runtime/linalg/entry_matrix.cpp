// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/entry_matrix.h"

#include <algorithm>

namespace bolza::linalg {

template <class Scalar>
EntryMatrix<Scalar>::EntryMatrix(Eigen::Index rows, Eigen::Index columns, std::span<const Place> places)
    : matrix_(rows, columns) {
  std::vector<Eigen::Triplet<Scalar>> triplets;
  triplets.reserve(places.size());
  for (const Place& place : places) triplets.emplace_back(place.row, place.col, Scalar(0));
  matrix_.setFromTriplets(triplets.begin(), triplets.end());
  slot_.reserve(places.size());
  const int *column = matrix_.outerIndexPtr(), *row = matrix_.innerIndexPtr();
  for (const Place& place : places)
    slot_.push_back(
        static_cast<int>(std::lower_bound(row + column[place.col], row + column[place.col + 1], place.row) - row));
}

template class EntryMatrix<double>;
template class EntryMatrix<std::complex<double>>;

}  // namespace bolza::linalg
