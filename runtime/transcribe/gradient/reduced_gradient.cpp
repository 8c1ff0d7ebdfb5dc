// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/gradient/reduced_gradient.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/clock.h"
#include "runtime/transcribe/gradient/reduced_gradient_internal.h"

namespace bolza::transcribe {
namespace {

/// Bytes; 0 where the system does not tell.
double resident() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * static_cast<double>(usage.ru_maxrss) : 0;
}

}  // namespace

Gradients::Gradients(bolza_problem& problem, const TranscribeOptions& options, const GradientOptions& gradient)
    : problem_(problem),
      options_(options),
      gradient_(gradient),
      discrete_(!gradient.ways.empty() && (gradient.ways[0] == GradientWay::discrete || gradient.forward_of_steps)),
      main_(make(ShootingGradient::adjoint, discrete_)) {}

ReducedGradient Gradients::run() {
  ReducedGradient result;
  result.objection = main_->objection();
  if (!result.objection.empty()) return result;
  if (!determine(Directions(*main_))) {
    result.trouble = main_->trouble;
    return result;
  }
  Directions directions(*main_);  // with the values that were found
  result.unknown = directions.keep(gradient_.by, gradient_.without);
  result.directions = directions.list;
  if (!result.unknown.empty()) return result;
  announce("simulation", 0, 0);
  if (!simulate(result)) return result;
  for (GradientWay way : gradient_.ways)
    if (WayResult made = by(way, directions, result); !made.refused || result.ways.empty())
      result.ways.push_back(std::move(made));
  if (!result.probes.empty()) make_probes(directions, result);  // of the ways that came last
  if (!second(directions, result)) {
    result.ways[0].good = false;
    result.trouble = main_->trouble;
  }
  return result;
}

std::unique_ptr<Shooting> Gradients::make(ShootingGradient way, bool discrete, bool idas) const {
  ShootingOptions shooting{.rtol = gradient_.rtol, .gradient = way, .constraints = false};
  if (discrete) {
    shooting.integrator = gradient_.integrator;
    shooting.fixed_step = gradient_.fixed_step;
    shooting.written = gradient_.written;
  }
  bool by_forward = gradient_.ways[0] == GradientWay::forward;
  shooting.idas = idas && gradient_.idas && !discrete && by_forward == (way == ShootingGradient::forward);
  shooting.method_options = gradient_.method_options;
  double most = gradient_.method_options.max_steps;
  shooting.max_steps = most > 0 ? static_cast<long>(std::min(most, 1e18)) : 20000000;
  auto made = std::make_unique<Shooting>(problem_, options_, shooting, nullptr);
  made->objective_row = gradient_.rows[0];
  return made;
}

/// Seconds of `work` at the start, where nothing is remembered: the least of up to five runs within a tenth of a second, of
/// two if they are longer: the first one may have compiled something.
template <class Work>
double Gradients::shortest(Shooting& shooting, Work&& work) const {
  std::vector<double> elsewhere = main_->nlp.start;
  for (double& v : elsewhere) v += 1e-9 * std::max(1.0, std::abs(v));
  double least = INFINITY, sum = 0;
  for (int run = 0; run < 5 && sum < (run < 2 ? 3 : 0.1); ++run) {
    shooting.move_to(elsewhere);
    shooting.move_to(main_->nlp.start);
    auto began = Clock::now();
    bool good = work();
    double seconds = seconds_since(began);
    least = std::min(least, seconds);
    sum += seconds;
    if (!good) break;
  }
  return least;
}

/// The objective, and what it costs.
bool Gradients::simulate(ReducedGradient& result) {
  bool by_forward = gradient_.ways[0] == GradientWay::forward;  // on the integrator that the gradient is taken on
  std::unique_ptr<Shooting> fresh = make(by_forward ? ShootingGradient::forward : ShootingGradient::adjoint, discrete_);
  bool good = true;
  result.seconds_simulation = shortest(*fresh, [&] { return good = fresh->point_rows(gradient_.rows, result.values); });
  if (!good) result.trouble = fresh->trouble;
  else result.objective = result.values[0];
  return good;
}

WayResult Gradients::by(GradientWay way, const Directions& d, ReducedGradient& report) {
  WayResult result{way};
  announce(transcribe::name_of(way), 0, 0);
  std::size_t rows = gradient_.rows.size();
  bool probe = !report.ways.empty() && d.list.size() > many_directions && make_probes(d, report);
  if (probe && (way == GradientWay::differences || way == GradientWay::forward)) {
    auto began = Clock::now();
    result.along = way == GradientWay::differences ? quotients(d, probes_) : sensitivities(d, probes_, report);
    result.seconds = seconds_since(began);
    result.good = result.along.size() == rows * report.probes.size();
    result.memory = resident();
    return result;
  }
  if (way == GradientWay::differences) {
    auto began = Clock::now();
    Eigen::MatrixXd unit =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(main_->nlp.n()), static_cast<Eigen::Index>(d.variables.size()));
    for (std::size_t k = 0; k < d.variables.size(); ++k)
      unit(static_cast<Eigen::Index>(d.variables[k]), static_cast<Eigen::Index>(k)) = 1;
    result.gradient = quotients(d, unit);
    if (result.gradient.empty()) report.trouble = main_->trouble;
    result.seconds = seconds_since(began);
  } else {
    std::unique_ptr<Shooting> shooting =
        make(way == GradientWay::forward ? ShootingGradient::forward : ShootingGradient::adjoint,
             way == GradientWay::discrete || (way == GradientWay::forward && gradient_.forward_of_steps));
    if (!shooting->objection().empty()) {
      result.refused = true;
      return result;
    }
    shooting->want(wanted(d));
    result.seconds = shortest(*shooting, [&] {
      Eigen::MatrixXd by_variables;
      bool good =
          shooting->point_gradients(gradient_.rows, by_variables) && reduce(*shooting, d, by_variables, result.gradient);
      if (!good) {
        result.gradient.clear();
        report.trouble = shooting->trouble;
      }
      return good;
    });
  }
  result.good = result.gradient.size() == rows * d.list.size();
  result.memory = resident();
  return result;
}

void Gradients::announce(const char* what, std::size_t done, std::size_t of) const {
  if (gradient_.progress) gradient_.progress(what, done, of);
}

/// A direction's typical length.
double Gradients::size_of(std::size_t variable) const {
  double at = main_->nlp.start[variable];
  return at != 0 ? std::abs(at) : main_->nlp.scale[variable];
}

std::vector<char> Gradients::wanted(const Directions& d) const {
  std::vector<char> out(main_->nlp.n(), 0);
  for (const std::vector<std::size_t>* list : {&d.variables, &d.determined})
    for (std::size_t v : *list) out[v] = 1;
  return out;
}

ReducedGradient reduced_gradient(bolza_problem& problem, const TranscribeOptions& options, const GradientOptions& gradient) {
  return Gradients(problem, options, gradient).run();
}

}  // namespace bolza::transcribe
