// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/verify/function_values.h"

namespace bolza::verify {

/// A stretch of a stored trajectory within which nothing jumps: a mesh interval with few samples, else the way from one
/// sample to the next.
struct StoredPiece {
  double from = 0, to = 0;
  std::vector<std::size_t> samples;  ///< ascending; the first is the right value at `from`, the last the left one at `to`
  std::vector<double> places;        ///< their times as fractions of the piece
  /// Those with values of controls and algebraic variables of this piece: at a shared end, a sample has the values of one
  /// side.
  std::vector<std::size_t> inside;
  std::vector<double> inside_places;
};

/// One phase of a stored result with its model, whose functions are evaluated by values alone.
class StoredPhase {
 public:
  /// Problem and solution must outlive it.     Requires  trajectories of as many quantities as the model has.
  StoredPhase(const bolza_problem& problem, const abi::Solution& solution, std::size_t number);

  const bolza_model& model;
  const abi::PhaseSolution& stored;
  std::size_t number;
  FunctionValues rates, residuals;  ///< f and q; h and g
  std::vector<StoredPiece> pieces;
  Eigen::VectorXd x_size, z_size, u_size;  ///< largest values on the way, or nominal ones; 1 where all are 0
  Eigen::VectorXd g_size;                  ///< of path constraints: largest of |g| and of its finite limits

  Eigen::Index nx() const { return static_cast<Eigen::Index>(model.n_x); }
  Eigen::Index nz() const { return static_cast<Eigen::Index>(model.n_z); }
  Eigen::Index nu() const { return static_cast<Eigen::Index>(model.n_u); }
  Eigen::Index nq() const { return static_cast<Eigen::Index>(model.n_q); }
  Eigen::Index ng() const { return static_cast<Eigen::Index>(model.n_g); }
  double length() const { return stored.final_time - stored.start_time; }
  std::string name_of_state(Eigen::Index a) const;
  std::string name_of_algebraic(Eigen::Index b) const;
  std::string name_of_control(Eigen::Index c) const;
  std::string name_of_limit(Eigen::Index g) const;  ///< of a path constraint

  /// Stored states or costates at fractions of a piece, by the polynomial through its samples [rows × places].
  Eigen::MatrixXd at(const std::vector<std::vector<double>>& rows, const StoredPiece& piece,
                     std::span<const double> places) const;
  /// The same of controls or algebraic variables, by the samples inside.
  Eigen::MatrixXd inside_at(const std::vector<std::vector<double>>& rows, const StoredPiece& piece,
                            std::span<const double> places) const;
  /// time, x, z and u of all samples [1 + n × samples].
  Eigen::MatrixXd points() const;
  /// The same at a time, from the piece that ends (left) or begins there [1 + n].
  Eigen::VectorXd point_at(double time, bool left) const;
  /// The piece in which a time lies; of two that meet there the earlier one where `left`.
  std::size_t piece_at(double time, bool left) const;
};

/// The largest |values| of a row that are finite, 1 where that is not positive.
double size_of(std::span<const double> values);

}  // namespace bolza::verify
