// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workflow/solve/attempts/retries.h"

namespace bolza::workflow {

inline constexpr int first_limit = 300;   ///< iterations of an attempt that others may follow
inline constexpr int middle_limit = 150;  ///< iterations of one whose guess is simulated: it is quick, or others are better
inline constexpr int short_limit = 100;   ///< iterations of one whose guess is simulated, and that is not the last hope
inline constexpr double middle_of_bounds = 0.5;
inline constexpr double much_later = 10;   ///< a final time, as a multiple of the usual one
inline constexpr double of_a_guess = 0.3;  ///< perturbation of a guess, as a share of the sizes

/// What was tried so far, and how more is tried: the rows of attempt_table.h work with it.
class Climb {
 public:
  explicit Climb(const RetryTask& task);

  // what is known
  const RetryTask& task() const { return task_; }
  const abi::Solution& so_far() const { return out_.solution; }
  abi::SolveStatus status() const { return status_; }  ///< of the last solve
  bool has_solution() const { return abi::is_solution(out_.solution.status); }
  bool held() const { return held_; }  ///< an attempt gave a solution
  bool may_retry() const { return task_.retry && !task_.problem.is_static; }
  bool first_failed() const { return out_.first_failed; }
  bool was_at_limit() const { return at_limit_; }          ///< of iterations, some attempt
  bool has_data() const { return !data_.phases.empty(); }  ///< the first attempt began with what the objective compares with
  bool began_at_natural_end() const { return own_ == &natural_; }
  int iterations() const { return out_.iterations; }  ///< of all solves, those on a coarse mesh in proportion
  std::size_t tried() const { return out_.tried.size(); }
  const Budget& budget() const { return task_.options.nlp.budget; }
  bool late() const { return budget().over(); }
  /// Whether nothing that follows could change the outcome.
  bool ended() const;
  /// Whether another attempt may begin: none gave a solution, and they have not taken too many iterations yet.
  bool goes_on() const;

  // guesses
  const abi::Solution* first_guess(transcribe::TranscribeOptions& options);
  /// The model simulated with its guessed controls; null: that gave nothing. Once.
  const abi::Solution* simulated();
  /// The same from other times, with controls at a place between their bounds, 0 to 1.
  abi::Solution simulated_from(const abi::Solution* own, double place) const;
  /// The usual guess with free final times that have no guess at a multiple of their time. Null: there are none.
  const abi::Solution* with_end_at(double factor);

  // options
  /// Of an attempt that others may follow: without multipliers, with `first_limit` iterations.
  transcribe::TranscribeOptions usual() const;
  /// Of the first attempt.
  transcribe::TranscribeOptions first() const;
  /// Iterations of an attempt that has no more than `most`.
  int limit_of(int most) const;

  // attempts
  /// A solve on the way to an attempt.
  abi::Solution run(const std::string& what, const transcribe::TranscribeOptions& options, const abi::Solution* guess,
                    bool solved = false);
  /// What failed on the way says nothing of the problem: the status is again that of the last attempt.
  void forget(abi::SolveStatus before);
  /// True: it gave a solution, which is the outcome.
  bool attempt(const std::string& what, const transcribe::TranscribeOptions& options, const abi::Solution* guess);
  /// False: it failed, now or before.
  bool attempt_first(transcribe::TranscribeOptions& first);
  /// A solution that was found on the way is the outcome.
  void take(const std::string& what, abi::Solution found);
  /// The outcome is that the problem is unbounded where the iterates say so.
  bool take_runaway(abi::Solution& found);
  /// What the first attempt ended with is not the last word where others had no time.
  void tell_of_time();

  // searches after a solution
  /// From here on there are searches only, whose cost is measured by that of the solution.
  void begin_search();
  bool may_look();
  /// Whether nothing more is looked for; where a limit of the user's is why, the outcome says so.
  bool search_ended();
  /// A solve with what is left for all searches.
  abi::Solution look(const std::string& what, transcribe::TranscribeOptions options, const abi::Solution* guess);
  /// What a start that was counted as a coarse one leads to on the mesh.
  abi::Solution look_again(const std::string& what, const transcribe::TranscribeOptions& options,
                           const abi::Solution* guess);
  /// The same with options of a coarse mesh, on which iterations count in proportion to the variables; it is no start of its
  /// own (`tell_coarse`). Nothing: there was no time, or it was not solved, which says nothing of the problem.
  std::optional<abi::Solution> look_coarsely(const std::string& what, transcribe::TranscribeOptions options,
                                             const abi::Solution* guess);
  /// Looks, once under each name, and keeps what is better; another optimum that is no better is remembered.
  void compare(const char* what, const transcribe::TranscribeOptions& options, const abi::Solution* guess);
  /// Looks from a perturbed guess, once.
  void look_perturbed(transcribe::TranscribeOptions options);
  void take_if_better(const std::string& what, abi::Solution found);
  void tell_coarse(CoarseLook coarse) { out_.looked.coarse = std::move(coarse); }
  /// Another optimum was left for a better one.
  void note_other(double objective) { out_.other = objective; }
  void tell_convex() { out_.looked.is_convex = true; }
  void count_start(double objective) { out_.optima.push_back(objective); }
  void set_starts(int starts) { out_.starts = starts; }
  /// The solution that a search may change in its place.
  abi::Solution& solution() { return out_.solution; }
  void set_moves_on(MovesOn what) { out_.moves_on = std::move(what); }
  void note(const char* what) { out_.tried.emplace_back(what); }

  RetryOutcome take_outcome();

 private:
  void take_natural_horizon();
  bool is_warm() const { return task_.options.nlp.warm_start && task_.given; }

  const RetryTask& task_;
  const abi::Solution* own_;  ///< the guess that is not constant, or of parameters alone
  abi::Solution natural_;     ///< the usual parameters with the final time that the equations speak of
  Clock::time_point began_ = Clock::now();
  RetryOutcome out_;
  std::optional<abi::Solution> simulated_;
  abi::Solution data_;
  abi::Solution moved_;  ///< times of `with_end_at`
  abi::SolveStatus status_ = abi::SolveStatus::failed;
  bool held_ = false, unbounded_ = false, unstable_ = false, at_limit_ = false, looked_perturbed_ = false;
  int search_left_ = 0;  ///< iterations that searches may still take
  Budget search_;        ///< of all of them
};

/// The same without what belongs to the multipliers of a guess.
transcribe::TranscribeOptions cold(transcribe::TranscribeOptions options);

/// The same from a guess that is moved by smooth random functions.
transcribe::TranscribeOptions perturbed(transcribe::TranscribeOptions options, std::uint32_t seed);

inline constexpr std::uint32_t static_starts = 16;  ///< of a problem without time, besides the usual one

/// The same for a problem without time, from another start of those that spread between the bounds.
transcribe::TranscribeOptions from_another_start(transcribe::TranscribeOptions options, std::uint32_t seed);

/// Whether states have guesses: they do not follow from the controls.
bool has_guess_of_states(const Climb& climb);

/// Whether IPOPT or `barrier` is asked for, has this option, and the user has not set it.
bool may_set(const transcribe::TranscribeOptions& options, std::string_view name);

}  // namespace bolza::workflow
