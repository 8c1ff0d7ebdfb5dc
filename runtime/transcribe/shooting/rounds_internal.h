// SPDX-License-Identifier: Apache-2.0
// Shooting in rounds: solved, looked at between the mesh points, and solved again with samples where constraints are
// violated most.
#pragma once
#include <array>
#include <functional>
#include <map>

#include "runtime/transcribe/shooting/path_maxima.h"

namespace bolza::transcribe {

/// The variables and multipliers of a solved round by what they belong to, for the next, whose mesh has other points.
class RoundMemory {
 public:
  void keep(const ShootingNodes& nodes, const nlp::Iterate& iterate);
  bool empty() const { return variables_.empty(); }
  /// For the NLP of these nodes: what is new starts as the NLP says with multipliers of 0, a defect's with that of the mesh
  /// point after.
  nlp::Iterate recall(const ShootingNodes& nodes) const;

 private:
  using Key = std::array<double, 5>;  ///< kind, phase, index, side, place: fraction of the horizon
  struct Variable {
    double w, z_lower, z_upper;
  };
  static std::vector<Key> keys_of_variables(const ShootingNodes& nodes);
  static std::vector<Key> keys_of_rows(const ShootingNodes& nodes);
  std::map<Key, Variable> variables_;
  std::map<Key, double> rows_;
};

/// What one round found.
struct Round {
  abi::Solution solution;
  PathMaxima maxima;
  std::size_t simulations = 0;
};

/// How exact a round is.
struct Accuracy {
  double tol = 0;        ///< of the engine; 0: as it was asked for
  double barrier = 0;    ///< of an interior-point engine at the start; 0: its own
  bool passing = false;  ///< nobody sees the solution: status, iterations and the memory are enough
};

/// Solves once on the samples of `shooting`, from the round before, or from the guess where the memory is empty.
using SolveRound = std::function<Round(const ShootingOptions& shooting, const Accuracy& accuracy, const abi::Solution* guess,
                                       RoundMemory& memory)>;

/// The engine's options for a round.
nlp::EngineOptions engine_of(const nlp::EngineOptions& options, const Accuracy& accuracy, const RoundMemory& memory);
/// What is left of a round that is passed through.
Round passed(const nlp::Report& report, std::size_t simulations);

/// Looks for path maxima, where there may be another round.
void look_between(const ShootingOptions& shooting, ShootingNodes& nodes, const ShootingWriter& writer,
                  const nlp::Iterate& iterate, Round& round);

/// The rounds that `shooting.tighten` and `shooting.path_constraints` ask for. The first that fails ends them: the solution
/// is the last that was found. Its log says how many samples there are and what is violated between them at most.
/// @param tol  of the engine
abi::Solution solve_in_rounds(const ShootingOptions& shooting, double tol, const abi::Solution* guess,
                              const SolveRound& solve);

}  // namespace bolza::transcribe
