// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <optional>
#include <vector>

namespace bolza::estimate {

using IntegerMatrix = std::vector<std::vector<long>>;  ///< [rows][columns]

/// A basis of the row space of N in reduced echelon form: as many columns as possible hold a unit vector, so that a space
/// with a sparse basis shows it. Pivots are the largest entries left. N [k × n] of full row rank.
Eigen::MatrixXd reduced_echelon(Eigen::MatrixXd n);

/// Integers up to 6 that every row is a multiple of, or none: ratios within `tolerance`, relative; what is not exactly 0
/// does not become 0.
std::optional<IntegerMatrix> as_integers(const Eigen::MatrixXd& rows, double tolerance);

/// Σ |entries|: how complicated a relation is.
long size_of(const IntegerMatrix& rows);

/// Integer vectors c with N c = 0, a basis without common divisors, first entry that is not 0 positive. Exact; entries of N
/// small.
IntegerMatrix kernel_of(const IntegerMatrix& n, std::size_t columns);

}  // namespace bolza::estimate
