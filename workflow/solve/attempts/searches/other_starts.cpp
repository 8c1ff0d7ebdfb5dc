// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/searches/other_starts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/transcribe/mesh_choice.h"
#include "workflow/solve/attempts/attempt_table.h"
#include "workflow/solve/attempts/other_guesses.h"
#include "workflow/solve/attempts/searches/elsewhere.h"

namespace bolza::workflow {

bool looks_coarsely(const Climb& climb) {
  const RetryTask& task = climb.task();
  if (!climb.may_retry() || task.given || !climb.has_solution() || climb.so_far().integers.any) return false;
  if (task.guess != Guess::automatic || task.reduced || task.starts > 0 || task.one_start ||
      task.effort.attempts == Attempts::none || !task.effort.refine)
    return false;
  return !task.integrated && !transcribe::has_control_grid(task.options);
}

namespace {

using transcribe::TranscribeOptions;

constexpr std::uint32_t least_intervals = 8;
constexpr std::uint32_t coarser = 5, less_coarse = 2;  // times
constexpr int iterations_of_a_look = 40;
constexpr int too_many_failed = 4;  // starts more than were solved
constexpr double small = 1000;      // variables
constexpr double of_first_looks = 0.2, least_of_first = 15, least_of_all = 30,
                 of_setting_up = 1;                        // iterations, in proportion to the variables
constexpr double coarse_tolerance = 1e-6, matters = 1e-3;  // of objectives on a coarse mesh
constexpr double matters_on_the_mesh = 1e-4;               // less is another discretisation of the same optimum

TranscribeOptions on_a_coarse_mesh(const TranscribeOptions& first, std::uint32_t times) {
  TranscribeOptions coarse = cold(first);
  coarse.perturbation = 0;
  coarse.lines_to_end = false;
  coarse.mesh_fractions.clear();
  coarse.phase_fractions.clear();
  coarse.phase_mesh.clear();
  coarse.mesh = std::min(first.mesh, std::max(least_intervals, first.mesh / times));
  coarse.nlp.tol = std::max(coarse.nlp.tol, coarse_tolerance);
  coarse.nlp.max_iterations = std::min(first.nlp.max_iterations, iterations_of_a_look);
  return coarse;
}

/// For a start that is a solution: not away from its bounds, and with a small barrier.
TranscribeOptions close_to_bounds(TranscribeOptions options) {
  for (auto [name, value] : {std::pair{"bound_push", "1e-6"}, std::pair{"bound_frac", "1e-6"}, std::pair{"mu_init", "1e-5"}})
    if (may_set(options, name)) options.nlp.engine_options.emplace_back(name, value);
  return options;
}

/// Looks on a coarse mesh, on which the solution that is known is solved as well: what is worse or no better there is left.
class OtherStarts {
 public:
  OtherStarts(Climb& climb, const TranscribeOptions& first)
      : climb_(climb),
        first_(first),
        from_(climb.so_far()),
        of_solution_(climb.so_far().statistics.iterations),
        of_small_(std::min(1.0, small / std::max(1.0, static_cast<double>(from_.statistics.variables)))) {}

  void look() {
    left_ = iterations_of_first_looks();
    is_hard_ = may_be_one_of_several(climb_);
    if (is_hard_) left_ *= 2;
    if (!is_known(coarser) && !(is_hard_ && is_known(less_coarse))) return;
    if (is_hard_) look_elsewhere();
    look_from_somewhere(climb_.task().seed);
    look_from(first_guesses);
    look_between_bounds(1);
    if (seen_.size() > 1 || climb_.first_failed()) look_farther();
    climb_.tell_coarse({starts_, coarse_.mesh, others_});
  }

 private:
  static constexpr const char* known_solution = "the solution on a coarse mesh";

  double iterations_of_first_looks() const { return std::max(of_small_ * least_of_first, of_first_looks * of_solution_); }

  /// Whether the solution is one on a mesh with that many times fewer intervals, on which others can be compared with it.
  bool is_known(std::uint32_t times) {
    coarse_ = on_a_coarse_mesh(first_, times);
    std::optional<abi::Solution> known = look_coarsely(known_solution, close_to_bounds(coarse_), &from_);
    if (known) seen_.push_back(known_ = known->objective);
    return known.has_value();
  }

  /// Until as many iterations were made as the solution took, or a few where that was quick, or starts lead nowhere.
  std::optional<abi::Solution> look_coarsely(const std::string& what, const TranscribeOptions& options,
                                             const abi::Solution* guess) {
    if (left_ <= 0 || failed_ >= starts_ + too_many_failed) return {};
    int before = climb_.iterations();
    std::optional<abi::Solution> found = climb_.look_coarsely(what, options, guess);
    left_ -= climb_.iterations() - before + of_setting_up;
    return found;
  }

  void look_elsewhere() {
    TranscribeOptions options = coarse_;
    if (is_nothing(climb_)) options.nlp.max_iterations = std::min(first_.nlp.max_iterations, short_limit);
    simulations_elsewhere(climb_, [&](const char* what, const abi::Solution& guess) { try_from(what, options, &guess); });
  }

  void look_farther() {
    constexpr std::uint32_t more_seeds = 3;
    constexpr int most_rounds = 3;
    bool are_several = seen_.size() > 1;
    left_ += std::max(of_small_ * least_of_all, are_several ? of_solution_ : 0) - iterations_of_first_looks();
    for (int round = 0; round < most_rounds; ++round) {
      bool is_better = climb_.so_far().objective != from_.objective;
      if (is_better) from_ = climb_.so_far();
      if (is_better) look_from(first_guesses);
      if (is_better || round == 0) look_from(more_guesses);
    }
    look_between_bounds(0);
    for (std::uint32_t k = 1; k <= more_seeds; ++k) look_from_somewhere(climb_.task().seed + k);
  }

  void look_from(std::span<const OtherGuess> guesses) {
    for (const OtherGuess& how : guesses) {
      abi::Solution guess = made_of(climb_.task().problem, from_, how);
      if (!guess.phases.empty()) try_from("the solution, " + std::string(how.name), coarse_, &guess);
    }
  }

  void look_from_somewhere(std::uint32_t seed) {
    TranscribeOptions options = coarse_;
    const abi::Solution* guess = climb_.first_guess(options);
    try_from("guess perturbed by seed " + std::to_string(seed), perturbed(std::move(options), seed), guess);
  }

  /// By simulation: where controls have no bounds that is the first guess once more.
  void look_between_bounds(double place) {
    if (!has_bounded_control() || !climb_.may_look()) return;
    abi::Solution times;
    times.parameters = from_.parameters;
    abi::Solution guess = climb_.simulated_from(&times, place);
    if (!guess.phases.empty())
      try_from(place > 0 ? "controls at their upper bounds" : "controls at their lower bounds", coarse_, &guess);
  }

  bool has_bounded_control() const {
    const bolza_problem& problem = climb_.task().problem;
    for (std::size_t p = 0; p < problem.n_phases; ++p) {
      const bolza_model& m = *problem.models[problem.phases[p].model];
      auto bounded = [](const bolza_variable& v) {
        return std::isfinite(v.min) && std::isfinite(v.max) && v.min < v.max && !v.has_guess;
      };
      if (std::any_of(m.u, m.u + m.n_u, bounded)) return true;
    }
    return false;
  }

  void try_from(const std::string& what, const TranscribeOptions& options, const abi::Solution* guess) {
    std::optional<abi::Solution> found = look_coarsely(what, options, guess);
    if (!found) return void(++failed_);
    ++starts_;
    bool is_new = is_none_of(seen_, found->objective), solved = false;
    if (is_new) seen_.push_back(found->objective);
    if (is_new && gain_of(found->objective, known_) > 0) {
      abi::Solution better = climb_.look_again(what, cold(first_), &*found);
      solved = abi::is_solution(better.status);
      double before = climb_.so_far().objective;
      if (gain_of(better.objective, before) > matters_on_the_mesh * std::abs(before))
        climb_.take_if_better(what, std::move(better));
      if (climb_.so_far().objective != before) {
        known_ = found->objective;
        climb_.note_other(before);
      }
    }
    if (is_new && !solved) others_.push_back(found->objective);
  }

  double gain_of(double objective, double from) const {
    return (climb_.task().problem.maximize ? -1 : 1) * (from - objective);
  }
  double size_of(double objective) const {
    return std::max({std::abs(objective), std::abs(known_), climb_.task().options.nlp.tol});
  }

  bool is_none_of(const std::vector<double>& seen, double objective) const {
    auto same = [&](double other) { return std::abs(objective - other) <= matters * size_of(objective); };
    return std::none_of(seen.begin(), seen.end(), same);
  }

  Climb& climb_;
  const TranscribeOptions& first_;
  TranscribeOptions coarse_;
  abi::Solution from_;
  double of_solution_;          ///< iterations
  bool is_hard_ = false;        ///< it was hard to find, or does nothing
  double of_small_;             ///< what is due to a small problem in this one, by the variables
  double left_ = 0;             ///< iterations, in proportion to the variables
  double known_ = 0;            ///< objective of the best solution, on the coarse mesh
  std::vector<double> seen_;    ///< objectives that differ, on the coarse mesh
  std::vector<double> others_;  ///< those of them that led to no solution on the mesh
  int starts_ = 0, failed_ = 0;
};

void look_from_other_starts(Climb& climb, const TranscribeOptions& first) {
  if (!climb.may_look()) return;
  if (climb.task().library.is_convex(climb.task().problem, climb.so_far().parameters)) return climb.tell_convex();
  OtherStarts(climb, first).look();
}

}  // namespace

extern const SearchRow other_starts_row;
const SearchRow other_starts_row{
    .name = "other starts",
    .looks =
        "where the problem is not convex by its structure, on a fifth of the intervals and for 40 iterations: from a "
        "perturbed "
        "guess, the mirror image of the solution, its states and controls half as far and the other way, free parameters "
        "and the "
        "final time at other places between their bounds, a simulation with controls at their upper bounds, as long as all "
        "of it is a fifth of the iterations of the solution, or "
        "fifteen, counted in proportion to the variables, twice that where what *elsewhere* says is the case, from whose "
        "simulations it is looked first then; where one of these ends elsewhere or the first attempt failed, "
        "from twice and four times as far, from nowhere, twice as long, more "
        "such places, all of these of the better solution, the lower bounds and three other perturbed guesses as well, "
        "until four starts more led nowhere than to a solution. What "
        "is better there is solved on the mesh",
    .applies = looks_coarsely,
    .look = look_from_other_starts};

}  // namespace bolza::workflow
