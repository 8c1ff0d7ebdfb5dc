// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/retries.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "workflow/solve/attempts/horizons.h"
#include "workflow/solve/attempts/least_hamiltonian.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr int first_limit = 300;  ///< iterations of an attempt that others may follow
constexpr int warm_limit = 60;    ///< iterations of one that starts with multipliers: it is quick, or on the wrong way
constexpr int short_limit = 100;  ///< iterations of one whose guess is simulated, and that is not the last hope
constexpr int patience = 1900;    ///< iterations after which no other attempt begins, but the last one
constexpr double simulation_seconds = 10;  ///< its steps are limited, too
constexpr double much_later = 10;          ///< a final time, as a multiple of the usual one
constexpr double latest = 1e8;             ///< the largest such multiple: a year compared with a second
constexpr double far_off = 30;             ///< of the usual final time from what the equations say of it
constexpr double middle = 0.5;             ///< of bounds
constexpr double of_a_guess = 0.3;         ///< perturbation of a guess, as a share of the sizes
constexpr double of_a_saddle = 0.05;       ///< and of a solution that may be a saddle point
constexpr int several = 3;                 ///< steps with a regularised Hessian: the problem is not convex
constexpr int least_look = 20;             ///< iterations without which no search for another optimum begins

/// The same without what belongs to the multipliers of a guess.
TranscribeOptions cold(TranscribeOptions options) {
  options.nlp.warm_start = false, options.nlp.barrier = 0;
  return options;
}

bool set_by_user(const TranscribeOptions& options, std::string_view name) {
  return std::any_of(options.nlp.engine_options.begin(), options.nlp.engine_options.end(),
                     [&](const auto& option) { return option.first == name; });
}

/// What a variable was divided by; 1 where that is not known.
double size_in(const std::vector<double>& sizes, std::size_t k) { return k < sizes.size() ? sizes[k] : 1; }

/// Does a phase end before it starts? Integrals over it have the wrong sign, and fall without end where nothing else does.
bool runs_backwards(const abi::Solution& solution) {
  return std::any_of(solution.phases.begin(), solution.phases.end(),
                     [](const abi::PhaseSolution& phase) { return phase.final_time < phase.start_time; });
}

/// The variable without a bound that grew beyond all measure although the equations hold, or nothing.
const bolza_variable* runaway(const bolza_problem& problem, const abi::Solution& solution) {
  constexpr double beyond = 1e7, held = 1e-6;
  if (runs_backwards(solution)) return nullptr;
  bool improves = problem.maximize ? solution.objective > beyond : solution.objective < -beyond;
  if (!improves || solution.statistics.primal_infeasibility > held * std::abs(solution.objective)) return nullptr;
  const bolza_variable* worst = nullptr;
  double most = beyond;
  auto look = [&](const bolza_variable& v, double value, double size) {
    bool open = value > 0 ? std::isinf(v.max) : std::isinf(v.min);
    double usual = std::max({size, v.has_nominal ? std::abs(v.nominal) : 0.0, v.has_guess ? std::abs(v.guess) : 0.0,
                             v.has_start ? std::abs(v.start) : 0.0});
    if (open && std::abs(value) / usual > most) most = std::abs(value) / usual, worst = &v;
  };
  for (std::size_t k = 0; k < problem.n_parameters && k < solution.parameters.size(); ++k)
    if (!problem.parameters[k].fixed)
      look(problem.parameters[k], solution.parameters[k], size_in(solution.parameter_scale, k));
  for (std::size_t p = 0; p < solution.phases.size() && !worst; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = solution.phases[p].trajectories;
    for (std::size_t c = 0; c < m.n_u && c < y.u.size(); ++c)
      for (double value : y.u[c]) look(m.u[c], value, size_in(solution.phases[p].u_size, c));
  }
  return worst;
}

/// Whether the controls stay as they are from the start to the end, one of them at least at a bound.
bool controls_stay(const bolza_problem& problem, const abi::Solution& solution) {
  constexpr double close = 0.01;  // of the distance of the bounds
  bool at_a_bound = false;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = solution.phases[p].trajectories;
    for (std::size_t c = 0; c < m.n_u && c < y.u.size(); ++c) {
      const bolza_variable& v = m.u[c];
      if (v.fixed || v.max == v.min) continue;
      auto [least, most] = std::minmax_element(y.u[c].begin(), y.u[c].end());
      double width = v.max - v.min, room = close * (std::isfinite(width) ? width : size_in(solution.phases[p].u_size, c));
      if (least == y.u[c].end() || *most - *least > room) return false;
      at_a_bound = at_a_bound || *most <= v.min + room || *least >= v.max - room;
    }
  }
  return at_a_bound;
}

/// Errors grow so much over the horizon that no guess makes one integration of it mean something.
bool is_unstable(const abi::Solution& solution) {
  return std::any_of(solution.findings.begin(), solution.findings.end(),
                     [](const abi::Finding& f) { return f.kind == abi::Finding::Kind::unstable; });
}

constexpr double too_short = 0.01;  ///< of the guess of a horizon

abi::Finding unbounded(const bolza_problem& problem, const bolza_variable& v) {
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::unbounded;
  finding.name = v.name ? v.name : "";
  if (v.source.file) finding.file = v.source.file;
  finding.line = v.source.line, finding.column = v.source.column;
  finding.time = std::nan("");
  finding.text = std::string("the objective improves without end as `") + finding.name +
                 (problem.maximize ? "` grows: the problem is unbounded above" : "` grows: the problem is unbounded below") +
                 "; give `" + finding.name + "` bounds (min, max), or check the sign of the objective";
  return finding;
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

class Ladder {
 public:
  explicit Ladder(const RetryTask& task) : task_(task), own_(task.own) {}

  RetryOutcome climb() {
    take_natural_horizon();
    TranscribeOptions first = task_.options;
    if (may_retry()) first.nlp.max_iterations = std::min(limit_of(first_limit), is_warm() ? warm_limit : first_limit);
    bool goes_on = !attempt_first(first) && may_retry() && !ended();
    if (goes_on && is_warm()) goes_on = !attempt(without_multipliers, usual(), task_.given) && !ended();
    if (goes_on && task_.effort.attempts == Attempts::simulated_guess) attempt_simulated();
    goes_on = goes_on && task_.effort.attempts == Attempts::all;
    if (goes_on && !try_other_ways() && !ended() && at_limit_ && task_.options.nlp.max_iterations > first_limit) {
      TranscribeOptions all = cold(task_.options);
      attempt("more iterations", all, first_guess(all));
    }
    if (late()) tell_of_time();
    begin_search();
    try_other_starts(first);
    if (may_retry() && !task_.given) look_elsewhere(first), look_beside(first);
    if (may_retry() && !task_.given) look_by_hamiltonian(first);
    if (status_ == abi::SolveStatus::interrupted && !has_solution()) out_.solution.status = status_;
    return std::move(out_);
  }

 private:
  /// A final time without a guess or bounds is 1 by convention. Where the equations say that it is far from that, the
  /// guess is what they say.
  void take_natural_horizon() {
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

  /// False: it failed, now or before.
  bool attempt_first(TranscribeOptions& first) {
    const abi::Solution* guess = first_guess(first);
    if (!task_.failed) return attempt("", first, guess);
    out_.tried.emplace_back(), out_.first_failed = true;
    out_.solution = *task_.failed, status_ = out_.solution.status;
    at_limit_ = status_ == abi::SolveStatus::iteration_limit;
    return false;
  }

  /// Iterations of an attempt that has no more than `most`.
  int limit_of(int most) const {
    if (task_.effort.most > 0) most = std::min(most, task_.effort.most);
    return std::min(task_.options.nlp.max_iterations, most);
  }

  /// Of attempts that others may follow.
  TranscribeOptions usual() const {
    TranscribeOptions options = cold(task_.options);
    options.nlp.max_iterations = limit_of(first_limit);
    return options;
  }

  /// The one attempt that follows before another problem comes.
  void attempt_simulated() {
    if (task_.given || task_.reduced || task_.guess == "simulate" || !simulated()) return;
    TranscribeOptions options = usual();
    options.nlp.max_iterations = limit_of(short_limit);
    attempt("simulated guess", options, simulated());
  }

  bool is_warm() const { return task_.options.nlp.warm_start && task_.given; }

  const abi::Solution* first_guess(TranscribeOptions& options) {
    if (task_.given) return task_.given;
    if (task_.guess == "perturbed") options.perturbation = of_a_guess, options.seed = task_.seed;
    if (task_.reduced) return own_;
    if (task_.guess == "simulate") return simulated();
    options.lines_to_end = task_.guess == "linear";
    if (task_.own && !options.lines_to_end) return own_;
    if (task_.guess == "auto") data_ = task_.library.data_guess(task_.problem);
    if (!data_.phases.empty()) return &data_;
    return options.lines_to_end ? nullptr : own_;
  }

  /// The guesses of `multi-start`, all of them: the best solution is kept.
  void try_other_starts(TranscribeOptions options) {
    if (task_.starts == 0 || task_.problem.is_static) return;
    out_.starts = 1;
    if (abi::is_solution(out_.solution.status)) out_.optima.push_back(out_.solution.objective);
    const abi::Solution* guess = first_guess(options);
    options = cold(options), options.perturbation = of_a_guess;
    for (int k = 0; k < task_.starts && !search_ended(); ++k, ++out_.starts) {
      options.seed = task_.seed + static_cast<std::uint32_t>(k);
      std::string what = "guess perturbed by seed " + std::to_string(options.seed);
      abi::Solution found = run(what, options, guess, has_solution());
      if (!abi::is_solution(found.status)) continue;
      out_.optima.push_back(found.objective);
      take_if_better(what, std::move(found));
    }
  }

  /// From near a solution that may be a saddle point: the last step needed a regularised Hessian, or there was no step.
  void look_beside(TranscribeOptions options) {
    const abi::Statistics& s = out_.solution.statistics;
    if (!has_solution() || (s.regularization <= 0 && s.iterations > 0) || !may_look()) return;
    options = cold(options), options.perturbation = of_a_saddle, options.seed = task_.seed;
    abi::Solution from = out_.solution;
    constexpr const char* what = "from near a saddle point";
    abi::Solution found = look(what, options, &from);
    bool came_back = abi::is_solution(found.status) &&
                     std::abs(found.objective - from.objective) <= 1e-6 * std::max(std::abs(from.objective), 1.0);
    if (came_back) out_.solution.statistics.is_saddle = false;
    if (!abi::is_solution(found.status) && take_runaway(found)) return;
    take_if_better(what, std::move(found));
  }

  /// From the controls that make the Hamiltonian least; where that leads nowhere, from a perturbed guess.
  void look_by_hamiltonian(const TranscribeOptions& first) {
    constexpr const char* what = "controls of the least Hamiltonian";
    if (!has_solution() || !may_look()) return;
    auto solve = [&](const TranscribeOptions& options, const abi::Solution& guess) { return look(what, options, &guess); };
    LeastHamiltonian least = take_least_hamiltonian(task_.problem, task_.library, first, solve, out_.solution);
    if (least.better) out_.tried.emplace_back(what);
    if (least.local && !least.better) look_perturbed(first);
  }

  /// From a perturbed guess, once.
  void look_perturbed(TranscribeOptions options) {
    if (looked_perturbed_ || task_.guess != "auto" || task_.reduced || task_.starts > 0) return;
    looked_perturbed_ = true;
    const abi::Solution* guess = first_guess(options);
    options = cold(options), options.perturbation = of_a_guess, options.seed = task_.seed;
    compare("perturbed guess", options, guess);
  }

  /// From a later final time, the simulated and a perturbed guess (or the unperturbed one), where the problem is not convex,
  /// where the first attempt failed, or where the solution does nothing: there may be a better optimum.
  void look_elsewhere(TranscribeOptions options) {
    const abi::Statistics& s = out_.solution.statistics;
    bool idle = abi::is_solution(out_.solution.status) && controls_stay(task_.problem, out_.solution);
    bool vanished = abi::is_solution(out_.solution.status) && shrunk_horizon(task_.problem, out_.solution, no_horizon);
    if (!abi::is_solution(out_.solution.status) || out_.solution.integers.any) return;
    bool easy = s.regularized < several && !out_.first_failed;
    if (easy && !idle && !vanished) return;
    bool perturbed = task_.guess == "perturbed";
    if (task_.guess != "auto" && !perturbed) return;
    if (task_.reduced || task_.starts > 0 || !may_look()) return;
    std::size_t tried = out_.tried.size();
    const abi::Solution* guess = first_guess(options);
    options = cold(options), options.perturbation = 0;
    options.nlp.max_iterations = idle || vanished ? first_limit : std::min(first_limit, std::max(50, 2 * s.iterations));
    if (move_end(much_later)) {
      abi::Solution later =
          task_.library.simulated_guess(task_.problem, budget().part(simulation_seconds), &moved_, &out_.solution, middle);
      if (!later.phases.empty()) compare("simulated guess with a later final time", options, &later);
    }
    if (!easy) look_along_bounds(options);
    if (idle && simulated()) compare("simulated guess", options, simulated());
    if ((out_.tried.size() > tried && !out_.first_failed) || easy) return;
    if (perturbed) compare("the guess without its perturbation", options, guess);
    else look_perturbed(options);
  }

  /// Where the final time is free: from simulations until the time that was found, with controls near either bound.
  void look_along_bounds(const TranscribeOptions& options) {
    if (!move_end(much_later)) return;
    abi::Solution times;
    times.parameters = out_.solution.parameters;
    for (auto [what, place] : {std::pair{"simulated guess with controls near their upper bounds", 0.8},
                               {"simulated guess with controls near their lower bounds", 0.2}}) {
      if (!may_look()) return;
      abi::Solution guess =
          task_.library.simulated_guess(task_.problem, budget().part(simulation_seconds), &times, &out_.solution, place);
      if (!guess.phases.empty()) compare(what, options, &guess);
    }
  }

  void compare(const char* what, const TranscribeOptions& options, const abi::Solution* guess) {
    if (std::find(out_.tried.begin(), out_.tried.end(), what) != out_.tried.end() || !may_look()) return;
    double so_far = out_.solution.objective;
    abi::Solution found = look(what, options, guess);
    if (std::abs(found.objective - so_far) <= task_.options.nlp.tol) return;  // two sums of squares that vanish
    if (abi::is_solution(found.status) && differ(found.objective, so_far)) out_.other = found.objective;
    take_if_better(what, std::move(found));
    if (out_.other && out_.solution.objective == out_.other) out_.other = so_far;
  }

  static bool differ(double a, double b) { return std::abs(a - b) > 1e-3 * std::max(std::abs(a), std::abs(b)); }

  void take_if_better(const std::string& what, abi::Solution found) {
    constexpr double noise = 1e-6;  // of two solutions with the same tolerance
    if (!abi::is_solution(found.status)) return;
    const abi::Solution& so_far = out_.solution;
    double gain = (task_.problem.maximize ? -1 : 1) * (so_far.objective - found.objective);
    bool first = !abi::is_solution(so_far.status);
    if (!first && !(gain > noise * std::max(std::abs(so_far.objective), std::abs(found.objective)))) return;
    out_.tried.push_back(what);
    out_.solution = std::move(found);
  }

  const abi::Solution* simulated() {
    if (!simulated_)
      simulated_ =
          task_.library.simulated_guess(task_.problem, budget().part(simulation_seconds), own_, &out_.solution, middle);
    return simulated_->phases.empty() ? nullptr : &*simulated_;
  }

  /// The attempts between the first and the last, as long as there is patience. True: one gave a solution.
  bool try_other_ways() {
    const TranscribeOptions usual = this->usual();
    TranscribeOptions lines = usual;
    lines.lines_to_end = true;
    auto over = [&] { return held_ || ended() || out_.iterations > patience; };
    if (own_ == &natural_ && !over()) attempt("the usual final time", usual, nullptr);
    bool short_of_time =
        status_ != abi::SolveStatus::evaluation_error && shrunk_horizon(task_.problem, out_.solution, too_short);
    for (double factor = much_later; factor <= latest; factor *= much_later * much_later)
      if (!over() && (short_of_time || status_ == abi::SolveStatus::infeasible) && move_end(factor))
        attempt("a later final time", usual, &moved_);
    for (double factor : {0.3, 0.1, 0.03})
      if (!over() && status_ == abi::SolveStatus::evaluation_error && move_end(factor))
        attempt("an earlier final time", usual, &moved_);
    if (task_.reduced) {
      if (!over()) attempt_coarse(usual);
      return held_;
    }
    if (!over() && task_.guess != "simulate" && simulated()) attempt("simulated guess", usual, simulated());
    if (!over()) attempt_constant(usual);
    if (!over() && task_.guess != "linear") attempt("straight lines to the end values", lines, nullptr);
    if (!over() && task_.guess != "perturbed") attempt_perturbed("perturbed guess", usual);
    if (!over()) attempt_perturbed("perturbed lines to the end values", lines);
    if (!over() && status_ == abi::SolveStatus::infeasible) attempt_feasible(usual);
    if (!over() && status_ == abi::SolveStatus::infeasible) attempt_tightened(usual);
    if (!over()) attempt_with("mu_strategy", "adaptive", "adaptive barrier", usual);
    if (!held_ && !ended()) attempt_coarse(usual);  // cheap, whatever the others took
    if (!over()) attempt_with("dependency_detector", "mumps", "dependent equations taken out", usual);
    return held_;
  }

  void attempt_perturbed(const char* what, TranscribeOptions options) {
    options.perturbation = of_a_guess, options.seed = task_.seed;
    attempt(what, options, options.lines_to_end ? nullptr : first_guess(options));
  }

  /// The constraints first: with next to nothing of the objective from the simulated guess, then as it is from there.
  void attempt_feasible(const TranscribeOptions& usual) {
    constexpr const char* of_objective = "obj_scaling_factor";
    if (usual.nlp.engine != "ipopt" || set_by_user(usual, of_objective)) return;
    TranscribeOptions constraints = usual;
    constraints.nlp.engine_options.emplace_back(of_objective, "1e-6");
    constraints.nlp.relative_gap = 0;
    abi::Solution found = run("the constraints first", constraints, simulated());
    if (abi::is_solution(found.status)) attempt("the constraints first", usual, &found);
  }

  /// Constraints and bounds that the simulated guess breaks are widened until it holds them, then moved back step by step,
  /// each step from the solution before it.
  void attempt_tightened(const TranscribeOptions& usual) {
    constexpr const char* what = "constraints tightened step by step";
    constexpr double shares[] = {1, 0.6, 0.5, 0.3};  // of what the solution before breaks: 1, 0.6, 0.3, 0.09 of the guess's
    constexpr int limit = 150;
    TranscribeOptions wide = usual;
    wide.nlp.max_iterations = std::min(wide.nlp.max_iterations, limit);
    abi::SolveStatus before = status_;
    std::optional<abi::Solution> found;
    for (double share : shares) {
      wide.widened = share;
      found = run(what, wide, found ? &*found : simulated());
      if (abi::is_solution(found->status)) continue;
      if (!ended()) status_ = before;
      return;
    }
    attempt(what, usual, &*found);
  }

  /// With an option of IPOPT, unless the user has set it.
  void attempt_with(const char* option, const char* value, const char* what, TranscribeOptions options) {
    if (options.nlp.engine != "ipopt" || set_by_user(options, option)) return;
    options.nlp.engine_options.emplace_back(option, value);
    attempt(what, options, task_.given);
  }

  /// The usual guess with free final times that have no guess at a multiple of their time. False: there are none.
  bool move_end(double factor) {
    const bolza_problem& problem = task_.problem;
    if (task_.given) return false;
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
    return any;
  }

  /// One control value per interval from the simulated guess, then the method asked for from its solution; where that is not
  /// solved either, because polynomials of the controls swing, one value per interval is the answer.
  void attempt_constant(const TranscribeOptions& usual) {
    bool any = false;
    for (std::size_t p = 0; p < task_.problem.n_phases; ++p)
      any = any || task_.problem.models[task_.problem.phases[p].model]->n_u > 0;
    if (!any || usual.control_constant) return;
    TranscribeOptions constant = usual;
    constant.control_constant = true;
    constant.nlp.max_iterations = limit_of(short_limit);
    abi::SolveStatus before = status_;
    abi::Solution found = run("one control value per interval", constant, simulated());
    if (!abi::is_solution(found.status)) {
      if (found.status != abi::SolveStatus::interrupted && found.status != abi::SolveStatus::time_limit) status_ = before;
      return;
    }
    if (attempt("from one control value per interval", usual, &found) || ended()) return;
    out_.tried.emplace_back("one control value per interval");
    out_.solution = std::move(found), status_ = out_.solution.status, held_ = true;
  }

  /// Implicit Euler on few intervals, then the method asked for from its solution.
  void attempt_coarse(const TranscribeOptions& usual) {
    TranscribeOptions coarse = usual;
    coarse.transcription = "implicit-euler", coarse.points = 0, coarse.mesh_fractions.clear();
    coarse.phase_fractions.clear();
    coarse.mesh = std::max<std::uint32_t>(8, usual.mesh / 4);
    coarse.control_constant = true;
    coarse.nlp.tol = std::max(usual.nlp.tol, 1e-5);
    abi::Solution rough = run("implicit Euler on a coarse mesh", coarse, simulated());
    if (abi::is_solution(rough.status)) attempt("from implicit Euler on a coarse mesh", usual, &rough);
  }

  bool has_solution() const { return abi::is_solution(out_.solution.status); }

  /// From here on there are searches only, whose cost is measured by that of the solution.
  void begin_search() {
    bool integrated = task_.reduced || task_.options.transcription == "multiple-shooting";
    search_left_ = iterations_of_a_search(out_.iterations, out_.solution.statistics.variables, integrated);
    search_ = budget().part(seconds_of_a_search(seconds_since(began_)));
  }

  /// Whether nothing more is looked for; where a limit of the user's is why, the outcome says so.
  bool search_ended() {
    bool stopped = late() || status_ == abi::SolveStatus::interrupted;
    if (stopped && has_solution()) out_.stopped = Stopped{search_for_optima, status_ != abi::SolveStatus::interrupted};
    return ended();
  }

  bool may_look() {
    if (search_ended()) return false;
    return search_left_ >= least_look && !search_.over();
  }

  /// An attempt to better a solution: with what is left for all of them.
  abi::Solution look(const std::string& what, TranscribeOptions options, const abi::Solution* guess) {
    if (!may_look()) return {};
    options.nlp.max_iterations = std::min(options.nlp.max_iterations, search_left_);
    options.nlp.budget = search_;
    abi::Solution found = run(what, options, guess, true);
    search_left_ -= found.statistics.iterations;
    if (found.status == abi::SolveStatus::time_limit && !late()) status_ = abi::SolveStatus::iteration_limit;
    search_ended();
    return found;
  }

  abi::Solution run(const std::string& what, const TranscribeOptions& options, const abi::Solution* guess,
                    bool solved = false) {
    if (task_.announce) task_.announce(what, solved);
    abi::Solution found = task_.solve(options, guess);
    out_.iterations += found.statistics.iterations;
    status_ = found.status;
    unstable_ = is_unstable(found);
    at_limit_ = at_limit_ || status_ == abi::SolveStatus::iteration_limit;
    return found;
  }

  bool attempt(const std::string& what, const TranscribeOptions& options, const abi::Solution* guess) {
    abi::Solution found = run(what, options, guess);
    held_ = abi::is_solution(found.status);
    bool first = out_.tried.empty();
    out_.tried.push_back(what);
    out_.first_failed = out_.first_failed || (first && !held_);
    if (!held_ && take_runaway(found)) return false;
    if (first || held_) out_.solution = std::move(found);
    return held_;
  }

  /// The outcome is that the problem is unbounded where the iterates say so.
  bool take_runaway(abi::Solution& found) {
    const bolza_variable* v = runaway(task_.problem, found);
    if (!v) return false;
    found.status = abi::SolveStatus::unbounded;
    found.findings.assign(1, unbounded(task_.problem, *v));
    out_.solution = std::move(found);
    return unbounded_ = true;
  }

  /// What the first attempt ended with is not the last word where others had no time.
  void tell_of_time() {
    using enum abi::SolveStatus;
    abi::SolveStatus& status = out_.solution.status;
    if (may_retry() && (status == infeasible || status == failed || status == iteration_limit)) status = time_limit;
  }

  bool may_retry() const { return task_.retry && !task_.problem.is_static; }

  const Budget& budget() const { return task_.options.nlp.budget; }
  bool late() const { return budget().over(); }

  /// Whether nothing that follows could change the outcome.
  bool ended() const {
    using enum abi::SolveStatus;
    return late() || unbounded_ || unstable_ || status_ == interrupted || status_ == refused || status_ == time_limit;
  }

  const RetryTask& task_;
  const abi::Solution* own_;  ///< the guess that is not constant, or of parameters alone
  abi::Solution natural_;     ///< the usual parameters with the final time that the equations speak of
  Clock::time_point began_ = Clock::now();
  RetryOutcome out_;
  std::optional<abi::Solution> simulated_;
  abi::Solution data_;
  abi::Solution moved_;  ///< times that move_end has set
  abi::SolveStatus status_ = abi::SolveStatus::failed;
  bool held_ = false, unbounded_ = false, unstable_ = false, at_limit_ = false, looked_perturbed_ = false;
  int search_left_ = 0;  ///< iterations that searches may still take
  Budget search_;        ///< of all of them
};

}  // namespace

RetryOutcome solve_with_retries(const RetryTask& task) { return Ladder(task).climb(); }

}  // namespace bolza::workflow
