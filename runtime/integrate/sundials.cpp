#include <cvodes/cvodes.h>
#include <idas/idas.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/expects.h"
#include "runtime/integrate/sundials_internal.h"

namespace bolza::integrate {

Context make_context() {
  SUNContext context = nullptr;
  expects(SUNContext_Create(nullptr, &context) == 0, "a SUNDIALS context can be made");
  return Context(context);
}

Vector make_vector(std::size_t n, SUNContext context) {
  N_Vector v = N_VNew_Serial(static_cast<sunindextype>(n), context);
  expects(v != nullptr, "there is memory for a vector");
  N_VConst(0, v);
  return Vector(v);
}

JacobianMatrix::JacobianMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, N_Vector like,
                               SUNContext context)
    : n_(n) {
  auto column_order = [](auto a, auto b) { return std::pair(a.second, a.first) < std::pair(b.second, b.first); };
  std::vector<std::pair<std::int32_t, std::int32_t>> all = places;
  for (std::size_t i = 0; i < n; ++i) all.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
  std::sort(all.begin(), all.end(), column_order);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  dense_ = n <= 40 || 4 * all.size() >= n * n;
  sunindextype size = static_cast<sunindextype>(n);
  if (dense_) {
    matrix_.reset(SUNDenseMatrix(size, size, context));
    solver_.reset(SUNLinSol_Dense(like, matrix_.get(), context));
    for (auto [r, c] : places) slot_.push_back(static_cast<std::size_t>(c) * n + static_cast<std::size_t>(r));
    return;
  }
  column_.assign(n + 1, 0);
  for (auto [r, c] : all) ++column_[static_cast<std::size_t>(c) + 1], row_.push_back(r);
  for (std::size_t c = 0; c < n; ++c) column_[c + 1] += column_[c];
  matrix_.reset(SUNSparseMatrix(size, size, static_cast<sunindextype>(all.size()), CSC_MAT, context));
  for (auto place : places)
    slot_.push_back(static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), place, column_order) - all.begin()));
  clear(matrix_.get());
  solver_.reset(SUNLinSol_KLU(like, matrix_.get(), context));
}

double* JacobianMatrix::clear(SUNMatrix matrix) const {
  SUNMatZero(matrix);
  if (dense_) return SUNDenseMatrix_Data(matrix);
  if (SUNSparseMatrix_NNZ(matrix) < static_cast<sunindextype>(row_.size()))
    SUNSparseMatrix_Reallocate(matrix, static_cast<sunindextype>(row_.size()));
  std::copy(column_.begin(), column_.end(), SUNSparseMatrix_IndexPointers(matrix));
  std::copy(row_.begin(), row_.end(), SUNSparseMatrix_IndexValues(matrix));
  return SUNSparseMatrix_Data(matrix);
}

SimulateStatus status_of(int flag, bool ida) {
  if (ida) {
    switch (flag) {
      case IDA_TOO_MUCH_WORK:
        return SimulateStatus::too_many_steps;
      case IDA_TOO_MUCH_ACC:
        return SimulateStatus::too_much_accuracy;
      case IDA_ERR_FAIL:
        return SimulateStatus::error_test;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
        return SimulateStatus::convergence;
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
      case IDA_QRHS_FAIL:
      case IDA_REP_QRHS_ERR:
      case IDA_FIRST_QRHS_ERR:
        return SimulateStatus::nonfinite;
      default:
        return SimulateStatus::failed;
    }
  }
  switch (flag) {
    case CV_TOO_MUCH_WORK:
      return SimulateStatus::too_many_steps;
    case CV_TOO_MUCH_ACC:
      return SimulateStatus::too_much_accuracy;
    case CV_ERR_FAILURE:
      return SimulateStatus::error_test;
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      return SimulateStatus::convergence;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_QRHSFUNC_FAIL:
    case CV_FIRST_QRHSFUNC_ERR:
    case CV_REPTD_QRHSFUNC_ERR:
    case CV_UNREC_QRHSFUNC_ERR:
      return SimulateStatus::nonfinite;
    default:
      return SimulateStatus::failed;
  }
}

void report_worst(const Setup& setup, SimulateStatus status, double t, double h, std::span<const double> errors,
                  std::span<const double> weights) {
  const bolza_model& model = setup.model.model();
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    double e = std::fabs(errors[i] * weights[i]);
    if (std::isfinite(e) ? e > largest : largest < INFINITY) largest = std::isfinite(e) ? e : INFINITY, worst = i;
  }
  abi::Finding& f = setup.report.finding;
  f = {};
  f.time = t;
  f.amount = largest;
  if (worst < model.n_x + model.n_z) {
    const bolza_variable& v = worst < model.n_x ? model.x[worst] : model.z[worst - model.n_x];
    f.name = v.name ? v.name : "";
    if (v.source.file) f.file = v.source.file, f.line = v.source.line, f.column = v.source.column;
  }
  char text[200];
  std::snprintf(text, sizeof text, "%s with steps of %.2g s; the largest local error is that of `", name_of(status), h);
  setup.report.message = text + f.name + "`";
}

void report_nonfinite(const Setup& setup, double t) {
  const nonlinear::ModelAt::Trouble& trouble = setup.model.trouble();
  abi::Finding& f = setup.report.finding;
  f = {};
  f.kind = abi::Finding::Kind::nonfinite;
  f.time = t;
  f.name = trouble.name, f.text = trouble.text, f.value = std::nan("");
  if (trouble.source.file) f.file = trouble.source.file, f.line = trouble.source.line, f.column = trouble.source.column;
  setup.report.message = trouble.text.empty() ? "a value is not finite" : trouble.text;
}

}  // namespace bolza::integrate
