// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/lane_points.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "base/clock.h"
#include "base/interrupt.h"
#include "runtime/integrate/lanes/lane_runs.h"
#include "workflow/simulate/parameters_as_inputs.h"
#include "workflow/solve/method/solver.h"
#include "workflow/whole_array.h"

namespace bolza::workflow {
namespace {

constexpr std::string_view of_start = "(start)";
constexpr double agreement = 1e-3;  // of the size of a variable: what two integrators may differ by where both are right

/// What an axis of the plan sets: an input of the model that was a parameter, or where a state starts.
struct LaneAxis {
  bool is_start = false;
  std::size_t index = 0;
  double least = 0, most = 0;  ///< outside of these the model has something to say
};

bool is_plain(const SimulateJob& job) {
  const SimulateRequest& s = job.simulate;
  bool has_other = s.options.has("integrator") && s.options.text("integrator") != "dopri5";
  return !has_other && !s.options.has("initialization") && s.input_file.empty() && s.method_options.empty() &&
         job.load.scenarios.file.empty();
}

/// A start that is no number is a formula of parameters, which may be among those that differ.
bool has_number_as_start(const ir::Problem& p, ir::VariableId state) {
  const ir::Variable& v = ir::variable_of(p.flat, state);
  const ir::ElementValues& own = v.attributes[static_cast<std::size_t>(ir::Attribute::start)];
  if (!own.present()) return true;
  const ir::Term& term = own.terms[own.terms.size() == 1 ? 0 : state.index() - v.first.index()];
  return term.slots.empty();
}

}  // namespace

class LanePoints::Inside {
 public:
  Inside(const StudyJob& job, const Plan& plan) : job_(job), plan_(plan), simulate_(std::get<SimulateJob>(job.what)) {}

  bool make() {
    return is_plain(simulate_) && load() && find_axes() && compile() && agrees_at(0) && agrees_at(plan_.size() - 1);
  }

  std::vector<std::optional<PointRecord>> run(std::span<const std::size_t> points);

 private:
  bool load();
  bool find_axes();
  bool find_axis(const std::string& name);
  bool compile();
  bool agrees_at(std::size_t point);
  bool is_within(std::span<const double> values) const;
  double value_at_end(const std::string& name, const integrate::LaneRuns& runs, std::size_t run, std::size_t of) const;
  integrate::LaneRuns integrate(std::span<const std::size_t> points) const;

  const StudyJob& job_;
  const Plan& plan_;
  const SimulateJob& simulate_;
  Model model_;
  const SolverLibrary* library_ = nullptr;
  std::vector<LaneAxis> axes_;
  std::string method_;
  double start_ = 0, stop_ = 1, rtol_ = 1e-6;
  PointRecord like_;                           ///< a record of a plain simulation: its names are those of all
  std::map<std::string, std::size_t> at_end_;  ///< states, then results of the model
};

/// With its parameters open. Whatever the model has to say is left to the plain simulation.
bool LanePoints::Inside::load() {
  LoadRequest load = simulate_.load;
  load.settings = plan_.common();
  load.events = passes::Events::keep;
  for (const StudyAxis& axis : plan_.axes()) {
    if (whole_array(axis.name) != axis.name) return false;
    if (!axis.name.ends_with(of_start)) load.settings.push_back(axis.name + "(free=true)");
  }
  return model_.load(load) && model_.diagnostics.all().empty() && !model_.annotated.has("integrator");
}

bool LanePoints::Inside::find_axes() {
  const ir::Problem& p = model_.problem;
  std::size_t given = p.u.size();
  if (p.n_global != 2 + static_cast<std::size_t>(std::ranges::count_if(
                            plan_.axes(), [](const StudyAxis& axis) { return !axis.name.ends_with(of_start); })))
    return false;
  for (ir::VariableId state : p.x)
    if (!has_number_as_start(p, state)) return false;
  if (!make_parameters_inputs(model_.problem).empty()) return false;
  for (const ir::Numbers& state : p.x_numbers)
    if (!state.fixed) return false;
  bool are_found = std::ranges::all_of(plan_.axes(), [this](const StudyAxis& axis) { return find_axis(axis.name); });
  return are_found && given <= p.u.size();
}

bool LanePoints::Inside::find_axis(const std::string& name) {
  const ir::Problem& p = model_.problem;
  bool is_start = name.ends_with(of_start);
  std::string variable = is_start ? name.substr(0, name.size() - of_start.size()) : name;
  const std::vector<ir::VariableId>& among = is_start ? p.x : p.u;
  auto at = std::ranges::find_if(among, [&](ir::VariableId v) { return ir::name_of(p.flat, v) == variable; });
  if (at == among.end()) return false;
  auto index = static_cast<std::size_t>(at - among.begin());
  const ir::Numbers& numbers = is_start ? p.x_numbers[index] : p.u_numbers[index];
  axes_.push_back({is_start, index, numbers.min, numbers.max});
  return true;
}

bool LanePoints::Inside::compile() {
  auto library = solver_library(model_.diagnostics);
  if (!library) return false;
  library_ = *library;
  driver::Options options = model_.annotated;
  options.merge(simulate_.simulate.options);
  if (!model_.compile({.calls = codegen::Calls::many})) return false;
  const bolza_model& m = *model_.abi().models[0];
  start_ = simulate_.simulate.start.value_or(m.shared_values[0]);
  stop_ = simulate_.simulate.stop.value_or(m.shared_values[1]);
  if (options.has("integrator")) method_ = options.text("integrator");
  rtol_ = options.has("rtol") ? options.number("rtol") : options.has("tol") ? options.number("tol") : 1e-6;
  if (!(stop_ > start_) || !library_->objection_to_lanes(model_.abi()).empty()) return false;
  for (std::size_t k = 0; k < m.n_x; ++k) at_end_.try_emplace(m.x[k].name, k);
  for (std::size_t k = 0; k < m.n_outputs; ++k) at_end_.try_emplace(m.results[k].name, m.n_x + k);
  return true;
}

double LanePoints::Inside::value_at_end(const std::string& name, const integrate::LaneRuns& runs, std::size_t run,
                                        std::size_t of) const {
  std::size_t k = at_end_.at(name), n_x = model_.abi().models[0]->n_x;
  return k < n_x ? runs.x[k * of + run] : runs.outputs[(k - n_x) * of + run];
}

bool LanePoints::Inside::is_within(std::span<const double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]) || values[k] < axes_[k].least || values[k] > axes_[k].most) return false;
  return true;
}

integrate::LaneRuns LanePoints::Inside::integrate(std::span<const std::size_t> points) const {
  const bolza_model& m = *model_.abi().models[0];
  integrate::LaneRequest request{.runs = points.size(), .start = start_, .final = stop_, .rtol = rtol_};
  request.method = method_;
  request.budget = Budget(job_.seconds * static_cast<double>(points.size()), &interrupt_flag());
  for (std::size_t k = 0; k < m.n_x; ++k) request.x.insert(request.x.end(), points.size(), m.x[k].start);
  for (const LaneAxis& axis : axes_)
    if (!axis.is_start) request.varied.push_back(axis.index);
  request.u.resize(request.varied.size() * points.size());
  for (std::size_t r = 0; r < points.size(); ++r) {
    std::vector<double> values = plan_.numbers(points[r]);
    std::size_t row = 0;
    for (std::size_t k = 0; k < axes_.size(); ++k)
      (axes_[k].is_start ? request.x[axes_[k].index * points.size() + r] : request.u[row++ * points.size() + r]) = values[k];
  }
  return library_->run_lanes(model_.abi(), request);
}

/// Whether both ways end at one point, and the lanes have all that a record has.
bool LanePoints::Inside::agrees_at(std::size_t point) {
  constexpr std::string_view final = "final.";
  like_ = run_point(job_, plan_, point, {}, [] {});
  if (like_.kind != PointRecord::Kind::solved || !like_.message.empty() || !is_within(plan_.numbers(point))) return false;
  std::size_t points[] = {point};
  integrate::LaneRuns runs = integrate(points);
  if (runs.end[0] != integrate::LaneEnd::finished) return false;
  return std::ranges::all_of(like_.results, [&](const auto& result) {
    const auto& [name, value] = result;
    if (name == "time" || name == "steps") return true;
    std::string own = name.substr(std::min(final.size(), name.size()));
    if (!name.starts_with(final) || !at_end_.contains(own)) return false;
    double other = value_at_end(own, runs, 0, 1), size = std::max(std::fabs(value), std::fabs(other));
    if (std::size_t k = at_end_.at(own); k < runs.largest.size()) size = runs.largest[k];
    return std::fabs(value - other) <= agreement * size;
  });
}

std::vector<std::optional<PointRecord>> LanePoints::Inside::run(std::span<const std::size_t> points) {
  constexpr std::size_t length_of_final = std::string_view("final.").size();
  Clock::time_point begin = Clock::now();
  std::vector<std::size_t> taken;
  for (std::size_t point : points)
    if (is_within(plan_.numbers(point))) taken.push_back(point);
  integrate::LaneRuns runs = integrate(taken);
  double seconds = seconds_since(begin) / static_cast<double>(std::max<std::size_t>(taken.size(), 1));
  std::vector<std::optional<PointRecord>> records(points.size());
  for (std::size_t k = 0, r = 0; k < points.size() && r < taken.size(); ++k) {
    if (points[k] != taken[r]) continue;
    if (runs.end[r] == integrate::LaneEnd::finished) {
      PointRecord& record = records[k].emplace(like_);
      record.point = points[k];
      record.values = plan_.values(points[k]);
      record.seconds = seconds;
      for (auto& [name, value] : record.results)
        value = name == "time"    ? stop_
                : name == "steps" ? static_cast<double>(runs.steps[r])
                                  : value_at_end(name.substr(length_of_final), runs, r, taken.size());
    }
    ++r;
  }
  return records;
}

LanePoints::LanePoints(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
LanePoints::~LanePoints() = default;

std::unique_ptr<LanePoints> LanePoints::make(const StudyJob& job, const Plan& plan) {
  if (!std::holds_alternative<SimulateJob>(job.what) || plan.axes().empty() || plan.has_guesses()) return nullptr;
  auto inside = std::make_unique<Inside>(job, plan);
  if (!inside->make()) return nullptr;
  return std::unique_ptr<LanePoints>(new LanePoints(std::move(inside)));
}

std::vector<std::optional<PointRecord>> LanePoints::run(std::span<const std::size_t> points) { return inside_->run(points); }

}  // namespace bolza::workflow
