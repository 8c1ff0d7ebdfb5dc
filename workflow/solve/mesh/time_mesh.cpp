// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/mesh/time_mesh.h"

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/mesh_choice.h"

namespace bolza::workflow {
namespace {

constexpr double same = 1e-9;  // of the horizon: closer points are one
constexpr std::size_t most_before = 500;

/// Ascending, without what is as good as the same.
void sort_apart(std::vector<double>& points, double distance) {
  std::sort(points.begin(), points.end());
  std::vector<double> apart;
  for (double t : points)
    if (apart.empty() || t - apart.back() > distance) apart.push_back(t);
  points = std::move(apart);
}

/// The fractions of the mesh of a phase that options ask for.
std::vector<double> mesh_asked_for(const transcribe::TranscribeOptions& options, std::size_t number, const char* name) {
  if (number < options.phase_fractions.size()) return options.phase_fractions[number];
  std::uint32_t intervals = options.mesh;
  bool own = false;
  for (const auto& [asked, n] : options.phase_mesh)
    if (!own && name && transcribe::names_phase(asked, name)) {
      own = true;
      intervals = n;
    }
  if (!own && !options.mesh_fractions.empty()) return options.mesh_fractions;
  std::vector<double> mesh;
  for (std::uint32_t k = 0; k <= intervals; ++k) mesh.push_back(static_cast<double>(k) / intervals);
  return mesh;
}

}  // namespace

bool TimeLacks::any() const {
  return std::ranges::any_of(add, [](const std::vector<double>& points) { return !points.empty(); });
}

std::vector<std::vector<double>> with_points(const abi::Solution& solution, const TimeLacks& lacks) {
  std::vector<std::vector<double>> meshes;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    std::vector<double>& mesh = meshes.emplace_back(solution.phases[p].mesh);
    if (p >= lacks.add.size() || lacks.add[p].empty()) continue;
    mesh.insert(mesh.end(), lacks.add[p].begin(), lacks.add[p].end());
    sort_apart(mesh, same);
    mesh.back() = 1;
  }
  return meshes;
}

TimeMesh::TimeMesh(Model& model) : model_(model) {
  if (model.problem.is_static) return;
  for (std::size_t p = 0; p < ir::models_of(model.problem).size(); ++p) terms_.emplace_back(model.problem, p);
  settled_.resize(terms_.size());
  is_settled_.assign(terms_.size(), 0);
  for (std::size_t p = 0; p < terms_.size(); ++p) is_settled_[p] = terms_[p].size() == 0;
}

/// Places within the horizon at which no value is taken: points of every mesh.
std::vector<double> TimeMesh::corners(std::size_t phase, double t0, double tf) const {
  const bolza_problem& problem = model_.abi();
  std::vector<double> times;
  for (std::size_t k = 0; k < problem.n_places; ++k) {
    const bolza_place& place = problem.places[k];
    double t = place.on_start * t0 + place.on_final * tf + place.offset;
    bool is_read = std::any_of(problem.values, problem.values + problem.n_values, [&](const bolza_value_at& v) {
      return v.quantity != BOLZA_INTEGRAL && static_cast<std::size_t>(v.place) == k;
    });
    if (static_cast<std::size_t>(place.phase) == phase && !is_read && t > t0 && t < tf) times.push_back(t);
  }
  return times;
}

TimePoints TimeMesh::look(std::size_t phase, const std::vector<double>& parameters, std::vector<double> mesh,
                          TimeSearch how) {
  const bolza_phase& p = model_.abi().phases[phase];
  const bolza_model& m = *model_.abi().models[p.model];
  std::vector<double> shared(p.shared_values, p.shared_values + m.n_shared);
  for (std::size_t k = 0; k < m.n_global; ++k) shared[k] = parameters[static_cast<std::size_t>(p.parameter[k])];
  double t0 = mesh.front(), tf = mesh.back();
  for (double t : corners(phase, t0, tf)) mesh.push_back(t);
  sort_apart(mesh, same * (tf - t0));
  mesh.back() = tf;
  how.shared = shared;
  how.mesh = mesh;
  return time_points(terms_[phase], how);
}

std::vector<std::vector<double>> TimeMesh::before(const SolverLibrary& library,
                                                  const transcribe::TranscribeOptions& options) {
  const bolza_problem& problem = model_.abi();
  std::vector<std::vector<double>> meshes;
  if (std::ranges::all_of(terms_, [](const TimeTerms& t) { return t.size() == 0; })) return meshes;
  std::vector<double> parameters = library.guessed_parameters(problem, nullptr);
  bool any = false;
  for (std::size_t p = 0; p < terms_.size(); ++p) {
    std::vector<double>& mesh = meshes.emplace_back(mesh_asked_for(options, p, problem.phases[p].name));
    auto first = static_cast<std::size_t>(problem.phases[p].parameter[0]),
         last = static_cast<std::size_t>(problem.phases[p].parameter[1]);
    double t0 = parameters[first], length = parameters[last] - t0;
    bool fixed = problem.parameters[first].fixed && problem.parameters[last].fixed;
    if (is_settled_[p] || !fixed || !(length > 0)) continue;
    std::vector<double> times;
    for (double fraction : mesh) times.push_back(t0 + fraction * length);
    TimePoints found = look(p, parameters, std::move(times), {.most = most_before, .leave_free = true, .leave_dense = true});
    bool free = false;
    for (std::size_t k = 0; k < terms_[p].size(); ++k) free = free || terms_[p].is_free(k);
    if (!free && found.left == 0 && !found.dense) {
      is_settled_[p] = 1;
      settled_[p].look_at = found.look_at;
    }
    any = any || !found.add.empty();
    for (double t : found.add) mesh.push_back((t - t0) / length);
    sort_apart(mesh, same);
    mesh.back() = 1;
  }
  if (!any) meshes.clear();
  return meshes;
}

TimeLacks TimeMesh::lacks(const abi::Solution& solution, std::size_t most, bool leave_dense) {
  TimeLacks out;
  if (solution.phases.size() != terms_.size()) return out;
  double worst = 0;
  for (std::size_t p = 0; p < terms_.size(); ++p) {
    const abi::PhaseSolution& phase = solution.phases[p];
    double t0 = phase.start_time, length = phase.final_time - t0;
    std::vector<double>& add = out.add.emplace_back();
    if (is_settled_[p] || phase.mesh.size() < 2 || !(length > 0)) {
      out.look_at.push_back(settled_[p].look_at);
      continue;
    }
    std::vector<double> times;
    for (double fraction : phase.mesh) times.push_back(t0 + fraction * length);
    TimePoints found = look(p, solution.parameters, std::move(times), {.most = most, .leave_dense = leave_dense});
    out.look_at.push_back(std::move(found.look_at));
    for (double t : found.add) add.push_back((t - t0) / length);
    out.intervals += found.left;
    if (found.worst <= worst) continue;
    worst = found.worst;
    out.text = found.text;
    out.time = found.time;
  }
  return out;
}

}  // namespace bolza::workflow
