// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>

#include "base/budget.h"
#include "runtime/estimate/objective.h"
#include "runtime/estimate/search/draws.h"
#include "runtime/estimate/search/journal.h"

namespace bolza::estimate {

/// How far a search is.
struct SearchProgress {
  std::size_t done = 0, total = 0, failed = 0, hits = 0;  ///< hits: within `tolerance` of the best
  double best = 0;                                        ///< NaN: none yet
  double seconds = 0, seconds_left = 0;                   ///< wall clock; left: NaN while it is not known
};

struct SearchOptions {
  std::size_t starts = 100;
  std::uint64_t seed = 1;
  std::size_t jobs = 1;       ///< processes at a time; 0: in this process
  std::size_t threads = 1;    ///< of this process, where there are no others
  double start_seconds = 0;   ///< after which a start is given up; 0: 30 times the longest so far, see base/processes.h
  std::size_t redraws = 50;   ///< for a start that cannot be simulated
  double tolerance = 0.1;     ///< of the value: who is within it of the best has reached it
  double distance = 0.05;     ///< of a parameter, as a share of its range: what is farther apart is another optimum
  std::string journal;        ///< file; empty: none
  std::string name, problem;  ///< of the journal: the model, a digest of everything that fits depend on
  std::vector<std::string> parameters;
  nlp::EngineOptions engine;
  Budget budget;
  void (*progress)(void* context, const SearchProgress&) = nullptr;
  void* progress_context = nullptr;
};

/// An optimum that several starts have found.
struct Optimum {
  std::size_t fit = 0;     ///< of `SearchResult::fits`, its best
  std::size_t starts = 0;  ///< that end there
};

struct SearchResult {
  std::string wrong;            ///< not empty: nothing was done, or the journal could no longer be written, for this reason
  bool interrupted = false;     ///< what was finished is there
  std::vector<SearchFit> fits;  ///< ascending in their values (the waterfall), then those without a solution
  std::size_t good = 0;         ///< the first of `fits` that are solutions
  std::size_t hits = 0;         ///< within the tolerance of the best
  std::size_t resumed = 0;      ///< of `fits`, those that the journal had
  std::size_t redrawn = 0;      ///< starts that could not be simulated and were replaced
  std::vector<Optimum> optima;  ///< distinct ones, the best first
  double share = 0;             ///< hits / fits
  double seconds = 0;           ///< of all fits, one after the other
  double seconds_per_hit = 0;   ///< seconds / hits; infinite without a hit
};

/// Where starts are drawn: uniform within finite bounds; around the start of a parameter with an open side, normal within
/// the bounds. Priors of an estimation, normal or uniform, take the place of both.
std::vector<Draw> draws_of(const Box& box);
std::vector<Draw> draws_of(const Estimation& estimation);

/// The same objective once more, that shares nothing that changes with the first.
using MakeObjective = std::function<std::shared_ptr<FitObjective>()>;

/// Fits from the points of a Latin hypercube, each in a process of its own, and keeps a journal. The same options give the
/// same fits, whatever the number of processes or threads and however often the search was interrupted.
/// @param another  makes an objective for each thread but the first; null: there is one thread
SearchResult multi_start(FitObjective& objective, const std::vector<Draw>& draws, const SearchOptions& options,
                         const MakeObjective& another = nullptr);

/// Sorts fits, finds optima, and fills the figures.
void summarise(const Box& box, double tolerance, double distance, SearchResult& result);

}  // namespace bolza::estimate
