#pragma once

namespace bolza::nlp {

/// What a report says of an engine that stalled.
inline constexpr const char* no_progress = "no progress in 20 iterations";

/// Watches the iterations of an engine for progress: a smaller violation, a changed objective, a smaller error of the
/// conditions of Karush, Kuhn and Tucker, or a smaller barrier. Where none comes the values are as good as their noise
/// lets them be.
class StallWatch {
 public:
  /// @param tol  of the engine: violations below it count as none
  explicit StallWatch(double tol) : tol_(tol) {}

  /// An iteration has ended here, in the engine's scaling.
  /// @param violation  largest of rows and bounds     @param error  largest of all residuals, or of ∇L
  /// @param barrier    of an interior-point engine; 0: there is none
  /// True: nothing came of the last 20.
  bool look(double objective, double violation, double error, double barrier = 0);
  /// What comes next is judged by itself, as after a restoration.
  void reset() { *this = StallWatch(tol_); }

 private:
  bool has_progress(double objective, double violation, double error, double barrier) const;

  double tol_;
  bool begun_ = false;
  double objective_ = 0, violation_ = 0, error_ = 0, barrier_ = 0;  // at the last progress; the errors: the least so far
  int idle_ = 0;
};

}  // namespace bolza::nlp
