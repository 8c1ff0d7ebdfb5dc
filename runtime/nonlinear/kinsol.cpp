// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/kinsol.h"

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/allocated.h"
#include "base/expects.h"

namespace bolza::nonlinear {
namespace {

struct Free {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

class Kinsol {
 public:
  Kinsol(const Equations& equations, std::vector<double>& w) : equations_(equations), w_(w), n_(equations.unknowns) {}
  ~Kinsol() {
    if (memory_) KINFree(&memory_);
  }

  NewtonReport run(const NewtonOptions& options) {
    NewtonReport report;
    if (!equations_.jacobian(w_, entries_)) {
      report.status = NewtonReport::Status::not_finite;
      return report;
    }
    make(options);
    int flag = KINSol(memory_, at_.get(), KIN_LINESEARCH, unknown_scale_.get(), row_scale_.get());
    long iterations = 0, evaluations = 0;
    KINGetNumNonlinSolvIters(memory_, &iterations);
    KINGetNumFuncEvals(memory_, &evaluations);
    report.iterations = static_cast<int>(iterations);
    report.evaluations = static_cast<int>(evaluations);
    if (flag == KIN_SUCCESS || flag == KIN_INITIAL_GUESS_OK) {
      report.status = NewtonReport::Status::converged;
      std::copy_n(N_VGetArrayPointer(at_.get()), n_, w_.begin());
    } else {
      report.status = flag == KIN_MAXITER_REACHED ? NewtonReport::Status::iteration_limit : NewtonReport::Status::stalled;
    }
    return report;
  }

 private:
  Owned<N_Vector> vector() { return Owned<N_Vector>(N_VNew_Serial(static_cast<sunindextype>(n_), context_.get())); }

  void make(const NewtonOptions& options) {
    SUNContext context = nullptr;
    expects(SUNContext_Create(nullptr, &context) == 0, "a SUNDIALS context can be made");
    context_.reset(context);
    at_ = vector();
    unknown_scale_ = vector();
    row_scale_ = vector();
    double *at = N_VGetArrayPointer(at_.get()), *us = N_VGetArrayPointer(unknown_scale_.get()),
           *rs = N_VGetArrayPointer(row_scale_.get());
    std::fill_n(rs, n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      at[i] = w_[i];
      us[i] = 1 / equations_.size[i];
    }
    for (const Entry& e : entries_)  // a row's size: what changing an unknown by its size does to it
      rs[e.row] = std::max(rs[e.row], std::fabs(e.value) * equations_.size[static_cast<std::size_t>(e.col)]);
    for (std::size_t i = 0; i < n_; ++i) rs[i] = rs[i] > 0 && std::isfinite(rs[i]) ? 1 / rs[i] : 1;
    sunindextype n = static_cast<sunindextype>(n_);
    matrix_.reset(
        SUNSparseMatrix(n, n, static_cast<sunindextype>(std::max<std::size_t>(entries_.size(), 1)), CSC_MAT, context));
    fill(matrix_.get());
    solver_.reset(SUNLinSol_KLU(at_.get(), matrix_.get(), context));
    memory_ = KINCreate(context);
    allocated(memory_ && solver_);
    KINSetErrHandlerFn(memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    KINSetInfoHandlerFn(memory_, [](const char*, const char*, char*, void*) {}, nullptr);
    KINInit(memory_, residual, at_.get());
    KINSetUserData(memory_, this);
    KINSetNumMaxIters(memory_, options.max_iterations);
    KINSetFuncNormTol(memory_, 1e-12);
    KINSetScaledStepTol(memory_, options.tolerance);
    KINSetMaxSetupCalls(memory_, 1);  // the exact Jacobian at every iterate
    KINSetMaxNewtonStep(memory_, 1e4 * std::sqrt(static_cast<double>(n_)));
    KINSetLinearSolver(memory_, solver_.get(), matrix_.get());
    KINSetJacFn(memory_, jacobian);
  }

  // Entries into compressed columns; places that repeat are added.
  void fill(SUNMatrix J) {
    auto order = [](const Entry& a, const Entry& b) { return std::pair(a.col, a.row) < std::pair(b.col, b.row); };
    std::stable_sort(entries_.begin(), entries_.end(), order);
    if (SUNSparseMatrix_NNZ(J) < static_cast<sunindextype>(entries_.size()))
      SUNSparseMatrix_Reallocate(J, static_cast<sunindextype>(entries_.size()));
    sunindextype *column = SUNSparseMatrix_IndexPointers(J), *row = SUNSparseMatrix_IndexValues(J), k = -1;
    double* data = SUNSparseMatrix_Data(J);
    std::fill_n(column, n_ + 1, 0);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      bool again = e && entries_[e].row == entries_[e - 1].row && entries_[e].col == entries_[e - 1].col;
      if (!again) {
        row[++k] = entries_[e].row;
        data[k] = 0;
        ++column[entries_[e].col + 1];
      }
      data[k] += entries_[e].value;
    }
    for (std::size_t c = 0; c < n_; ++c) column[c + 1] += column[c];
  }

  static int residual(N_Vector at, N_Vector out, void* user) {
    Kinsol& self = *static_cast<Kinsol*>(user);
    return self.equations_.residual({N_VGetArrayPointer(at), self.n_}, {N_VGetArrayPointer(out), self.n_}) ? 0 : 1;
  }

  static int jacobian(N_Vector at, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector) {
    Kinsol& self = *static_cast<Kinsol*>(user);
    self.entries_.clear();
    if (!self.equations_.jacobian({N_VGetArrayPointer(at), self.n_}, self.entries_)) return 1;
    self.fill(J);
    return 0;
  }

  const Equations& equations_;
  std::vector<double>& w_;
  std::size_t n_;
  std::vector<Entry> entries_;
  Owned<SUNContext> context_;
  Owned<N_Vector> at_, unknown_scale_, row_scale_;
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> solver_;
  void* memory_ = nullptr;
};

}  // namespace

NewtonReport solve_by_kinsol(const Equations& equations, std::vector<double>& w, const NewtonOptions& options) {
  expects(equations.rows == equations.unknowns, "KINSOL takes square systems");
  if (!equations.rows) return {.status = NewtonReport::Status::converged};
  return Kinsol(equations, w).run(options);
}

}  // namespace bolza::nonlinear
