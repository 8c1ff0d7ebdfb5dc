// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/shooting/carried_multipliers.h"
#include "runtime/transcribe/shooting/solution_internal.h"
#include "runtime/transcribe/status.h"

namespace bolza::transcribe {
namespace {

constexpr int parts = 4;  // samples per interval in the trajectories

integrate::Inputs inputs_of(const ShootingPhase& phase, std::span<const double> w) {
  integrate::Inputs inputs;
  for (std::size_t k = 0; k < phase.N(); ++k) {
    const SegmentPlace& t = phase.times[k];
    integrate::InputPiece piece{t.begin, t.begin + t.length, {t.begin}, {}};
    if (phase.linear) piece.nodes.push_back(piece.end);
    for (std::size_t i = 0; i < phase.model->n_u; ++i) {
      piece.values.push_back({phase.control(k, i, SegmentPart::begin, w)});
      if (phase.linear) piece.values.back().push_back(phase.control(k, i, SegmentPart::end, w));
    }
    inputs.pieces.push_back(std::move(piece));
  }
  return inputs;
}

// For every time of the trajectories the segment and the sample within it; the second of two equal times belongs to the
// right one.
struct Sampled {
  std::size_t segment;
  int sample;
};
std::vector<Sampled> places_of(const ShootingPhase& phase, const std::vector<double>& time) {
  std::vector<Sampled> out;
  std::size_t k = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    bool second = i > 0 && time[i] == time[i - 1];
    auto end = [&] { return phase.times[k].begin + phase.times[k].length; };
    double room = room_at_boundary * std::fabs(phase.times[k].length);
    while (k + 1 < phase.N() && (second ? end() <= time[i] + room : end() < time[i] - room)) {
      ++k;
      second = second && end() <= time[i] + room;
    }
    double s = phase.times[k].length > 0 ? (time[i] - phase.times[k].begin) / phase.times[k].length : 0;
    out.push_back({k, std::clamp(static_cast<int>(std::lround(s * parts)), 0, parts)});
  }
  return out;
}

void add_costates(const ShootingWriter& writer, const ShootingPhase& phase, std::span<const double> lambda,
                  abi::Trajectories& t) {
  std::vector<double> samples;
  for (int j = parts; j > 0; --j) samples.push_back(static_cast<double>(j) / parts);
  std::vector<std::vector<double>> all = writer.costates(phase.number, lambda, samples);
  if (all.empty()) return;
  std::size_t n_x = phase.model->n_x;
  t.costate.assign(n_x, {});
  for (Sampled at : places_of(phase, t.time))
    for (std::size_t i = 0; i < n_x; ++i)
      t.costate[i].push_back(all[at.segment][static_cast<std::size_t>(parts - at.sample) * n_x + i]);
}

// The multiplier of a path constraint at a mesh point stands for the interval that ends there.
void add_path_multipliers(const ShootingNodes& nodes, const ShootingPhase& phase, std::span<const double> lambda,
                          abi::Trajectories& t) {
  if (!phase.model->n_g || lambda.size() != nodes.rows.size()) return;
  std::vector<std::vector<double>> per_segment(phase.model->n_g, std::vector<double>(phase.N()));
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    const NodeFunction& f = nodes.rows[r].function;
    if (nodes.rows[r].kind != ShootingRow::Kind::node || f.what != NodeFunction::What::path || f.site.phase != phase.number)
      continue;
    double h = phase.times[f.site.segment].length;
    if (h > 0) per_segment[f.index][f.site.segment] += lambda[r] / h;
  }
  t.path_multiplier.assign(phase.model->n_g, {});
  for (Sampled at : places_of(phase, t.time))
    for (std::size_t j = 0; j < phase.model->n_g; ++j) t.path_multiplier[j].push_back(per_segment[j][at.segment]);
}

abi::PhaseSolution phase_solution(const ShootingNodes& nodes, ShootingPhase& phase, const nlp::Iterate& it,
                                  const ShootingWriter& writer) {
  abi::PhaseSolution out;
  out.start_time = it.w[phase.parameter(0)];
  out.final_time = it.w[phase.parameter(1)];
  out.transcription = writer.transcription;
  out.points = phase.linear ? 2 : 1;
  out.control_constant = !phase.linear;
  double length = out.final_time - out.start_time;
  for (const AffineTime& point : phase.mesh.point)
    out.mesh.push_back(length > 0 ? (point.at(out.start_time, out.final_time) - out.start_time) / length : 0);
  out.mesh.front() = 0;
  out.mesh.back() = 1;
  for (const std::vector<std::size_t>& points : phase.grid) {
    std::vector<double>& grid = out.control_grid.emplace_back();
    for (std::size_t node : points) grid.push_back(out.mesh[node]);
  }
  integrate::SimulateOptions options = simulate_options(nodes, phase, it.w);
  for (const SegmentPlace& t : phase.times)
    for (int j = 0; j < parts; ++j) options.output_times.push_back(t.begin + t.length * j / parts);
  options.output_times.push_back(out.final_time);
  out.trajectories = writer.simulate(phase, std::move(options));
  add_costates(writer, phase, it.lambda, out.trajectories);
  add_path_multipliers(nodes, phase, it.lambda, out.trajectories);
  out.multipliers = multipliers_along(nodes, phase, it);
  return out;
}

// Delayed values are polynomials over a segment: how far the states at mesh points, which they lead to, are from a
// simulation that knows the delays themselves.
void log_delays(const ShootingPhase& phase, const abi::Trajectories& simulated, abi::Solution& solution) {
  if (phase.input_places.empty() || simulated.time.empty()) return;
  double worst = 0;
  std::size_t n_x = phase.model->n_x;
  for (std::size_t i = 0; i < n_x; ++i) {
    double size = 0;
    for (double x : simulated.x[i]) size = std::max(size, std::fabs(x));
    for (std::size_t k = 0; k <= phase.N() && size > 0; ++k) {
      const SegmentPlace& t = phase.times[std::min(k, phase.N() - 1)];
      double time = k < phase.N() ? t.begin : t.begin + t.length, room = room_at_boundary * std::fabs(t.length);
      auto at = std::lower_bound(simulated.time.begin(), simulated.time.end(), time - room);
      if (at == simulated.time.end()) continue;
      auto j = static_cast<std::size_t>(at - simulated.time.begin());
      worst = std::max(worst, std::fabs(simulated.x[i][j] - phase.x[k * n_x + i]) / size);
    }
  }
  solution.log.push_back({"state deviation of polynomials in the place of delays", worst});
}

void add_violations(ShootingNodes& nodes, nlp::Functions& functions, abi::Solution& solution) {
  const double* g = functions.constraints();
  if (!g) return;
  std::vector<abi::Finding> found;
  for (std::size_t r = 0; r < nodes.rows.size(); ++r) {
    double low = nodes.nlp.row_lower[r] - g[r], high = g[r] - nodes.nlp.row_upper[r];
    if (std::max(low, high) <= 1e-6) continue;
    const ShootingRow& row = nodes.rows[r];
    abi::Finding f;
    f.name = row.name ? row.name : "";
    if (row.source.file) {
      f.file = row.source.file;
      f.line = row.source.line;
      f.column = row.source.column;
    }
    const Site& site = row.function.site;
    const SegmentPlace& times = nodes.phases[site.phase].times[site.segment];
    f.time = row.kind == ShootingRow::Kind::node || row.kind == ShootingRow::Kind::defect
                 ? times.begin + (site.end ? times.length : 0)
                 : std::nan("");
    f.value = g[r];
    f.bound = low > high ? nodes.nlp.row_lower[r] : nodes.nlp.row_upper[r];
    f.amount = std::max(low, high);
    found.push_back(std::move(f));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const abi::Finding& a, const abi::Finding& b) { return a.amount > b.amount; });
  found.resize(std::min<std::size_t>(found.size(), 10));
  std::move(found.begin(), found.end(), std::back_inserter(solution.findings));
}

void add_parameters(const ShootingNodes& nodes, const nlp::Iterate& it, abi::Solution& solution) {
  const bolza_problem& problem = nodes.problem;
  solution.parameters.assign(it.w.begin(), it.w.begin() + static_cast<std::ptrdiff_t>(problem.n_parameters));
  if (it.z_upper.size() == it.w.size())
    for (std::size_t i = 0; i < problem.n_parameters; ++i)
      solution.parameter_multipliers.push_back(it.z_upper[i] - it.z_lower[i]);
  if (it.lambda.size() == nodes.rows.size())
    solution.point_multipliers.assign(it.lambda.begin(), it.lambda.begin() + static_cast<std::ptrdiff_t>(problem.n_k));
}

void add_statistics(const ShootingNodes& nodes, const nlp::Report& report, abi::Solution& solution) {
  abi::Statistics& s = solution.statistics;
  for (std::size_t v = 0; v < nodes.nlp.n(); ++v) s.variables += nodes.nlp.lower[v] < nodes.nlp.upper[v];
  s.constraints = nodes.nlp.m();
  s.jacobian_nonzeros = nodes.nlp.jacobian.size();
  s.hessian_nonzeros = nodes.nlp.hessian.size();
  s.iterations = report.iterations;
  s.seconds_evaluation = report.seconds_evaluation;
  s.primal_infeasibility = report.primal_infeasibility;
  s.dual_infeasibility = report.dual_infeasibility;
  s.complementarity = report.complementarity;
  s.scaled = {report.scaled.primal, report.scaled.dual, report.scaled.complementarity};
  s.gap = report.gap;
  s.regularization = report.regularization;
  s.regularized = report.regularized;
  s.is_saddle = report.is_saddle;
  s.passed_better = report.passed_better;
  s.is_proven = report.is_proven;
  s.objective_scale = nodes.nlp.objective_scale;
  s.first_objective = report.first_objective;
}

}  // namespace

integrate::SimulateOptions simulate_options(const ShootingNodes& nodes, const ShootingPhase& phase,
                                            std::span<const double> w) {
  integrate::SimulateOptions options;
  options.rtol = nodes.rtol;
  options.inputs = inputs_of(phase, w);
  options.parameters.assign(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(nodes.problem.n_parameters));
  return options;
}

abi::Solution refused_shooting(const char* method, const std::string& reason) {
  abi::Solution solution;
  solution.status = abi::SolveStatus::refused;
  abi::Finding f;
  f.name = method;
  f.text = reason;
  f.time = std::nan("");
  solution.findings.push_back(std::move(f));
  return solution;
}

abi::Solution shooting_solution(ShootingNodes& nodes, nlp::Functions& functions, nlp::Report& report,
                                const ShootingWriter& writer) {
  nlp::Iterate& it = report.iterate;
  if (it.w.size() != nodes.nlp.n()) it.w = nodes.nlp.start;
  abi::Solution solution;
  solution.status = status_of(report.status);
  functions.move_to(it.w);
  double f = std::nan("");
  bool good = functions.objective(f);
  solution.objective = (nodes.problem.maximize ? -f : f) + 0.0;  // no minus before zero
  add_parameters(nodes, it, solution);
  for (ShootingPhase& phase : nodes.phases) solution.phases.push_back(phase_solution(nodes, phase, it, writer));
  for (const ShootingPhase& phase : nodes.phases) log_delays(phase, solution.phases[phase.number].trajectories, solution);
  if (!good || solution.status == abi::SolveStatus::evaluation_error) solution.findings.push_back(nodes.trouble);
  if (report.status == nlp::Status::bad_option || report.status == nlp::Status::failed)
    solution.findings.push_back(said_by_engine(report));
  if (!abi::is_solution(solution.status)) add_violations(nodes, functions, solution);
  add_statistics(nodes, report, solution);
  solution.integers = integer_statistics(report.integers, nodes.problem.maximize ? -1 : 1, solution);
  solution.log.push_back({"tolerance of the integration", nodes.rtol});
  return solution;
}

}  // namespace bolza::transcribe
