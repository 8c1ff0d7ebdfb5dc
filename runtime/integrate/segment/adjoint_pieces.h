// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "runtime/integrate/segment/checkpoints.h"

namespace bolza::integrate {

/// Bounds the memory of an adjoint by SUNDIALS, whose module keeps its checkpoints in memory and all of them. A run over
/// [0, 1] whose checkpoints would take more than `checkpoint_memory` is divided into pieces: at the start of each the
/// integrator starts again, and the numbers that it begins with are kept, in memory or, with `checkpoint_storage=disk`, in a
/// file. Backwards the pieces are integrated once more, from the last but one to the first, so that the module holds the
/// checkpoints of one piece only; its backward problems go on from piece to piece as they do from checkpoint to checkpoint.
///
/// Cost  short runs: nothing; others: one more simulation, and for each piece, of 250 steps at least, the few that a start
/// takes.
class AdjointPieces {
 public:
  /// @param numbers  that the module stores of one step     @param vectors  as many times as a checkpoint has these
  /// @param handles  vectors of SUNDIALS that hold the numbers of a step
  /// @param expected  steps of a run, 0: not known. The module allocates all steps between two checkpoints at once.
  AdjointPieces(const MethodOptions& options, std::size_t numbers, std::size_t vectors, std::size_t handles = 1,
                long expected = 0);
  /// Steps between two checkpoints of the module.
  long steps_between() const { return between_; }
  std::size_t count() const { return begins_.size(); }
  long steps() const { return steps_; }  ///< of the last forward run, over all pieces
  double begin_of(std::size_t piece) const { return begins_[piece]; }

  /// The forward integration.
  struct Run {
    std::function<bool(double s, std::span<const double> numbers)> begin;  ///< again, and nothing is recorded yet
    std::function<bool(double& s)> step;                                   ///< records one step, to s
    std::function<void(std::vector<double>& numbers)> numbers;             ///< what it would begin with where it stands
  };
  /// From these numbers at 0 to 1. False: a step failed, there are too many, or no room on the disk (`trouble`).
  bool forward(const Run& run, std::vector<double> numbers, long max_steps);
  /// Puts the last piece on record, where backward problems begin.
  bool rewind(const Run& run) { return begins_.empty() || load(run, begins_.size() - 1); }
  /// Calls back(s) for the pieces in descending order; each is on record while it goes back to its start s.
  bool backward(const Run& run, const std::function<bool(double s)>& back);
  bool no_room() const { return no_room_; }

 private:
  bool load(const Run& run, std::size_t piece);

  Checkpoints checkpoints_;
  std::vector<double> begins_;
  std::size_t loaded_ = 0;
  long between_, longest_;  // steps of a piece
  bool no_room_ = false;
  long steps_ = 0;
};

}  // namespace bolza::integrate
