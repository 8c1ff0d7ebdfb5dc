// SPDX-License-Identifier: Apache-2.0
// An objective is scaled by its slope at the start, and may be much flatter where the engine ends: what is small there
// compared with the start is not small. Then it is scaled anew, and the engine goes on.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/linear_algebra.h"
#include "runtime/nlp/residuals.h"
#include "runtime/nlp/scale.h"

namespace bolza::nlp {
namespace {

constexpr int most_rounds = 12;
constexpr double clearly = 0.1;

/// What is known of the end: the scale that its slope asks for, and the largest component of ∇L, of scaled variables.
struct End {
  double scale = 0, slope = 0;
};

std::optional<End> end_of(const Nlp& nlp, const Iterate& it) {
  if (it.lambda.size() != nlp.m() || it.z_lower.size() != nlp.n()) return std::nullopt;
  nlp.functions->move_to(it.w);
  const double *gradient = nlp.functions->gradient(), *jacobian = nlp.functions->jacobian();
  if (!gradient || !jacobian) return std::nullopt;
  std::vector<double> size = usable_scales(nlp.scale), slope = slope_of_lagrangian(nlp, it, gradient, jacobian);
  double change = 0, most = 0;
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    change += std::abs(gradient[v]) * size[v];
    most = std::max(most, std::abs(slope[v]) * size[v]);
  }
  return End{scale_of_objective(change), most};
}

/// What an engine left unfinished tells that the solution before was none.
bool is_clearly_better(const Report& closer, const Report& before) {
  constexpr double noise = 1e-6;
  bool is_point = closer.status == Status::acceptable || closer.status == Status::iteration_limit ||
                  closer.status == Status::time_limit || closer.status == Status::interrupted;
  double gain = before.objective - closer.objective;
  return is_point && gain > noise * std::max(std::abs(before.objective), std::abs(closer.objective));
}

std::optional<Report> solve_in_new_scales(const SolveTask& task, LayerRows below) {
  constexpr double ordinary = 1;
  if (!(task.nlp->objective_scale > ordinary)) return std::nullopt;
  Report report = walk(task, below);
  Nlp nlp = *task.nlp;
  SolveTask on = task;
  on.nlp = on.own = &nlp;
  for (int round = 0; round < most_rounds && report.status == Status::solved; ++round) {
    std::optional<End> end = end_of(nlp, report.iterate);
    if (!end || end->scale > clearly * nlp.objective_scale || end->slope <= task.options.tol * end->scale) break;
    double share = end->scale / nlp.objective_scale;
    nlp.objective_scale = end->scale;
    on.start = report.iterate;
    on.options.warm_start = true;
    on.options.barrier = std::clamp(task.options.tol / share, 1e-9, 0.1);
    on.options.max_iterations = std::max(1, task.options.max_iterations - report.iterations);
    Report closer = walk(on, below);
    closer.iterations += report.iterations;
    add(closer.linear_algebra, report.linear_algebra);
    closer.regularized += report.regularized;
    closer.first_objective = report.first_objective;
    closer.seconds_evaluation += report.seconds_evaluation;
    report.iterations = closer.iterations;
    if (closer.status != Status::solved && !is_clearly_better(closer, report)) break;
    bool is_nearly = closer.status == Status::acceptable;  // in a scale of a tenth or less: solved in the one before
    if (is_nearly) closer.status = Status::solved;
    report = std::move(closer);
    if (is_nearly) break;
  }
  return report;
}

}  // namespace

extern const LayerRow new_scales_layer;
const LayerRow new_scales_layer{.name = "new scales", .answer = solve_in_new_scales};

}  // namespace bolza::nlp
