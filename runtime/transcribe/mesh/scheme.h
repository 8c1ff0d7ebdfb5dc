// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bolza::transcribe {

/// How one mesh interval is discretised, on [0, 1] [BIEGLER, chapter 10]. With states X_r at the nodes and rates f_j at the
/// collocation points:
///
///   defect_d = Σ_r C[d,r] X_r − h Σ_j A[d,j] f_j,   d = 0 … n_defects-1
///
/// Node 0 is the interval's left end, the last node its right end. Radau and Gauss are in differential form (A is the
/// identity on their collocation rows), Lobatto and Euler in integral form. Gauss has one more row without f: the
/// polynomial's value at the end.
struct Scheme {
  std::string_view name;
  std::size_t points = 0;               ///< s, collocation points
  std::vector<double> c, b;             ///< [s] places and quadrature weights
  std::vector<double> node;             ///< [R] places of states, ascending
  std::vector<std::size_t> stage_node;  ///< [s] node that is collocation point j
  std::size_t n_defects = 0;
  std::vector<double> C;  ///< [n_defects × R]
  std::vector<double> A;  ///< [n_defects × s]
  std::size_t polynomial_nodes =
      0;          ///< the state is the polynomial through the first so many nodes; 0: x_0 + h Σ_j ∫ℓ_j f_j
  int order = 0;  ///< of the states at mesh points, for smooth problems

  std::size_t nodes() const { return node.size(); }
  bool starts_at_left() const { return c.front() == 0; }
  bool ends_at_right() const { return c.back() == 1; }
  bool shares_ends() const { return starts_at_left() && ends_at_right() && points > 1; }
};

/// One row of the table of transcriptions.
struct SchemeFamily {
  std::string_view name, description;
  std::size_t min_points = 0, max_points = 0, default_points = 0;  ///< equal: the number of points belongs to the name
  Scheme (*make)(std::size_t points) = nullptr;
};

std::span<const SchemeFamily> schemes();
/// Null when there is no such row.
const SchemeFamily* find_scheme(std::string_view name);

}  // namespace bolza::transcribe
