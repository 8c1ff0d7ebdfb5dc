// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "runtime/transcribe/shooting/accuracy.h"

namespace bolza::transcribe {

inline constexpr double least_rtol = 1e-13;  ///< what integrators of order five can give in double precision
inline constexpr double lost_state = 0.01;   ///< error of a state, of its size, with which its value says nothing

/// What small errors of the states become.
struct Growth {
  double factor = 1;   ///< of a state's error by those before it, as multiples of what is made on one interval
  std::string name;    ///< of the state where it is largest
  double time = 0;     ///< and where
  bool known = false;  ///< false: an integration failed, and errors had not grown beyond every tolerance by then
};

/// How far errors of one size, made in every state at the start and on every interval, carry a state at a later mesh point
/// of the same phase away: root of the mean square over random combinations of them, the same ones each time, relative to
/// the state's size.
/// Requires  the nodes evaluated: states at all mesh points are those of the present variables.
/// Cost  one integration with four sensitivities.
Growth growth_of_errors(ShootingNodes& nodes);

/// Whether errors grow so much that no tolerance leaves anything of a state.
bool is_hopeless(const Growth& growth);

/// Looks now and then at how errors grow along what an engine iterates on, as its first trajectory need not tell (a ball
/// that falls away is stable, one that hovers is not), and ends the iterations that lead to nothing:
///
/// | form | ends where |
/// |---|---|
/// | lifted | growth is hopeless three times, after five iterations each |
/// | classical | what grows is lost at the tolerance of the integration; or errors grow 1e5 times, and twenty iterations, a
/// hundred without second derivatives, neither changed the objective by a tenth nor brought the slope down to a tenth of the
/// least one so far; or 1e3 times, and six times as many did not, in a row |
///
/// Cost  of a look: one integration with four sensitivities.
class GrowthWatch {
 public:
  enum class Form : std::uint8_t { lifted, classical };
  /// @param make  what is integrated for a look     @param at  the problem that is iterated on, whichever it is by then
  GrowthWatch(const MakeProblem& make, const ShootingProblem& at, Form form) : make_(make), at_(at), form_(form) {}
  GrowthWatch(const GrowthWatch&) = delete;
  GrowthWatch& operator=(const GrowthWatch&) = delete;

  /// The options of an engine that is watched: of its progress, and with an interrupt of the watch's own, which the asked
  /// one sets, too. They are good for one solve after another while the watch lives.
  nlp::EngineOptions watched(const nlp::EngineOptions& asked);
  /// An engine that the watch has ended found nothing; one that could not go on as somebody interrupted it was interrupted.
  void name_end(nlp::Report& report) const;
  /// What ended the iterations.
  const std::optional<Growth>& found() const { return found_; }
  bool creeps() const { return creeps_; }  ///< they were ended as they were slow

 private:
  static void follow(void* watch, const nlp::EngineProgress& at);
  bool ends(const nlp::EngineProgress& at);
  bool ends_lifted(const Growth& growth);
  bool ends_classical(const Growth& growth, const nlp::EngineProgress& at);
  Growth look() const;

  const MakeProblem& make_;
  const ShootingProblem& at_;
  Form form_;
  nlp::EngineOptions asked_;
  volatile bool stop_ = false;
  int iterations_ = 0, hopeless_ = 0, slow_looks_ = 0;
  double objective_ = NAN, slope_ = NAN;  // at the last look, and the least of all
  bool creeps_ = false;
  std::optional<Growth> found_;
};

}  // namespace bolza::transcribe
