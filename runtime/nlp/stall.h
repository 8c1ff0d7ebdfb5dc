// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza::nlp {

/// What a report says of an engine that stalled.
inline constexpr const char* no_progress = "no progress any more";

/// Watches the iterations of an engine for progress: a smaller violation, a changed objective, a smaller error of the
/// conditions of Karush, Kuhn and Tucker, or a smaller barrier. Where none comes the values are as good as their noise
/// lets them be.
class StallWatch {
 public:
  /// @param tol    of the engine: violations below it count as none
  /// @param noise  of the objective, relative to 1 + its size: changes below it are none, as those of 1e-9 of it
  /// @param patience  iterations without progress
  StallWatch(double tol, double noise, int patience = 20) : tol_(tol), noise_(noise), patience_(patience) {}

  /// An iteration has ended here, in the engine's scaling.
  /// @param violation  largest of rows and bounds     @param error  largest of all residuals, or of ∇L
  /// @param barrier    of an interior-point engine; 0: there is none
  /// True: nothing came of the last ones.
  bool look(double objective, double violation, double error, double barrier = 0);
  /// What comes next is judged by itself, as after a restoration.
  void reset() { *this = StallWatch(tol_, noise_, patience_); }

 private:
  bool has_progress(double objective, double violation, double error, double barrier) const;

  double tol_, noise_;
  int patience_;
  bool begun_ = false;
  double objective_ = 0, violation_ = 0, error_ = 0, barrier_ = 0;  // at the last progress; the errors: the least so far
  int idle_ = 0;
};

}  // namespace bolza::nlp
