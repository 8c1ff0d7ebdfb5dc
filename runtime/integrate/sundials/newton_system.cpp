// SPDX-License-Identifier: Apache-2.0
// Matrices and linear solvers of SUNDIALS by option.
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_pcg.h>
#include <sunlinsol/sunlinsol_spbcgs.h>
#include <sunlinsol/sunlinsol_spfgmr.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunlinsol/sunlinsol_sptfqmr.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>

#include "base/allocated.h"
#include "runtime/integrate/sundials/singular_solver.h"
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {
namespace {

using Places = std::vector<std::pair<std::int32_t, std::int32_t>>;

bool column_order(std::pair<std::int32_t, std::int32_t> a, std::pair<std::int32_t, std::int32_t> b) {
  return std::pair(a.second, a.first) < std::pair(b.second, b.first);
}

}  // namespace

MethodOptions direct_only(const MethodOptions& options) {
  MethodOptions out;
  for (const char* kind : {"dense", "band", "klu"})
    if (options.linear_solver == kind) out.linear_solver = kind;
  return out;
}

NewtonSystem::NewtonSystem(std::size_t n, Places places, N_Vector like, SUNContext context, const MethodOptions& options,
                           bool may_be_singular)
    : n_(n) {
  Places all = places;
  for (std::size_t i = 0; i < n; ++i) all.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
  std::sort(all.begin(), all.end(), column_order);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::string& kind = options.linear_solver;
  sunindextype size = static_cast<sunindextype>(n);
  if (kind == "band") {
    make_band(places, all, context);
    solver_.reset(SUNLinSol_Band(like, matrix_.get(), context));
  } else if (kind == "klu" || (kind.empty() && n > 40 && 4 * all.size() < n * n)) {
    make_columns(places, all, context);
    solver_.reset(SUNLinSol_KLU(like, matrix_.get(), context));
  } else if (kind.empty() || kind == "dense") {
    matrix_.reset(SUNDenseMatrix(size, size, context));
    solver_.reset(SUNLinSol_Dense(like, matrix_.get(), context));
    for (auto [r, c] : places) slot_.push_back(static_cast<std::size_t>(c) * n + static_cast<std::size_t>(r));
  } else {
    make_iterative(options, like, context);
  }
  if (may_be_singular && (form_ == Form::columns || form_ == Form::dense))
    solver_.reset(make_singular_solver(solver_.release(), context));
  allocated(solver_ != nullptr);
}

void NewtonSystem::make_columns(const Places& places, const Places& all, SUNContext context) {
  form_ = Form::columns;
  column_.assign(n_ + 1, 0);
  for (auto [r, c] : all) {
    ++column_[static_cast<std::size_t>(c) + 1];
    row_.push_back(r);
  }
  for (std::size_t c = 0; c < n_; ++c) column_[c + 1] += column_[c];
  sunindextype size = static_cast<sunindextype>(n_);
  matrix_.reset(SUNSparseMatrix(size, size, static_cast<sunindextype>(all.size()), CSC_MAT, context));
  for (auto place : places)
    slot_.push_back(static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), place, column_order) - all.begin()));
  clear(matrix_.get());
}

void NewtonSystem::make_band(const Places& places, const Places& all, SUNContext context) {
  form_ = Form::band;
  std::int32_t upper = 0, lower = 0;
  for (auto [r, c] : all) {
    upper = std::max(upper, c - r);
    lower = std::max(lower, r - c);
  }
  matrix_.reset(SUNBandMatrix(static_cast<sunindextype>(n_), upper, lower, context));
  sunindextype height = SUNBandMatrix_LDim(matrix_.get()), first = SUNBandMatrix_StoredUpperBandwidth(matrix_.get());
  for (auto [r, c] : places) slot_.push_back(static_cast<std::size_t>(c * height + r - c + first));
}

void NewtonSystem::make_iterative(const MethodOptions& options, N_Vector like, SUNContext context) {
  form_ = Form::none;
  bool with = options.preconditioner != "none";
  int side = with ? SUN_PREC_LEFT : SUN_PREC_NONE, vectors = whole(options.krylov_dimension, 5);
  const std::string& kind = options.linear_solver;
  if (kind == "spfgmr") solver_.reset(SUNLinSol_SPFGMR(like, with ? SUN_PREC_RIGHT : side, vectors, context));
  else if (kind == "spbcg") solver_.reset(SUNLinSol_SPBCGS(like, side, vectors, context));
  else if (kind == "sptfqmr") solver_.reset(SUNLinSol_SPTFQMR(like, side, vectors, context));
  else if (kind == "pcg") solver_.reset(SUNLinSol_PCG(like, side, vectors, context));
  else solver_.reset(SUNLinSol_SPGMR(like, side, vectors, context));
  preconditioner_ = make_preconditioner(options.preconditioner, n_);
}

double* NewtonSystem::clear(SUNMatrix matrix) const {
  SUNMatZero(matrix);
  if (form_ == Form::dense) return SUNDenseMatrix_Data(matrix);
  if (form_ == Form::band) return SUNBandMatrix_Data(matrix);
  if (SUNSparseMatrix_NNZ(matrix) < static_cast<sunindextype>(row_.size()))
    SUNSparseMatrix_Reallocate(matrix, static_cast<sunindextype>(row_.size()));
  std::copy(column_.begin(), column_.end(), SUNSparseMatrix_IndexPointers(matrix));
  std::copy(row_.begin(), row_.end(), SUNSparseMatrix_IndexValues(matrix));
  return SUNSparseMatrix_Data(matrix);
}

}  // namespace bolza::integrate
