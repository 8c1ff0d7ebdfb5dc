#include "runtime/transcribe/shooting/single_shooting.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "runtime/integrate/simulate/simulate.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/shooting/shooting_internal.h"
#include "runtime/transcribe/status.h"

namespace bolza::transcribe {
namespace {

constexpr int parts = 4;  // samples per interval in the trajectories

abi::Solution refused(const std::string& reason) {
  abi::Solution solution;
  solution.status = abi::SolveStatus::refused;
  abi::Finding f;
  f.name = "single shooting", f.text = reason, f.time = std::nan("");
  solution.findings.push_back(std::move(f));
  return solution;
}

integrate::Inputs inputs_of(const ShootingPhase& phase, std::span<const double> w) {
  integrate::Inputs inputs;
  for (std::size_t k = 0; k < phase.N(); ++k) {
    const SegmentPlace& t = phase.times[k];
    integrate::InputPiece piece{t.begin, t.begin + t.length, {t.begin}, {}};
    if (phase.linear) piece.nodes.push_back(piece.end);
    for (std::size_t i = 0; i < phase.model->n_u; ++i) {
      piece.values.push_back({w[phase.u_at(k, i, false)]});
      if (phase.linear) piece.values.back().push_back(w[phase.u_at(k, i, true)]);
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
    double room = 1e-9 * std::fabs(phase.times[k].length);
    while (k + 1 < phase.N() && (second ? end() <= time[i] + room : end() < time[i] - room))
      ++k, second = second && end() <= time[i] + room;
    double s = phase.times[k].length > 0 ? (time[i] - phase.times[k].begin) / phase.times[k].length : 0;
    out.push_back({k, std::clamp(static_cast<int>(std::lround(s * parts)), 0, parts)});
  }
  return out;
}

void add_costates(Shooting& shooting, ShootingPhase& phase, std::span<const double> lambda, abi::Trajectories& t) {
  std::vector<double> samples;
  for (int j = parts; j > 0; --j) samples.push_back(static_cast<double>(j) / parts);
  std::vector<std::vector<double>> all = shooting.costates(phase.number, lambda, samples);
  if (all.empty()) return;
  std::size_t n_x = phase.model->n_x;
  t.costate.assign(n_x, {});
  for (Sampled at : places_of(phase, t.time))
    for (std::size_t i = 0; i < n_x; ++i)
      t.costate[i].push_back(all[at.segment][static_cast<std::size_t>(parts - at.sample) * n_x + i]);
}

// The multiplier of a path constraint at a mesh point stands for the interval that ends there.
void add_path_multipliers(const Shooting& shooting, const ShootingPhase& phase, std::span<const double> lambda,
                          abi::Trajectories& t) {
  if (!phase.model->n_g || lambda.size() != shooting.rows.size()) return;
  std::vector<std::vector<double>> per_segment(phase.model->n_g, std::vector<double>(phase.N()));
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    const NodeFunction& f = shooting.rows[r].function;
    if (shooting.rows[r].kind != ShootingRow::Kind::node || f.what != NodeFunction::What::path ||
        f.site.phase != phase.number)
      continue;
    double h = phase.times[f.site.segment].length;
    if (h > 0) per_segment[f.index][f.site.segment] += lambda[r] / h;
  }
  t.path_multiplier.assign(phase.model->n_g, {});
  for (Sampled at : places_of(phase, t.time))
    for (std::size_t j = 0; j < phase.model->n_g; ++j) t.path_multiplier[j].push_back(per_segment[j][at.segment]);
}

abi::PhaseSolution phase_solution(Shooting& shooting, ShootingPhase& phase, const nlp::Iterate& it) {
  abi::PhaseSolution out;
  out.start_time = it.w[phase.parameter(0)], out.final_time = it.w[phase.parameter(1)];
  out.transcription = "single_shooting";
  out.points = phase.linear ? 2 : 1;
  out.control_constant = !phase.linear;
  double length = out.final_time - out.start_time;
  for (const AffineTime& point : phase.mesh.point)
    out.mesh.push_back(length > 0 ? (point.at(out.start_time, out.final_time) - out.start_time) / length : 0);
  out.mesh.front() = 0, out.mesh.back() = 1;
  integrate::SimulateOptions options;
  options.rtol = shooting.rtol;
  options.inputs = inputs_of(phase, it.w);
  options.parameters.assign(it.w.begin(), it.w.begin() + static_cast<std::ptrdiff_t>(shooting.problem.n_parameters));
  options.x.assign(it.w.begin() + static_cast<std::ptrdiff_t>(phase.first_x0),
                   it.w.begin() + static_cast<std::ptrdiff_t>(phase.first_x0 + phase.model->n_x));
  for (const SegmentPlace& t : phase.times)
    for (int j = 0; j < parts; ++j) options.output_times.push_back(t.begin + t.length * j / parts);
  options.output_times.push_back(out.final_time);
  out.trajectories = integrate::simulate(shooting.problem, phase.number, options).trajectories;
  add_costates(shooting, phase, it.lambda, out.trajectories);
  add_path_multipliers(shooting, phase, it.lambda, out.trajectories);
  return out;
}

void add_violations(Shooting& shooting, abi::Solution& solution) {
  const double* g = shooting.constraints();
  if (!g) return;
  std::vector<abi::Finding> found;
  for (std::size_t r = 0; r < shooting.rows.size(); ++r) {
    double low = shooting.nlp.row_lower[r] - g[r], high = g[r] - shooting.nlp.row_upper[r];
    if (std::max(low, high) <= 1e-6) continue;
    const ShootingRow& row = shooting.rows[r];
    abi::Finding f;
    f.name = row.name ? row.name : "";
    if (row.source.file) f.file = row.source.file, f.line = row.source.line, f.column = row.source.column;
    const Site& site = row.function.site;
    const SegmentPlace& times = shooting.phases[site.phase].times[site.segment];
    f.time = row.kind == ShootingRow::Kind::node ? times.begin + (site.end ? times.length : 0) : std::nan("");
    f.value = g[r], f.bound = low > high ? shooting.nlp.row_lower[r] : shooting.nlp.row_upper[r],
    f.amount = std::max(low, high);
    found.push_back(std::move(f));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const abi::Finding& a, const abi::Finding& b) { return a.amount > b.amount; });
  found.resize(std::min<std::size_t>(found.size(), 10));
  std::move(found.begin(), found.end(), std::back_inserter(solution.findings));
}

void add_parameters(const Shooting& shooting, const nlp::Iterate& it, abi::Solution& solution) {
  const bolza_problem& problem = shooting.problem;
  solution.parameters.assign(it.w.begin(), it.w.begin() + static_cast<std::ptrdiff_t>(problem.n_parameters));
  if (it.z_upper.size() == it.w.size())
    for (std::size_t i = 0; i < problem.n_parameters; ++i)
      solution.parameter_multipliers.push_back(it.z_upper[i] - it.z_lower[i]);
  if (it.lambda.size() == shooting.rows.size())
    solution.point_multipliers.assign(it.lambda.begin(), it.lambda.begin() + static_cast<std::ptrdiff_t>(problem.n_k));
}

void add_statistics(const Shooting& shooting, const nlp::Report& report, abi::Solution& solution) {
  abi::Statistics& s = solution.statistics;
  for (std::size_t v = 0; v < shooting.nlp.n(); ++v) s.variables += shooting.nlp.lower[v] < shooting.nlp.upper[v];
  s.constraints = shooting.nlp.m(), s.jacobian_nonzeros = shooting.nlp.jacobian.size(),
  s.hessian_nonzeros = shooting.nlp.hessian.size();
  s.iterations = report.iterations, s.seconds_evaluation = report.seconds_evaluation;
  s.primal_infeasibility = report.primal_infeasibility, s.dual_infeasibility = report.dual_infeasibility,
  s.complementarity = report.complementarity;
}

// Few variables, many nonlinearities: a large barrier leads far away from a good guess. The user's own options come later
// and win.
void set_barrier(nlp::EngineOptions& engine) {
  auto& list = engine.engine_options;
  if (engine.hessian == nlp::Hessian::lbfgs) list.insert(list.begin(), {"mu_strategy", "monotone"});
  list.insert(list.begin(), {"mu_init", "1e-4"});
}

}  // namespace

abi::Solution solve_single_shooting(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                                    const abi::Solution* guess) {
  auto begin = std::chrono::steady_clock::now();
  Shooting shooting(problem, options, choice, guess);
  if (!shooting.objection().empty()) return refused(shooting.objection());
  nlp::EngineOptions engine = options.nlp;
  if (engine.engine == "ipopt" || engine.engine == "bonmin") set_barrier(engine);
  engine.warm_start = false;
  nlp::Report report = nlp::solve(shooting.nlp, engine, nullptr);
  nlp::Iterate& it = report.iterate;
  if (it.w.size() != shooting.nlp.n()) it.w = shooting.nlp.start;
  abi::Solution solution;
  solution.status = status_of(report.status);
  shooting.move_to(it.w);
  double f = std::nan("");
  bool good = shooting.objective(f);
  solution.objective = problem.maximize ? -f : f;
  add_parameters(shooting, it, solution);
  for (ShootingPhase& phase : shooting.phases) solution.phases.push_back(phase_solution(shooting, phase, it));
  if (!good || solution.status == abi::SolveStatus::evaluation_error) solution.findings.push_back(shooting.trouble);
  bool solved = solution.status == abi::SolveStatus::solved || solution.status == abi::SolveStatus::acceptable;
  if (report.status == nlp::Status::bad_option || report.status == nlp::Status::failed ||
      report.status == nlp::Status::too_few_degrees_of_freedom)
    solution.findings.push_back(refused(report.message).findings.front());
  if (!solved) add_violations(shooting, solution);
  add_statistics(shooting, report, solution);
  solution.integers = integer_statistics(report.integers, problem.maximize ? -1 : 1, solution);
  solution.log.emplace_back("tolerance of the integration", shooting.rtol);
  solution.statistics.seconds_total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return solution;
}

}  // namespace bolza::transcribe
