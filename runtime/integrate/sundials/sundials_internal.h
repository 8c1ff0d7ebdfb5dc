// SPDX-License-Identifier: Apache-2.0
// What the SUNDIALS methods share: ownership of its objects, matrices filled from a model's derivatives, reports.
#pragma once
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

#include <memory>
#include <span>
#include <vector>

#include "runtime/integrate/failure.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/sundials/preconditioner.h"

namespace bolza::integrate {

struct FreeContext {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct FreeIteration {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
using MatrixHandle = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix>;
using Solver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeSolver>;
using Iteration = std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, FreeIteration>;

/// A context that keeps SUNDIALS quiet: we report ourselves.
Context make_context();
Vector make_vector(std::size_t n, SUNContext context, bool fused = true);
/// Do fused operations pay for the few vectors of a simulation?
inline bool is_long(std::size_t n) { return n >= 32; }

/// The linear systems of Newton's method, n × n: a matrix with a direct solver (dense, banded, or compressed columns with
/// KLU; left open: dense up to 40 unknowns or when a quarter is filled, else KLU), or an iterative solver with a left
/// preconditioner and no matrix.
class NewtonSystem {
 public:
  /// Places that may be nonzero, any order, repetitions allowed; the diagonal is added. `may_be_singular`: dense and KLU go
  /// on when the matrix is, see singular_solver.h.
  NewtonSystem(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, N_Vector like, SUNContext context,
               const MethodOptions& options, bool may_be_singular = false);
  /// Null for an iterative solver.
  SUNMatrix matrix() const { return matrix_.get(); }
  SUNLinearSolver solver() const { return solver_.get(); }
  /// Where entry k of `places` is added in the data of a matrix of this form.
  std::span<const std::size_t> slot() const { return slot_; }
  /// Gives a matrix (this one or a clone of it) its pattern and zeroes it; returns its data.
  double* clear(SUNMatrix matrix) const;

  /// Iterative solvers: prepares the preconditioner for a matrix given by entries (places may repeat); false when singular.
  bool factorise(std::span<const nonlinear::Entry> entries) { return preconditioner_->factorise(entries); }
  /// z := P⁻¹ r.
  void precondition(std::span<const double> r, std::span<double> z) const { preconditioner_->apply(r, z); }

 private:
  enum class Form : std::uint8_t { dense, band, columns, none };
  void make_columns(const std::vector<std::pair<std::int32_t, std::int32_t>>& places,
                    const std::vector<std::pair<std::int32_t, std::int32_t>>& all, SUNContext context);
  void make_band(const std::vector<std::pair<std::int32_t, std::int32_t>>& places,
                 const std::vector<std::pair<std::int32_t, std::int32_t>>& all, SUNContext context);
  void make_iterative(const MethodOptions& options, N_Vector like, SUNContext context);

  std::size_t n_;
  Form form_ = Form::dense;
  MatrixHandle matrix_;
  Solver solver_;
  std::unique_ptr<Preconditioner> preconditioner_;
  std::vector<std::size_t> slot_;
  std::vector<std::int64_t> column_, row_;
};

/// Of the options of linear systems those that direct solvers have: derivatives are solved for with these alone.
MethodOptions direct_only(const MethodOptions& options);
/// An option that is a whole number, or a default where it is not set.
inline int whole(double option, int otherwise) { return option > 0 ? static_cast<int>(option + 0.5) : otherwise; }
/// The shorter of the option max_step and a limit; 0 when neither limits.
double longest(const MethodOptions& options, double limit);
/// SUNDIALS' code of the sign that bounds demand, for the first n of (x, z): 1 for >= 0, −1 for <= 0, else 0.
Vector signs_of(const bolza_model& model, SUNContext context, std::size_t n);

/// A status for a negative return flag of CVode or IDASolve, by kind of failure.
SimulateStatus status_of(int flag, bool ida);

}  // namespace bolza::integrate
