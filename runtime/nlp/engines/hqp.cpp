// SPDX-License-Identifier: Apache-2.0
// Sparse sequential quadratic programming for discretised problems; its programs are solved by an interior-point method on
// sparse factors (MUMPS).
#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/engines/hqp_row.h"
#include "runtime/nlp/engines/saddle_point.h"
#include "runtime/nlp/sqp/condensing_qp.h"
#include "runtime/nlp/sqp/interior_point_qp.h"
#include "runtime/nlp/sqp/sqp.h"

namespace bolza::nlp {
namespace {

Report solve_hqp(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  SqpOptions settings;
  settings.exact_programs = false;
  settings.penalty = number_of(hqp_settings, options.engine_options, "penalty");
  settings.second_order_correction = word_of(hqp_settings, options.engine_options, "second_order_correction") == "yes";
  InteriorPointOptions programs;
  bool franke = word_of(hqp_settings, options.engine_options, "centering") == "franke";
  programs.centering = franke ? Centering::franke : Centering::mehrotra;
  programs.correctors = static_cast<int>(number_of(hqp_settings, options.engine_options, "correctors"));
  programs.hot_start = word_of(hqp_settings, options.engine_options, "hot_start") == "yes";
  std::unique_ptr<QuadraticSolver> solver = interior_point_solver(mumps_kkt_factors, programs);
  if (options.condensing)
    solver = condensing_solver(nlp, interior_point_solver(mumps_kkt_factors, programs), std::move(solver));
  Report report = solve_by_sqp(nlp, options, start, *solver, settings);
  look_at_end(nlp, options, report);
  return report;
}

}  // namespace

extern const Engine hqp;
const Engine hqp = hqp_row({.available = [] { return true; }, .solve = solve_hqp});

}  // namespace bolza::nlp
