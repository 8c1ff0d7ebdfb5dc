// What the SUNDIALS methods share: ownership of its objects, matrices filled from a model's derivatives, reports.
#pragma once
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nvector.h>

#include <memory>
#include <span>
#include <vector>

#include "runtime/integrate/method_table.h"

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
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
using MatrixHandle = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix>;
using Solver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeSolver>;

/// A context that keeps SUNDIALS quiet: we report ourselves.
Context make_context();
Vector make_vector(std::size_t n, SUNContext context);

/// An n × n matrix with a linear solver: dense up to 40 unknowns or when a quarter is filled, else compressed columns with
/// KLU.
class JacobianMatrix {
 public:
  /// Places that may be nonzero, any order, repetitions allowed; the diagonal is added.
  JacobianMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, N_Vector like,
                 SUNContext context);
  SUNMatrix matrix() const { return matrix_.get(); }
  SUNLinearSolver solver() const { return solver_.get(); }
  /// Where entry k of `places` is added in the data of a matrix of this form.
  std::span<const std::size_t> slot() const { return slot_; }
  /// Gives a matrix (this one or a clone of it) its pattern and zeroes it; returns its data.
  double* clear(SUNMatrix matrix) const;

 private:
  std::size_t n_;
  MatrixHandle matrix_;
  Solver solver_;
  std::vector<std::size_t> slot_;
  std::vector<std::int64_t> column_, row_;
  bool dense_;
};

/// A status for a negative return flag of CVode or IDASolve, by kind of failure.
SimulateStatus status_of(int flag, bool ida);

/// Writes message and finding: the variable whose weighted local error is largest.
void report_worst(const Setup& setup, SimulateStatus status, double t, double h, std::span<const double> errors,
                  std::span<const double> weights);
/// The same for a value that is not finite, from the model's last trouble.
void report_nonfinite(const Setup& setup, double t);

}  // namespace bolza::integrate
