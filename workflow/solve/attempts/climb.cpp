// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/climb.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workflow/solve/attempts/unbounded.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr int warm_limit = 60;  ///< iterations of an attempt that starts with multipliers: it is quick, or on the wrong way
constexpr int creep_of_an_attempt = 60;    ///< iterations in which next to nothing changes: another one is tried
constexpr int patience = 1750;             ///< iterations after which no other attempt begins, but cheap ones and the last
constexpr double simulation_seconds = 10;  ///< its steps are limited, too
constexpr double far_off = 30;             ///< of the usual final time from what the equations say of it
constexpr int least_look = 20;             ///< iterations without which no search for another optimum begins

/// Errors grow so much over the horizon that no guess makes one integration of it mean something.
bool is_unstable(const abi::Solution& solution) {
  return std::any_of(solution.findings.begin(), solution.findings.end(),
                     [](const abi::Finding& f) { return f.kind == abi::Finding::Kind::unstable; });
}

/// What all searches after a solution may take: as many iterations as it took; in a small problem, a few hundred. Where
/// intervals are integrated an iteration takes longer.
int iterations_of_a_search(int of_solution, std::size_t variables, bool integrated) {
  constexpr double least = 300, least_integrated = 30, small = 1000;  // iterations, iterations, variables
  double share = std::min(1.0, small / std::max(1.0, static_cast<double>(variables)));
  return std::max(of_solution, static_cast<int>((integrated ? least_integrated : least) * share));
}

/// Far off: what ends a search is the number of its iterations, which is the same on every machine.
double seconds_of_a_search(double of_solution) { return 10 + 2 * of_solution; }

bool differ(double a, double b) { return std::abs(a - b) > 1e-3 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

TranscribeOptions cold(TranscribeOptions options) {
  options.nlp.warm_start = false;
  options.nlp.barrier = 0;
  return options;
}

TranscribeOptions perturbed(TranscribeOptions options, std::uint32_t seed) {
  options.perturbation = of_a_guess;
  options.seed = seed;
  return options;
}

TranscribeOptions from_another_start(TranscribeOptions options, std::uint32_t seed) {
  options.perturbation = 1;
  options.seed = seed;
  return options;
}

bool may_set(const TranscribeOptions& options, std::string_view name) {
  const auto& given = options.nlp.engine_options;
  constexpr std::string_view of_ipopt_alone = "dependency_detector";  // `barrier` takes dependent equations as they are
  bool has = options.nlp.engine == "ipopt" || (options.nlp.engine == "barrier" && name != of_ipopt_alone);
  return has && std::none_of(given.begin(), given.end(), [&](const auto& option) { return option.first == name; });
}

bool has_guess_of_states(const Climb& climb) { return !climb.task().reduced; }

Climb::Climb(const RetryTask& task) : task_(task), own_(task.own) { take_natural_horizon(); }

/// A final time without a guess or bounds is 1 by convention. Where the equations say that it is far from that, the guess is
/// what they say.
void Climb::take_natural_horizon() {
  const bolza_problem& problem = task_.problem;
  if (problem.is_static || problem.n_phases != 1 || task_.given || task_.own) return;
  auto first = static_cast<std::size_t>(problem.phases[0].parameter[0]),
       last = static_cast<std::size_t>(problem.phases[0].parameter[1]);
  const bolza_variable& v = problem.parameters[last];
  if (v.fixed || v.has_guess || v.has_start) return;
  natural_.parameters = task_.library.guessed_parameters(problem, nullptr);
  double start = natural_.parameters[first], &end = natural_.parameters[last];
  double length = task_.library.natural_horizon(task_.problem);
  bool far = length > far_off * (end - start) || (length > 0 && length < (end - start) / far_off);
  end = std::clamp(start + length, std::min(v.min, end), std::max(v.max, end));
  if (far) own_ = &natural_;
}

bool Climb::ended() const {
  using enum abi::SolveStatus;
  bool is_proven = out_.solution.status == infeasible && out_.solution.statistics.is_proven;
  return late() || unbounded_ || unstable_ || is_proven || status_ == interrupted || status_ == refused ||
         status_ == time_limit;
}

bool Climb::goes_on() const { return !held_ && !ended() && out_.iterations <= patience; }

// ------------------------------------------------------------ guesses

const abi::Solution* Climb::first_guess(TranscribeOptions& options) {
  if (task_.given) return task_.given;
  if (task_.guess == Guess::perturbed) options = perturbed(std::move(options), task_.seed);
  if (task_.reduced) return own_;
  if (task_.guess == Guess::simulated) return simulated();
  options.lines_to_end = task_.guess == Guess::linear;
  if (task_.own && !options.lines_to_end) return own_;
  if (task_.guess == Guess::automatic) data_ = task_.library.data_guess(task_.problem);
  if (!data_.phases.empty()) return &data_;
  return options.lines_to_end ? nullptr : own_;
}

const abi::Solution* Climb::simulated() {
  if (!simulated_) simulated_ = simulated_from(own_, middle_of_bounds);
  return simulated_->phases.empty() ? nullptr : &*simulated_;
}

abi::Solution Climb::simulated_from(const abi::Solution* own, double place) const {
  return task_.library.simulated_guess(task_.problem, budget().part(simulation_seconds), own, &out_.solution, place);
}

const abi::Solution* Climb::with_end_at(double factor) {
  const bolza_problem& problem = task_.problem;
  if (task_.given) return nullptr;
  simulated();
  moved_.parameters = simulated_->parameters;
  bool any = false;
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    auto first = static_cast<std::size_t>(problem.phases[p].parameter[0]),
         last = static_cast<std::size_t>(problem.phases[p].parameter[1]);
    const bolza_variable& v = problem.parameters[last];
    if (v.fixed || v.has_guess || v.has_start) continue;
    double start = moved_.parameters[first], &end = moved_.parameters[last];
    double moved = std::clamp(start + factor * (end - start), std::min(v.min, end), std::max(v.max, end));
    any = any || moved != end;
    end = moved;
  }
  return any ? &moved_ : nullptr;
}

// ------------------------------------------------------------ options

int Climb::limit_of(int most) const {
  if (task_.effort.most > 0) most = std::min(most, task_.effort.most);
  return std::min(task_.options.nlp.max_iterations, most);
}

TranscribeOptions Climb::usual() const {
  TranscribeOptions options = cold(task_.options);
  options.nlp.max_iterations = limit_of(first_limit);
  options.nlp.creep = creep_of_an_attempt;
  return options;
}

TranscribeOptions Climb::first() const {
  TranscribeOptions options = task_.options;
  options.nlp.wants_proof = true;  // the one attempt at the problem as it is: a proof ends all
  bool is_warm = options.nlp.warm_start && task_.given;
  if (!may_retry()) return options;
  options.nlp.max_iterations = std::min(limit_of(first_limit), is_warm ? warm_limit : first_limit);
  options.nlp.creep = creep_of_an_attempt;
  return options;
}

// ------------------------------------------------------------ attempts

abi::Solution Climb::run(const std::string& what, const TranscribeOptions& options, const abi::Solution* guess,
                         bool solved) {
  if (task_.announce) task_.announce(what, solved);
  abi::Solution found = task_.solve(options, guess);
  out_.iterations += found.statistics.iterations;
  status_ = found.status;
  unstable_ = is_unstable(found);
  at_limit_ = at_limit_ || status_ == abi::SolveStatus::iteration_limit;
  return found;
}

void Climb::forget(abi::SolveStatus before) {
  using enum abi::SolveStatus;
  if (status_ != interrupted && status_ != time_limit) status_ = before;
}

bool Climb::attempt(const std::string& what, const TranscribeOptions& options, const abi::Solution* guess) {
  abi::Solution found = run(what, options, guess);
  held_ = abi::is_solution(found.status);
  bool first = out_.tried.empty();
  out_.tried.push_back(what);
  out_.first_failed = out_.first_failed || (first && !held_);
  if (!held_ && take_runaway(found)) return false;
  if (first || held_) out_.solution = std::move(found);
  return held_;
}

bool Climb::attempt_first(TranscribeOptions& first) {
  const abi::Solution* guess = first_guess(first);
  if (!task_.failed) return attempt("", first, guess);
  out_.tried.emplace_back();
  out_.first_failed = true;
  out_.solution = *task_.failed;
  status_ = out_.solution.status;
  at_limit_ = status_ == abi::SolveStatus::iteration_limit;
  return false;
}

void Climb::take(const std::string& what, abi::Solution found) {
  out_.tried.push_back(what);
  out_.solution = std::move(found);
  status_ = out_.solution.status;
  held_ = true;
}

bool Climb::take_runaway(abi::Solution& found) {
  const bolza_variable* v = runaway(task_.problem, found);
  if (!v) return false;
  found.status = abi::SolveStatus::unbounded;
  found.findings.assign(1, unbounded(task_.problem, *v));
  out_.solution = std::move(found);
  return unbounded_ = true;
}

void Climb::tell_of_time() {
  using enum abi::SolveStatus;
  abi::SolveStatus& status = out_.solution.status;
  if (may_retry() && (status == infeasible || status == failed || status == iteration_limit)) status = time_limit;
}

// ------------------------------------------------------------ searches

void Climb::begin_search() {
  if (has_solution()) out_.looked.ends.push_back(out_.solution.objective);
  bool integrated = task_.reduced || shooting_of(task_.options.transcription) == Shooting::multiple;
  search_left_ = iterations_of_a_search(out_.iterations, out_.solution.statistics.variables, integrated);
  search_ = budget().part(seconds_of_a_search(seconds_since(began_)));
}

bool Climb::search_ended() {
  bool stopped = late() || status_ == abi::SolveStatus::interrupted;
  if (stopped && has_solution()) out_.stopped = Stopped{search_for_optima, status_ != abi::SolveStatus::interrupted};
  return ended();
}

bool Climb::may_look() { return !search_ended() && search_left_ >= least_look && !search_.over(); }

abi::Solution Climb::look(const std::string& what, TranscribeOptions options, const abi::Solution* guess) {
  if (!may_look()) return {};
  ++out_.looked.starts;
  return look_again(what, options, guess);
}

abi::Solution Climb::look_again(const std::string& what, const TranscribeOptions& as_asked, const abi::Solution* guess) {
  if (!may_look()) return {};
  TranscribeOptions options = as_asked;
  options.nlp.max_iterations = std::min(options.nlp.max_iterations, search_left_);
  options.nlp.budget = search_;
  abi::Solution found = run(what, options, guess, /*solved=*/true);
  search_left_ -= found.statistics.iterations;
  if (abi::is_solution(found.status)) out_.looked.ends.push_back(found.objective);
  if (found.status == abi::SolveStatus::time_limit && !late()) status_ = abi::SolveStatus::iteration_limit;
  search_ended();
  return found;
}

std::optional<abi::Solution> Climb::look_coarsely(const std::string& what, TranscribeOptions options,
                                                  const abi::Solution* guess) {
  if (!may_look()) return {};
  abi::SolveStatus before = status_;
  bool was_unstable = unstable_, was_at_limit = at_limit_;
  options.nlp.budget = search_;
  abi::Solution found = run(what, options, guess, /*solved=*/true);
  double all = std::max(1.0, static_cast<double>(out_.solution.statistics.variables));
  double share = std::min(1.0, static_cast<double>(found.statistics.variables) / all);
  int counted = static_cast<int>(std::ceil(share * found.statistics.iterations));
  out_.iterations += counted - found.statistics.iterations;
  search_left_ -= counted;
  if (found.status == abi::SolveStatus::time_limit && !late()) status_ = before;
  search_ended();
  forget(before);
  unstable_ = was_unstable;
  at_limit_ = was_at_limit;
  if (!abi::is_solution(found.status)) return {};
  return found;
}

void Climb::compare(const char* what, const TranscribeOptions& options, const abi::Solution* guess) {
  if (std::find(out_.tried.begin(), out_.tried.end(), what) != out_.tried.end() || !may_look()) return;
  double so_far = out_.solution.objective;
  abi::Solution found = look(what, options, guess);
  if (std::abs(found.objective - so_far) <= task_.options.nlp.tol) return;  // two sums of squares that vanish
  if (abi::is_solution(found.status) && differ(found.objective, so_far)) out_.other = found.objective;
  take_if_better(what, std::move(found));
  if (out_.other && out_.solution.objective == out_.other) out_.other = so_far;
}

void Climb::look_perturbed(TranscribeOptions options) {
  if (looked_perturbed_ || task_.guess != Guess::automatic || task_.reduced || task_.starts > 0) return;
  looked_perturbed_ = true;
  const abi::Solution* guess = first_guess(options);
  compare("perturbed guess", perturbed(cold(std::move(options)), task_.seed), guess);
}

void Climb::take_if_better(const std::string& what, abi::Solution found) {
  constexpr double noise = 1e-6;  // of two solutions with the same tolerance
  if (!abi::is_solution(found.status)) return;
  const abi::Solution& so_far = out_.solution;
  double gain = (task_.problem.maximize ? -1 : 1) * (so_far.objective - found.objective);
  bool first = !abi::is_solution(so_far.status);
  if (!first && !(gain > noise * std::max(std::abs(so_far.objective), std::abs(found.objective)))) return;
  out_.tried.push_back(what);
  out_.solution = std::move(found);
}

RetryOutcome Climb::take_outcome() {
  if (status_ == abi::SolveStatus::interrupted && !has_solution()) out_.solution.status = status_;
  return std::move(out_);
}

}  // namespace bolza::workflow
