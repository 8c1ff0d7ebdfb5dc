// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/plan/path_equalities.h"

#include "runtime/transcribe/plan/layout.h"

namespace bolza::transcribe {
namespace {

/// Whether row `row` of the residuals has derivatives by inputs first … end-1 of the point.
bool reads(const bolza_model& model, std::size_t row, std::size_t first, std::size_t end) {
  const bolza_function& f = *model.residuals;
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto column = static_cast<std::size_t>(f.jac_col[e]);
    if (static_cast<std::size_t>(f.jac_row[e]) == row && column >= first && column < end) return true;
  }
  return false;
}

}  // namespace

bool is_equality(const bolza_model& model, std::size_t g) {
  const bolza_row& row = model.residuals->rows[model.n_z + g];
  return row.lower == row.upper;
}

bool reads_controls(const bolza_model& model, std::size_t row) {
  std::size_t first = 1 + model.n_x + model.n_z;
  return reads(model, row, first, first + model.n_u - delays_of(model));
}

bool depends_on_controls(const bolza_model& model, std::size_t g) {
  if (reads_controls(model, model.n_z + g)) return true;
  bool algebraics_do = false;
  for (std::size_t b = 0; b < model.n_z; ++b) algebraics_do = algebraics_do || reads_controls(model, b);
  return algebraics_do && reads(model, model.n_z + g, 1 + model.n_x, 1 + model.n_x + model.n_z);
}

PathRows rows_of_path(const bolza_model& model, std::size_t g, bool one_value) {
  if (!one_value || model.n_u == delays_of(model) || !is_equality(model, g)) return PathRows::at_points;
  return reads_controls(model, model.n_z + g) ? PathRows::mean : PathRows::at_end;
}

std::vector<double> weights_of(PathRows rows, const Scheme& scheme) {
  if (rows == PathRows::mean) return scheme.b;
  std::vector<double> weights(scheme.points, 0);
  weights.back() = 1;
  return weights;
}

}  // namespace bolza::transcribe
