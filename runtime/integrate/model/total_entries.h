// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "runtime/linalg/factors.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// Total derivatives of F = (f, q) by c = (t, x, u, p), algebraics solved for, at the places that may not be zero:
/// F_c − F_z h_z⁻¹ h_c. An algebraic depends on the columns in the rows of its block of h (block triangular form) and on
/// those of the algebraics in these rows.
class TotalEntries {
 public:
  struct Place {
    std::int32_t row, col;  ///< row of (f, q); column: 0 time, then x, u, p
  };
  explicit TotalEntries(const bolza_model& model);

  /// None twice; ordered by columns, then rows, where F depends on algebraics, else as the kernel has them.
  const std::vector<Place>& places() const { return places_; }
  /// Their values from those of the entries of both Jacobian kernels.     False: not finite where algebraics have a part
  /// @param of_rates      [entries of the kernel of F]
  /// @param of_residuals  [entries of the kernel of h]; read where F depends on algebraics
  /// @param algebraic     factors of h_z; null where F does not depend on algebraics
  /// @param entries       [places], overwritten
  /// Cost: a solve with h_z for every column on which an algebraic in F depends, or for every row of F with algebraics,
  /// whichever are fewer, and a product for each way to a place.
  bool fill(const std::vector<double>& of_rates, const std::vector<double>& of_residuals,
            const linalg::Factors<double>* algebraic, std::vector<double>& entries);

 private:
  using Columns = std::vector<std::int32_t>;  // ascending
  struct KernelEntry {
    std::size_t entry;
    std::int32_t row, col;  // col as in Place; of by_z_ and residual_by_z_ the algebraic
  };
  // A derivative of the kernel that is not solved with, times one entry of what was solved.
  struct Product {
    std::size_t entry, place;
    Eigen::Index algebraic, solve;
  };
  void list_entries(const bolza_model& model);
  std::vector<Columns> dependencies() const;
  void make_places(const std::vector<Columns>& depends);
  void multiply_by_columns(const std::vector<Columns>& depends);
  void multiply_by_rows();
  std::size_t place_of(std::int32_t row, std::int32_t col) const;  // [places_.size()] there is none

  std::size_t n_z_, columns_;
  std::vector<KernelEntry> direct_, by_z_, residual_direct_, residual_by_z_;
  std::vector<Place> places_;
  std::vector<std::size_t> direct_place_;  // [direct_] where F depends on algebraics
  Columns moved_, rows_;                   // columns on which algebraics in F depend; rows of F with algebraics
  bool by_rows_ = false;                   // solved is with rows of F_z, transposed, not with columns of h_c
  std::vector<KernelEntry> right_;         // what is solved with: row the algebraic or row of h, col the solve
  std::vector<Product> products_;
  Eigen::MatrixXd solved_;  // [n_z × solves] h_z⁻¹ h_c, or h_z⁻ᵀ F_zᵀ
};

}  // namespace bolza::integrate
